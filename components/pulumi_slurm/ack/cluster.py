"""AckCluster: an ACK cluster, by default only reachable from its VPC, and a Pulumi provider for it."""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_kubernetes as k8s
from pulumi_alicloud import cs
from pydantic import model_validator

from pulumi_slurm.ack.dicts import AckClusterArgsDict
from pulumi_slurm.ack.kubeconfig import kubeconfig
from pulumi_slurm.ack.model import AckControlPlaneSpec, AckNetworkSpec, AddonSpec, Cni
from pulumi_slurm.ack.node_vswitches import missing_vswitches, vswitches_of
from pulumi_slurm.ack.part_rules import check_part
from pulumi_slurm.clouds.address_ranges import prefix_length_for
from pulumi_slurm.errors import FieldError, raise_errors
from pulumi_slurm.kube.component import Args, Component, Options, protection

_ADDONS = ("csi-plugin", "csi-provisioner", "metrics-server", "ack-node-problem-detector", "node-lifecycle-controller")
"""Components for NAS and disks, for the metrics of `kubectl top` and pod autoscaling, and two for node repair."""
_DISABLED_ADDONS = ("nginx-ingress-controller",)
"""ACK would install it by default, with a load balancer on the Internet."""
_PLUGIN: Mapping[str, str] = MappingProxyType({Cni.TERWAY: "terway-eniip", Cni.FLANNEL: "flannel"})

_READ_ON_CREATION = (
    "addons",
    "podVswitchIds",
)
"""Inputs that ACK only reads when it creates the cluster: a later change would be in every preview."""

_CREATED_BY_ACK = ("SLB", "ALB", "SLS_Data", "SLS_ControlPlane", "PrivateZone")
"""Types of resources that ACK creates for the cluster, and only deletes with it if `delete_options` says so."""


class AckClusterArgs(Args):
    """Arguments of `AckCluster`."""

    region: str
    """The region, e.g. "cn-hangzhou"."""
    name: str
    """The cluster's name in ACK."""
    zones: list[str]
    """The zones of the control plane's network interfaces."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes, for example `AckNetwork.node_vswitches`."""
    security_group_id: pulumi.Input[str]
    """The id of the nodes' security group."""
    control_plane: AckControlPlaneSpec = AckControlPlaneSpec()
    """ACK's control plane."""
    pod_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]] | None = None
    """With Terway, by zone: the id of the vSwitch of pods, for example `AckNetwork.pod_vswitches`."""
    pods_range: str | None = None
    """With Flannel: the addresses of all pods, outside of the VPC."""
    pods_per_node: int | None = None
    """With Flannel: how many addresses each node gets for its pods; a power of two, by default 64."""
    services_range: str = "172.16.0.0/20"
    """The addresses of Kubernetes Services, outside of the VPC."""
    tags: dict[str, str] = {}
    """Tags of the cluster."""
    deletion_protection: bool = True
    """Make ACK and Pulumi refuse to delete the cluster."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        fields = ("services_range", "pods_range", "pods_per_node")
        ranges = {field: getattr(self, field) for field in fields}
        check_part(
            {
                "region": self.region,
                "name": self.name,
                "zones": self.zones,
                "control_plane": self.control_plane,
                "network": {field: value for field, value in ranges.items() if value is not None},
                "tags": self.tags,
            },
            {
                ("region",): ("region",),
                ("name",): ("name",),
                ("zones",): ("zones",),
                ("control_plane",): ("control_plane",),
                **{("network", field): (field,) for field in fields},
                ("tags",): ("tags",),
            },
        )
        raise_errors([*missing_vswitches(self.zones, self.node_vswitches), *self._missing_pod_addresses()])
        return self

    def _missing_pod_addresses(self) -> Iterator[FieldError]:
        cni = self.control_plane.cni
        if cni is Cni.TERWAY and self.pod_vswitches is None:
            fix = "Pass AckNetwork's podVswitches."
            yield FieldError(("pod_vswitches",), FieldError.ABSENT, f"with {cni} pods have vSwitches", fix)
        if cni is Cni.FLANNEL and self.pods_range is None:
            fix = 'Write for example "172.20.0.0/16".'
            yield FieldError(("pods_range",), FieldError.ABSENT, f"with {cni} pods have a separate range", fix)


class AckCluster(Component[AckClusterArgs]):
    """An ACK cluster without node pools.

    Its control plane has an address within the VPC, and one on the Internet only with `control_plane.public_endpoint`.
    Changes of node pools don't affect the cluster. Its network interfaces are in the vSwitches of `zones`; pools may
    have other zones.

    With `deletion_protection`, both ACK and Pulumi protect the cluster: the preview of `pulumi destroy` fails before
    anything is deleted, and so does the preview of a change that would replace the cluster. Without it, a destroy also
    deletes the load balancers and logs that ACK has created for the cluster.

    If a zone is added later, add the vSwitch of its pods to Terway's configuration, which Pulumi doesn't change
    (https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/modify-pod-vswitches).

    Example::

        network = AckNetwork("hpc", {"name": "hpc", "zones": ["cn-hangzhou-i"]})
        args = AckClusterArgs(
            region="cn-hangzhou",
            name="hpc",
            zones=["cn-hangzhou-i"],
            node_vswitches=network.node_vswitches,
            pod_vswitches=network.pod_vswitches,
            security_group_id=network.security_group_id,
        )
        cluster = AckCluster("hpc", args, pulumi.ResourceOptions(depends_on=[network]))
    """

    cluster_id: pulumi.Output[str]
    """The cluster's id."""
    name: pulumi.Output[str]
    """The cluster's name."""
    endpoint: pulumi.Output[str]
    """The control plane's URL: the public one if there is one, otherwise the one within the VPC."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig as JSON text, with a certificate and a key of the user who runs Pulumi, valid for three years. It is
    a secret."""
    provider: k8s.Provider
    """The provider for objects in the cluster. A rotated key updates its Secret in place."""

    @overload
    def __init__(self, resource_name: str, args: AckClusterArgs | AckClusterArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckClusterArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        control_plane = args.control_plane
        cluster = cs.ManagedKubernetes(
            f"{self._name}-cluster",
            name=args.name,
            cluster_spec=str(control_plane.edition),
            version=control_plane.version,
            profile="Default",
            deletion_protection=args.deletion_protection,
            delete_options=_delete_options(retain=args.deletion_protection),
            tags=args.tags or None,
            **_network(args),
            **_control_plane(control_plane),
            **_logs(control_plane),
            addons=[
                cs.ManagedKubernetesAddonArgs(
                    name=addon.name,
                    config=json.dumps(addon.config, sort_keys=True) if addon.config else None,
                    version=addon.version,
                    disabled=addon.disabled,
                )
                for addon in _addons(control_plane)
            ],
            opts=self.child(
                protect=protection(args.deletion_protection),
                ignore_changes=[*_READ_ON_CREATION, *([] if args.control_plane.rrsa else ["enableRrsa"])],
                custom_timeouts=pulumi.CustomTimeouts(create="90m", update="1h", delete="1h"),
            ),
        )
        autoscaling = cs.AutoscalingConfig(
            f"{self._name}-autoscaling",
            cluster_id=cluster.id,
            scaler_type="goatscaler",
            expander="least-waste",
            scale_down_enabled=True,
            cool_down_duration="10m",
            unneeded_duration="10m",
            utilization_threshold="0.5",
            opts=self.child(cluster),
        )
        self.cluster_id = cluster.id.apply(str)
        self.name = cluster.name
        self.endpoint = cluster.connections.apply(
            lambda connections: _endpoint(connections, public=control_plane.public_endpoint)
        )
        self.kubeconfig = self._kubeconfig(cluster)
        self.provider = k8s.Provider(
            f"{self._name}-kubernetes",
            kubeconfig=self.kubeconfig,
            # Otherwise the provider would regard a renewed certificate as another cluster, and recreate all objects.
            cluster_identifier=f"alicloud/{args.region}/{args.name}",
            enable_secret_mutable=True,
            enable_config_map_mutable=True,
            opts=self.child(cluster),
        )
        self.finish(autoscaling, self.provider)

    def _kubeconfig(self, cluster: cs.ManagedKubernetes) -> pulumi.Output[str]:
        # Without temporary_duration_minutes, because every run would get a new certificate and so change the provider.
        credential = cs.get_cluster_credential_output(
            cluster_id=cluster.id, opts=pulumi.InvokeOutputOptions(parent=self)
        )
        # The SDK doesn't mark them as secrets.
        certificates: pulumi.Output[list[str]] = pulumi.Output.secret(credential.apply(certificates_of))
        name = self._args.name
        return pulumi.Output.secret(
            pulumi.Output.all(self.endpoint, certificates).apply(lambda values: kubeconfig(name, values[0], *values[1]))
        )


def _addons(control_plane: AckControlPlaneSpec) -> list[AddonSpec]:
    """Return the components that ACK installs with the cluster; the user's replace default ones with the same name."""
    defaults = [AddonSpec(name=name) for name in (_PLUGIN[control_plane.cni], *_ADDONS)]
    defaults += [AddonSpec(name=name, disabled=True) for name in _DISABLED_ADDONS]
    return list({addon.name: addon for addon in (*defaults, *control_plane.addons)}.values())


def _network(args: AckClusterArgs) -> dict[str, Any]:
    """Return the inputs for the network: the addresses of nodes, pods and Services."""
    inputs: dict[str, Any] = {
        "vswitch_ids": vswitches_of(args.zones, args.node_vswitches),
        "service_cidr": args.services_range,
        "security_group_id": args.security_group_id,
        "proxy_mode": str(args.control_plane.proxy_mode),
        "cluster_domain": args.control_plane.cluster_domain,
        # `AckNetwork` creates one; ACK's default is True.
        "new_nat_gateway": False,
        # ACK's default is True.
        "slb_internet_enabled": args.control_plane.public_endpoint,
    }
    if args.control_plane.cni is Cni.TERWAY:
        pod_vswitches: pulumi.Output[Any] = pulumi.Output.from_input(args.pod_vswitches)
        return {**inputs, "pod_vswitch_ids": pod_vswitches.apply(lambda ids: list(map(str, ids.values())))}
    mask = prefix_length_for(args.pods_per_node or AckNetworkSpec().pods_per_node)
    return {**inputs, "pod_cidr": args.pods_range, "node_cidr_mask": mask}


def _control_plane(control_plane: AckControlPlaneSpec) -> dict[str, Any]:
    """Return the inputs for access rights and upgrades."""
    window, channel = control_plane.maintenance_window, control_plane.upgrade_channel
    inputs: dict[str, Any] = {
        "enable_rrsa": control_plane.rrsa,
        # Otherwise the provider writes keys to its state.
        "skip_set_certificate_authority": True,
        "maintenance_window": cs.ManagedKubernetesMaintenanceWindowArgs(
            enable=True,
            maintenance_time=window.start,
            duration=f"{window.hours}h",
            weekly_period=",".join(window.days),
        ),
        "operation_policy": cs.ManagedKubernetesOperationPolicyArgs(
            cluster_auto_upgrade=cs.ManagedKubernetesOperationPolicyClusterAutoUpgradeArgs(
                enabled=channel is not None, channel=str(channel) if channel else None
            )
        ),
    }
    if control_plane.secrets_encryption_key:
        inputs |= {"encryption_provider_key": control_plane.secrets_encryption_key, "disable_encryption": False}
    return inputs


def _logs(control_plane: AckControlPlaneSpec) -> dict[str, Any]:
    inputs: dict[str, Any] = {
        # Without a project name: ACK creates the project, and names are shared by all customers.
        "audit_log_config": cs.ManagedKubernetesAuditLogConfigArgs(enabled=control_plane.audit_log),
    }
    if control_plane.log_components:
        inputs |= {
            "control_plane_log_components": [str(component) for component in control_plane.log_components],
            "control_plane_log_ttl": str(control_plane.log_days),
        }
    return inputs


def _delete_options(*, retain: bool) -> list[cs.ManagedKubernetesDeleteOptionArgs]:
    mode = "retain" if retain else "delete"
    return [
        cs.ManagedKubernetesDeleteOptionArgs(resource_type=resource_type, delete_mode=mode)
        for resource_type in _CREATED_BY_ACK
    ]


def _endpoint(connections: Any, *, public: bool) -> str:
    """Return the address of the API server: one on the Internet only if the cluster was made with it."""
    addresses = connections[0]
    return str((public and addresses.api_server_internet) or addresses.api_server_intranet)


def certificates_of(credential: cs.GetClusterCredentialResult) -> list[str]:
    """Return the cluster's certificate, the user's, and the user's key."""
    authority = credential.certificate_authorities[0]
    return [authority.cluster_cert, authority.client_cert, authority.client_key]

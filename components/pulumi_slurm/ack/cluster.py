"""AckCluster: an ACK cluster that is closed by default, and the way to talk to it."""

import json
from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s
from pulumi_alicloud import cs

from pulumi_slurm.ack.kubeconfig import kubeconfig
from pulumi_slurm.ack.model import AckSpec, AddonSpec, Cni
from pulumi_slurm.ack.plan.addresses import plan_addresses, pod_zones
from pulumi_slurm.ack.rules import CheckedAckSpec
from pulumi_slurm.clouds.address_ranges import prefix_length_for
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args, protection

_ADDONS = ("csi-plugin", "csi-provisioner", "metrics-server", "ack-node-problem-detector", "node-lifecycle-controller")
"""NAS and disks; what `kubectl top` and autoscaling of pods read; and the two that repair of nodes needs."""
_UNWANTED = ("nginx-ingress-controller",)
"""ACK would install it by itself, with a load balancer on the Internet."""
_PLUGIN = {Cni.TERWAY: "terway-eniip", Cni.FLANNEL: "flannel"}

_ONLY_AT_BIRTH = ["addons", "podVswitchIds"]
"""What ACK looks at when it makes the cluster and never again: a later change of it would show in each preview."""

_OF_THE_CLUSTER = ("SLB", "ALB", "SLS_Data", "SLS_ControlPlane")
"""What ACK makes beside the cluster, and leaves behind unless it is told otherwise."""


class AckClusterArgs(Args):
    """Arguments of `AckCluster`."""

    spec: CheckedAckSpec
    """The specification."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes: `AckNetwork.node_vswitches`."""
    pod_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]] | None = None
    """By zone: the id of the vSwitch of pods, with Terway: `AckNetwork.pod_vswitches`."""
    security_group_id: pulumi.Input[str]
    """The id of the nodes' security group."""


class AckCluster(Component[AckClusterArgs]):
    """An ACK cluster without node pools.

    Its control plane has an address within the VPC, and one on the Internet only with `cluster.publicEndpoint`. It
    knows nothing of the pools, so no change of them can touch it. Its own interfaces lie in the vSwitches of the
    cluster's zones, not in those of zones that only pools have.

    With `deletionProtection`, Pulumi itself protects the cluster, besides ACK: then the preview of `pulumi destroy`
    fails, before anything is deleted, and so does the preview of a change that would replace the cluster. Without it,
    a destroy also deletes the load balancers and logs that ACK has made for the cluster.

    A zone that is added later has a vSwitch for Terway's pods, of which Terway doesn't know: add it to Terway's
    configuration (https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/modify-pod-vswitches).

    Not checked on a real account: that ACK tells the certificates of a cluster without a public address, as the
    provider asks for those of the Internet, https://github.com/aliyun/terraform-provider-alicloud.
    """

    cluster_id: pulumi.Output[str]
    """The cluster's id."""
    cluster_name: pulumi.Output[str]
    """The cluster's name."""
    endpoint: pulumi.Output[str]
    """The control plane's URL: on the Internet if it has one there, else within the VPC."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig as JSON text, with a certificate and a key of whoever runs Pulumi; they last for three years. It is
    a secret."""
    provider: k8s.Provider
    """The provider for what runs on the cluster. A rotated key updates its Secret in place."""

    def __init__(
        self, name: str, args: AckClusterArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckClusterArgs, args)
        super().__init__(name, args, opts)
        spec = args.spec
        physical_name = spec.cluster_name
        cluster = cs.ManagedKubernetes(
            f"{name}-cluster",
            name=physical_name,
            cluster_spec=spec.cluster.spec.value,
            version=spec.cluster.version,
            profile="Default",
            deletion_protection=spec.deletion_protection,
            delete_options=_delete_options(spec),
            tags=spec.tags or None,
            **_network(args),
            **_control_plane(spec),
            **_logs(spec),
            addons=[
                cs.ManagedKubernetesAddonArgs(
                    name=addon.name,
                    config=json.dumps(addon.config, sort_keys=True) if addon.config else None,
                    version=addon.version,
                    disabled=addon.disabled,
                )
                for addon in addons(spec)
            ],
            opts=child_options(
                self,
                opts,
                protect=protection(spec.deletion_protection),
                ignore_changes=_ONLY_AT_BIRTH,
                custom_timeouts=pulumi.CustomTimeouts(create="90m", update="1h", delete="1h"),
            ),
        )
        autoscaling = cs.AutoscalingConfig(
            f"{name}-autoscaling",
            cluster_id=cluster.id,
            scaler_type="goatscaler",
            expander="least-waste",
            scale_down_enabled=True,
            cool_down_duration="10m",
            unneeded_duration="10m",
            utilization_threshold="0.5",
            opts=child_options(self, opts, [cluster]),
        )
        self.cluster_id = cluster.id.apply(str)
        self.cluster_name = cluster.name
        self.endpoint = cluster.connections.apply(lambda found: _endpoint(found, public=spec.cluster.public_endpoint))
        self.kubeconfig = self._kubeconfig(cluster, physical_name)
        self.provider = k8s.Provider(
            f"{name}-kubernetes",
            kubeconfig=self.kubeconfig,
            # Else the provider takes a renewed certificate for another cluster, and makes everything on it anew.
            cluster_identifier=f"alicloud/{spec.region}/{physical_name}",
            enable_secret_mutable=True,
            opts=child_options(self, opts, [cluster]),
        )
        self._last = [autoscaling, self.provider]
        self.finish(*self._last)

    def _kubeconfig(self, cluster: cs.ManagedKubernetes, name: str) -> pulumi.Output[str]:
        # Without temporary_duration_minutes: each run would get another certificate, and the provider with it.
        credential = cs.get_cluster_credential_output(
            cluster_id=cluster.id, opts=pulumi.InvokeOutputOptions(parent=self)
        )
        # The SDK doesn't mark them as secrets.
        certificates: pulumi.Output[list[str]] = credential.apply(_certificates)
        found: pulumi.Output[list[str]] = pulumi.Output.secret(certificates)
        return pulumi.Output.secret(
            pulumi.Output.all(self.endpoint, found).apply(lambda both: kubeconfig(name, both[0], *both[1]))
        )


def addons(spec: AckSpec) -> list[AddonSpec]:
    """Return the components that ACK installs with the cluster: ours, and the user's in their place."""
    ours = [AddonSpec(name=name) for name in (_PLUGIN[spec.cluster.cni], *_ADDONS)]
    ours += [AddonSpec(name=name, disabled=True) for name in _UNWANTED]
    return list({addon.name: addon for addon in (*ours, *spec.cluster.addons)}.values())


def _network(args: AckClusterArgs) -> dict[str, Any]:
    spec = args.spec
    addresses = plan_addresses(spec)
    found: dict[str, Any] = {
        "vswitch_ids": _chosen(args.node_vswitches, spec.zones),
        "service_cidr": addresses.services,
        "security_group_id": args.security_group_id,
        "proxy_mode": "ipvs",
        "cluster_domain": spec.cluster.cluster_domain,
        # `AckNetwork` has made one, and this is on unless it is off.
        "new_nat_gateway": False,
        # Likewise.
        "slb_internet_enabled": spec.cluster.public_endpoint,
    }
    if spec.cluster.cni is Cni.TERWAY:
        return {**found, "pod_vswitch_ids": _chosen(args.pod_vswitches, pod_zones(spec))}
    mask = prefix_length_for(spec.network.pods_per_node)
    return {**found, "pod_cidr": addresses.flannel_pods, "node_cidr_mask": mask}


def _control_plane(spec: AckSpec) -> dict[str, Any]:
    options, window = spec.cluster, spec.cluster.maintenance_window
    found: dict[str, Any] = {
        "enable_rrsa": options.rrsa,
        # Else the provider writes keys into its state.
        "skip_set_certificate_authority": True,
        "maintenance_window": cs.ManagedKubernetesMaintenanceWindowArgs(
            enable=True,
            maintenance_time=window.start,
            duration=f"{window.hours}h",
            weekly_period=",".join(window.days),
        ),
        "operation_policy": cs.ManagedKubernetesOperationPolicyArgs(
            cluster_auto_upgrade=cs.ManagedKubernetesOperationPolicyClusterAutoUpgradeArgs(
                enabled=options.upgrade_channel is not None,
                channel=options.upgrade_channel.value if options.upgrade_channel else None,
            )
        ),
    }
    if options.secrets_encryption_key:
        found |= {"encryption_provider_key": options.secrets_encryption_key, "disable_encryption": False}
    return found


def _logs(spec: AckSpec) -> dict[str, Any]:
    options = spec.cluster
    found: dict[str, Any] = {
        # ACK makes the project; of the names that one could choose, all customers have the same.
        "audit_log_config": cs.ManagedKubernetesAuditLogConfigArgs(enabled=options.audit_log),
    }
    if options.log_components:
        found |= {
            "control_plane_log_components": [component.value for component in options.log_components],
            "control_plane_log_ttl": str(options.log_days),
        }
    return found


def _delete_options(spec: AckSpec) -> list[cs.ManagedKubernetesDeleteOptionArgs]:
    mode = "retain" if spec.deletion_protection else "delete"
    return [
        cs.ManagedKubernetesDeleteOptionArgs(resource_type=resource_type, delete_mode=mode)
        for resource_type in _OF_THE_CLUSTER
    ]


def _chosen(vswitches: Any, zones: list[str]) -> pulumi.Output[list[str]]:
    return pulumi.Output.from_input(vswitches).apply(lambda ids: [str(ids[zone]) for zone in zones])


def _endpoint(connections: Any, *, public: bool) -> str:
    found = connections[0]
    return str(found.api_server_internet if public else found.api_server_intranet)


def _certificates(credential: cs.GetClusterCredentialResult) -> list[str]:
    """Return the cluster's certificate, the user's, and the user's key."""
    found = credential.certificate_authorities[0]
    return [found.cluster_cert, found.client_cert, found.client_key]

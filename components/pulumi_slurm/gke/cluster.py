"""GkeCluster: a GKE cluster that is private by default, with a kubeconfig and a provider for it."""

import ipaddress
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_gcp as gcp
import pulumi_kubernetes as k8s
from pulumi_gcp import container
from pydantic import Field, field_validator, model_validator

from pulumi_slurm.clouds.address_ranges import ipv4_range
from pulumi_slurm.errors import Path
from pulumi_slurm.gke.arguments import GkeArgsWithNumber, check_part, cluster_name, number_of, spec_of, when_known
from pulumi_slurm.gke.dicts import GkeClusterArgsDict
from pulumi_slurm.gke.encryption_key import ENCRYPTER
from pulumi_slurm.gke.kubeconfig import context_name, kubeconfig
from pulumi_slurm.gke.kubernetes_provider import kubernetes_provider
from pulumi_slurm.gke.model import GkeControlPlaneSpec, GkeNetworkSpec, GkeOperator, GkeStorageSpec, LustreSpec, names
from pulumi_slurm.gke.model.control_plane import ClusterDns, Observability
from pulumi_slurm.gke.network import PODS, SERVICES
from pulumi_slurm.gke.node_config import METADATA, SCOPES
from pulumi_slurm.gke.plan.addons import GkeAddon
from pulumi_slurm.gke.plan.encryption import KeyUser
from pulumi_slurm.kube.component import Component, Options, protection
from pulumi_slurm.model.one_of import OneOf

_LOGS = (
    "SYSTEM_COMPONENTS",
    "WORKLOADS",
)
_METRICS = (
    "SYSTEM_COMPONENTS",
    "STORAGE",
    "POD",
    "DEPLOYMENT",
    "STATEFULSET",
    "DAEMONSET",
    "HPA",
    "KUBELET",
    "CADVISOR",
)
_GPU_METRICS = "DCGM"
_OF_THE_CONTROL_PLANE = (
    "APISERVER",
    "CONTROLLER_MANAGER",
    "SCHEDULER",
)
"""Its logs and metrics, which cost by volume and of which Google's blueprints for Slurm and training collect none."""

_ONLY_AT_CREATION = (
    "initialNodeCount",
    "nodeConfig",
    "nodeLocations",
)
"""Fields of the first node pool, with which every cluster starts and which is deleted at once. GKE then reports those
of other pools instead, which would look like a change that replaces the cluster."""


class GkeClusterArgs(GkeArgsWithNumber):
    """Arguments of `GkeCluster`."""

    region: pulumi.Input[str]
    """The region of the control plane, e.g. "us-central1"."""
    name: pulumi.Input[str]
    """The cluster's name."""
    zones: list[str] = Field(min_length=1)
    """The zones of nodes, e.g. ["us-central1-b"]."""
    network_id: pulumi.Input[str]
    """The VPC's id, or its name."""
    subnetwork_id: pulumi.Input[str]
    """The id of the subnetwork of nodes, or its name."""
    pods_range_name: pulumi.Input[str] = PODS
    """The name of the subnetwork's secondary range of pods; by default the one that `GkeNetwork` creates."""
    services_range_name: pulumi.Input[str] = SERVICES
    """The name of its secondary range of Services."""
    node_account: pulumi.Input[str]
    """The e-mail of the nodes' service account."""
    control_plane: GkeControlPlaneSpec = GkeControlPlaneSpec()
    """Who can reach the control plane, and when it is upgraded."""
    control_plane_range: str = GkeNetworkSpec().control_plane_range
    """The control plane's addresses, a /28."""
    addons: list[OneOf[GkeAddon]] = []
    """GKE's add-ons, in addition to that of persistent disks."""
    encryption_key: pulumi.Input[str] | None = None
    """A key of Cloud KMS for the boot disks of the first nodes, which are removed at once."""
    gpu_metrics: bool = False
    """Collect the metrics of GPUs (DCGM)."""
    multi_networking: bool = False
    """Let nodes and pods have interfaces in additional VPCs, as pools with a fast network need."""
    labels: dict[str, str] = {}
    """Labels of the cluster, for example for billing."""
    application_default_login: bool = False
    """Let Kubernetes' clients use the application-default login, which Google's provider has, in place of gcloud's."""
    deletion_protection: bool = True
    """Make Pulumi and Google's provider refuse to delete or to replace the cluster."""

    _region = field_validator("region")(when_known(names.region))
    _name = field_validator("name")(when_known(cluster_name))
    _zones = field_validator("zones")(names.zone_names)
    _labels = field_validator("labels")(names.resource_labels)

    @field_validator("control_plane_range")
    @classmethod
    def _is_a_network(cls, value: str) -> str:
        return ipv4_range(value, "172.16.0.32/28")

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        lustre = GkeStorageSpec(name="lustre", mount_path="/lustre", lustre=LustreSpec())
        spec = spec_of(
            self.region,
            self.zones,
            control_plane=self.control_plane,
            network=GkeNetworkSpec(control_plane_range=self.control_plane_range),
            slurm_operator=GkeOperator.GKE_ADDON if GkeAddon.SLURM_OPERATOR in self.addons else GkeOperator.SLINKY,
            storage=[lustre] if GkeAddon.LUSTRE in self.addons else [],
        )
        arguments: dict[Path, Path] = {
            ("zones",): ("zones",),
            ("control_plane",): ("control_plane",),
            ("network", "control_plane_range"): ("control_plane_range",),
        }
        check_part(spec, arguments)
        return self


class GkeCluster(Component[GkeClusterArgs]):
    """A regional GKE cluster without node pools.

    Nodes only have private addresses. The control plane has a DNS name, which IAM guards, and an IP address only if
    `controlPlane.authorizedNetworks` lists networks that may reach it; it is private if all of these networks are.

    Two arguments depend on the pools: `gpu_metrics`, if a pool has GPUs, and `multi_networking`, if a pool uses a fast
    network. Both change in place; the second since 2025, see
    https://github.com/GoogleCloudPlatform/magic-modules/pull/14000. Pools are deleted after the cluster has changed.

    With `deletionProtection`, Pulumi itself protects the cluster, in addition to the provider: then the preview of
    `pulumi destroy` fails, before anything is deleted, and so does the preview of a change that would replace the
    cluster. With `--skip-preview`, which the Automation API sets too, both refuse only when everything on the cluster
    is gone. Write ``deletionProtection: false`` and run `pulumi up` before a destroy; that ends both protections.

    Example::

        GkeCluster(
            "hpc",
            GkeClusterArgs(
                project="my-project",
                region="us-central1",
                name="hpc",
                zones=["us-central1-b"],
                network_id=network.network_id,
                subnetwork_id=network.subnetwork_id,
                node_account=account.email,
            ),
            pulumi.ResourceOptions(depends_on=[network, account]),
        )
    """

    name: pulumi.Output[str]
    """The cluster's name."""
    region: pulumi.Output[str]
    """The region that its control plane runs in."""
    endpoint: pulumi.Output[str]
    """The host name of the control plane's DNS endpoint."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig as JSON text, for which gke-gcloud-auth-plugin has to be installed. It is a secret, though it
    contains neither a key nor a token."""

    @overload
    def __init__(self, resource_name: str, args: GkeClusterArgs | GkeClusterArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeClusterArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        grants = self._grants()
        cluster = container.Cluster(
            f"{self._name}-cluster",
            name=args.name,
            project=args.project,
            location=args.region,
            deletion_protection=args.deletion_protection,
            resource_labels=args.labels or None,
            **_first_pool(args),
            **_network(args),
            **_control_plane(args),
            **_security(args),
            **_observation(args),
            cluster_autoscaling=_autoscaling(args),
            addons_config=_addons(args),
            opts=self.child(
                *grants,
                protect=protection(args.deletion_protection),
                ignore_changes=list(_ONLY_AT_CREATION),
                custom_timeouts=pulumi.CustomTimeouts(update="2h"),
            ),
        )
        self.name = cluster.name
        self.region = cluster.location
        self.endpoint = cluster.control_plane_endpoints_config.apply(_dns_endpoint)
        context = pulumi.Output.all(args.project, args.region, args.name).apply(lambda parts: context_name(*parts))
        self.kubeconfig = pulumi.Output.secret(
            pulumi.Output.all(context, self.endpoint).apply(
                lambda parts: kubeconfig(*parts, application_default=args.application_default_login)
            )
        )
        self._provider_of_objects = kubernetes_provider(
            f"{self._name}-kubernetes", self.kubeconfig, args.project, args.region, args.name, self.child(cluster)
        )
        self.finish(self._provider_of_objects)

    def _grants(self) -> list[pulumi.Resource]:
        """Let GKE's service agent encrypt with the key; it may use none by default.

        All clusters of a project have this service agent in common, so they have this grant in common, too: it stays
        when a cluster is destroyed, since another one could no longer read its Secrets.

        Source: https://cloud.google.com/kubernetes-engine/docs/how-to/encrypting-secrets#grant_permission_to_use_the_key.
        """
        control_plane = self._args.control_plane
        if control_plane.secrets_encryption_key is None or not control_plane.grant_encryption_key:
            return []
        number = number_of(self._args.project, self._args.project_number, self)
        return [
            gcp.kms.CryptoKeyIAMMember(
                f"{self._name}-encryption",
                crypto_key_id=control_plane.secrets_encryption_key,
                role=ENCRYPTER,
                member=number.apply(KeyUser.GKE.member),
                opts=self.child(retain_on_delete=True),
            )
        ]

    @property
    def provider(self) -> k8s.Provider:
        """The provider for what runs on the cluster. A rotated key updates its Secret in place."""
        return self._provider_of_objects


def _first_pool(args: GkeClusterArgs) -> dict[str, Any]:
    """Return the node pool without which a cluster can't be created; it is deleted before any other is created."""
    return {
        "remove_default_node_pool": True,
        "initial_node_count": 1,
        "node_locations": args.zones,
        "node_config": container.ClusterNodeConfigArgs(
            machine_type="e2-medium",
            disk_type="pd-balanced",
            disk_size_gb=30,
            service_account=args.node_account,
            boot_disk_kms_key=args.encryption_key,
            oauth_scopes=list(SCOPES),
            metadata=dict(METADATA),
            workload_metadata_config=container.ClusterNodeConfigWorkloadMetadataConfigArgs(mode="GKE_METADATA"),
            shielded_instance_config=container.ClusterNodeConfigShieldedInstanceConfigArgs(
                enable_secure_boot=True, enable_integrity_monitoring=True
            ),
        ),
        # Pools are separate resources: if they were fields of the cluster too, a refresh would show all their changes.
        "skip_node_pool_refresh": True,
        "node_pool_defaults": container.ClusterNodePoolDefaultsArgs(
            node_config_defaults=container.ClusterNodePoolDefaultsNodeConfigDefaultsArgs(
                insecure_kubelet_readonly_port_enabled="FALSE"
            )
        ),
    }


def _network(args: GkeClusterArgs) -> dict[str, Any]:
    cloud_dns = args.control_plane.dns is ClusterDns.CLOUD_DNS
    return {
        "network": args.network_id,
        "subnetwork": args.subnetwork_id,
        "networking_mode": "VPC_NATIVE",
        "ip_allocation_policy": container.ClusterIpAllocationPolicyArgs(
            cluster_secondary_range_name=args.pods_range_name,
            services_secondary_range_name=args.services_range_name,
        ),
        # This one enforces NetworkPolicy by itself.
        "datapath_provider": "ADVANCED_DATAPATH",
        "enable_multi_networking": args.multi_networking,
        "dns_config": container.ClusterDnsConfigArgs(
            cluster_dns="CLOUD_DNS" if cloud_dns else "KUBE_DNS",
            cluster_dns_scope="CLUSTER_SCOPE" if cloud_dns else None,
        ),
    }


def _control_plane(args: GkeClusterArgs) -> dict[str, Any]:
    options = args.control_plane
    networks = options.authorized_networks
    settings: dict[str, Any] = {
        "min_master_version": options.version,
        "release_channel": container.ClusterReleaseChannelArgs(channel=str(options.release_channel)),
        "control_plane_endpoints_config": container.ClusterControlPlaneEndpointsConfigArgs(
            dns_endpoint_config=container.ClusterControlPlaneEndpointsConfigDnsEndpointConfigArgs(
                allow_external_traffic=options.dns_endpoint_from_outside
            ),
            ip_endpoints_config=container.ClusterControlPlaneEndpointsConfigIpEndpointsConfigArgs(
                enabled=bool(networks)
            ),
        ),
        "private_cluster_config": container.ClusterPrivateClusterConfigArgs(
            enable_private_nodes=True,
            enable_private_endpoint=all(_is_private(network.cidr) for network in networks) if networks else None,
            master_ipv4_cidr_block=args.control_plane_range,
        ),
        "maintenance_policy": _maintenance(options),
    }
    if networks:
        settings["master_authorized_networks_config"] = container.ClusterMasterAuthorizedNetworksConfigArgs(
            cidr_blocks=[
                container.ClusterMasterAuthorizedNetworksConfigCidrBlockArgs(
                    cidr_block=network.cidr, display_name=network.name
                )
                for network in networks
            ],
            gcp_public_cidrs_access_enabled=False,
            private_endpoint_enforcement_enabled=True,
        )
    return settings


def _maintenance(control_plane: GkeControlPlaneSpec) -> container.ClusterMaintenancePolicyArgs:
    window = control_plane.maintenance_window
    return container.ClusterMaintenancePolicyArgs(
        recurring_window=container.ClusterMaintenancePolicyRecurringWindowArgs(
            start_time=window.start, end_time=window.end, recurrence=window.rule
        ),
        maintenance_exclusions=[
            container.ClusterMaintenancePolicyMaintenanceExclusionArgs(
                exclusion_name=exclusion.name,
                start_time=exclusion.start,
                end_time=exclusion.end,
                exclusion_options=container.ClusterMaintenancePolicyMaintenanceExclusionExclusionOptionsArgs(
                    scope=str(exclusion.scope),
                    end_time_behavior=None if exclusion.end else "UNTIL_END_OF_SUPPORT",
                ),
            )
            for exclusion in control_plane.maintenance_exclusions
        ],
    )


def _security(args: GkeClusterArgs) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "workload_identity_config": container.ClusterWorkloadIdentityConfigArgs(
            workload_pool=pulumi.Output.concat(args.project, ".svc.id.goog")
        ),
        "enable_shielded_nodes": True,
        "enable_legacy_abac": False,
        "master_auth": container.ClusterMasterAuthArgs(
            client_certificate_config=container.ClusterMasterAuthClientCertificateConfigArgs(
                issue_client_certificate=False
            )
        ),
        "security_posture_config": container.ClusterSecurityPostureConfigArgs(mode="BASIC"),
    }
    key = args.control_plane.secrets_encryption_key
    if key:
        settings["database_encryption"] = container.ClusterDatabaseEncryptionArgs(state="ENCRYPTED", key_name=key)
    return settings


def _observation(args: GkeClusterArgs) -> dict[str, Any]:
    control_plane = _OF_THE_CONTROL_PLANE if args.control_plane.observability is Observability.FULL else ()
    gpu_metrics = [_GPU_METRICS] if args.gpu_metrics else []
    return {
        "logging_config": container.ClusterLoggingConfigArgs(enable_components=[*_LOGS, *control_plane]),
        "monitoring_config": container.ClusterMonitoringConfigArgs(
            enable_components=[*_METRICS, *control_plane, *gpu_metrics],
            managed_prometheus=container.ClusterMonitoringConfigManagedPrometheusArgs(enabled=True),
            advanced_datapath_observability_config=(
                container.ClusterMonitoringConfigAdvancedDatapathObservabilityConfigArgs(
                    enable_metrics=True, enable_relay=False
                )
            ),
        ),
        "cost_management_config": container.ClusterCostManagementConfigArgs(enabled=True),
    }


def _autoscaling(args: GkeClusterArgs) -> container.ClusterClusterAutoscalingArgs:
    """Return the profile of pools' autoscalers.

    ``enabled`` is about node auto-provisioning alone, which would make pools of its own; `pools` are all there should
    be: https://registry.terraform.io/providers/hashicorp/google/latest/docs/resources/container_cluster. The profiles:
    https://cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler#autoscaling_profiles.
    """
    return container.ClusterClusterAutoscalingArgs(
        enabled=False, autoscaling_profile=str(args.control_plane.autoscaling_profile)
    )


def _addons(args: GkeClusterArgs) -> container.ClusterAddonsConfigArgs:
    """Return GKE's add-ons, including those that are off: an omitted one would stay on.

    Lustre's driver would use all interfaces of a node by default, as the SDK describes disable_multi_nic, and those of
    fast networks are in VPCs that don't reach it.
    """
    addons = args.addons
    return container.ClusterAddonsConfigArgs(
        gce_persistent_disk_csi_driver_config=container.ClusterAddonsConfigGcePersistentDiskCsiDriverConfigArgs(
            enabled=True
        ),
        gcp_filestore_csi_driver_config=container.ClusterAddonsConfigGcpFilestoreCsiDriverConfigArgs(
            enabled=GkeAddon.FILESTORE in addons
        ),
        gcs_fuse_csi_driver_config=container.ClusterAddonsConfigGcsFuseCsiDriverConfigArgs(
            enabled=GkeAddon.GCS_FUSE in addons
        ),
        lustre_csi_driver_config=container.ClusterAddonsConfigLustreCsiDriverConfigArgs(
            enabled=GkeAddon.LUSTRE in addons,
            disable_multi_nic=True if GkeAddon.LUSTRE in addons and args.multi_networking else None,
        ),
        slurm_operator_config=container.ClusterAddonsConfigSlurmOperatorConfigArgs(
            enabled=GkeAddon.SLURM_OPERATOR in addons
        ),
    )


def _is_private(cidr: str) -> bool:
    return ipaddress.ip_network(cidr).is_private


def _dns_endpoint(endpoints: Any) -> str:
    return str(endpoints.dns_endpoint_config.endpoint)

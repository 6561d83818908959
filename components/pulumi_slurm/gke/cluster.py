"""GkeCluster: a GKE cluster that is closed by default, and the way to talk to it."""

import ipaddress
from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s
from pulumi_gcp import container

from pulumi_slurm.gke.inputs import PLACE, inputs
from pulumi_slurm.gke.kubeconfig import context_name, kubeconfig
from pulumi_slurm.gke.model import GkeOperator, GkeSpec
from pulumi_slurm.gke.model.control_plane import ClusterDns
from pulumi_slurm.gke.network import PODS, SERVICES
from pulumi_slurm.gke.node_config import METADATA, SCOPES
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args, protection

_LOGS = ["SYSTEM_COMPONENTS", "WORKLOADS", "APISERVER", "CONTROLLER_MANAGER", "SCHEDULER"]
_METRICS = [
    "SYSTEM_COMPONENTS",
    "APISERVER",
    "CONTROLLER_MANAGER",
    "SCHEDULER",
    "STORAGE",
    "POD",
    "DEPLOYMENT",
    "STATEFULSET",
    "DAEMONSET",
    "HPA",
    "KUBELET",
    "CADVISOR",
]
_GPU_METRICS = "DCGM"

_ONLY_AT_BIRTH = ["initialNodeCount", "nodeConfig", "nodeLocations"]
"""What concerns the pool alone that each cluster is born with, and that is deleted at once. GKE then reports what it
finds in other pools in its place, which would read as a change that replaces the cluster."""


class GkeClusterArgs(Args):
    """Arguments of `GkeCluster`."""

    spec: CheckedGkeSpec
    """The specification."""
    network: pulumi.Input[str]
    """The VPC: its name or id."""
    subnetwork: pulumi.Input[str]
    """The subnetwork of nodes: its name or id, with the secondary ranges that `GkeNetwork` makes."""
    node_account: pulumi.Input[str]
    """The e-mail of the nodes' service account."""


class GkeCluster(Component[GkeClusterArgs]):
    """A regional GKE cluster without node pools.

    Nodes have private addresses only. The control plane has a DNS name, which IAM guards, and an address only where
    `controlPlane.authorizedNetworks` says who may reach it; that address is private when all of these networks are.

    Of the pools, the cluster knows two things: whether one has GPUs (their metrics) and whether one uses a fast network
    (`enable_multi_networking`). Both change in place; the second since 2025, see
    https://github.com/GoogleCloudPlatform/magic-modules/pull/14000. Not checked: whether Google switches it off while
    the last pool that used it is still there, since pools go after the cluster has changed.

    With `deletionProtection`, Pulumi itself protects the cluster, besides the provider: then the preview of
    `pulumi destroy` fails, before anything is deleted, and so does the preview of a change that would replace the
    cluster. With `--skip-preview`, which the Automation API sets too, both refuse only when everything on the cluster
    is gone. Write ``deletionProtection: false`` and run `pulumi up` before a destroy; both protections end with it.
    """

    cluster_name: pulumi.Output[str]
    """The cluster's name."""
    location: pulumi.Output[str]
    """The region that its control plane runs in."""
    endpoint: pulumi.Output[str]
    """The host name of the control plane's DNS endpoint."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig as JSON text, for which gke-gcloud-auth-plugin has to be installed. It is a secret, though it holds
    neither a key nor a token."""
    provider: k8s.Provider
    """The provider for what runs on the cluster. A rotated key updates its Secret in place."""

    def __init__(
        self, name: str, args: GkeClusterArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeClusterArgs, args)
        spec = args.spec
        shown = inputs(spec, (*PLACE, "zones", "control_plane", "operator", "deletion_protection", "labels"))
        super().__init__(name, args, opts, inputs=shown)
        physical_name = spec.cluster_name
        cluster = container.Cluster(
            f"{name}-cluster",
            name=physical_name,
            project=spec.project,
            location=spec.region,
            deletion_protection=spec.deletion_protection,
            resource_labels=spec.labels or None,
            **_birth(args),
            **_network(args),
            **_control_plane(spec),
            **_security(spec),
            **_observation(spec),
            addons_config=_addons(spec),
            opts=child_options(
                self,
                opts,
                protect=protection(spec.deletion_protection),
                ignore_changes=_ONLY_AT_BIRTH,
                custom_timeouts=pulumi.CustomTimeouts(create="1h", update="2h", delete="1h"),
            ),
        )
        context = context_name(spec.project, spec.region, physical_name)
        self.cluster_name = cluster.name
        self.location = cluster.location
        self.endpoint = cluster.control_plane_endpoints_config.apply(_dns_endpoint)
        self.kubeconfig = pulumi.Output.secret(self.endpoint.apply(lambda endpoint: kubeconfig(context, endpoint)))
        self.provider = k8s.Provider(
            f"{name}-kubernetes",
            kubeconfig=self.kubeconfig,
            # Else the provider takes a changed kubeconfig for another cluster, and makes everything on it anew.
            cluster_identifier=f"projects/{spec.project}/locations/{spec.region}/clusters/{physical_name}",
            enable_secret_mutable=True,
            opts=child_options(self, opts, [cluster]),
        )
        self._last = [self.provider]
        self.finish(*self._last)


def _birth(args: GkeClusterArgs) -> dict[str, Any]:
    """Return the pool that a cluster can't be made without, and that it loses before anything else is made."""
    return {
        "remove_default_node_pool": True,
        "initial_node_count": 1,
        "node_locations": args.spec.zones,
        "node_config": container.ClusterNodeConfigArgs(
            machine_type="e2-medium",
            disk_type="pd-balanced",
            disk_size_gb=30,
            service_account=args.node_account,
            oauth_scopes=SCOPES,
            metadata=METADATA,
            workload_metadata_config=container.ClusterNodeConfigWorkloadMetadataConfigArgs(mode="GKE_METADATA"),
            shielded_instance_config=container.ClusterNodeConfigShieldedInstanceConfigArgs(
                enable_secure_boot=True, enable_integrity_monitoring=True
            ),
        ),
        # Pools are resources of their own: to keep them here too would show each of their changes at a refresh.
        "skip_node_pool_refresh": True,
        "node_pool_defaults": container.ClusterNodePoolDefaultsArgs(
            node_config_defaults=container.ClusterNodePoolDefaultsNodeConfigDefaultsArgs(
                insecure_kubelet_readonly_port_enabled="FALSE"
            )
        ),
    }


def _network(args: GkeClusterArgs) -> dict[str, Any]:
    spec = args.spec
    cloud_dns = spec.control_plane.dns is ClusterDns.CLOUD_DNS
    return {
        "network": args.network,
        "subnetwork": args.subnetwork,
        "networking_mode": "VPC_NATIVE",
        "ip_allocation_policy": container.ClusterIpAllocationPolicyArgs(
            cluster_secondary_range_name=PODS, services_secondary_range_name=SERVICES
        ),
        # It enforces NetworkPolicy by itself.
        "datapath_provider": "ADVANCED_DATAPATH",
        "enable_multi_networking": any(uses_fabric(planned) for planned in planned_pools(spec)),
        "dns_config": container.ClusterDnsConfigArgs(
            cluster_dns="CLOUD_DNS" if cloud_dns else "KUBE_DNS",
            cluster_dns_scope="CLUSTER_SCOPE" if cloud_dns else None,
        ),
    }


def _control_plane(spec: GkeSpec) -> dict[str, Any]:
    options = spec.control_plane
    networks = options.authorized_networks
    found: dict[str, Any] = {
        "min_master_version": options.version,
        "release_channel": container.ClusterReleaseChannelArgs(channel=options.release_channel.value),
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
            enable_private_endpoint=all(_is_private(each.cidr) for each in networks) if networks else None,
            master_ipv4_cidr_block=spec.network.control_plane_range,
        ),
        "maintenance_policy": _maintenance(spec),
    }
    if networks:
        found["master_authorized_networks_config"] = container.ClusterMasterAuthorizedNetworksConfigArgs(
            cidr_blocks=[
                container.ClusterMasterAuthorizedNetworksConfigCidrBlockArgs(
                    cidr_block=each.cidr, display_name=each.name
                )
                for each in networks
            ],
            gcp_public_cidrs_access_enabled=False,
            private_endpoint_enforcement_enabled=True,
        )
    return found


def _maintenance(spec: GkeSpec) -> container.ClusterMaintenancePolicyArgs:
    window = spec.control_plane.maintenance_window
    return container.ClusterMaintenancePolicyArgs(
        recurring_window=container.ClusterMaintenancePolicyRecurringWindowArgs(
            start_time=window.start, end_time=window.end, recurrence=window.recurrence
        ),
        maintenance_exclusions=[
            container.ClusterMaintenancePolicyMaintenanceExclusionArgs(
                exclusion_name=exclusion.name,
                start_time=exclusion.start,
                end_time=exclusion.end,
                exclusion_options=container.ClusterMaintenancePolicyMaintenanceExclusionExclusionOptionsArgs(
                    scope=exclusion.scope.value
                ),
            )
            for exclusion in spec.control_plane.maintenance_exclusions
        ],
    )


def _security(spec: GkeSpec) -> dict[str, Any]:
    found: dict[str, Any] = {
        "workload_identity_config": container.ClusterWorkloadIdentityConfigArgs(
            workload_pool=f"{spec.project}.svc.id.goog"
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
    key = spec.control_plane.secrets_encryption_key
    if key:
        found["database_encryption"] = container.ClusterDatabaseEncryptionArgs(state="ENCRYPTED", key_name=key)
    return found


def _observation(spec: GkeSpec) -> dict[str, Any]:
    gpus = any(planned.machine_type.gpus for planned in planned_pools(spec))
    return {
        "logging_config": container.ClusterLoggingConfigArgs(enable_components=_LOGS),
        "monitoring_config": container.ClusterMonitoringConfigArgs(
            enable_components=[*_METRICS, _GPU_METRICS] if gpus else _METRICS,
            managed_prometheus=container.ClusterMonitoringConfigManagedPrometheusArgs(enabled=True),
            advanced_datapath_observability_config=(
                container.ClusterMonitoringConfigAdvancedDatapathObservabilityConfigArgs(
                    enable_metrics=True, enable_relay=False
                )
            ),
        ),
        "cost_management_config": container.ClusterCostManagementConfigArgs(enabled=True),
    }


def _addons(spec: GkeSpec) -> container.ClusterAddonsConfigArgs:
    """Return GKE's add-ons, each stated also where it is off: one that isn't stated any more would stay on."""
    return container.ClusterAddonsConfigArgs(
        gce_persistent_disk_csi_driver_config=container.ClusterAddonsConfigGcePersistentDiskCsiDriverConfigArgs(
            enabled=True
        ),
        gcp_filestore_csi_driver_config=container.ClusterAddonsConfigGcpFilestoreCsiDriverConfigArgs(
            enabled=any(each.filestore for each in spec.storage)
        ),
        gcs_fuse_csi_driver_config=container.ClusterAddonsConfigGcsFuseCsiDriverConfigArgs(
            enabled=any(each.bucket for each in spec.storage)
        ),
        lustre_csi_driver_config=container.ClusterAddonsConfigLustreCsiDriverConfigArgs(
            enabled=any(each.lustre for each in spec.storage)
        ),
        slurm_operator_config=container.ClusterAddonsConfigSlurmOperatorConfigArgs(
            enabled=spec.operator is GkeOperator.GKE_ADDON
        ),
    )


def _is_private(cidr: str) -> bool:
    return ipaddress.ip_network(cidr).is_private


def _dns_endpoint(endpoints: Any) -> str:
    return str(endpoints.dns_endpoint_config.endpoint)

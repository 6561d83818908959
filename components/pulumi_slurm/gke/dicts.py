"""Written by `make generate`: what components take in place of models, for type checkers."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, NotRequired, TypedDict

import pulumi

from pulumi_slurm.clouds.maintenance import Day
from pulumi_slurm.dicts import ClusterRefDict, KedaSettingsDict, OperatorSpecDict, SlurmSpecDict, TaintSpecDict
from pulumi_slurm.gke.fast_networks import GkeNetworkInterfaceArgs
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.control_plane import (
    AuthorizedNetworkSpec,
    AutoscalingProfile,
    ClusterDns,
    GkeControlPlaneSpec,
    Observability,
    ReleaseChannel,
)
from pulumi_slurm.gke.model.database import CloudSqlEdition, CloudSqlMaintenanceSpec, CloudSqlSpec, GkeMySqlVersion
from pulumi_slurm.gke.model.existing import (
    GkeExistingClusterSpec,
    GkeExistingNetworkSpec,
    GkeExistingPoolSpec,
    GkeManageSpec,
)
from pulumi_slurm.gke.model.maintenance import ExclusionScope, GkeMaintenanceExclusionSpec, GkeMaintenanceWindowSpec
from pulumi_slurm.gke.model.nccl import NcclSpec
from pulumi_slurm.gke.model.network import GkeNetworkSpec
from pulumi_slurm.gke.model.new_project import GkeNewProjectSpec, ProjectDeletionPolicy
from pulumi_slurm.gke.model.pool import (
    ConfidentialType,
    GkeAcceleratorSpec,
    GkeCapacity,
    GkeCapacityOptionSpec,
    GkeDiskSpec,
    GkeDriver,
    GkeImageType,
    GkeLocalSsdSpec,
    GkePoolSpec,
    GkeSystemPoolSpec,
    HostMaintenance,
    LocalSsdUse,
)
from pulumi_slurm.gke.model.registry import GkeRegistrySpec
from pulumi_slurm.gke.model.slurm_operator import GkeOperator
from pulumi_slurm.gke.model.storage import (
    BucketProfile,
    BucketSpec,
    FilestoreSpec,
    FilestoreTier,
    GkeStorageSpec,
    LustreSpec,
)
from pulumi_slurm.gke.plan.addons import GkeAddon
from pulumi_slurm.gke.plan.network import GkeFabricNetworkSpec, GkeFabricSubnetworkSpec
from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.machines.gke.catalogue import GkeCatalogueSpec
from pulumi_slurm.machines.gke.machine_type import (
    GkeFabric,
    GkeGpuSpec,
    GkeMachineLocalSsdSpec,
    GkeMachineTypeSpec,
    GkePriceSpec,
)
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.machine import TaintSpec
from pulumi_slurm.model.operator_settings import KedaSettings, OperatorSpec
from pulumi_slurm.model.slurm import SlurmSpec


class AuthorizedNetworkSpecDict(TypedDict):
    """`AuthorizedNetworkSpec` as a mapping."""

    cidr: str
    name: str


class GkeMaintenanceWindowSpecDict(TypedDict):
    """`GkeMaintenanceWindowSpec` as a mapping."""

    start: NotRequired[str]
    hours: NotRequired[int]
    days: NotRequired[
        Sequence[Day | Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]]
    ]
    recurrence: NotRequired[str | None]


class GkeMaintenanceExclusionSpecDict(TypedDict):
    """`GkeMaintenanceExclusionSpec` as a mapping."""

    name: str
    start: str
    end: NotRequired[str | None]
    scope: NotRequired[ExclusionScope | Literal["NO_UPGRADES", "NO_MINOR_UPGRADES", "NO_MINOR_OR_NODE_UPGRADES"]]


class GkeControlPlaneSpecDict(TypedDict):
    """`GkeControlPlaneSpec` as a mapping."""

    version: NotRequired[str | None]
    release_channel: NotRequired[ReleaseChannel | Literal["RAPID", "REGULAR", "STABLE", "EXTENDED"]]
    authorized_networks: NotRequired[Sequence[AuthorizedNetworkSpec | AuthorizedNetworkSpecDict]]
    dns_endpoint_from_outside: NotRequired[bool]
    dns: NotRequired[ClusterDns | Literal["cloud-dns", "kube-dns"]]
    maintenance_window: NotRequired[GkeMaintenanceWindowSpec | GkeMaintenanceWindowSpecDict]
    maintenance_exclusions: NotRequired[Sequence[GkeMaintenanceExclusionSpec | GkeMaintenanceExclusionSpecDict]]
    autoscaling_profile: NotRequired[AutoscalingProfile | Literal["OPTIMIZE_UTILIZATION", "BALANCED"]]
    observability: NotRequired[Observability | Literal["basic", "full"]]
    secrets_encryption_key: NotRequired[str | None]
    grant_encryption_key: NotRequired[bool]


class GkeClusterArgsDict(TypedDict):
    """`GkeClusterArgs` as a mapping."""

    project: pulumi.Input[str]
    project_number: NotRequired[pulumi.Input[str] | None]
    region: pulumi.Input[str]
    name: pulumi.Input[str]
    zones: Sequence[str]
    network_id: pulumi.Input[str]
    subnetwork_id: pulumi.Input[str]
    pods_range_name: NotRequired[pulumi.Input[str]]
    services_range_name: NotRequired[pulumi.Input[str]]
    node_account: pulumi.Input[str]
    control_plane: NotRequired[GkeControlPlaneSpec | GkeControlPlaneSpecDict]
    control_plane_range: NotRequired[str]
    addons: NotRequired[
        Sequence[GkeAddon | Literal["GcpFilestoreCsiDriver", "GcsFuseCsiDriver", "LustreCsiDriver", "SlurmOperator"]]
    ]
    encryption_key: NotRequired[pulumi.Input[str] | None]
    gpu_metrics: NotRequired[bool]
    multi_networking: NotRequired[bool]
    labels: NotRequired[Mapping[str, str]]
    application_default_login: NotRequired[bool]
    deletion_protection: NotRequired[bool]


class CloudSqlMaintenanceSpecDict(TypedDict):
    """`CloudSqlMaintenanceSpec` as a mapping."""

    day: Day | Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    hour: int


class CloudSqlSpecDict(TypedDict):
    """`CloudSqlSpec` as a mapping."""

    version: NotRequired[GkeMySqlVersion | Literal["MYSQL_8_0", "MYSQL_8_4"]]
    edition: NotRequired[CloudSqlEdition | Literal["ENTERPRISE", "ENTERPRISE_PLUS"]]
    tier: NotRequired[str]
    high_availability: NotRequired[bool]
    backups: NotRequired[bool]
    backup_time: NotRequired[str]
    final_backup_days: NotRequired[int]
    disk_gib: NotRequired[int]
    max_disk_gib: NotRequired[int | None]
    maintenance_window: NotRequired[CloudSqlMaintenanceSpec | CloudSqlMaintenanceSpecDict | None]
    query_insights: NotRequired[bool]
    flags: NotRequired[Mapping[str, str]]


class GkeDatabaseArgsDict(TypedDict):
    """`GkeDatabaseArgs` as a mapping."""

    project: pulumi.Input[str]
    region: pulumi.Input[str]
    cluster: ClusterRef | ClusterRefDict
    database: NotRequired[CloudSqlSpec | CloudSqlSpecDict]
    network_id: pulumi.Input[str]
    root_key: pulumi.Input[str]
    encryption_key: NotRequired[pulumi.Input[str] | None]
    labels: NotRequired[Mapping[str, str]]
    deletion_protection: NotRequired[bool]


class GkeExistingClusterArgsDict(TypedDict):
    """`GkeExistingClusterArgs` as a mapping."""

    project: pulumi.Input[str]
    location: pulumi.Input[str]
    name: pulumi.Input[str]
    application_default_login: NotRequired[bool]


class GkeExistingNetworkSpecDict(TypedDict):
    """`GkeExistingNetworkSpec` as a mapping."""

    project: NotRequired[str | None]
    network: str
    subnetwork: str
    pods_range: str
    services_range: str
    grant_access: NotRequired[bool]


class GkeNetworkSpecDict(TypedDict):
    """`GkeNetworkSpec` as a mapping."""

    existing: NotRequired[GkeExistingNetworkSpec | GkeExistingNetworkSpecDict | None]
    nodes_range: NotRequired[str | None]
    pods_range: NotRequired[str | None]
    services_range: NotRequired[str | None]
    control_plane_range: NotRequired[str]
    private_services_range: NotRequired[str | None]
    fabric_range: NotRequired[str]
    mtu: NotRequired[int | None]
    ssh_from_iap: NotRequired[bool]
    nat_log: NotRequired[bool]
    min_ports_per_vm: NotRequired[int]


class GkeManageSpecDict(TypedDict):
    """`GkeManageSpec` as a mapping."""

    nat: NotRequired[bool | None]
    firewall: NotRequired[bool | None]
    iam: NotRequired[bool]
    services: NotRequired[bool]


class GkeFabricSubnetworkSpecDict(TypedDict):
    """`GkeFabricSubnetworkSpec` as a mapping."""

    name: str
    ip_cidr_range: str


class GkeFabricNetworkSpecDict(TypedDict):
    """`GkeFabricNetworkSpec` as a mapping."""

    name: str
    mtu: NotRequired[int | None]
    network_profile: NotRequired[str | None]
    subnetworks: Sequence[GkeFabricSubnetworkSpec | GkeFabricSubnetworkSpecDict]


class GkeNetworkArgsDict(TypedDict):
    """`GkeNetworkArgs` as a mapping."""

    project: pulumi.Input[str]
    project_number: NotRequired[pulumi.Input[str] | None]
    region: pulumi.Input[str]
    name: str
    network: NotRequired[GkeNetworkSpec | GkeNetworkSpecDict]
    manage: NotRequired[GkeManageSpec | GkeManageSpecDict]
    private_services: NotRequired[bool]
    webhooks: NotRequired[bool]
    for_new_cluster: NotRequired[bool]
    attach_project: NotRequired[bool]
    lustre: NotRequired[bool]
    fabrics: NotRequired[Sequence[GkeFabricNetworkSpec | GkeFabricNetworkSpecDict]]
    deletion_protection: NotRequired[bool]


class GkeNewProjectSpecDict(TypedDict):
    """`GkeNewProjectSpec` as a mapping."""

    folder: NotRequired[str | None]
    organization: NotRequired[str | None]
    billing_account: str
    name: NotRequired[str | None]
    labels: NotRequired[Mapping[str, str]]
    deletion_policy: NotRequired[ProjectDeletionPolicy | Literal["PREVENT", "ABANDON", "DELETE"]]


class GkeNewProjectArgsDict(TypedDict):
    """`GkeNewProjectArgs` as a mapping."""

    project: pulumi.Input[str]
    new_project: GkeNewProjectSpec | GkeNewProjectSpecDict
    labels: NotRequired[Mapping[str, str]]
    deletion_protection: NotRequired[bool]


class GkeNodeAccountArgsDict(TypedDict):
    """`GkeNodeAccountArgs` as a mapping."""

    project: pulumi.Input[str]
    gke_cluster: pulumi.Input[str]


class GkeGpuSpecDict(TypedDict):
    """`GkeGpuSpec` as a mapping."""

    count: int
    gres_type: str
    google_type: str


class GkeMachineLocalSsdSpecDict(TypedDict):
    """`GkeMachineLocalSsdSpec` as a mapping."""

    counts: NotRequired[Sequence[int]]
    gib_each: NotRequired[int]


class GkePriceSpecDict(TypedDict):
    """`GkePriceSpec` as a mapping."""

    on_demand: NotRequired[float | None]
    spot: NotRequired[float | None]
    region: str
    as_of: date


class GkeMachineTypeSpecDict(TypedDict):
    """`GkeMachineTypeSpec` as a mapping."""

    name: str
    vcpus: int
    memory_gib: float
    architecture: NotRequired[Architecture | Literal["amd64", "arm64"]]
    threads_per_core: NotRequired[int]
    zones: NotRequired[Sequence[str]]
    gpus: NotRequired[GkeGpuSpec | GkeGpuSpecDict | None]
    local_ssd: NotRequired[GkeMachineLocalSsdSpec | GkeMachineLocalSsdSpecDict]
    fabric: NotRequired[GkeFabric | Literal["none", "TCPX", "TCPXO", "RoCE", "Falcon"]]
    compact_placement: NotRequired[bool]
    flex_start: NotRequired[bool]
    compact_flex_start: NotRequired[bool]
    spot: NotRequired[bool]
    on_demand: NotRequired[bool]
    price: NotRequired[GkePriceSpec | GkePriceSpecDict | None]


class GkeCatalogueSpecDict(TypedDict):
    """`GkeCatalogueSpec` as a mapping."""

    machine_types: NotRequired[Sequence[GkeMachineTypeSpec | GkeMachineTypeSpecDict]]
    prices: NotRequired[Mapping[str, GkePriceSpec | GkePriceSpecDict]]
    zones: NotRequired[Mapping[str, Sequence[str]]]
    gpu_prices: NotRequired[Mapping[str, GkePriceSpec | GkePriceSpecDict]]


class GkeAcceleratorSpecDict(TypedDict):
    """`GkeAcceleratorSpec` as a mapping."""

    type: str
    count: int


class GkeCapacityOptionSpecDict(TypedDict):
    """`GkeCapacityOptionSpec` as a mapping."""

    capacity: NotRequired[GkeCapacity | Literal["on-demand", "spot", "reservation", "flex-start", "queued"]]
    reservation: NotRequired[str | None]
    placement_policy: NotRequired[str | None]
    host_maintenance: NotRequired[HostMaintenance | Literal["as-needed", "periodic"] | None]
    max_run_duration: NotRequired[str | None]
    nodes: NotRequired[int | None]
    min_nodes: NotRequired[int]
    max_nodes: NotRequired[int | None]


class GkeLocalSsdSpecDict(TypedDict):
    """`GkeLocalSsdSpec` as a mapping."""

    use: NotRequired[LocalSsdUse | Literal["ephemeral", "block"]]
    count: NotRequired[int | None]


class GkeDiskSpecDict(TypedDict):
    """`GkeDiskSpec` as a mapping."""

    type: NotRequired[str | None]
    size_gib: NotRequired[int]


class GkePoolSpecDict(TypedDict):
    """`GkePoolSpec` as a mapping."""

    name: str
    zones: NotRequired[Sequence[str]]
    dedicated: NotRequired[bool]
    node_labels: NotRequired[Mapping[str, str]]
    taints: NotRequired[Sequence[TaintSpec | TaintSpecDict]]
    reserved_cpus: NotRequired[int]
    reserved_memory: NotRequired[str]
    ready_within: NotRequired[str | None]
    capacity: NotRequired[GkeCapacity | Literal["on-demand", "spot", "reservation", "flex-start", "queued"]]
    reservation: NotRequired[str | None]
    placement_policy: NotRequired[str | None]
    host_maintenance: NotRequired[HostMaintenance | Literal["as-needed", "periodic"] | None]
    max_run_duration: NotRequired[str | None]
    nodes: NotRequired[int | None]
    min_nodes: NotRequired[int]
    max_nodes: NotRequired[int | None]
    machine_type: str
    accelerator: NotRequired[GkeAcceleratorSpec | GkeAcceleratorSpecDict | None]
    priorities: NotRequired[Sequence[GkeCapacityOptionSpec | GkeCapacityOptionSpecDict]]
    compact_placement: NotRequired[bool]
    auto_upgrade: NotRequired[bool]
    threads_per_core: NotRequired[int | None]
    sysctls: NotRequired[Mapping[str, str]]
    preloaded_images: NotRequired[Sequence[str]]
    driver: NotRequired[GkeDriver | Literal["default", "latest", "disabled"]]
    local_ssd: NotRequired[GkeLocalSsdSpec | GkeLocalSsdSpecDict]
    disk: NotRequired[GkeDiskSpec | GkeDiskSpecDict]
    image_type: NotRequired[GkeImageType | Literal["COS_CONTAINERD", "UBUNTU_CONTAINERD"]]
    image_streaming: NotRequired[bool]
    max_pods_per_node: NotRequired[int]
    fabric: NotRequired[bool]
    secure_boot: NotRequired[bool]
    network_tags: NotRequired[Sequence[str]]
    confidential: NotRequired[ConfidentialType | Literal["SEV", "SEV_SNP", "TDX"] | None]


class GkeNetworkInterfaceArgsDict(TypedDict):
    """`GkeNetworkInterfaceArgs` as a mapping."""

    network_name: pulumi.Input[str]
    subnetwork_name: pulumi.Input[str]


class GkeNodePoolArgsDict(TypedDict):
    """`GkeNodePoolArgs` as a mapping."""

    project: pulumi.Input[str]
    location: pulumi.Input[str]
    gke_cluster: pulumi.Input[str]
    node_account: pulumi.Input[str]
    zones: NotRequired[Sequence[str]]
    labels: NotRequired[Mapping[str, str]]
    encryption_key: NotRequired[pulumi.Input[str] | None]
    catalogue: NotRequired[GkeCatalogueSpec | GkeCatalogueSpecDict]
    pool: GkePoolSpec | GkePoolSpecDict
    capacity_option: NotRequired[GkeCapacityOptionSpec | GkeCapacityOptionSpecDict | None]
    interfaces: NotRequired[Sequence[GkeNetworkInterfaceArgs | GkeNetworkInterfaceArgsDict]]


class GkeRegistrySpecDict(TypedDict):
    """`GkeRegistrySpec` as a mapping."""

    cache_slinky: NotRequired[bool]
    keep_versions: NotRequired[int]
    immutable_tags: NotRequired[bool]


class GkeRegistryArgsDict(TypedDict):
    """`GkeRegistryArgs` as a mapping."""

    project: pulumi.Input[str]
    region: pulumi.Input[str]
    repository_id: pulumi.Input[str]
    registry: NotRequired[GkeRegistrySpec | GkeRegistrySpecDict]
    encryption_key: NotRequired[pulumi.Input[str] | None]
    labels: NotRequired[Mapping[str, str]]


class FilestoreSpecDict(TypedDict):
    """`FilestoreSpec` as a mapping."""

    tier: NotRequired[FilestoreTier | Literal["BASIC_HDD", "BASIC_SSD", "ZONAL", "REGIONAL"]]
    capacity_gib: NotRequired[int]
    zone: NotRequired[str | None]
    clients: NotRequired[Sequence[str]]


class LustreSpecDict(TypedDict):
    """`LustreSpec` as a mapping."""

    capacity_gib: NotRequired[int]
    throughput_per_tib: NotRequired[int]
    filesystem: NotRequired[str]
    zone: NotRequired[str | None]


class BucketSpecDict(TypedDict):
    """`BucketSpec` as a mapping."""

    name: NotRequired[str | None]
    location: NotRequired[str | None]
    read_only: NotRequired[bool]
    profile: NotRequired[BucketProfile | Literal["training", "checkpointing", "serving"] | None]
    file_cache_gib: NotRequired[int | None]
    soft_delete_days: NotRequired[int | None]


class GkeStorageSpecDict(TypedDict):
    """`GkeStorageSpec` as a mapping."""

    name: str
    mount_path: str
    filestore: NotRequired[FilestoreSpec | FilestoreSpecDict | None]
    lustre: NotRequired[LustreSpec | LustreSpecDict | None]
    bucket: NotRequired[BucketSpec | BucketSpecDict | None]


class GkeSharedStorageArgsDict(TypedDict):
    """`GkeSharedStorageArgs` as a mapping."""

    project: pulumi.Input[str]
    region: pulumi.Input[str]
    zone: NotRequired[pulumi.Input[str] | None]
    gke_cluster: pulumi.Input[str]
    cluster: ClusterRef | ClusterRefDict
    storage: GkeStorageSpec | GkeStorageSpecDict
    network_id: NotRequired[pulumi.Input[str] | None]
    encryption_key: NotRequired[pulumi.Input[str] | None]
    labels: NotRequired[Mapping[str, str]]
    deletion_protection: NotRequired[bool]


class GkeSystemPoolSpecDict(TypedDict):
    """`GkeSystemPoolSpec` as a mapping."""

    min_nodes: NotRequired[int]
    max_nodes: NotRequired[int]
    zones: NotRequired[Sequence[str]]
    machine_type: NotRequired[str]
    disk: NotRequired[GkeDiskSpec | GkeDiskSpecDict]
    network_tags: NotRequired[Sequence[str]]


class GkeExistingClusterSpecDict(TypedDict):
    """`GkeExistingClusterSpec` as a mapping."""

    name: str
    location: str


class GkeExistingPoolSpecDict(TypedDict):
    """`GkeExistingPoolSpec` as a mapping."""

    name: str
    reserved_cpus: NotRequired[int]
    reserved_memory: NotRequired[str]


class NcclSpecDict(TypedDict):
    """`NcclSpec` as a mapping."""

    install: NotRequired[bool]
    tcpxo_plugin: NotRequired[str]
    tcpxo_daemon: NotRequired[str]
    tcpx_plugin: NotRequired[str]
    tcpx_daemon: NotRequired[str]
    rdma_plugin: NotRequired[str]
    device_injector: NotRequired[str]
    shell: NotRequired[str]
    pause: NotRequired[str]


class GkeSpecDict(TypedDict):
    """`GkeSpec` as a mapping."""

    region: str
    zones: Sequence[str]
    name: NotRequired[str | None]
    deletion_protection: NotRequired[bool]
    project: str
    new_project: NotRequired[GkeNewProjectSpec | GkeNewProjectSpecDict | None]
    pools: NotRequired[Sequence[GkePoolSpec | GkePoolSpecDict]]
    system_pool: NotRequired[GkeSystemPoolSpec | GkeSystemPoolSpecDict]
    existing_cluster: NotRequired[GkeExistingClusterSpec | GkeExistingClusterSpecDict | None]
    existing_pools: NotRequired[Sequence[GkeExistingPoolSpec | GkeExistingPoolSpecDict]]
    node_account: NotRequired[str | None]
    application_default_login: NotRequired[bool]
    network: NotRequired[GkeNetworkSpec | GkeNetworkSpecDict]
    nccl: NotRequired[NcclSpec | NcclSpecDict]
    control_plane: NotRequired[GkeControlPlaneSpec | GkeControlPlaneSpecDict]
    slurm_operator: NotRequired[GkeOperator | Literal["slinky", "gke-addon"]]
    encryption_key: NotRequired[str | None]
    registry: NotRequired[GkeRegistrySpec | GkeRegistrySpecDict | None]
    storage: NotRequired[Sequence[GkeStorageSpec | GkeStorageSpecDict]]
    database: NotRequired[CloudSqlSpec | CloudSqlSpecDict | None]
    catalogue: NotRequired[GkeCatalogueSpec | GkeCatalogueSpecDict]
    manage: NotRequired[GkeManageSpec | GkeManageSpecDict]
    preflight: NotRequired[bool]
    labels: NotRequired[Mapping[str, str]]


class GkeSlurmArgsDict(TypedDict):
    """`GkeSlurmArgs` as a mapping."""

    cluster: SlurmSpec | SlurmSpecDict
    operator: NotRequired[OperatorSpec | OperatorSpecDict]
    keda: NotRequired[KedaSettings | KedaSettingsDict | None]
    create_namespace: NotRequired[bool]
    root_key: NotRequired[pulumi.Input[str] | None]
    ldap_bind_password: NotRequired[pulumi.Input[str] | None]
    gke: GkeSpec | GkeSpecDict


class GkeSystemPoolArgsDict(TypedDict):
    """`GkeSystemPoolArgs` as a mapping."""

    project: pulumi.Input[str]
    location: pulumi.Input[str]
    gke_cluster: pulumi.Input[str]
    node_account: pulumi.Input[str]
    zones: NotRequired[Sequence[str]]
    labels: NotRequired[Mapping[str, str]]
    encryption_key: NotRequired[pulumi.Input[str] | None]
    catalogue: NotRequired[GkeCatalogueSpec | GkeCatalogueSpecDict]
    pool: NotRequired[GkeSystemPoolSpec | GkeSystemPoolSpecDict]


class GkeWorkloadIdentityArgsDict(TypedDict):
    """`GkeWorkloadIdentityArgs` as a mapping."""

    project: pulumi.Input[str]
    namespace: str
    service_account: str
    buckets: NotRequired[Mapping[str, pulumi.Input[str]]]
    read_only_buckets: NotRequired[Mapping[str, pulumi.Input[str]]]
    project_roles: NotRequired[Sequence[str]]

"""Written by `make generate`: what components take in place of models, for type checkers."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, NotRequired, TypedDict

import pulumi

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.control_plane import (
    AckControlPlaneSpec,
    AckEdition,
    AddonSpec,
    Cni,
    LogComponent,
    ProxyMode,
)
from pulumi_slurm.ack.model.database import AckMySqlVersion, RdsSpec
from pulumi_slurm.ack.model.disk import AckDataDiskSpec, AckDiskClassSpec, AckDiskSpec, Performance
from pulumi_slurm.ack.model.existing import AckExistingClusterSpec, AckExistingNetworkSpec, AckExistingPoolSpec
from pulumi_slurm.ack.model.maintenance import AckMaintenanceWindowSpec, UpgradeChannel
from pulumi_slurm.ack.model.network import AckNetworkSpec, SecurityGroupType
from pulumi_slurm.ack.model.pool import AckCapacity, AckImageType, AckPoolSpec, AckSystemPoolSpec
from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.model.storage import AckStorageSpec, FileSystemType, NasSpec, NfsVersion
from pulumi_slurm.ack_slurm.dicts import AckSlurmSpecDict
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.clouds.maintenance import Day
from pulumi_slurm.dicts import ClusterRefDict, KedaSettingsDict, OperatorSpecDict, SlurmSpecDict, TaintSpecDict
from pulumi_slurm.machines.ack.catalogue import AckCatalogueSpec
from pulumi_slurm.machines.ack.machine_type import (
    AckEnisSpec,
    AckFabric,
    AckGpuSpec,
    AckLocalDisksSpec,
    AckMachineTypeSpec,
    AckPriceSpec,
)
from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.machine import TaintSpec
from pulumi_slurm.model.operator_settings import KedaSettings, OperatorSpec
from pulumi_slurm.model.slurm import SlurmSpec


class AddonSpecDict(TypedDict):
    """`AddonSpec` as a mapping."""

    name: str
    config: NotRequired[Mapping[str, Any]]
    version: NotRequired[str | None]
    disabled: NotRequired[bool]


class AckMaintenanceWindowSpecDict(TypedDict):
    """`AckMaintenanceWindowSpec` as a mapping."""

    start: NotRequired[str]
    hours: NotRequired[int]
    days: NotRequired[
        Sequence[Day | Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]]
    ]


class AckControlPlaneSpecDict(TypedDict):
    """`AckControlPlaneSpec` as a mapping."""

    version: NotRequired[str | None]
    edition: NotRequired[
        AckEdition | Literal["ack.standard", "ack.pro.small", "ack.pro.xlarge", "ack.pro.2xlarge", "ack.pro.4xlarge"]
    ]
    cni: NotRequired[Cni | Literal["terway", "flannel"]]
    public_endpoint: NotRequired[bool]
    rrsa: NotRequired[bool]
    proxy_mode: NotRequired[ProxyMode | Literal["ipvs", "iptables", "nftables"]]
    cluster_domain: NotRequired[str]
    addons: NotRequired[Sequence[AddonSpec | AddonSpecDict]]
    audit_log: NotRequired[bool]
    log_components: NotRequired[
        Sequence[LogComponent | Literal["apiserver", "kcm", "scheduler", "ccm", "controlplane-events"]]
    ]
    log_days: NotRequired[int]
    maintenance_window: NotRequired[AckMaintenanceWindowSpec | AckMaintenanceWindowSpecDict]
    upgrade_channel: NotRequired[UpgradeChannel | Literal["patch", "stable", "rapid"] | None]
    secrets_encryption_key: NotRequired[str | None]


class AckClusterArgsDict(TypedDict):
    """`AckClusterArgs` as a mapping."""

    region: str
    name: str
    zones: Sequence[str]
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    security_group_id: pulumi.Input[str]
    control_plane: NotRequired[AckControlPlaneSpec | AckControlPlaneSpecDict]
    pod_vswitches: NotRequired[pulumi.Input[Mapping[str, pulumi.Input[str]]] | None]
    pods_range: NotRequired[str | None]
    pods_per_node: NotRequired[int | None]
    services_range: NotRequired[str]
    tags: NotRequired[Mapping[str, str]]
    deletion_protection: NotRequired[bool]


class RdsSpecDict(TypedDict):
    """`RdsSpec` as a mapping."""

    version: NotRequired[AckMySqlVersion | Literal["5.7", "8.0", "8.4"]]
    instance_type: NotRequired[str | None]
    high_availability: NotRequired[bool]
    disk_gib: NotRequired[int]
    largest_disk_gib: NotRequired[int]
    encryption_key: NotRequired[str | None]
    backup_days: NotRequired[int]
    backup_time: NotRequired[str]
    parameters: NotRequired[Mapping[str, str]]


class AckDatabaseArgsDict(TypedDict):
    """`AckDatabaseArgs` as a mapping."""

    cluster: ClusterRef | ClusterRefDict
    database: NotRequired[RdsSpec | RdsSpecDict]
    ack_cluster: NotRequired[str]
    zones: Sequence[str]
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    security_ips: pulumi.Input[Sequence[pulumi.Input[str]]]
    root_key: pulumi.Input[str]
    tags: NotRequired[Mapping[str, str]]
    deletion_protection: NotRequired[bool]


class AckExistingClusterArgsDict(TypedDict):
    """`AckExistingClusterArgs` as a mapping."""

    cluster_id: pulumi.Input[str]


class AckExistingNetworkSpecDict(TypedDict):
    """`AckExistingNetworkSpec` as a mapping."""

    vpc_id: str
    vswitches: Sequence[str]
    pod_vswitches: NotRequired[Sequence[str]]
    security_group_id: str


class AckNetworkSpecDict(TypedDict):
    """`AckNetworkSpec` as a mapping."""

    existing: NotRequired[AckExistingNetworkSpec | AckExistingNetworkSpecDict | None]
    vpc_range: NotRequired[str]
    node_ranges: NotRequired[Mapping[str, str]]
    pod_ranges: NotRequired[Mapping[str, str]]
    pods_range: NotRequired[str | None]
    services_range: NotRequired[str | None]
    pods_per_node: NotRequired[int]
    nat: NotRequired[bool]
    nat_bandwidth_mbps: NotRequired[int]
    security_group: NotRequired[SecurityGroupType | Literal["normal", "enterprise"]]


class AckNetworkArgsDict(TypedDict):
    """`AckNetworkArgs` as a mapping."""

    name: str
    zones: Sequence[str]
    cni: NotRequired[Cni | Literal["terway", "flannel"]]
    network: NotRequired[AckNetworkSpec | AckNetworkSpecDict]
    tags: NotRequired[Mapping[str, str]]
    deletion_protection: NotRequired[bool]


class AckGpuSpecDict(TypedDict):
    """`AckGpuSpec` as a mapping."""

    count: int
    gres_type: str
    nvidia_name: str
    memory_gb: float


class AckLocalDisksSpecDict(TypedDict):
    """`AckLocalDisksSpec` as a mapping."""

    count: NotRequired[int]
    gib_each: NotRequired[int]


class AckEnisSpecDict(TypedDict):
    """`AckEnisSpec` as a mapping."""

    count: int
    addresses: int


class AckPriceSpecDict(TypedDict):
    """`AckPriceSpec` as a mapping."""

    on_demand: NotRequired[float | None]
    spot: NotRequired[float | None]
    currency: str
    region: str
    as_of: date


class AckMachineTypeSpecDict(TypedDict):
    """`AckMachineTypeSpec` as a mapping."""

    name: str
    vcpus: int
    memory_gib: float
    architecture: NotRequired[Architecture | Literal["amd64", "arm64"]]
    threads_per_core: NotRequired[int]
    zones: NotRequired[Sequence[str]]
    bare_metal: NotRequired[bool]
    gpus: NotRequired[AckGpuSpec | AckGpuSpecDict | None]
    local_disks: NotRequired[AckLocalDisksSpec | AckLocalDisksSpecDict]
    fabric: NotRequired[AckFabric | Literal["none", "eRDMA"]]
    enis: NotRequired[AckEnisSpec | AckEnisSpecDict | None]
    by_request: NotRequired[bool]
    price: NotRequired[AckPriceSpec | AckPriceSpecDict | None]


class AckCatalogueSpecDict(TypedDict):
    """`AckCatalogueSpec` as a mapping."""

    machine_types: NotRequired[Sequence[AckMachineTypeSpec | AckMachineTypeSpecDict]]
    prices: NotRequired[Mapping[str, AckPriceSpec | AckPriceSpecDict]]
    zones: NotRequired[Mapping[str, Sequence[str]]]


class AckDiskSpecDict(TypedDict):
    """`AckDiskSpec` as a mapping."""

    type: NotRequired[str]
    performance: NotRequired[Performance | Literal["PL0", "PL1", "PL2", "PL3"] | None]
    size_gib: NotRequired[int]
    encrypted: NotRequired[bool]


class AckDataDiskSpecDict(TypedDict):
    """`AckDataDiskSpec` as a mapping."""

    mount_path: str
    type: NotRequired[str]
    performance: NotRequired[Performance | Literal["PL0", "PL1", "PL2", "PL3"] | None]
    size_gib: NotRequired[int]
    encrypted: NotRequired[bool]


class AckPoolSpecDict(TypedDict):
    """`AckPoolSpec` as a mapping."""

    name: str
    zones: NotRequired[Sequence[str]]
    dedicated: NotRequired[bool]
    node_labels: NotRequired[Mapping[str, str]]
    taints: NotRequired[Sequence[TaintSpec | TaintSpecDict]]
    reserved_cpus: NotRequired[int]
    reserved_memory: NotRequired[str]
    ready_within: NotRequired[str | None]
    instance_types: Sequence[str]
    nodes: NotRequired[int | None]
    min_nodes: NotRequired[int]
    max_nodes: NotRequired[int | None]
    capacity: NotRequired[AckCapacity | Literal["on-demand", "spot", "subscription"]]
    subscription_months: NotRequired[int]
    subscription_renewed: NotRequired[bool]
    private_pool: NotRequired[str | None]
    deployment_set: NotRequired[str | None]
    spot_price_limits: NotRequired[Mapping[str, float]]
    on_demand_instead: NotRequired[bool]
    image_type: NotRequired[
        AckImageType
        | Literal[
            "AliyunLinux3",
            "AliyunLinux3ContainerOptimized",
            "AliyunLinux4",
            "AliyunLinux4ContainerOptimized",
            "ContainerOS",
            "Ubuntu",
        ]
    ]
    image_id: NotRequired[str | None]
    user_data: NotRequired[str | None]
    pre_user_data: NotRequired[str | None]
    disk: NotRequired[AckDiskSpec | AckDiskSpecDict]
    data_disks: NotRequired[Sequence[AckDataDiskSpec | AckDataDiskSpecDict]]
    key_name: NotRequired[str | None]
    driver_version: NotRequired[str | None]
    erdma: NotRequired[bool]
    auto_repair: NotRequired[bool]
    restart_to_repair: NotRequired[bool]
    ram_role: NotRequired[str | None]
    require_metadata_tokens: NotRequired[bool]


class AckNodePoolArgsDict(TypedDict):
    """`AckNodePoolArgs` as a mapping."""

    cluster_id: pulumi.Input[str]
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    security_group_id: pulumi.Input[str]
    zones: NotRequired[Sequence[str]]
    catalogue: NotRequired[AckCatalogueSpec | AckCatalogueSpecDict]
    pods_per_node: NotRequired[int | None]
    auto_upgrade: NotRequired[bool]
    registry_mirrors: NotRequired[Mapping[str, Sequence[str]]]
    tags: NotRequired[Mapping[str, str]]
    pool: AckPoolSpec | AckPoolSpecDict


class NasSpecDict(TypedDict):
    """`NasSpec` as a mapping."""

    file_system_type: NotRequired[FileSystemType | Literal["standard", "extreme"]]
    storage_type: NotRequired[str | None]
    capacity_gib: NotRequired[int | None]
    path: NotRequired[str | None]
    nfs: NotRequired[NfsVersion | Literal["3", "4.0"]]
    zone: NotRequired[str | None]
    encrypted: NotRequired[bool]
    existing: NotRequired[str | None]


class AckStorageSpecDict(TypedDict):
    """`AckStorageSpec` as a mapping."""

    name: str
    mount_path: str
    nas: NotRequired[NasSpec | NasSpecDict]
    storage_class: NotRequired[str | None]


class AckSharedStorageArgsDict(TypedDict):
    """`AckSharedStorageArgs` as a mapping."""

    cluster: ClusterRef | ClusterRefDict
    storage: AckStorageSpec | AckStorageSpecDict
    ack_cluster: NotRequired[str]
    zone: NotRequired[str | None]
    vpc_id: NotRequired[pulumi.Input[str] | None]
    node_vswitches: NotRequired[pulumi.Input[Mapping[str, pulumi.Input[str]]] | None]
    node_ranges: NotRequired[Mapping[str, pulumi.Input[str]]]
    tags: NotRequired[Mapping[str, str]]
    deletion_protection: NotRequired[bool]


class AckSystemPoolSpecDict(TypedDict):
    """`AckSystemPoolSpec` as a mapping."""

    min_nodes: NotRequired[int]
    max_nodes: NotRequired[int]
    zones: NotRequired[Sequence[str]]
    instance_types: NotRequired[Sequence[str]]
    image_type: NotRequired[
        AckImageType
        | Literal[
            "AliyunLinux3",
            "AliyunLinux3ContainerOptimized",
            "AliyunLinux4",
            "AliyunLinux4ContainerOptimized",
            "ContainerOS",
            "Ubuntu",
        ]
    ]
    disk: NotRequired[AckDiskSpec | AckDiskSpecDict]
    key_name: NotRequired[str | None]
    require_metadata_tokens: NotRequired[bool]


class AckExistingClusterSpecDict(TypedDict):
    """`AckExistingClusterSpec` as a mapping."""

    id: str


class AckExistingPoolSpecDict(TypedDict):
    """`AckExistingPoolSpec` as a mapping."""

    name: str
    id: NotRequired[str | None]
    reserved_cpus: NotRequired[int]
    reserved_memory: NotRequired[str]


class AckDiskClassSpecDict(TypedDict):
    """`AckDiskClassSpec` as a mapping."""

    name: NotRequired[str]
    encrypted: NotRequired[bool]
    encryption_key: NotRequired[str | None]


class AckSpecDict(TypedDict):
    """`AckSpec` as a mapping."""

    region: str
    zones: Sequence[str]
    name: NotRequired[str | None]
    deletion_protection: NotRequired[bool]
    pools: NotRequired[Sequence[AckPoolSpec | AckPoolSpecDict]]
    system_pool: NotRequired[AckSystemPoolSpec | AckSystemPoolSpecDict]
    existing_cluster: NotRequired[AckExistingClusterSpec | AckExistingClusterSpecDict | None]
    existing_pools: NotRequired[Sequence[AckExistingPoolSpec | AckExistingPoolSpecDict]]
    network: NotRequired[AckNetworkSpec | AckNetworkSpecDict]
    control_plane: NotRequired[AckControlPlaneSpec | AckControlPlaneSpecDict]
    create_service_roles: NotRequired[bool]
    existing_service_roles: NotRequired[Sequence[str]]
    preflight: NotRequired[bool]
    slurm_operator: NotRequired[AckOperator | Literal["slinky", "ack-slurm-operator"]]
    slurm: NotRequired[AckSlurmSpec | AckSlurmSpecDict]
    registry_mirrors: NotRequired[Mapping[str, Sequence[str]]]
    storage: NotRequired[Sequence[AckStorageSpec | AckStorageSpecDict]]
    disk_class: NotRequired[AckDiskClassSpec | AckDiskClassSpecDict]
    database: NotRequired[RdsSpec | RdsSpecDict | None]
    catalogue: NotRequired[AckCatalogueSpec | AckCatalogueSpecDict]
    tags: NotRequired[Mapping[str, str]]


class AckSlurmArgsDict(TypedDict):
    """`AckSlurmArgs` as a mapping."""

    cluster: SlurmSpec | SlurmSpecDict
    operator: NotRequired[OperatorSpec | OperatorSpecDict]
    keda: NotRequired[KedaSettings | KedaSettingsDict | None]
    create_namespace: NotRequired[bool]
    root_key: NotRequired[pulumi.Input[str] | None]
    ldap_bind_password: NotRequired[pulumi.Input[str] | None]
    ack: AckSpec | AckSpecDict
    database_password: NotRequired[pulumi.Input[str] | None]
    job_completion_password: NotRequired[pulumi.Input[str] | None]
    copilot_token: NotRequired[pulumi.Input[str] | None]


class AckSystemPoolArgsDict(TypedDict):
    """`AckSystemPoolArgs` as a mapping."""

    cluster_id: pulumi.Input[str]
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    security_group_id: pulumi.Input[str]
    zones: NotRequired[Sequence[str]]
    catalogue: NotRequired[AckCatalogueSpec | AckCatalogueSpecDict]
    pods_per_node: NotRequired[int | None]
    auto_upgrade: NotRequired[bool]
    registry_mirrors: NotRequired[Mapping[str, Sequence[str]]]
    tags: NotRequired[Mapping[str, str]]
    pool: NotRequired[AckSystemPoolSpec | AckSystemPoolSpecDict]

"""Written by `make generate`: what components take in place of models, for type checkers."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

import pulumi

from pulumi_slurm.model.access import LoginSetSpec, LoginUpdateStrategySpec, LoginUpdateType, RestApiSpec, TokenSpec
from pulumi_slurm.model.accounting import AccountingSpec, DatabaseKind, DatabaseSpec
from pulumi_slurm.model.accounts import AccountSpec, QosSpec
from pulumi_slurm.model.adopted import AdoptedFilesSpec, AdoptedSpec
from pulumi_slurm.model.alerts import (
    AlertRulesSpec,
    AlertSeverity,
    BackfillLateSpec,
    CapacityLostSpec,
    ControllerGoneSpec,
    DatabaseQueueSpec,
    GpusIdleSpec,
    LaunchesFailSpec,
    NodesDrainedSpec,
    NodesKillJobsSpec,
    NodesSpec,
    ScrapeSlowSpec,
)
from pulumi_slurm.model.autoscaling import (
    AuthenticationKind,
    AuthenticationMode,
    AuthenticationSpec,
    Autoscaler,
    AutoscalingSpec,
)
from pulumi_slurm.model.backup import BackupSpec, S3Spec
from pulumi_slurm.model.bridge import (
    BridgedNamespaceSpec,
    BridgeNodesSpec,
    BridgeProgramSpec,
    BridgeSpec,
    ReadableOwnerSpec,
)
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.confine import ConfineSpec
from pulumi_slurm.model.controller import ControllerSpec, HighAvailabilitySpec, StateVolumeSpec
from pulumi_slurm.model.dashboards import DashboardsSpec
from pulumi_slurm.model.external_nodes import ExternalNodesSpec
from pulumi_slurm.model.hooks import HooksSpec
from pulumi_slurm.model.identity import DirectorySpec, IdentitySpec, LdapSchema, LdapSpec
from pulumi_slurm.model.images import ImagesSpec, PullPolicy
from pulumi_slurm.model.keys import JwksSpec, KeySpec, KeysSpec
from pulumi_slurm.model.machine import GpuSpec, MachineSpec, NodePoolSpec, TaintEffect, TaintSpec
from pulumi_slurm.model.monitoring import MetricsEndpoint, MonitoringSpec, PrometheusSpec, ServiceMonitorSpec
from pulumi_slurm.model.network_policies import NetworkPoliciesSpec
from pulumi_slurm.model.node_set import (
    ClaimRetention,
    NodeSetSpec,
    ScalingMode,
    UpdateStrategySpec,
    UpdateType,
    WorkerSshSpec,
)
from pulumi_slurm.model.partition import OverSubscribe, PartitionOptionsSpec, PartitionSpec, PartitionState, PreemptMode
from pulumi_slurm.model.pod import (
    PlacementSpec,
    PodSpec,
    RequestsSpec,
    ResourcesSpec,
    ServiceSpec,
    ServiceType,
    SessionAffinity,
    TolerationOperator,
    TolerationSpec,
    TrafficPolicy,
)
from pulumi_slurm.model.references import EndpointSpec, SecretKeyRef
from pulumi_slurm.model.sidecar import SidecarSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.slurm_conf import SlurmConfSpec
from pulumi_slurm.model.storage import (
    AccessMode,
    ClaimSpec,
    CsiSpec,
    HostPathSpec,
    HostPathType,
    NfsSpec,
    SharedVolumeSpec,
    VolumeClaimTemplateSpec,
)
from pulumi_slurm.model.topology import TopologyKind, TopologySpec


class KedaArgsDict(TypedDict):
    """`KedaArgs` as a mapping."""

    version: NotRequired[str]
    namespace: NotRequired[str]
    chart: NotRequired[str]
    values: NotRequired[Mapping[str, pulumi.Input[Any]]]


class ImagesSpecDict(TypedDict):
    """`ImagesSpec` as a mapping."""

    registry: NotRequired[str]
    tag: NotRequired[str | None]
    logfile: NotRequired[str]
    kubectl: NotRequired[str]
    pull_policy: NotRequired[PullPolicy | Literal["Always", "IfNotPresent", "Never"] | None]
    pull_secrets: NotRequired[Sequence[str]]


class SecretKeyRefDict(TypedDict):
    """`SecretKeyRef` as a mapping."""

    name: str
    key: str


class KeySpecDict(TypedDict):
    """`KeySpec` as a mapping."""

    generation: NotRequired[int]
    existing: NotRequired[SecretKeyRef | SecretKeyRefDict | None]


class JwksSpecDict(TypedDict):
    """`JwksSpec` as a mapping."""

    name: str
    key: str
    user_claim: NotRequired[str | None]


class KeysSpecDict(TypedDict):
    """`KeysSpec` as a mapping."""

    slurm: NotRequired[KeySpec | KeySpecDict]
    jwt: NotRequired[KeySpec | KeySpecDict]
    jwks: NotRequired[JwksSpec | JwksSpecDict | None]


class AdoptedFilesSpecDict(TypedDict):
    """`AdoptedFilesSpec` as a mapping."""

    name: str
    files: Sequence[str]


class AdoptedSpecDict(TypedDict):
    """`AdoptedSpec` as a mapping."""

    files: NotRequired[Mapping[str, Sequence[AdoptedFilesSpec | AdoptedFilesSpecDict]]]
    files_hash: NotRequired[str | None]
    slurmd_options: NotRequired[Mapping[str, str]]
    slurmdbd_conf: NotRequired[str | None]


class ClusterRefDict(TypedDict):
    """`ClusterRef` as a mapping."""

    name: str
    cluster_name: NotRequired[str | None]
    namespace: NotRequired[str]
    slurm_version: NotRequired[str]
    operator_version: NotRequired[str]
    images: NotRequired[ImagesSpec | ImagesSpecDict]
    keys: NotRequired[KeysSpec | KeysSpecDict]
    labels: NotRequired[Mapping[str, str]]
    priority_class_name: NotRequired[str | None]
    adopted: NotRequired[AdoptedSpec | AdoptedSpecDict | None]


class AuthenticationSpecDict(TypedDict):
    """`AuthenticationSpec` as a mapping."""

    name: str
    kind: NotRequired[AuthenticationKind | Literal["TriggerAuthentication", "ClusterTriggerAuthentication"]]
    modes: NotRequired[Sequence[AuthenticationMode | Literal["basic", "bearer", "tls", "custom"]]]


class AutoscalingSpecDict(TypedDict):
    """`AutoscalingSpec` as a mapping."""

    kind: NotRequired[Autoscaler | Literal["keda", "hpa"]]
    min_replicas: NotRequired[int]
    max_replicas: int
    idle_replicas: NotRequired[int | None]
    prometheus_address: NotRequired[str | None]
    authentication: NotRequired[AuthenticationSpec | AuthenticationSpecDict | None]
    partition: NotRequired[str | None]
    jobs_per_replica: NotRequired[int]
    query: NotRequired[str | None]
    cpu_utilization: NotRequired[int]
    polling_seconds: NotRequired[int]
    cooldown_seconds: NotRequired[int]
    behavior: NotRequired[Mapping[str, Any]]


class ServiceSpecDict(TypedDict):
    """`ServiceSpec` as a mapping."""

    type: NotRequired[ServiceType | Literal["ClusterIP", "NodePort", "LoadBalancer"]]
    node_port: NotRequired[int | None]
    labels: NotRequired[Mapping[str, str]]
    annotations: NotRequired[Mapping[str, str]]
    internal: NotRequired[bool]
    source_ranges: NotRequired[Sequence[str]]
    load_balancer_class: NotRequired[str | None]
    external_traffic_policy: NotRequired[TrafficPolicy | Literal["Cluster", "Local"] | None]
    session_affinity: NotRequired[SessionAffinity | Literal["None", "ClientIP"] | None]


class RequestsSpecDict(TypedDict):
    """`RequestsSpec` as a mapping."""

    cpu: NotRequired[str | None]
    memory: NotRequired[str | None]


class ResourcesSpecDict(TypedDict):
    """`ResourcesSpec` as a mapping."""

    cpu: str
    memory: str
    requests: NotRequired[RequestsSpec | RequestsSpecDict]


class LoginUpdateStrategySpecDict(TypedDict):
    """`LoginUpdateStrategySpec` as a mapping."""

    type: NotRequired[LoginUpdateType | Literal["RollingUpdate", "Recreate"]]
    max_unavailable: NotRequired[int | None]
    max_surge: NotRequired[int | None]


class TolerationSpecDict(TypedDict):
    """`TolerationSpec` as a mapping."""

    key: NotRequired[str | None]
    operator: NotRequired[TolerationOperator | Literal["Equal", "Exists"]]
    value: NotRequired[str | None]
    effect: NotRequired[TaintEffect | Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None]
    toleration_seconds: NotRequired[int | None]


class PodSpecDict(TypedDict):
    """`PodSpec` as a mapping."""

    labels: NotRequired[Mapping[str, str]]
    annotations: NotRequired[Mapping[str, str]]
    node_selector: NotRequired[Mapping[str, str]]
    tolerations: NotRequired[Sequence[TolerationSpec | TolerationSpecDict]]
    affinity: NotRequired[Mapping[str, Any]]
    priority_class_name: NotRequired[str | None]
    image_pull_secrets: NotRequired[Sequence[str]]
    service_account_name: NotRequired[str | None]
    runtime_class_name: NotRequired[str | None]
    topology_spread_constraints: NotRequired[Sequence[Mapping[str, Any]]]
    termination_grace_period_seconds: NotRequired[int | None]
    host_network: NotRequired[bool]
    env: NotRequired[Mapping[str, str]]


class LoginSetSpecDict(TypedDict):
    """`LoginSetSpec` as a mapping."""

    name: str
    replicas: NotRequired[int | None]
    autoscaling: NotRequired[AutoscalingSpec | AutoscalingSpecDict | None]
    service: NotRequired[ServiceSpec | ServiceSpecDict]
    root_authorized_keys: NotRequired[Sequence[str]]
    extra_sshd_config: NotRequired[str | None]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    update_strategy: NotRequired[LoginUpdateStrategySpec | LoginUpdateStrategySpecDict | None]
    extra_volumes: NotRequired[Sequence[Mapping[str, Any]]]
    extra_volume_mounts: NotRequired[Sequence[Mapping[str, Any]]]
    image: NotRequired[str | None]
    pod: NotRequired[PodSpec | PodSpecDict]
    overrides: NotRequired[Mapping[str, Any]]


class NfsSpecDict(TypedDict):
    """`NfsSpec` as a mapping."""

    server: str
    path: str
    mount_options: NotRequired[Sequence[str]]


class CsiSpecDict(TypedDict):
    """`CsiSpec` as a mapping."""

    driver: str
    volume_handle: str
    attributes: NotRequired[Mapping[str, str]]
    mount_options: NotRequired[Sequence[str]]
    secret: NotRequired[str | None]


class SharedVolumeSpecDict(TypedDict):
    """`SharedVolumeSpec` as a mapping."""

    name: str
    mount_path: str
    existing_claim: NotRequired[str | None]
    storage_class: NotRequired[str | None]
    nfs: NotRequired[NfsSpec | NfsSpecDict | None]
    csi: NotRequired[CsiSpec | CsiSpecDict | None]
    size: NotRequired[str]
    access_mode: NotRequired[AccessMode | Literal["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany"]]
    sub_path: NotRequired[str | None]
    retain: NotRequired[bool]


class LoginSetArgsDict(TypedDict):
    """`LoginSetArgs` as a mapping."""

    cluster: ClusterRef | ClusterRefDict
    login_set: LoginSetSpec | LoginSetSpecDict
    sssd: SecretKeyRef | SecretKeyRefDict
    shared_volumes: NotRequired[Sequence[SharedVolumeSpec | SharedVolumeSpecDict]]


class GpuSpecDict(TypedDict):
    """`GpuSpec` as a mapping."""

    count: int
    type: NotRequired[str | None]
    resource: NotRequired[str]


class MachineSpecDict(TypedDict):
    """`MachineSpec` as a mapping."""

    cpus: int
    memory: str
    gpus: NotRequired[GpuSpec | GpuSpecDict | None]
    resources: NotRequired[Mapping[str, str]]
    rdma: NotRequired[bool | None]


class PartitionOptionsSpecDict(TypedDict):
    """`PartitionOptionsSpec` as a mapping."""

    default: NotRequired[bool]
    state: NotRequired[PartitionState | Literal["UP", "DOWN", "DRAIN", "INACTIVE"]]
    max_time: NotRequired[str]
    default_time: NotRequired[str | None]
    max_nodes: NotRequired[int | None]
    min_nodes: NotRequired[int | None]
    max_cpus_per_node: NotRequired[int | None]
    max_cpus_per_socket: NotRequired[int | None]
    max_mem_per_node: NotRequired[str | None]
    max_mem_per_cpu: NotRequired[str | None]
    def_mem_per_node: NotRequired[str | None]
    def_mem_per_cpu: NotRequired[str | None]
    def_mem_per_gpu: NotRequired[str | None]
    def_cpu_per_gpu: NotRequired[int | None]
    priority_tier: NotRequired[int | None]
    priority_job_factor: NotRequired[int | None]
    preempt_mode: NotRequired[PreemptMode | Literal["OFF", "CANCEL", "REQUEUE", "SUSPEND"] | None]
    grace_time: NotRequired[int | None]
    over_subscribe: NotRequired[OverSubscribe | Literal["EXCLUSIVE", "FORCE", "NO", "YES"] | None]
    over_subscribe_jobs: NotRequired[int | None]
    over_time_limit: NotRequired[int | None]
    qos: NotRequired[str | None]
    allow_accounts: NotRequired[Sequence[str]]
    deny_accounts: NotRequired[Sequence[str]]
    allow_groups: NotRequired[Sequence[str]]
    allow_qos: NotRequired[Sequence[str]]
    deny_qos: NotRequired[Sequence[str]]
    exclusive_user: NotRequired[bool]
    hidden: NotRequired[bool]
    lln: NotRequired[bool]
    req_resv: NotRequired[bool]
    root_only: NotRequired[bool]
    disable_root_jobs: NotRequired[bool | None]
    suspend_time: NotRequired[str | None]
    topology: NotRequired[str | None]
    tres_billing_weights: NotRequired[Mapping[str, float]]
    extra: NotRequired[Mapping[str, str]]


class VolumeClaimTemplateSpecDict(TypedDict):
    """`VolumeClaimTemplateSpec` as a mapping."""

    size: NotRequired[str]
    storage_class: NotRequired[str | None]
    access_mode: NotRequired[AccessMode | Literal["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany"]]
    name: str
    mount_path: str


class HostPathSpecDict(TypedDict):
    """`HostPathSpec` as a mapping."""

    name: str
    path: str
    mount_path: str
    type: NotRequired[
        HostPathType
        | Literal["Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket", "CharDevice", "BlockDevice"]
    ]
    read_only: NotRequired[bool]


class SidecarSpecDict(TypedDict):
    """`SidecarSpec` as a mapping."""

    name: str
    image: str
    command: NotRequired[Sequence[str]]
    args: NotRequired[Sequence[str]]
    env: NotRequired[Mapping[str, str]]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    privileged: NotRequired[bool]
    capabilities: NotRequired[Sequence[str]]
    host_paths: NotRequired[Sequence[HostPathSpec | HostPathSpecDict]]
    ready_command: NotRequired[Sequence[str]]
    ready_seconds: NotRequired[int]


class UpdateStrategySpecDict(TypedDict):
    """`UpdateStrategySpec` as a mapping."""

    type: NotRequired[UpdateType | Literal["RollingUpdate", "OnDelete", "ScheduledUpdate"]]
    max_unavailable: NotRequired[str]
    start_time: NotRequired[str | None]
    duration: NotRequired[str]
    flags: NotRequired[Sequence[str]]


class WorkerSshSpecDict(TypedDict):
    """`WorkerSshSpec` as a mapping."""

    extra_sshd_config: NotRequired[str | None]


class NodeSetSpecDict(TypedDict):
    """`NodeSetSpec` as a mapping."""

    name: str
    pool: NotRequired[str | None]
    machine: NotRequired[MachineSpec | MachineSpecDict | None]
    scaling_mode: NotRequired[ScalingMode | Literal["StatefulSet", "DaemonSet"]]
    bridged: NotRequired[bool]
    replicas: NotRequired[int | None]
    autoscaling: NotRequired[AutoscalingSpec | AutoscalingSpecDict | None]
    gpus: NotRequired[int | None]
    extra_gres: NotRequired[Sequence[str]]
    features: NotRequired[Sequence[str]]
    weight: NotRequired[int | None]
    slurmd_options: NotRequired[Mapping[str, str]]
    partition: NotRequired[PartitionOptionsSpec | PartitionOptionsSpecDict | None]
    host_name_prefix: NotRequired[str | None]
    oversubscribe_node: NotRequired[bool]
    pin_to_node: NotRequired[bool]
    ordinal_padding: NotRequired[int]
    volume_claims: NotRequired[Sequence[VolumeClaimTemplateSpec | VolumeClaimTemplateSpecDict]]
    claims_when_deleted: NotRequired[ClaimRetention | Literal["Retain", "Delete"]]
    claims_when_scaled: NotRequired[ClaimRetention | Literal["Retain", "Delete"]]
    host_paths: NotRequired[Sequence[HostPathSpec | HostPathSpecDict]]
    shared_memory: NotRequired[str | None]
    extra_volumes: NotRequired[Sequence[Mapping[str, Any]]]
    extra_volume_mounts: NotRequired[Sequence[Mapping[str, Any]]]
    sidecars: NotRequired[Sequence[SidecarSpec | SidecarSpecDict]]
    update_strategy: NotRequired[UpdateStrategySpec | UpdateStrategySpecDict]
    min_ready_seconds: NotRequired[int | None]
    revision_history_limit: NotRequired[int | None]
    workload_disruption_protection: NotRequired[bool]
    ssh: NotRequired[WorkerSshSpec | WorkerSshSpecDict | None]
    pod: NotRequired[PodSpec | PodSpecDict]
    image: NotRequired[str | None]
    wait: NotRequired[bool | None]
    overrides: NotRequired[Mapping[str, Any]]


class TaintSpecDict(TypedDict):
    """`TaintSpec` as a mapping."""

    key: str
    value: NotRequired[str | None]
    effect: NotRequired[TaintEffect | Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]]


class NodePoolSpecDict(TypedDict):
    """`NodePoolSpec` as a mapping."""

    name: str
    machine: MachineSpec | MachineSpecDict
    node_labels: Mapping[str, str]
    taints: NotRequired[Sequence[TaintSpec | TaintSpecDict]]
    max_nodes: NotRequired[int | None]
    min_nodes: NotRequired[int | None]
    ready_within: NotRequired[str | None]
    reserved_cpus: NotRequired[int]
    reserved_memory: NotRequired[str]


class NodeSetArgsDict(TypedDict):
    """`NodeSetArgs` as a mapping."""

    cluster: ClusterRef | ClusterRefDict
    node_set: NodeSetSpec | NodeSetSpecDict
    pool: NotRequired[NodePoolSpec | NodePoolSpecDict | None]
    shared_volumes: NotRequired[Sequence[SharedVolumeSpec | SharedVolumeSpecDict]]
    sssd: NotRequired[SecretKeyRef | SecretKeyRefDict | None]
    sssd_revision: NotRequired[str | None]
    scaled_by: NotRequired[str | None]
    bridge_scheduler: NotRequired[str | None]


class SlinkyOperatorArgsDict(TypedDict):
    """`SlinkyOperatorArgs` as a mapping."""

    namespace: NotRequired[str]
    operator_chart: NotRequired[str]
    crds_chart: NotRequired[str]
    install_crds: NotRequired[bool]
    retain_crds: NotRequired[bool]
    install_cert_manager: NotRequired[bool]
    cert_manager_chart: NotRequired[str]
    cert_manager_version: NotRequired[str]
    webhook_replicas: NotRequired[int]
    values: NotRequired[Mapping[str, pulumi.Input[Any]]]
    cert_manager_values: NotRequired[Mapping[str, pulumi.Input[Any]]]
    version: NotRequired[str]


class ExternalNodesSpecDict(TypedDict):
    """`ExternalNodesSpec` as a mapping."""

    name: str
    nodes: NotRequired[str | None]
    max_nodes: NotRequired[int | None]
    cpus: NotRequired[int | None]
    memory: NotRequired[str | None]
    gres: NotRequired[Sequence[str]]
    features: NotRequired[Sequence[str]]
    weight: NotRequired[int | None]


class PartitionSpecDict(TypedDict):
    """`PartitionSpec` as a mapping."""

    default: NotRequired[bool]
    state: NotRequired[PartitionState | Literal["UP", "DOWN", "DRAIN", "INACTIVE"]]
    max_time: NotRequired[str]
    default_time: NotRequired[str | None]
    max_nodes: NotRequired[int | None]
    min_nodes: NotRequired[int | None]
    max_cpus_per_node: NotRequired[int | None]
    max_cpus_per_socket: NotRequired[int | None]
    max_mem_per_node: NotRequired[str | None]
    max_mem_per_cpu: NotRequired[str | None]
    def_mem_per_node: NotRequired[str | None]
    def_mem_per_cpu: NotRequired[str | None]
    def_mem_per_gpu: NotRequired[str | None]
    def_cpu_per_gpu: NotRequired[int | None]
    priority_tier: NotRequired[int | None]
    priority_job_factor: NotRequired[int | None]
    preempt_mode: NotRequired[PreemptMode | Literal["OFF", "CANCEL", "REQUEUE", "SUSPEND"] | None]
    grace_time: NotRequired[int | None]
    over_subscribe: NotRequired[OverSubscribe | Literal["EXCLUSIVE", "FORCE", "NO", "YES"] | None]
    over_subscribe_jobs: NotRequired[int | None]
    over_time_limit: NotRequired[int | None]
    qos: NotRequired[str | None]
    allow_accounts: NotRequired[Sequence[str]]
    deny_accounts: NotRequired[Sequence[str]]
    allow_groups: NotRequired[Sequence[str]]
    allow_qos: NotRequired[Sequence[str]]
    deny_qos: NotRequired[Sequence[str]]
    exclusive_user: NotRequired[bool]
    hidden: NotRequired[bool]
    lln: NotRequired[bool]
    req_resv: NotRequired[bool]
    root_only: NotRequired[bool]
    disable_root_jobs: NotRequired[bool | None]
    suspend_time: NotRequired[str | None]
    topology: NotRequired[str | None]
    tres_billing_weights: NotRequired[Mapping[str, float]]
    extra: NotRequired[Mapping[str, str]]
    name: str
    node_sets: Sequence[str]


class TopologySpecDict(TypedDict):
    """`TopologySpec` as a mapping."""

    name: str
    kind: TopologyKind | Literal["tree", "block", "flat"]
    node_labels: NotRequired[Sequence[str]]
    blocks: NotRequired[Sequence[str]]
    block_sizes: NotRequired[Sequence[int]]
    default: NotRequired[bool]


class BridgedNamespaceSpecDict(TypedDict):
    """`BridgedNamespaceSpec` as a mapping."""

    name: str
    create: NotRequired[bool]
    labels: NotRequired[Mapping[str, str]]
    quota: NotRequired[Mapping[str, str]]
    users: NotRequired[Sequence[str]]
    groups: NotRequired[Sequence[str]]
    accounts: NotRequired[Sequence[str]]
    qos: NotRequired[Sequence[str]]
    partitions: NotRequired[Sequence[str]]
    reservations: NotRequired[Sequence[str]]
    max_priority: NotRequired[int | None]


class BridgeNodesSpecDict(TypedDict):
    """`BridgeNodesSpec` as a mapping."""

    name: str
    pool: NotRequired[str | None]
    node_selector: NotRequired[Mapping[str, str]]
    max_nodes: NotRequired[int | None]


class PlacementSpecDict(TypedDict):
    """`PlacementSpec` as a mapping."""

    labels: NotRequired[Mapping[str, str]]
    annotations: NotRequired[Mapping[str, str]]
    node_selector: NotRequired[Mapping[str, str]]
    tolerations: NotRequired[Sequence[TolerationSpec | TolerationSpecDict]]
    affinity: NotRequired[Mapping[str, Any]]
    priority_class_name: NotRequired[str | None]
    image_pull_secrets: NotRequired[Sequence[str]]


class BridgeProgramSpecDict(TypedDict):
    """`BridgeProgramSpec` as a mapping."""

    replicas: NotRequired[int]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    image: NotRequired[str | None]
    pod: NotRequired[PlacementSpec | PlacementSpecDict]


class ReadableOwnerSpecDict(TypedDict):
    """`ReadableOwnerSpec` as a mapping."""

    api_group: str
    resource: str


class BridgeSpecDict(TypedDict):
    """`BridgeSpec` as a mapping."""

    partition: str
    version: NotRequired[str | None]
    scheduler_name: NotRequired[str]
    mcs_label: NotRequired[str]
    namespaces: NotRequired[Sequence[BridgedNamespaceSpec | BridgedNamespaceSpecDict]]
    namespace_selector: NotRequired[Mapping[str, str]]
    external_nodes: NotRequired[Sequence[BridgeNodesSpec | BridgeNodesSpecDict]]
    scheduler: NotRequired[BridgeProgramSpec | BridgeProgramSpecDict]
    admission: NotRequired[BridgeProgramSpec | BridgeProgramSpecDict]
    controllers: NotRequired[BridgeProgramSpec | BridgeProgramSpecDict]
    owners: NotRequired[Sequence[ReadableOwnerSpec | ReadableOwnerSpecDict]]
    priority_class_name: NotRequired[str | None]
    wait: NotRequired[bool]
    token_lifetime: NotRequired[str]
    generation: NotRequired[int]


class EndpointSpecDict(TypedDict):
    """`EndpointSpec` as a mapping."""

    host: str
    port: int


class StateVolumeSpecDict(TypedDict):
    """`StateVolumeSpec` as a mapping."""

    size: NotRequired[str]
    storage_class: NotRequired[str | None]
    access_mode: NotRequired[AccessMode | Literal["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany"]]
    enabled: NotRequired[bool]
    existing_claim: NotRequired[str | None]
    retain: NotRequired[bool]


class HighAvailabilitySpecDict(TypedDict):
    """`HighAvailabilitySpec` as a mapping."""

    backups: NotRequired[int]


class ControllerSpecDict(TypedDict):
    """`ControllerSpec` as a mapping."""

    external: NotRequired[EndpointSpec | EndpointSpecDict | None]
    address: NotRequired[str | None]
    state: NotRequired[StateVolumeSpec | StateVolumeSpecDict]
    ha: NotRequired[HighAvailabilitySpec | HighAvailabilitySpecDict | None]
    assume_no_jobs: NotRequired[bool]
    service: NotRequired[ServiceSpec | ServiceSpecDict]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    inplace_reconfigure: NotRequired[bool]
    slurm_version: NotRequired[str | None]
    image: NotRequired[str | None]
    pod: NotRequired[PodSpec | PodSpecDict]
    overrides: NotRequired[Mapping[str, Any]]


class ClaimSpecDict(TypedDict):
    """`ClaimSpec` as a mapping."""

    size: NotRequired[str]
    storage_class: NotRequired[str | None]
    access_mode: NotRequired[AccessMode | Literal["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany"]]


class S3SpecDict(TypedDict):
    """`S3Spec` as a mapping."""

    bucket: str
    endpoint: str
    region: NotRequired[str | None]
    prefix: NotRequired[str | None]
    access_key_id: SecretKeyRef | SecretKeyRefDict
    secret_access_key: SecretKeyRef | SecretKeyRefDict
    tls: NotRequired[bool]


class BackupSpecDict(TypedDict):
    """`BackupSpec` as a mapping."""

    schedule: NotRequired[str]
    retention: NotRequired[str]
    volume: NotRequired[ClaimSpec | ClaimSpecDict]
    s3: NotRequired[S3Spec | S3SpecDict | None]


class DatabaseSpecDict(TypedDict):
    """`DatabaseSpec` as a mapping."""

    kind: NotRequired[DatabaseKind | Literal["in-cluster", "mariadb-operator", "external"]]
    host: NotRequired[str | None]
    port: NotRequired[int]
    name: NotRequired[str]
    user: NotRequired[str]
    password_secret: NotRequired[SecretKeyRef | SecretKeyRefDict | None]
    volume: NotRequired[ClaimSpec | ClaimSpecDict]
    replicas: NotRequired[int]
    backup: NotRequired[BackupSpec | BackupSpecDict | None]
    image: NotRequired[str]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    pod: NotRequired[PlacementSpec | PlacementSpecDict]


class QosSpecDict(TypedDict):
    """`QosSpec` as a mapping."""

    grp_tres: NotRequired[Mapping[str, int]]
    grp_jobs: NotRequired[int | None]
    max_wall: NotRequired[str | None]
    options: NotRequired[Mapping[str, str]]
    name: str
    priority: NotRequired[int | None]
    preempt: NotRequired[Sequence[str]]
    max_tres_per_user: NotRequired[Mapping[str, int]]
    max_jobs_per_user: NotRequired[int | None]
    flags: NotRequired[Sequence[str]]


class AccountSpecDict(TypedDict):
    """`AccountSpec` as a mapping."""

    grp_tres: NotRequired[Mapping[str, int]]
    grp_jobs: NotRequired[int | None]
    max_wall: NotRequired[str | None]
    options: NotRequired[Mapping[str, str]]
    name: str
    parent: NotRequired[str]
    description: NotRequired[str | None]
    fairshare: NotRequired[int | None]
    qos: NotRequired[Sequence[str]]
    default_qos: NotRequired[str | None]
    users: NotRequired[Sequence[str]]
    coordinators: NotRequired[Sequence[str]]


class AccountingSpecDict(TypedDict):
    """`AccountingSpec` as a mapping."""

    database: NotRequired[DatabaseSpec | DatabaseSpecDict]
    external: NotRequired[EndpointSpec | EndpointSpecDict | None]
    qos: NotRequired[Sequence[QosSpec | QosSpecDict]]
    accounts: NotRequired[Sequence[AccountSpec | AccountSpecDict]]
    admins: NotRequired[Sequence[str]]
    extra_conf: NotRequired[Mapping[str, str]]
    slurm_version: NotRequired[str | None]
    service: NotRequired[ServiceSpec | ServiceSpecDict]
    image: NotRequired[str | None]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    pod: NotRequired[PodSpec | PodSpecDict]
    overrides: NotRequired[Mapping[str, Any]]


class RestApiSpecDict(TypedDict):
    """`RestApiSpec` as a mapping."""

    replicas: NotRequired[int]
    service: NotRequired[ServiceSpec | ServiceSpecDict]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    image: NotRequired[str | None]
    pod: NotRequired[PodSpec | PodSpecDict]
    overrides: NotRequired[Mapping[str, Any]]


class LdapSpecDict(TypedDict):
    """`LdapSpec` as a mapping."""

    uri: str
    base_dn: str
    bind_dn: NotRequired[str | None]
    user_search_base: NotRequired[str | None]
    group_search_base: NotRequired[str | None]
    start_tls: NotRequired[bool]
    ca_secret: NotRequired[SecretKeyRef | SecretKeyRefDict | None]
    ldap_schema: NotRequired[LdapSchema | Literal["rfc2307", "rfc2307bis", "IPA", "AD"]]
    access_filter: NotRequired[str | None]


class DirectorySpecDict(TypedDict):
    """`DirectorySpec` as a mapping."""

    domain: NotRequired[str]
    volume: NotRequired[ClaimSpec | ClaimSpecDict]
    image: NotRequired[str]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict | None]
    pod: NotRequired[PlacementSpec | PlacementSpecDict]


class IdentitySpecDict(TypedDict):
    """`IdentitySpec` as a mapping."""

    ldap: NotRequired[LdapSpec | LdapSpecDict | None]
    directory: NotRequired[DirectorySpec | DirectorySpecDict | None]
    sssd_conf_secret: NotRequired[SecretKeyRef | SecretKeyRefDict | None]
    generation: NotRequired[int]


class HooksSpecDict(TypedDict):
    """`HooksSpec` as a mapping."""

    prolog: NotRequired[Mapping[str, str]]
    epilog: NotRequired[Mapping[str, str]]
    prolog_slurmctld: NotRequired[Mapping[str, str]]
    epilog_slurmctld: NotRequired[Mapping[str, str]]
    health_check: NotRequired[Mapping[str, str]]


class ConfineSpecDict(TypedDict):
    """`ConfineSpec` as a mapping."""

    cores: NotRequired[bool]
    memory: NotRequired[bool]
    devices: NotRequired[bool]


class SlurmConfSpecDict(TypedDict):
    """`SlurmConfSpec` as a mapping."""

    scheduler_parameters: NotRequired[Sequence[str]]
    select_type_parameters: NotRequired[str | None]
    preempt_type: NotRequired[str | None]
    preempt_mode: NotRequired[str | None]
    priority_type: NotRequired[str | None]
    priority_weights: NotRequired[Mapping[str, int]]
    accounting_storage_enforce: NotRequired[Sequence[str]]
    mpi_default: NotRequired[str | None]
    max_array_size: NotRequired[int | None]
    max_job_count: NotRequired[int | None]
    def_mem_per_cpu: NotRequired[str | None]
    slurmd_timeout: NotRequired[int | None]
    slurmctld_debug: NotRequired[str | None]
    slurmd_debug: NotRequired[str | None]
    extra: NotRequired[Mapping[str, str]]


class TokenSpecDict(TypedDict):
    """`TokenSpec` as a mapping."""

    name: str
    username: str
    lifetime: NotRequired[str]
    refresh: NotRequired[bool]


class ServiceMonitorSpecDict(TypedDict):
    """`ServiceMonitorSpec` as a mapping."""

    labels: NotRequired[Mapping[str, str]]
    annotations: NotRequired[Mapping[str, str]]
    endpoints: NotRequired[
        Sequence[MetricsEndpoint | Literal["jobs", "jobs-users-accts", "nodes", "partitions", "scheduler"]]
    ]
    interval: NotRequired[str]
    scrape_timeout: NotRequired[str]


class ControllerGoneSpecDict(TypedDict):
    """`ControllerGoneSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]


class ScrapeSlowSpecDict(TypedDict):
    """`ScrapeSlowSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    seconds: NotRequired[float]


class DatabaseQueueSpecDict(TypedDict):
    """`DatabaseQueueSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    messages: NotRequired[int]


class BackfillLateSpecDict(TypedDict):
    """`BackfillLateSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    age: NotRequired[str]


class NodesSpecDict(TypedDict):
    """`NodesSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    nodes: NotRequired[int]


class NodesDrainedSpecDict(TypedDict):
    """`NodesDrainedSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    nodes: NotRequired[int]


class CapacityLostSpecDict(TypedDict):
    """`CapacityLostSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    percent: NotRequired[float]
    nodes: NotRequired[int]


class LaunchesFailSpecDict(TypedDict):
    """`LaunchesFailSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    jobs: NotRequired[int]
    percent: NotRequired[float]


class NodesKillJobsSpecDict(TypedDict):
    """`NodesKillJobsSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    jobs: NotRequired[int]


class GpusIdleSpecDict(TypedDict):
    """`GpusIdleSpec` as a mapping."""

    enabled: NotRequired[bool]
    after: NotRequired[str]
    severity: NotRequired[AlertSeverity | Literal["info", "warning", "critical"]]
    gpus: NotRequired[int]


class AlertRulesSpecDict(TypedDict):
    """`AlertRulesSpec` as a mapping."""

    labels: NotRequired[Mapping[str, str]]
    annotations: NotRequired[Mapping[str, str]]
    page: NotRequired[str]
    controller_gone: NotRequired[ControllerGoneSpec | ControllerGoneSpecDict]
    scrape_slow: NotRequired[ScrapeSlowSpec | ScrapeSlowSpecDict]
    database_queue: NotRequired[DatabaseQueueSpec | DatabaseQueueSpecDict]
    backfill_late: NotRequired[BackfillLateSpec | BackfillLateSpecDict]
    nodes_not_responding: NotRequired[NodesSpec | NodesSpecDict]
    nodes_invalid: NotRequired[NodesSpec | NodesSpecDict]
    nodes_drained: NotRequired[NodesDrainedSpec | NodesDrainedSpecDict]
    capacity_lost: NotRequired[CapacityLostSpec | CapacityLostSpecDict]
    launches_fail: NotRequired[LaunchesFailSpec | LaunchesFailSpecDict]
    nodes_kill_jobs: NotRequired[NodesKillJobsSpec | NodesKillJobsSpecDict]
    gpus_idle: NotRequired[GpusIdleSpec | GpusIdleSpecDict]


class DashboardsSpecDict(TypedDict):
    """`DashboardsSpec` as a mapping."""

    labels: NotRequired[Mapping[str, str]]
    annotations: NotRequired[Mapping[str, str]]
    folder: NotRequired[str | None]
    folder_annotation: NotRequired[str]


class PrometheusSpecDict(TypedDict):
    """`PrometheusSpec` as a mapping."""

    image: NotRequired[str]
    interval: NotRequired[str]
    resources: NotRequired[ResourcesSpec | ResourcesSpecDict]
    pod: NotRequired[PlacementSpec | PlacementSpecDict]


class MonitoringSpecDict(TypedDict):
    """`MonitoringSpec` as a mapping."""

    metrics: NotRequired[bool]
    service_monitor: NotRequired[ServiceMonitorSpec | ServiceMonitorSpecDict | None]
    rules: NotRequired[AlertRulesSpec | AlertRulesSpecDict | None]
    dashboards: NotRequired[DashboardsSpec | DashboardsSpecDict | None]
    prometheus: NotRequired[PrometheusSpec | PrometheusSpecDict | None]


class NetworkPoliciesSpecDict(TypedDict):
    """`NetworkPoliciesSpec` as a mapping."""

    enabled: NotRequired[bool | None]
    slurmctld: NotRequired[Sequence[Mapping[str, Any]]]
    slurmdbd: NotRequired[Sequence[Mapping[str, Any]]]
    slurmrestd: NotRequired[Sequence[Mapping[str, Any]]]
    database: NotRequired[Sequence[Mapping[str, Any]]]
    directory: NotRequired[Sequence[Mapping[str, Any]]]


class SlurmSpecDict(TypedDict):
    """`SlurmSpec` as a mapping."""

    name: str
    cluster_name: NotRequired[str | None]
    namespace: NotRequired[str]
    slurm_version: NotRequired[str]
    operator_version: NotRequired[str]
    images: NotRequired[ImagesSpec | ImagesSpecDict]
    keys: NotRequired[KeysSpec | KeysSpecDict]
    labels: NotRequired[Mapping[str, str]]
    priority_class_name: NotRequired[str | None]
    adopted: NotRequired[AdoptedSpec | AdoptedSpecDict | None]
    node_sets: NotRequired[Sequence[NodeSetSpec | NodeSetSpecDict]]
    external_nodes: NotRequired[Sequence[ExternalNodesSpec | ExternalNodesSpecDict]]
    partitions: NotRequired[Sequence[PartitionSpec | PartitionSpecDict]]
    topologies: NotRequired[Sequence[TopologySpec | TopologySpecDict]]
    bridge: NotRequired[BridgeSpec | BridgeSpecDict | None]
    controller: NotRequired[ControllerSpec | ControllerSpecDict]
    accounting: NotRequired[AccountingSpec | AccountingSpecDict | None]
    rest_api: NotRequired[RestApiSpec | RestApiSpecDict]
    login_sets: NotRequired[Sequence[LoginSetSpec | LoginSetSpecDict]]
    identity: NotRequired[IdentitySpec | IdentitySpecDict | None]
    shared_volumes: NotRequired[Sequence[SharedVolumeSpec | SharedVolumeSpecDict]]
    hooks: NotRequired[HooksSpec | HooksSpecDict]
    config_files: NotRequired[Mapping[str, str]]
    confine: NotRequired[ConfineSpec | ConfineSpecDict]
    slurm_conf: NotRequired[SlurmConfSpec | SlurmConfSpecDict]
    tokens: NotRequired[Sequence[TokenSpec | TokenSpecDict]]
    monitoring: NotRequired[MonitoringSpec | MonitoringSpecDict]
    network_policies: NotRequired[NetworkPoliciesSpec | NetworkPoliciesSpecDict]
    namespace_labels: NotRequired[Mapping[str, str]]


class SlurmClusterArgsDict(TypedDict):
    """`SlurmClusterArgs` as a mapping."""

    spec: SlurmSpec | SlurmSpecDict
    pools: NotRequired[Sequence[NodePoolSpec | NodePoolSpecDict]]
    root_key: NotRequired[pulumi.Input[str] | None]
    ldap_bind_password: NotRequired[pulumi.Input[str] | None]
    create_namespace: NotRequired[bool]


class TokenArgsDict(TypedDict):
    """`TokenArgs` as a mapping."""

    cluster: ClusterRef | ClusterRefDict
    token: TokenSpec | TokenSpecDict


class OperatorSpecDict(TypedDict):
    """`OperatorSpec` as a mapping."""

    namespace: NotRequired[str]
    operator_chart: NotRequired[str]
    crds_chart: NotRequired[str]
    install_crds: NotRequired[bool]
    retain_crds: NotRequired[bool]
    install_cert_manager: NotRequired[bool]
    cert_manager_chart: NotRequired[str]
    cert_manager_version: NotRequired[str]
    webhook_replicas: NotRequired[int]
    values: NotRequired[Mapping[str, Any]]
    cert_manager_values: NotRequired[Mapping[str, Any]]
    preinstalled: NotRequired[bool]


class KedaSettingsDict(TypedDict):
    """`KedaSettings` as a mapping."""

    version: NotRequired[str]
    namespace: NotRequired[str]
    chart: NotRequired[str]
    values: NotRequired[Mapping[str, Any]]

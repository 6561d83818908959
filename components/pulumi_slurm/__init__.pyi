from .clouds.maintenance import (
    Day as Day,
    MaintenanceWindowSpec as MaintenanceWindowSpec,
)
from .dicts import (
    AccountingSpecDict as AccountingSpecDict,
    AccountSpecDict as AccountSpecDict,
    AdoptedFilesSpecDict as AdoptedFilesSpecDict,
    AdoptedSpecDict as AdoptedSpecDict,
    AlertRulesSpecDict as AlertRulesSpecDict,
    AuthenticationSpecDict as AuthenticationSpecDict,
    AutoscalingSpecDict as AutoscalingSpecDict,
    BackfillLateSpecDict as BackfillLateSpecDict,
    BackupSpecDict as BackupSpecDict,
    BridgedNamespaceSpecDict as BridgedNamespaceSpecDict,
    BridgeNodesSpecDict as BridgeNodesSpecDict,
    BridgeProgramSpecDict as BridgeProgramSpecDict,
    BridgeSpecDict as BridgeSpecDict,
    CapacityLostSpecDict as CapacityLostSpecDict,
    ClaimSpecDict as ClaimSpecDict,
    ClusterRefDict as ClusterRefDict,
    ConfineSpecDict as ConfineSpecDict,
    ControllerGoneSpecDict as ControllerGoneSpecDict,
    ControllerSpecDict as ControllerSpecDict,
    CsiSpecDict as CsiSpecDict,
    DashboardsSpecDict as DashboardsSpecDict,
    DatabaseQueueSpecDict as DatabaseQueueSpecDict,
    DatabaseSpecDict as DatabaseSpecDict,
    DirectorySpecDict as DirectorySpecDict,
    EndpointSpecDict as EndpointSpecDict,
    ExternalNodesSpecDict as ExternalNodesSpecDict,
    GpusIdleSpecDict as GpusIdleSpecDict,
    GpuSpecDict as GpuSpecDict,
    HighAvailabilitySpecDict as HighAvailabilitySpecDict,
    HooksSpecDict as HooksSpecDict,
    HostPathSpecDict as HostPathSpecDict,
    IdentitySpecDict as IdentitySpecDict,
    ImagesSpecDict as ImagesSpecDict,
    JwksSpecDict as JwksSpecDict,
    KedaArgsDict as KedaArgsDict,
    KedaSettingsDict as KedaSettingsDict,
    KeySpecDict as KeySpecDict,
    KeysSpecDict as KeysSpecDict,
    LaunchesFailSpecDict as LaunchesFailSpecDict,
    LdapSpecDict as LdapSpecDict,
    LoginSetArgsDict as LoginSetArgsDict,
    LoginSetSpecDict as LoginSetSpecDict,
    LoginUpdateStrategySpecDict as LoginUpdateStrategySpecDict,
    MachineSpecDict as MachineSpecDict,
    MonitoringSpecDict as MonitoringSpecDict,
    NetworkPoliciesSpecDict as NetworkPoliciesSpecDict,
    NfsSpecDict as NfsSpecDict,
    NodePoolSpecDict as NodePoolSpecDict,
    NodesDrainedSpecDict as NodesDrainedSpecDict,
    NodeSetArgsDict as NodeSetArgsDict,
    NodeSetSpecDict as NodeSetSpecDict,
    NodesKillJobsSpecDict as NodesKillJobsSpecDict,
    NodesSpecDict as NodesSpecDict,
    OperatorSpecDict as OperatorSpecDict,
    PartitionOptionsSpecDict as PartitionOptionsSpecDict,
    PartitionSpecDict as PartitionSpecDict,
    PlacementSpecDict as PlacementSpecDict,
    PodSpecDict as PodSpecDict,
    PrometheusSpecDict as PrometheusSpecDict,
    QosSpecDict as QosSpecDict,
    ReadableOwnerSpecDict as ReadableOwnerSpecDict,
    RequestsSpecDict as RequestsSpecDict,
    ResourcesSpecDict as ResourcesSpecDict,
    RestApiSpecDict as RestApiSpecDict,
    S3SpecDict as S3SpecDict,
    ScrapeSlowSpecDict as ScrapeSlowSpecDict,
    SecretKeyRefDict as SecretKeyRefDict,
    ServiceMonitorSpecDict as ServiceMonitorSpecDict,
    ServiceSpecDict as ServiceSpecDict,
    SharedVolumeSpecDict as SharedVolumeSpecDict,
    SidecarSpecDict as SidecarSpecDict,
    SlinkyOperatorArgsDict as SlinkyOperatorArgsDict,
    SlurmClusterArgsDict as SlurmClusterArgsDict,
    SlurmConfSpecDict as SlurmConfSpecDict,
    SlurmSpecDict as SlurmSpecDict,
    StateVolumeSpecDict as StateVolumeSpecDict,
    TaintSpecDict as TaintSpecDict,
    TokenArgsDict as TokenArgsDict,
    TokenSpecDict as TokenSpecDict,
    TolerationSpecDict as TolerationSpecDict,
    TopologySpecDict as TopologySpecDict,
    UpdateStrategySpecDict as UpdateStrategySpecDict,
    VolumeClaimTemplateSpecDict as VolumeClaimTemplateSpecDict,
    WorkerSshSpecDict as WorkerSshSpecDict,
)
from .errors import (
    FieldError as FieldError,
    Severity as Severity,
    SpecError as SpecError,
    SpecWarning as SpecWarning,
)
from .kube.component import (
    after_all as after_all,
)
from .kube.keda import (
    Keda as Keda,
    KedaArgs as KedaArgs,
)
from .loading import (
    load as load,
)
from .machines.ack.catalogue import (
    AckCatalogueSpec as AckCatalogueSpec,
)
from .machines.ack.machine_type import (
    AckEnisSpec as AckEnisSpec,
    AckFabric as AckFabric,
    AckGpuSpec as AckGpuSpec,
    AckLocalDisksSpec as AckLocalDisksSpec,
    AckMachineTypeSpec as AckMachineTypeSpec,
    AckPriceSpec as AckPriceSpec,
)
from .machines.architecture import (
    Architecture as Architecture,
)
from .machines.gke.catalogue import (
    GkeCatalogueSpec as GkeCatalogueSpec,
)
from .machines.gke.machine_type import (
    GkeFabric as GkeFabric,
    GkeGpuSpec as GkeGpuSpec,
    GkeMachineLocalSsdSpec as GkeMachineLocalSsdSpec,
    GkeMachineTypeSpec as GkeMachineTypeSpec,
    GkePriceSpec as GkePriceSpec,
)
from .machines.gke.networks import (
    DeviceMode as DeviceMode,
)
from .model.access import (
    LoginSetSpec as LoginSetSpec,
    LoginUpdateStrategySpec as LoginUpdateStrategySpec,
    LoginUpdateType as LoginUpdateType,
    RestApiSpec as RestApiSpec,
    TokenSpec as TokenSpec,
)
from .model.accounting import (
    AccountingSpec as AccountingSpec,
    DatabaseKind as DatabaseKind,
    DatabaseSpec as DatabaseSpec,
)
from .model.accounts import (
    AccountSpec as AccountSpec,
    LimitsSpec as LimitsSpec,
    QosSpec as QosSpec,
)
from .model.adopted import (
    AdoptedFilesSpec as AdoptedFilesSpec,
    AdoptedSpec as AdoptedSpec,
)
from .model.alerts import (
    AlertRulesSpec as AlertRulesSpec,
    AlertSeverity as AlertSeverity,
    AlertSpec as AlertSpec,
    BackfillLateSpec as BackfillLateSpec,
    CapacityLostSpec as CapacityLostSpec,
    ControllerGoneSpec as ControllerGoneSpec,
    DatabaseQueueSpec as DatabaseQueueSpec,
    GpusIdleSpec as GpusIdleSpec,
    LaunchesFailSpec as LaunchesFailSpec,
    NodesDrainedSpec as NodesDrainedSpec,
    NodesKillJobsSpec as NodesKillJobsSpec,
    NodesSpec as NodesSpec,
    ScrapeSlowSpec as ScrapeSlowSpec,
)
from .model.autoscaling import (
    AuthenticationKind as AuthenticationKind,
    AuthenticationMode as AuthenticationMode,
    AuthenticationSpec as AuthenticationSpec,
    Autoscaler as Autoscaler,
    AutoscalingSpec as AutoscalingSpec,
)
from .model.backup import (
    BackupSpec as BackupSpec,
    S3Spec as S3Spec,
)
from .model.bridge import (
    BridgedNamespaceSpec as BridgedNamespaceSpec,
    BridgeNodesSpec as BridgeNodesSpec,
    BridgeProgramSpec as BridgeProgramSpec,
    BridgeSpec as BridgeSpec,
    ReadableOwnerSpec as ReadableOwnerSpec,
)
from .model.cluster_ref import (
    ClusterRef as ClusterRef,
)
from .model.confine import (
    ConfineSpec as ConfineSpec,
)
from .model.controller import (
    ControllerSpec as ControllerSpec,
    HighAvailabilitySpec as HighAvailabilitySpec,
    StateVolumeSpec as StateVolumeSpec,
)
from .model.dashboards import (
    DashboardsSpec as DashboardsSpec,
)
from .model.external_nodes import (
    ExternalNodesSpec as ExternalNodesSpec,
)
from .model.hooks import (
    HooksSpec as HooksSpec,
)
from .model.identity import (
    DirectorySpec as DirectorySpec,
    IdentitySpec as IdentitySpec,
    LdapSchema as LdapSchema,
    LdapSpec as LdapSpec,
)
from .model.images import (
    Daemon as Daemon,
    ImagesSpec as ImagesSpec,
    PullPolicy as PullPolicy,
)
from .model.keys import (
    JwksSpec as JwksSpec,
    KeySpec as KeySpec,
    KeysSpec as KeysSpec,
)
from .model.machine import (
    GpuSpec as GpuSpec,
    MachineSpec as MachineSpec,
    NodePoolSpec as NodePoolSpec,
    TaintEffect as TaintEffect,
    TaintSpec as TaintSpec,
)
from .model.monitoring import (
    MetricsEndpoint as MetricsEndpoint,
    MonitoringSpec as MonitoringSpec,
    PrometheusSpec as PrometheusSpec,
    ServiceMonitorSpec as ServiceMonitorSpec,
)
from .model.network_policies import (
    NetworkPoliciesSpec as NetworkPoliciesSpec,
)
from .model.node_set import (
    ClaimRetention as ClaimRetention,
    NodeSetSpec as NodeSetSpec,
    ScalingMode as ScalingMode,
    UpdateStrategySpec as UpdateStrategySpec,
    UpdateType as UpdateType,
    WorkerSshSpec as WorkerSshSpec,
)
from .model.operator_settings import (
    KedaSettings as KedaSettings,
    OperatorSpec as OperatorSpec,
)
from .model.partition import (
    OverSubscribe as OverSubscribe,
    PartitionOptionsSpec as PartitionOptionsSpec,
    PartitionSpec as PartitionSpec,
    PartitionState as PartitionState,
    PreemptMode as PreemptMode,
)
from .model.pod import (
    PlacementSpec as PlacementSpec,
    PodSpec as PodSpec,
    RequestsSpec as RequestsSpec,
    ResourcesSpec as ResourcesSpec,
    ServiceSpec as ServiceSpec,
    ServiceType as ServiceType,
    SessionAffinity as SessionAffinity,
    TolerationOperator as TolerationOperator,
    TolerationSpec as TolerationSpec,
    TrafficPolicy as TrafficPolicy,
)
from .model.references import (
    EndpointSpec as EndpointSpec,
    SecretKeyRef as SecretKeyRef,
)
from .model.releases.operator_version import (
    DEFAULT_OPERATOR as DEFAULT_OPERATOR,
    OperatorVersion as OperatorVersion,
    operator_version as operator_version,
)
from .model.sidecar import (
    SidecarSpec as SidecarSpec,
)
from .model.slurm import (
    SlurmSpec as SlurmSpec,
)
from .model.slurm_conf import (
    SlurmConfSpec as SlurmConfSpec,
)
from .model.storage import (
    AccessMode as AccessMode,
    ClaimSpec as ClaimSpec,
    CsiSpec as CsiSpec,
    HostPathSpec as HostPathSpec,
    HostPathType as HostPathType,
    NfsSpec as NfsSpec,
    SharedVolumeSpec as SharedVolumeSpec,
    VolumeClaimTemplateSpec as VolumeClaimTemplateSpec,
)
from .model.topology import (
    TopologyKind as TopologyKind,
    TopologySpec as TopologySpec,
)
from .slinky.cluster import (
    SlurmCluster as SlurmCluster,
    SlurmClusterArgs as SlurmClusterArgs,
)
from .slinky.login_set import (
    LoginSet as LoginSet,
    LoginSetArgs as LoginSetArgs,
)
from .slinky.node_set import (
    NodeSet as NodeSet,
    NodeSetArgs as NodeSetArgs,
)
from .slinky.operator import (
    SlinkyOperator as SlinkyOperator,
    SlinkyOperatorArgs as SlinkyOperatorArgs,
)
from .slinky.token import (
    Token as Token,
    TokenArgs as TokenArgs,
)
from .version import (
    __version__ as __version__,
)

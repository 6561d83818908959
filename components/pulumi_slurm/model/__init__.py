"""Models of the specification of a Slurm cluster; they know neither Pulumi nor any cloud."""

from pulumi_slurm.model.access import (
    LoginSetSpec,
    LoginUpdateStrategySpec,
    LoginUpdateType,
    RestApiSpec,
    TokenSpec,
)
from pulumi_slurm.model.accounting import AccountingSpec, DatabaseKind, DatabaseSpec
from pulumi_slurm.model.accounts import AccountSpec, LimitsSpec, QosSpec
from pulumi_slurm.model.adopted import AdoptedFilesSpec, AdoptedSpec
from pulumi_slurm.model.alerts import (
    AlertRulesSpec,
    AlertSeverity,
    AlertSpec,
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
from pulumi_slurm.model.confine import ConfineSpec
from pulumi_slurm.model.controller import ControllerSpec, StateVolumeSpec
from pulumi_slurm.model.dashboards import DashboardsSpec
from pulumi_slurm.model.external_nodes import ExternalNodesSpec
from pulumi_slurm.model.hooks import HooksSpec
from pulumi_slurm.model.identity import DirectorySpec, IdentitySpec, LdapSchema, LdapSpec
from pulumi_slurm.model.images import Daemon, ImagesSpec, PullPolicy
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
from pulumi_slurm.model.releases.operator_version import DEFAULT_OPERATOR, OperatorVersion, operator_version
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

__all__ = [
    "DEFAULT_OPERATOR",
    "AccessMode",
    "AccountSpec",
    "AccountingSpec",
    "AdoptedFilesSpec",
    "AdoptedSpec",
    "AlertRulesSpec",
    "AlertSeverity",
    "AlertSpec",
    "AuthenticationKind",
    "AuthenticationMode",
    "AuthenticationSpec",
    "Autoscaler",
    "AutoscalingSpec",
    "BackfillLateSpec",
    "BackupSpec",
    "BridgeNodesSpec",
    "BridgeProgramSpec",
    "BridgeSpec",
    "BridgedNamespaceSpec",
    "CapacityLostSpec",
    "ClaimRetention",
    "ClaimSpec",
    "ConfineSpec",
    "ControllerGoneSpec",
    "ControllerSpec",
    "CsiSpec",
    "Daemon",
    "DashboardsSpec",
    "DatabaseKind",
    "DatabaseQueueSpec",
    "DatabaseSpec",
    "DirectorySpec",
    "EndpointSpec",
    "ExternalNodesSpec",
    "GpuSpec",
    "GpusIdleSpec",
    "HooksSpec",
    "HostPathSpec",
    "HostPathType",
    "IdentitySpec",
    "ImagesSpec",
    "JwksSpec",
    "KeySpec",
    "KeysSpec",
    "LaunchesFailSpec",
    "LdapSchema",
    "LdapSpec",
    "LimitsSpec",
    "LoginSetSpec",
    "LoginUpdateStrategySpec",
    "LoginUpdateType",
    "MachineSpec",
    "MetricsEndpoint",
    "MonitoringSpec",
    "NetworkPoliciesSpec",
    "NfsSpec",
    "NodePoolSpec",
    "NodeSetSpec",
    "NodesDrainedSpec",
    "NodesKillJobsSpec",
    "NodesSpec",
    "OperatorVersion",
    "OverSubscribe",
    "PartitionOptionsSpec",
    "PartitionSpec",
    "PartitionState",
    "PlacementSpec",
    "PodSpec",
    "PreemptMode",
    "PrometheusSpec",
    "PullPolicy",
    "QosSpec",
    "ReadableOwnerSpec",
    "RequestsSpec",
    "ResourcesSpec",
    "RestApiSpec",
    "S3Spec",
    "ScalingMode",
    "ScrapeSlowSpec",
    "SecretKeyRef",
    "ServiceMonitorSpec",
    "ServiceSpec",
    "ServiceType",
    "SessionAffinity",
    "SharedVolumeSpec",
    "SidecarSpec",
    "SlurmConfSpec",
    "SlurmSpec",
    "StateVolumeSpec",
    "TaintEffect",
    "TaintSpec",
    "TokenSpec",
    "TolerationOperator",
    "TolerationSpec",
    "TopologyKind",
    "TopologySpec",
    "TrafficPolicy",
    "UpdateStrategySpec",
    "UpdateType",
    "VolumeClaimTemplateSpec",
    "WorkerSshSpec",
    "operator_version",
]

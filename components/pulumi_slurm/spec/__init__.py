"""What a user states: the specification of a Slurm cluster, free of Pulumi and of any cloud."""

from .access import LoginSet, RestApi, Token
from .accounting import Accounting, Database, DatabaseKind
from .accounts import Account, Limits, Qos
from .autoscaling import Autoscaler, Autoscaling
from .cluster import SlurmSpec
from .controller import Controller, StateVolume
from .hooks import Hooks
from .identity import Directory, Identity, Ldap
from .images import Daemon, Images
from .keys import Key, Keys
from .load import load, load_model
from .machine import Gpus, Machine, NodePool, Taint, TaintEffect
from .mistakes import Mistake, SpecError
from .monitoring import Monitoring, ServiceMonitor
from .node_set import ClaimRetention, NodeSet, ScalingMode, UpdateStrategy, UpdateType, WorkerSsh
from .operator_version import DEFAULT_OPERATOR, OperatorVersion, operator_version
from .partition import OverSubscribe, Partition, PartitionOptions, PartitionState, PreemptMode
from .pod import PodOptions, Resources, Service, ServiceType, Toleration, TolerationOperator
from .references import ConfigMapKeyRef, Endpoint, SecretKeyRef
from .sidecar import Sidecar
from .slurm_conf import SlurmConf
from .storage import AccessMode, Claim, Csi, HostPath, HostPathType, Nfs, SharedVolume, VolumeClaimTemplate

__all__ = [
    "DEFAULT_OPERATOR",
    "AccessMode",
    "Account",
    "Accounting",
    "Autoscaler",
    "Autoscaling",
    "Claim",
    "ClaimRetention",
    "ConfigMapKeyRef",
    "Controller",
    "Csi",
    "Daemon",
    "Database",
    "DatabaseKind",
    "Directory",
    "Endpoint",
    "Gpus",
    "Hooks",
    "HostPath",
    "HostPathType",
    "Identity",
    "Images",
    "Key",
    "Keys",
    "Ldap",
    "Limits",
    "LoginSet",
    "Machine",
    "Mistake",
    "Monitoring",
    "Nfs",
    "NodePool",
    "NodeSet",
    "OperatorVersion",
    "OverSubscribe",
    "Partition",
    "PartitionOptions",
    "PartitionState",
    "PodOptions",
    "PreemptMode",
    "Qos",
    "Resources",
    "RestApi",
    "ScalingMode",
    "SecretKeyRef",
    "Service",
    "ServiceMonitor",
    "ServiceType",
    "SharedVolume",
    "Sidecar",
    "SlurmConf",
    "SlurmSpec",
    "SpecError",
    "StateVolume",
    "Taint",
    "TaintEffect",
    "Token",
    "Toleration",
    "TolerationOperator",
    "UpdateStrategy",
    "UpdateType",
    "VolumeClaimTemplate",
    "WorkerSsh",
    "load",
    "load_model",
    "operator_version",
]

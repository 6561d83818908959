"""What a user states: the specification of a Slurm cluster, free of Pulumi and of any cloud."""

from pulumi_slurm.model.access import LoginSet, RestApi, Token
from pulumi_slurm.model.accounting import Accounting, Database, DatabaseKind
from pulumi_slurm.model.accounts import Account, Limits, Qos
from pulumi_slurm.model.autoscaling import Autoscaler, Autoscaling
from pulumi_slurm.model.controller import Controller, StateVolume
from pulumi_slurm.model.hooks import Hooks
from pulumi_slurm.model.identity import Directory, Identity, Ldap
from pulumi_slurm.model.images import Daemon, Images
from pulumi_slurm.model.keys import Key, Keys
from pulumi_slurm.model.machine import Gpus, Machine, NodePool, Taint, TaintEffect
from pulumi_slurm.model.monitoring import Monitoring, ServiceMonitor
from pulumi_slurm.model.node_set import ClaimRetention, NodeSet, ScalingMode, UpdateStrategy, UpdateType, WorkerSsh
from pulumi_slurm.model.operator_version import DEFAULT_OPERATOR, OperatorVersion, operator_version
from pulumi_slurm.model.partition import OverSubscribe, Partition, PartitionOptions, PartitionState, PreemptMode
from pulumi_slurm.model.pod import PodOptions, Resources, Service, ServiceType, Toleration, TolerationOperator
from pulumi_slurm.model.references import ConfigMapKeyRef, Endpoint, SecretKeyRef
from pulumi_slurm.model.sidecar import Sidecar
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.slurm_conf import SlurmConf
from pulumi_slurm.model.storage import (
    AccessMode,
    Claim,
    Csi,
    HostPath,
    HostPathType,
    Nfs,
    SharedVolume,
    VolumeClaimTemplate,
)

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
    "operator_version",
]

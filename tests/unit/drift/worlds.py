"""A stack's file, and a look at the cluster that it makes, as slurmctld would have it in memory."""

import math

from pulumi_slurm.configuration.node_sets import WEIGHT_WITHOUT_GPUS
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm_cli.checking.stack_file import StackFile
from pulumi_slurm_cli.live import LiveNode, LivePartition, LiveReservation, Look
from pulumi_slurm_stacks.config import judge
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig

DAY = 24 * 60
STACK = """\
config:
  # How the stack is made.
  slurm:kind: kubernetes
  slurm:rootKey: { secure: AAABAI }
  slurm:pools:
    - { name: cpu, machine: { cpus: 2, memory: 4Gi }, nodeLabels: { a: b } }  # all there is
  slurm:cluster:
    name: c
    nodeSets:
      - { name: cpu, pool: cpu, replicas: 2, features: [fast] }
    partitions:
      # The one for everybody.
      - { name: all, nodeSets: [ALL], default: true, maxTime: 1-00:00:00 }
      - name: cpu
        nodeSets: [cpu]
        maxTime: "12:00:00"  # half a day
        allowAccounts: [physics]
        priorityTier: 4
    accounting: {}
"""


def stated(text: str = STACK) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Return the cluster of a file and its pools."""
    judgement = judge(StackFile.of(text))
    assert not judgement.errors, judgement.errors
    assert isinstance(judgement.config, KubernetesConfig)
    return judgement.config.cluster, judgement.config.pools


def partition(name: str = "all", **fields: object) -> LivePartition:
    """Return a partition with Slurm's defaults."""
    default: dict[str, object] = {
        "state": "UP",
        "nodes": ("cpu-0", "cpu-1"),
        "node_sets": "cpu",
        "total_cpus": 4,
        "total_nodes": 2,
        "tres": "",
        "max_time": math.inf,
        "default_time": None,
        "max_nodes": math.inf,
        "min_nodes": 0,
        "max_cpus_per_node": math.inf,
        "max_cpus_per_socket": math.inf,
        "default_memory_per_cpu": None,
        "default_memory_per_node": None,
        "max_memory_per_cpu": None,
        "max_memory_per_node": None,
        "over_time_limit": None,
        "grace_time": 0,
        "allowed_accounts": (),
        "denied_accounts": (),
        "allowed_groups": (),
        "allowed_qos": (),
        "denied_qos": (),
        "submitting_nodes": "",
        "qos": "",
        "alternate": "",
        "billing_weights": "",
        "job_defaults": "",
        "job_factor": 1,
        "tier": 1,
        "suspend_time": None,
        "suspend_timeout": None,
        "resume_timeout": None,
        "oversubscribe": "NO",
        "flags": (),
        "preempt_mode": ("CLUSTER_GLOBAL",),
    }
    return LivePartition(name=name, **{**default, **fields})  # type: ignore[arg-type]


def node(name: str, **fields: object) -> LiveNode:
    """Return an idle node of the node set cpu."""
    default: dict[str, object] = {
        "states": ("IDLE", "DYNAMIC_NORM"),
        "reason": "",
        "reason_by": "",
        "reason_at": None,
        "comment": "",
        "partitions": ("all", "cpu"),
        "features": ("cpu", "fast"),
        "active_features": ("cpu", "fast"),
        "cpus": 2,
        "allocated_cpus": 0,
        "memory": 4096,
        "allocated_memory": 0,
        "gres": "",
        "weight": WEIGHT_WITHOUT_GPUS,
        "reservation": "",
        "address": "10.0.0.1",
        "hostname": name,
        "instance_id": "",
        "instance_type": "",
        "extra": "",
        "topology": "",
        "version": "26.05.5",
        "booted": 1,
    }
    return LiveNode(name=name, **{**default, **fields})  # type: ignore[arg-type]


def look(**fields: object) -> Look:
    """Return a look at the cluster of `STACK` that nobody has touched."""
    default: dict[str, object] = {
        "taken": 1795680000,
        "cluster": "slurm_c",
        "release": "26.05.5",
        "controllers": ("c-controller-0",),
        "jobs": (),
        "nodes": (node("cpu-0"), node("cpu-1")),
        "partitions": (
            partition("all", node_sets="ALL", max_time=DAY, flags=("DEFAULT",)),
            partition("cpu", max_time=DAY // 2, allowed_accounts=("physics",), tier=4),
        ),
        "reservations": (),
        "configuration": {},
    }
    return Look(**{**default, **fields})  # type: ignore[arg-type]


def reservation(name: str, **fields: object) -> LiveReservation:
    """Return a reservation of one node."""
    default: dict[str, object] = {
        "start": 1795683600,
        "end": 1795687200,
        "nodes": ("cpu-1",),
        "core_count": 2,
        "partition": "",
        "flags": ("MAINT",),
        "users": ("root",),
        "accounts": (),
        "groups": (),
        "features": "",
        "tres": "cpu=2",
    }
    return LiveReservation(name=name, **{**default, **fields})  # type: ignore[arg-type]

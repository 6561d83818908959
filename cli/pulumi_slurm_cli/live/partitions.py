"""Partitions as slurmctld has them in memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_slurm_cli.live.values import Number, hosts, number, words


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePartition:
    """A partition. Times are minutes unless said otherwise, memory is MiB; ``math.inf`` is no limit, None not set."""

    name: str
    state: str
    """UP, DOWN, DRAIN or INACTIVE."""
    nodes: tuple[str, ...]
    node_sets: str
    """As in slurm.conf, such as "cpu,gpu" or "ALL"."""
    total_cpus: int
    total_nodes: int
    tres: str
    """All that its nodes have, in Slurm's form."""
    max_time: Number
    default_time: Number
    max_nodes: Number
    min_nodes: int
    max_cpus_per_node: Number
    max_cpus_per_socket: Number
    default_memory_per_cpu: Number
    default_memory_per_node: Number
    max_memory_per_cpu: Number
    max_memory_per_node: Number
    over_time_limit: Number
    grace_time: int
    """Seconds between the signal and the end of a preempted job."""
    allowed_accounts: tuple[str, ...]
    """Empty for all."""
    denied_accounts: tuple[str, ...]
    allowed_groups: tuple[str, ...]
    allowed_qos: tuple[str, ...]
    denied_qos: tuple[str, ...]
    submitting_nodes: str
    """The nodes from which jobs may be submitted, "" for all."""
    qos: str
    """The QoS whose limits all of its jobs have together, "" for none."""
    alternate: str
    """The partition that gets its jobs while it doesn't take them, "" for none."""
    billing_weights: str
    job_defaults: str
    job_factor: int
    """What priority/multifactor makes of it."""
    tier: int
    """Jobs of higher tiers are looked at first, and may preempt."""
    suspend_time: Number
    """Seconds."""
    suspend_timeout: Number
    resume_timeout: Number
    oversubscribe: str
    """How many jobs share a resource: "NO", "YES:4", "FORCE:4"; "EXCLUSIVE" if each has whole nodes."""
    flags: tuple[str, ...] | None
    """Such as DEFAULT, HIDDEN, ROOT_ONLY, LLN; None before Slurm 26.05, whose slurmrestd says nothing of them."""
    preempt_mode: tuple[str, ...] | None
    """Such as REQUEUE, CLUSTER_GLOBAL for that of slurm.conf; None before Slurm 26.05."""


def partition_of(data: Mapping[str, Any]) -> LivePartition:
    """Return a partition from slurmrestd's JSON."""
    maximums, defaults, timeouts = data["maximums"], data["defaults"], data["timeouts"]
    flags, preempt_mode = data.get("flags"), data.get("preempt_mode")
    return LivePartition(
        name=data["name"],
        state=data["partition"]["state"][0],
        nodes=hosts(data["nodes"]["configured"]),
        node_sets=data["node_sets"],
        total_cpus=data["cpus"]["total"],
        total_nodes=data["nodes"]["total"],
        tres=data["tres"]["configured"],
        max_time=number(maximums["time"]),
        default_time=number(defaults["time"]),
        max_nodes=number(maximums["nodes"]),
        min_nodes=data["minimums"]["nodes"],
        max_cpus_per_node=number(maximums["cpus_per_node"]),
        max_cpus_per_socket=number(maximums["cpus_per_socket"]),
        default_memory_per_cpu=_memory(defaults["partition_memory_per_cpu"]),
        default_memory_per_node=_memory(defaults["partition_memory_per_node"]),
        max_memory_per_cpu=_memory(maximums["partition_memory_per_cpu"]),
        max_memory_per_node=_memory(maximums["partition_memory_per_node"]),
        over_time_limit=number(maximums["over_time_limit"]),
        grace_time=data["grace_time"],
        allowed_accounts=words(data["accounts"]["allowed"]),
        denied_accounts=words(data["accounts"]["deny"]),
        allowed_groups=words(data["groups"]["allowed"]),
        allowed_qos=words(data["qos"]["allowed"]),
        denied_qos=words(data["qos"]["deny"]),
        submitting_nodes=data["nodes"]["allowed_allocation"],
        qos=data["qos"]["assigned"],
        alternate=data["alternate"],
        billing_weights=data["tres"]["billing_weights"],
        job_defaults=data["defaults"]["job"],
        job_factor=data["priority"]["job_factor"],
        tier=data["priority"]["tier"],
        suspend_time=number(data["suspend_time"]),
        suspend_timeout=number(timeouts["suspend"]),
        resume_timeout=number(timeouts["resume"]),
        oversubscribe=_oversubscribe(data["partition"], maximums),
        flags=None if flags is None else words(flags),
        preempt_mode=None if preempt_mode is None else words(preempt_mode),
    )


def _memory(value: Any) -> Number:
    """Return memory, None for none, which Slurm writes as 0 by node."""
    return number(value) or None


def _oversubscribe(words_of_26_05: Mapping[str, Any], maximums: Mapping[str, Any]) -> str:
    """Return how jobs share resources, as `scontrol show partition` of 25.11 says it.

    Source: the numbers of OverSubscribe in src/api/partition_info.c, branch slurm-25.11; DUMP_FUNC(PARTITION_EXCLUSIVE)
    in src/plugins/data_parser/v0.0.45/parsers.c, branch slurm-26.05.
    """
    if "oversubscribe" in words_of_26_05:
        return "EXCLUSIVE" if words_of_26_05["exclusive"] == "NODE" else str(words_of_26_05["oversubscribe"])
    jobs, forced = maximums["oversubscribe"]["jobs"], "force" in maximums["oversubscribe"]["flags"]
    if not jobs:
        return "EXCLUSIVE"
    if forced:
        return f"FORCE:{jobs}"
    return f"YES:{jobs}" if jobs > 1 else "NO"

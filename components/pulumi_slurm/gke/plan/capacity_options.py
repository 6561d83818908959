"""The capacity options of a pool's priorities, and which of them suit the jobs of a partition.

Google can reclaim a spot node at any time, and flex-start and queued nodes end after their maxRunDuration. Their jobs
survive because slurmctld requeues them, which `gke.rules.jobs` checks for the cluster as a whole. PreemptMode doesn't
matter for that: it is about jobs that other jobs preempt. A capacity option suits a partition as follows:

- On-demand and reserved machines suit every partition.
- Spot suits every partition except those with preemptMode OFF, by which users say not to interrupt its jobs.
- Flex-start and queued suit a partition whose maxTime is within maxRunDuration. A job that starts late in a node's life
  still ends with the node, and is requeued.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pulumi_slurm.gke.model import GkeCapacity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model import NodeSetSpec, PartitionOptionsSpec, PreemptMode
from pulumi_slurm.model.units import time_seconds

PoolsByPriority = Mapping[str, Sequence[GkePlannedPool]]
"""The capacity options of every pool with priorities, best first, by the name of the pool in the specification."""


@dataclass(frozen=True)
class Unsuitable:
    """Why a capacity option doesn't suit a partition."""

    problem: str
    """What would happen to jobs; part of a sentence."""
    fix: str
    """What to write instead; a sentence."""


def pools_by_priority(plan: GkePlan) -> PoolsByPriority:
    """Return the capacity options of all pools with priorities, without pools of unknown machine types."""
    pools: dict[str, list[GkePlannedPool]] = {}
    for planned in plan.pools:
        if planned.pool.priorities:
            pools.setdefault(planned.pool.name, []).append(planned)
    return pools


def node_set_name(node_set: NodeSetSpec, option: GkePlannedPool) -> str:
    """Return the name of the node set that replaces another one on a capacity option."""
    return f"{node_set.name}-{option.capacity_option.capacity}"


def host_prefix(node_set: NodeSetSpec, option: GkePlannedPool) -> str:
    """Return the prefix of the names of nodes on a capacity option, for a node set with a hostNamePrefix."""
    return f"{node_set.slurm_name}-{option.capacity_option.capacity}-"


def unsuitable(option: GkePlannedPool, name: str, options: PartitionOptionsSpec) -> Unsuitable | None:
    """Return why the capacity option doesn't suit the jobs of a partition; None if it suits them.

    ``name`` and ``options`` are those of the partition.
    """
    capacity = option.capacity_option.capacity
    if capacity in {GkeCapacity.ON_DEMAND, GkeCapacity.RESERVATION}:
        return None
    if capacity is GkeCapacity.SPOT:
        if options.preempt_mode is not PreemptMode.OFF:
            return None
        return Unsuitable(
            f'"{name}" has preemptMode OFF, and Google can reclaim a spot node at any time',
            f'Leave preemptMode out of "{name}", or remove this capacity option from priorities.',
        )
    max_seconds, lifetime = time_seconds(options.max_time), option.capacity_option.longest_run
    if max_seconds is not None and max_seconds <= option.capacity_option.longest_run_seconds:
        return None
    return Unsuitable(
        f'maxTime of "{name}" is {options.max_time}, and a {capacity} node ends after {lifetime}',
        f'Write maxTime "{lifetime}" or less in "{name}", or remove this capacity option from priorities.',
    )

"""The capacity options of a pool's priorities, and which of them suit the jobs of a partition.

A node of a spot capacity option can go at any time, and one of a flex-start or queued capacity option goes after its
maxRunDuration. What saves a job then is that slurmctld queues it again, which `spec.rules.jobs` sees to for the cluster
as a whole; PreemptMode has no part in that, since it speaks of jobs that other jobs displace. By partition the rules
are:

- On-demand and reserved machines suit every one.
- Spot suits a partition unless it says preemptMode OFF, with which users say that its jobs are to be left alone.
- Flex-start and queued suit a partition whose maxTime is within maxRunDuration. A job that begins late in a node's life
  still ends with the node, and is queued again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pulumi_slurm.gke.model import GkeCapacity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model import NodeSetSpec, PartitionOptionsSpec, PreemptMode
from pulumi_slurm.model.units import time_seconds

PoolsByPriority = Mapping[str, Sequence[GkePlannedPool]]
"""The capacity options of each pool that has priorities, by the pool's name as users state it, best first."""


@dataclass(frozen=True)
class Unsuitable:
    """Why a capacity option doesn't suit a partition."""

    why: str
    """What would happen to jobs; the middle of a sentence."""
    fix: str
    """What to write instead; a sentence."""


def pools_by_priority(plan: GkePlan) -> PoolsByPriority:
    """Return the capacity options of all priorities; capacity options of unknown machine types are missing."""
    found: dict[str, list[GkePlannedPool]] = {}
    for planned in plan.pools:
        if planned.pool.priorities:
            found.setdefault(planned.pool.name, []).append(planned)
    return found


def node_set_name(node_set: NodeSetSpec, option: GkePlannedPool) -> str:
    """Return the name of the node set that stands for another one on a capacity option."""
    return f"{node_set.name}-{option.capacity_option.capacity}"


def host_prefix(node_set: NodeSetSpec, option: GkePlannedPool) -> str:
    """Return the beginning of nodes' names on a capacity option, where the node set states one of its own."""
    return f"{node_set.slurm_name}-{option.capacity_option.capacity}-"


def unsuitable(option: GkePlannedPool, name: str, options: PartitionOptionsSpec) -> Unsuitable | None:
    """Return why jobs of a partition with this name and these options shouldn't run on the capacity option; None if
    they may."""
    capacity = option.capacity_option.capacity
    if capacity in {GkeCapacity.ON_DEMAND, GkeCapacity.RESERVATION}:
        return None
    if capacity is GkeCapacity.SPOT:
        if options.preempt_mode is not PreemptMode.OFF:
            return None
        return Unsuitable(
            f'"{name}" has preemptMode OFF, and a spot node can go at any time',
            f'Leave preemptMode out of "{name}", or take this capacity option out of priorities.',
        )
    longest, lives = time_seconds(options.max_time), option.capacity_option.longest_run
    if longest is not None and longest <= option.capacity_option.longest_run_seconds:
        return None
    return Unsuitable(
        f'maxTime of "{name}" is {options.max_time}, and a {capacity} node ends after {lives}',
        f'Write maxTime "{lives}" or less in "{name}", or take this capacity option out of priorities.',
    )

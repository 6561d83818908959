"""The rungs of a pool's ladder, and which of them suit the jobs of a partition.

A node of a spot rung can go at any time, and one of a flex-start or queued rung goes after its maxRunDuration. What
saves a job then is that slurmctld queues it again, which `spec.rules.jobs` sees to for the cluster as a whole;
PreemptMode has no part in that, since it speaks of jobs that other jobs displace. By partition the rules are:

- On-demand and reserved machines suit every one.
- Spot suits a partition unless it says preemptMode OFF, with which users say that its jobs are to be left alone.
- Flex-start and queued suit a partition whose maxTime is within maxRunDuration. A job that begins late in a node's life
  still ends with the node, and is queued again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pulumi_slurm.gke.model import Capacity, GkeSpec
from pulumi_slurm.gke.plan.planned_pool import PlannedPool, planned_pools
from pulumi_slurm.model import NodeSet, PartitionOptions, PreemptMode
from pulumi_slurm.model.units import time_seconds

Ladders = Mapping[str, Sequence[PlannedPool]]
"""The rungs of each pool that has a ladder, by the pool's name as users state it, best first."""


@dataclass(frozen=True)
class Objection:
    """Why a rung doesn't suit a partition."""

    why: str
    """What would happen to jobs; the middle of a sentence."""
    remedy: str
    """What to write instead; a sentence."""


def ladders(gke: GkeSpec) -> Ladders:
    """Return the rungs of all ladders; rungs of unknown machine types are missing."""
    found: dict[str, list[PlannedPool]] = {}
    for planned in planned_pools(gke):
        if planned.pool.ladder:
            found.setdefault(planned.pool.name, []).append(planned)
    return found


def rung_name(node_set: NodeSet, rung: PlannedPool) -> str:
    """Return the name of the node set that stands for another one on a rung."""
    return f"{node_set.name}-{rung.rung.capacity}"


def host_prefix(node_set: NodeSet, rung: PlannedPool) -> str:
    """Return the beginning of nodes' names on a rung, where the node set states one of its own."""
    return f"{node_set.slurm_name}-{rung.rung.capacity}-"


def objection(rung: PlannedPool, name: str, options: PartitionOptions) -> Objection | None:
    """Return why jobs of a partition with this name and these options shouldn't run on the rung; None if they may."""
    capacity = rung.rung.capacity
    if capacity in {Capacity.ON_DEMAND, Capacity.RESERVATION}:
        return None
    if capacity is Capacity.SPOT:
        if options.preempt_mode is not PreemptMode.OFF:
            return None
        return Objection(
            f'"{name}" has preemptMode OFF, and a spot node can go at any time',
            f'Leave preemptMode out of "{name}", or take this rung out of the ladder.',
        )
    longest, lives = time_seconds(options.max_time), rung.rung.longest_run
    if longest is not None and longest <= rung.rung.longest_run_seconds:
        return None
    return Objection(
        f'maxTime of "{name}" is {options.max_time}, and a {capacity} node ends after {lives}',
        f'Write maxTime "{lives}" or less in "{name}", or take this rung out of the ladder.',
    )

"""Jobs on nodes that Google takes back: they have to be requeued, or to end in time."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.clouds.rules.jobs import jobs_are_requeued
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.model.pool import GkeCapacity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm.rules.partitions import all_partitions, partitions_of

_TAKEN_BACK = [each for each in GkeCapacity if each is GkeCapacity.SPOT or each.is_flex_start]
_ENDING = [each for each in GkeCapacity if each.is_flex_start]


def spot_jobs_are_requeued(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf with which jobs are lost, or never end, when Google takes a node."""
    lost = next(_on(plan, slurm, _TAKEN_BACK, with_priorities=True), None)
    if lost is None:
        return
    node_set, planned = lost
    nodes = f'the nodes of "{node_set.name}" are of capacity {planned.capacity_option.capacity}'
    yield from jobs_are_requeued(
        slurm,
        lost=f"{nodes}, and jobs there would be lost whenever Google takes a node",
        never_ending=f"{nodes}, and with this a node that Google took would stay up for Slurm, with its jobs",
    )


def flex_start_outlives_jobs(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse partitions whose jobs may run longer than the nodes live.

    Of priorities, only capacity options that fit are put into a partition, so priorities are not looked at.
    """
    waiting = list(_on(plan, slurm, _ENDING, with_priorities=False))
    for at, name, options in all_partitions(slurm):
        within = [pair for pair in waiting if name in partitions_of(slurm, pair[0])]
        if not within:
            continue
        node_set, planned = min(within, key=lambda pair: pair[1].capacity_option.longest_run_seconds)
        lives, longest = planned.capacity_option.longest_run, time_seconds(options.max_time)
        if longest is None or longest > planned.capacity_option.longest_run_seconds:
            yield FieldError(
                (*at, "max_time"),
                options.max_time if "max_time" in options.model_fields_set else FieldError.ABSENT,
                f'nodes of "{node_set.name}" live for {lives}, and Google ends longer jobs with them',
                f'Write "{lives}" or less.',
            )


def _on(
    plan: GkePlan, slurm: SlurmSpec, capacities: Sequence[GkeCapacity], *, with_priorities: bool
) -> Iterator[tuple[NodeSetSpec, GkePlannedPool]]:
    planned = plan.pools
    for node_set in slurm.node_sets:
        for each in planned:
            named = {each.name, each.pool.name} if with_priorities else {each.name}
            if node_set.pool in named and each.capacity_option.capacity in capacities:
                yield node_set, each

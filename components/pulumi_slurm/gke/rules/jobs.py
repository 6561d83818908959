"""Jobs on nodes that Google reclaims: they have to be requeued, or to end in time."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.clouds.rules.jobs import jobs_are_requeued
from pulumi_slurm.derived.partitions import all_partitions, partitions_of
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.model.pool import FLEX_START_CAPACITIES, GkeCapacity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm.rules.run import Rule, warns

_RECLAIMED = (GkeCapacity.SPOT, *FLEX_START_CAPACITIES)


def spot_jobs_are_requeued(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse settings in slurm.conf with which jobs are lost, or never end, when Google reclaims a node."""
    reclaimed = next(_node_sets_on(plan, slurm, _RECLAIMED, with_priorities=True), None)
    if reclaimed is None:
        return
    node_set, planned = reclaimed
    nodes = f'the nodes of "{node_set.name}" are of capacity {planned.capacity_option.capacity}'
    yield from jobs_are_requeued(
        slurm,
        lost=f"{nodes}, and jobs there would be lost whenever Google reclaims a node",
        never_ending=f"{nodes}, and with 0 Slurm would regard a reclaimed node and its jobs as running",
    )


def flex_start_outlives_jobs(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse partitions whose jobs may run longer than the nodes live.

    Pools with priorities need no check: their partitions only get the capacity options that suit them.
    """
    limited = list(_node_sets_on(plan, slurm, FLEX_START_CAPACITIES, with_priorities=False))
    for at, name, options in all_partitions(slurm):
        in_partition = [pair for pair in limited if name in partitions_of(slurm, pair[0])]
        if not in_partition:
            continue
        node_set, planned = min(in_partition, key=lambda pair: pair[1].capacity_option.longest_run_seconds)
        lifetime, max_seconds = planned.capacity_option.longest_run, time_seconds(options.max_time)
        if max_seconds is None or max_seconds > planned.capacity_option.longest_run_seconds:
            yield FieldError(
                (*at, "max_time"),
                options.max_time if "max_time" in options.model_fields_set else FieldError.ABSENT,
                f'nodes of "{node_set.name}" live for {lifetime}, and Google ends longer jobs with them',
                f'Write less than half of "{lifetime}", since a node serves many jobs.',
            )


@warns
def flex_start_ends_jobs_that_begin_late(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn about jobs that may run for more than half of the time that nodes live, since a node serves many of them.

    Slurm isn't told when Google ends a node, so a job that begins late ends within its time limit.
    """
    limited = list(_node_sets_on(plan, slurm, FLEX_START_CAPACITIES, with_priorities=True))
    for at, name, options in all_partitions(slurm):
        max_seconds = time_seconds(options.max_time)
        in_partition = [pair for pair in limited if name in partitions_of(slurm, pair[0])]
        if not in_partition or max_seconds is None:
            continue
        node_set, planned = min(in_partition, key=lambda pair: pair[1].capacity_option.longest_run_seconds)
        lifetime = planned.capacity_option.longest_run_seconds
        if lifetime / 2 < max_seconds <= lifetime:
            yield FieldError(
                (*at, "max_time"),
                options.max_time,
                f'nodes of "{node_set.name}" live for {planned.capacity_option.longest_run} and serve one job after '
                "the other, and Google ends a job with its node, however late it began there",
                "Write half of that or less, or let jobs write checkpoints and be requeued.",
            )


def _node_sets_on(
    plan: GkePlan, slurm: SlurmSpec, capacities: Sequence[GkeCapacity], *, with_priorities: bool
) -> Iterator[tuple[NodeSetSpec, GkePlannedPool]]:
    """Yield the node sets whose pools have one of the capacities, with their pools."""
    for node_set in slurm.node_sets:
        for planned in plan.pools:
            names = {planned.name, planned.pool.name} if with_priorities else {planned.name}
            if node_set.pool in names and planned.capacity_option.capacity in capacities:
                yield node_set, planned


RULES_WITH_SLURM: tuple[Rule, ...] = (
    spot_jobs_are_requeued,
    flex_start_outlives_jobs,
    flex_start_ends_jobs_that_begin_late,
)

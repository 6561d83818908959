"""Jobs on nodes that Alibaba Cloud takes back: they have to be requeued."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.pool import AckCapacity
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.rules.jobs import jobs_are_requeued
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec


def spot_jobs_are_requeued(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf with which jobs are lost, or never end, when Alibaba Cloud takes a node."""
    spot = {each.name for each in plan.pools if each.pool.capacity is AckCapacity.SPOT}
    node_set = next((each for each in slurm.node_sets if each.pool in spot), None)
    if node_set is None:
        return
    nodes = f'the nodes of "{node_set.name}" are of capacity {AckCapacity.SPOT}'
    yield from jobs_are_requeued(
        slurm,
        lost=f"{nodes}, and jobs there would be lost whenever Alibaba Cloud takes a node",
        never_ending=f"{nodes}, and with this a node that was taken would stay up for Slurm, with its jobs",
    )

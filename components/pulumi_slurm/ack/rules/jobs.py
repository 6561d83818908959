"""Jobs on spot nodes, which have to be requeued when Alibaba Cloud reclaims a node."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.pool import AckCapacity
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.rules.jobs import jobs_are_requeued
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def spot_jobs_are_requeued(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf by which jobs would be lost or never end when Alibaba Cloud reclaims a node."""
    spot_pools = {planned.name for planned in plan.pools if planned.pool.capacity is AckCapacity.SPOT}
    node_set = next((node_set for node_set in slurm.node_sets if node_set.pool in spot_pools), None)
    if node_set is None:
        return
    nodes = f'the nodes of "{node_set.name}" are of capacity {AckCapacity.SPOT}'
    yield from jobs_are_requeued(
        slurm,
        lost=f"{nodes}, and jobs there would be lost whenever Alibaba Cloud reclaims a node",
        never_ending=f"{nodes}, and with 0 Slurm would regard a reclaimed node and its jobs as running",
    )


RULES_WITH_SLURM: tuple[Rule, ...] = (spot_jobs_are_requeued,)

"""Jobs on nodes that Alibaba Cloud takes back: they have to be requeued.

What a partition's PreemptMode says is about jobs that other jobs push aside, and Slurm takes it only with a
PreemptType. When Alibaba Cloud takes a spot node, slurmctld finds the node down and requeues its jobs, as long as they
may be requeued (JobRequeue, which is on by default; users can say otherwise for a job by --no-requeue) and silent nodes
go down at all (SlurmdTimeout).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....spec.cluster import SlurmSpec
from ....spec.mistakes import Mistake
from ..planned_pool import planned_pools
from ..pool import Capacity

if TYPE_CHECKING:
    from ..cluster import AckSpec


def spot_jobs_are_requeued(spec: "AckSpec", slurm: SlurmSpec) -> Iterator[Mistake]:
    """Refuse lines of slurm.conf with which jobs are lost, or never end, when Alibaba Cloud takes a node."""
    spot = {each.name for each in planned_pools(spec) if each.pool.capacity is Capacity.SPOT}
    node_set = next((each for each in slurm.node_sets if each.pool in spot), None)
    if node_set is None:
        return
    nodes = f'the nodes of "{node_set.name}" are of capacity {Capacity.SPOT}'
    for key, value in slurm.slurm_conf.extra.items():
        if key.lower() == "jobrequeue" and value.strip() == "0":
            yield Mistake(
                ("slurm_conf", "extra", key),
                value,
                f"{nodes}, and jobs there would be lost whenever Alibaba Cloud takes a node",
                "Leave it out; a job that must not run twice is submitted with --no-requeue.",
            )
    if slurm.slurm_conf.slurmd_timeout == 0:
        yield Mistake(
            ("slurm_conf", "slurmd_timeout"),
            0,
            f"{nodes}, and with this a node that was taken would stay up for Slurm, with its jobs",
            "Leave it out, or write seconds.",
        )

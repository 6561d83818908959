"""Workers: whether their pods get nodes, and these get time to start."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec

LEAST_RESUME_SECONDS = 600
"""What Alibaba Cloud's guide gives a node that doesn't exist yet: an ECS instance has to start, and an image of several
GB has to be pulled."""


def pods_reach_their_nodes(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse pods for which ACK would start no node."""
    for index, node_set in enumerate(slurm.node_sets):
        at: Path = ("node_sets", index)
        empty = next((each for each in _pools_of(plan, node_set) if each.pool.starts_from_nothing), None)
        if node_set.scaling_mode is ScalingMode.DAEMON_SET and empty:
            yield FieldError(
                (*at, "scaling_mode"),
                node_set.scaling_mode,
                f'pods of a DaemonSet make ACK start no node, and the pool "{empty.name}" begins with none',
                'Write "StatefulSet", or nodes or minNodes in the pool.',
            )


def nodes_get_time_to_start(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a ResumeTimeout after which Slurm would give up nodes that are still starting.

    ack-slurm-operator has rules of its own for that.
    """
    if plan.spec.slurm_operator is not AckOperator.SLINKY:
        return
    empty = next(
        (
            each
            for node_set in slurm.node_sets
            for each in _pools_of(plan, node_set)
            if each.pool.starts_from_nothing and each.pool.max_nodes
        ),
        None,
    )
    if empty is None:
        return
    for key, value in slurm.slurm_conf.extra.items():
        if key.lower() == "resumetimeout" and value.strip().isdecimal() and int(value) < LEAST_RESUME_SECONDS:
            yield FieldError(
                ("slurm_conf", "extra", key),
                value,
                f'the pool "{empty.name}" begins with no node, and one takes longer to start: Slurm would take it for '
                "down, and queue its jobs again",
                f"Write {LEAST_RESUME_SECONDS} or more, or leave it out.",
            )


def _pools_of(plan: AckPlan, node_set: NodeSetSpec) -> list[AckPlannedPool]:
    return [each for each in plan.pools if node_set.pool == each.name]

"""Workers: they need names of their own, and their nodes need time to start."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.providers import Provider
from pulumi_slurm.providers.rules import workers_named_alike
from pulumi_slurm.rules.run import Rule, warns

MIN_RESUME_TIMEOUT = 600
"""The seconds that Alibaba Cloud's guide allows for a new node: an ECS instance has to start, and to pull an image of
several GB."""


def workers_have_names_of_their_own(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse DaemonSets, whose Slurm names end at the first dot of the nodes' names: "cn-hangzhou.10.0.0.1" on ACK.

    ack-slurm-operator refuses DaemonSets as such.

    The annotation by which later releases name them can't be set by ACK's node pools.
    """
    if plan.spec.slurm_operator is AckOperator.SLINKY:
        yield from workers_named_alike(Provider.ACK, slurm, can_be_named=False)


@warns
def pods_with_sidecars_have_fixed_pools(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn about workers with sidecar containers in pools that ACK scales; slurm-operator gives each worker one.

    ACK's documentation calls both incompatible, without saying what happens:
    https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/auto-scaling-overview. The
    container for slurmd's log is in internal/builder/common/common.go of slurm-operator v1.2.1.
    """
    for index, node_set in enumerate(slurm.node_sets):
        slinky = plan.spec.slurm_operator is AckOperator.SLINKY
        scaled = next((planned for planned in _pools_of(plan, node_set) if planned.pool.is_scaled), None)
        if scaled and (slinky or node_set.sidecars):
            sidecars = "slurm-operator gives each worker one" if slinky else f"{node_set.name} has some"
            yield FieldError(
                ("node_sets", index, "pool"),
                node_set.pool,
                f'ACK scales the pool "{scaled.name}", and its documentation says that this doesn\'t work for pods '
                f"with sidecar containers: {sidecars}",
                "Write nodes for a fixed number in the pool, or try with one node set whether nodes are added.",
            )


def nodes_get_time_to_start(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a ResumeTimeout after which Slurm would set nodes DOWN that are still starting.

    ack-slurm-operator has other rules for this.
    """
    if plan.spec.slurm_operator is not AckOperator.SLINKY:
        return
    empty = next(
        (
            planned
            for node_set in slurm.node_sets
            for planned in _pools_of(plan, node_set)
            if planned.pool.starts_from_nothing and planned.pool.max_nodes
        ),
        None,
    )
    if empty is None:
        return
    for key, value in slurm.slurm_conf.extra.items():
        if key.lower() == "resumetimeout" and value.strip().isdecimal() and int(value) < MIN_RESUME_TIMEOUT:
            yield FieldError(
                ("slurm_conf", "extra", key),
                value,
                f'the pool "{empty.name}" starts without nodes, and a new node takes longer to start: Slurm would set '
                "it DOWN and requeue its jobs",
                f"Write {MIN_RESUME_TIMEOUT} or more, or leave it out.",
            )


def _pools_of(plan: AckPlan, node_set: NodeSetSpec) -> list[AckPlannedPool]:
    return [planned for planned in plan.pools if node_set.pool == planned.name]


RULES_WITH_SLURM: tuple[Rule, ...] = (
    workers_have_names_of_their_own,
    pods_with_sidecars_have_fixed_pools,
    nodes_get_time_to_start,
)

"""Compact placement. Source: https://cloud.google.com/kubernetes-engine/docs/how-to/compact-placement."""

from collections.abc import Iterator

from pulumi_slurm.errors import Mistake, Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.pool import Capacity
from pulumi_slurm.gke.plan.planned_pool import PlannedPool, planned_pools

MOST_COMPACT = 1500
"""How many nodes can be close to each other."""


def compact_pools_fit(spec: GkeSpec) -> Iterator[Mistake]:
    """Refuse compact placement where GKE has none."""
    for planned in planned_pools(spec):
        if planned.pool.compact_placement:
            yield from _compact(planned)


def _compact(planned: PlannedPool) -> Iterator[Mistake]:
    kind, rung, pool = planned.machine_type, planned.rung, planned.pool
    at: Path = planned.at[:2]
    field: Path = (*at, "compact_placement")
    by_type: tuple[Path, ...] = ((*at, "machine_type"),)
    by_capacity: tuple[Path, ...] = (*by_type, (*planned.at, "capacity"))
    is_first = planned.at in (at, (*at, "ladder", 0))  # What holds for all rungs is said once.
    if not kind.compact_placement:
        if is_first:
            yield Mistake(field, True, f"{kind.name} can't be placed so", "Leave it out.", rests_on=by_type)
        return
    if len(planned.zones) > 1 and is_first:
        yield Mistake(
            (*at, "zones"),
            pool.zones or Mistake.ABSENT,
            f"nodes in {', '.join(planned.zones)} can't be close to each other",
            "Write one zone, or leave compactPlacement out.",
            rests_on=(field, ("zones",)),
        )
    if rung.capacity is Capacity.QUEUED:
        yield Mistake(
            field, True, "capacity queued has no compact placement", "Leave it out, or write flex-start.", by_capacity
        )
    elif rung.capacity is Capacity.FLEX_START and not kind.compact_flex_start:
        yield Mistake(
            field,
            True,
            f"{kind.name} by flex-start can't be placed so",
            "Leave it out, or choose another capacity.",
            rests_on=by_capacity,
        )
    if rung.most_nodes > MOST_COMPACT:
        yield Mistake(
            (*planned.at, "nodes" if rung.nodes is not None else "max_nodes"),
            rung.most_nodes,
            f"no more than {MOST_COMPACT} nodes can be placed close to each other",
            f"Write {MOST_COMPACT} or less, or leave compactPlacement out.",
            rests_on=(field,),
        )

"""The pools as they are stated, each once: what holds for all rungs of a ladder is said once."""

from collections.abc import Iterator

from pulumi_slurm.errors import Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.plan.planned_pool import PlannedPool, planned_pools


def stated_pools(spec: GkeSpec) -> Iterator[tuple[Path, PlannedPool]]:
    """Yield the path of each pool whose machine type is known, and its plan, that of a ladder's first rung."""
    seen: set[Path] = set()
    for planned in planned_pools(spec):
        at = planned.at[:2]
        if at not in seen:
            seen.add(at)
            yield at, planned

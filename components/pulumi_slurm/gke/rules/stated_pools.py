"""The pools as they are stated, each once: what holds for all capacity options of priorities is said once."""

from collections.abc import Iterator

from pulumi_slurm.errors import Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool, planned_pools


def stated_pools(spec: GkeSpec) -> Iterator[tuple[Path, GkePlannedPool]]:
    """Yield the path of each pool whose machine type is known, and its plan, that of priorities's first capacity
    option."""
    seen: set[Path] = set()
    for planned in planned_pools(spec):
        at = planned.at[:2]
        if at not in seen:
            seen.add(at)
            yield at, planned

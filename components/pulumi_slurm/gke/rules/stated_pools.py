"""The pools as they are stated, each once: what holds for all capacity options of priorities is said once."""

from collections.abc import Iterator

from pulumi_slurm.errors import Path
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool


def stated_pools(plan: GkePlan) -> Iterator[tuple[Path, GkePlannedPool]]:
    """Yield the path of each pool whose machine type is known, and its plan, that of priorities's first capacity
    option."""
    seen: set[Path] = set()
    for planned in plan.pools:
        at = planned.at[:2]
        if at not in seen:
            seen.add(at)
            yield at, planned

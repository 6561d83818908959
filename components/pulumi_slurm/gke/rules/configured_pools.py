"""The pools as users configure them, without their capacity options, so that rules report each error once."""

from collections.abc import Iterator

from pulumi_slurm.errors import Path
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool


def configured_pools(plan: GkePlan) -> Iterator[tuple[Path, GkePlannedPool]]:
    """Yield the path of every pool with a machine type of the catalogue, and its first planned pool.

    A pool with priorities has several planned pools, one for each capacity option.
    """
    paths: set[Path] = set()
    for planned in plan.new_pools:
        at = planned.at[:2]
        if at not in paths:
            paths.add(at)
            yield at, planned

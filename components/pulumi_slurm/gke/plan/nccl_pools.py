"""Which node pools get which of Google's NCCL plugins."""

from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.nccl import plugin_fabric
from pulumi_slurm.machines.gke import GkeFabric


def nccl_pools(plan: GkePlan) -> dict[GkeFabric, list[str]]:
    """Return the names of the pools whose nodes get a plugin, by their fast network."""
    names: dict[GkeFabric, list[str]] = {}
    for pool in plan.pools:
        fabric = plugin_fabric(plan, pool)
        if fabric is not GkeFabric.NONE:
            names.setdefault(fabric, []).append(pool.name)
    return names

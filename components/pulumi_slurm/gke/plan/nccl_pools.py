"""Which node pools get which of Google's NCCL plugins."""

from collections.abc import Sequence

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.nccl import plugin_fabric
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import GkeFabric


def nccl_pools(spec: GkeSpec, pools: Sequence[GkePlannedPool]) -> dict[GkeFabric, list[str]]:
    """Return the names of the pools whose nodes get a plugin, by their fast network."""
    names: dict[GkeFabric, list[str]] = {}
    for pool in pools:
        fabric = plugin_fabric(spec, pool)
        if fabric is not GkeFabric.NONE:
            names.setdefault(fabric, []).append(pool.name)
    return names

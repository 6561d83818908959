"""The quotas of its project that a cluster needs, at once and at most.

Identifiers are those of the Cloud Quotas API for compute.googleapis.com. For some GPUs the identifier is not known
here: A100 and older and L4 have a quota each, H100 a dimension of a common one
(https://cloud.google.com/compute/resource-usage#gpu_quota).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.gke.model.pool import GkeCapacity
from pulumi_slurm.gke.plan.boot_disk import disk_type
from pulumi_slurm.gke.plan.extra_networks import extra_networks
from pulumi_slurm.gke.plan.gke_plan import GkePlan

SSD = "SSD-TOTAL-GB-per-project-region"
NETWORKS = "NETWORKS-per-project"
ALL_GPUS = "GPUS-ALL-REGIONS-per-project"
PREEMPTIBLE = "PREEMPTIBLE-"
_SSD_TYPES = frozenset({"pd-balanced", "pd-ssd"})
"""Disks that SSD_TOTAL_GB counts (https://cloud.google.com/compute/resource-usage#disk_quota)."""
GPU_QUOTAS: Mapping[str, str | None] = MappingProxyType(
    {
        "nvidia-l4": "NVIDIA-L4-GPUS",
        "nvidia-tesla-t4": "NVIDIA-T4-GPUS",
        "nvidia-tesla-v100": "NVIDIA-V100-GPUS",
        "nvidia-tesla-p100": "NVIDIA-P100-GPUS",
        "nvidia-tesla-p4": "NVIDIA-P4-GPUS",
        "nvidia-tesla-a100": "NVIDIA-A100-GPUS",
        "nvidia-a100-80gb": "NVIDIA-A100-80GB-GPUS",
        "nvidia-h100-80gb": None,
        "nvidia-h100-mega-80gb": None,
        "nvidia-h200-141gb": None,
        "nvidia-b200": None,
        "nvidia-gb200": None,
        "nvidia-rtx-pro-6000": None,
    }
)
"""The quota of each GPU of the catalogue; None where its identifier isn't known, so that it isn't compared."""
_PREEMPTIBLE = frozenset({GkeCapacity.SPOT, GkeCapacity.FLEX_START, GkeCapacity.QUEUED})
"""Capacities that use up quotas of preemptible GPUs where the project has any."""


@dataclass(frozen=True)
class QuotaNeed:
    """The part of one quota that a cluster needs."""

    quota_id: str
    """The quota's identifier in the Cloud Quotas API."""
    region: str | None
    """The region for which it counts, or None if it counts for the whole project."""
    at_once: int
    """For nodes that exist while nothing runs, in the quota's unit."""
    at_most: int
    """For all nodes."""


def quota_needs(plan: GkePlan) -> list[QuotaNeed]:
    """Return what the nodes and networks of a cluster need, by quota, without those that need nothing."""
    needs: dict[tuple[str, str | None], tuple[int, int]] = {}
    for quota_id, region, at_once, at_most in _amounts(plan):
        before = needs.get((quota_id, region), (0, 0))
        needs[quota_id, region] = (before[0] + at_once, before[1] + at_most)
    return [QuotaNeed(quota_id, region, *amounts) for (quota_id, region), amounts in needs.items() if amounts[1]]


def _amounts(plan: GkePlan) -> Iterator[tuple[str, str | None, int, int]]:
    """Yield quota, region, and what one part needs of it at once and at most."""
    region, system = plan.spec.region, plan.spec.system_pool
    networks = plan.makes_network + len(list(extra_networks(plan)))
    yield NETWORKS, None, networks, networks
    sizes = [(system.disk, system.machine_type, system.min_nodes, system.max_nodes)] if plan.makes_system_pool else []
    for planned in plan.new_pools:
        option, gpus = planned.capacity_option, planned.machine_type.gpus
        min_nodes, max_nodes = option.nodes or option.min_nodes, option.most_nodes
        sizes.append((planned.pool.disk, planned.pool.machine_type, min_nodes, max_nodes))
        quota = GPU_QUOTAS.get(gpus.google_type) if gpus else None
        if gpus and quota and option.capacity is not GkeCapacity.RESERVATION:
            prefix = PREEMPTIBLE if option.capacity in _PREEMPTIBLE else ""
            yield f"{prefix}{quota}-per-project-region", region, gpus.count * min_nodes, gpus.count * max_nodes
            yield ALL_GPUS, None, gpus.count * min_nodes, gpus.count * max_nodes
    for disk, machine_type, min_nodes, max_nodes in sizes:
        if disk_type(disk, machine_type) in _SSD_TYPES:
            yield SSD, region, disk.size_gib * min_nodes, disk.size_gib * max_nodes

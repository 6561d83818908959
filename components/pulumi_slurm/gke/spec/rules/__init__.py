"""What has to hold between the fields of a GKE specification, and between it and the Slurm cluster's.

Each rule is a generator over one aspect, and all of them run, so that a user learns of every mistake in one go. What
concerns one model alone is checked by that model.

What can't be seen here: quotas, whether a reservation exists and is of the same kind, whether a zone has machines
left, and whether the name of a bucket or a project is taken.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ....spec.cluster import SlurmSpec
from ....spec.mistakes import Mistake
from .capacity import capacity_fields_agree, machines_can_be_had, numbers_agree
from .compact import compact_pools_fit
from .disks import boot_disks_fit, local_ssds_fit
from .fabrics import fabrics_can_be_built
from .jobs import flex_start_outlives_jobs, spot_jobs_are_requeued
from .ladders import ladders_say_it_all
from .machines import images_fit, machine_types_exist, something_is_left_for_slurmd, system_pool_is_fit
from .pool_names import pool_names_are_unique
from .ranges import cluster_is_not_too_large, ranges_are_apart, ranges_are_large_enough
from .services import database_has_one_owner, pods_reach_their_buckets, volumes_have_one_owner
from .storage import buckets_are_mounted_once, keys_lie_in_the_region, storage_has_places_of_its_own
from .version_floors import version_knows_it
from .workers import pods_reach_their_nodes, workers_find_each_other
from .zones import zones_lie_in_the_region, zones_offer_the_machines

if TYPE_CHECKING:
    from ..cluster import GkeSpec

__all__ = ["check_gke", "check_slurm"]

_RULES: tuple[Callable[["GkeSpec"], Iterator[Mistake]], ...] = (
    machine_types_exist,
    system_pool_is_fit,
    something_is_left_for_slurmd,
    zones_lie_in_the_region,
    zones_offer_the_machines,
    pool_names_are_unique,
    ladders_say_it_all,
    numbers_agree,
    capacity_fields_agree,
    machines_can_be_had,
    compact_pools_fit,
    fabrics_can_be_built,
    local_ssds_fit,
    boot_disks_fit,
    images_fit,
    cluster_is_not_too_large,
    ranges_are_apart,
    ranges_are_large_enough,
    storage_has_places_of_its_own,
    buckets_are_mounted_once,
    keys_lie_in_the_region,
    version_knows_it,
)

_RULES_WITH_SLURM: tuple[Callable[["GkeSpec", SlurmSpec], Iterator[Mistake]], ...] = (
    workers_find_each_other,
    pods_reach_their_nodes,
    spot_jobs_are_requeued,
    flex_start_outlives_jobs,
    volumes_have_one_owner,
    pods_reach_their_buckets,
    database_has_one_owner,
)


def check_gke(spec: "GkeSpec") -> Iterator[Mistake]:
    """Yield every mistake that shows in the GKE specification alone; paths begin there."""
    for rule in _RULES:
        yield from rule(spec)


def check_slurm(spec: "GkeSpec", slurm: SlurmSpec) -> Iterator[Mistake]:
    """Yield every mistake of a Slurm cluster on this GKE cluster; paths begin at the Slurm specification.

    ``slurm`` is what the user stated: node sets may name ladders or their rungs, and what the GKE specification adds,
    such as shared volumes, isn't in it yet.
    """
    for rule in _RULES_WITH_SLURM:
        yield from rule(spec, slurm)

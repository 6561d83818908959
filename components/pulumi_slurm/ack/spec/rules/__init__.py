"""What has to hold between the fields of an ACK specification, and between it and the Slurm cluster's.

Each rule is a generator over one aspect, and all of them run, so that a user learns of every mistake in one go. What
concerns one model alone is checked by that model, and what ack-slurm-operator needs of the Slurm cluster by
`pulumi_slurm.ack.slurm`.

What can't be seen here: quotas, balances, whether a zone has machines left, whether services such as NAS and ACK are
activated for the account, and whether its roles exist.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ....spec.cluster import SlurmSpec
from ....spec.mistakes import Mistake
from .capacity import numbers_agree, spot_fields_agree
from .colocation import pools_are_shared
from .control_plane import (
    addons_fit,
    edition_has_it,
    operator_knows_the_version,
    runtime_has_its_own_options,
    version_has_one_owner,
)
from .database import replicas_have_zones
from .images import images_fit
from .jobs import spot_jobs_are_requeued
from .machines import (
    drivers_fit,
    instance_types_are_alike,
    instance_types_exist,
    nodes_can_join,
    something_is_left_for_slurmd,
    system_pool_is_fit,
)
from .pool_names import labels_are_free, pool_names_are_unique
from .ranges import (
    cluster_is_not_too_large,
    pods_have_one_network,
    ranges_are_apart,
    ranges_are_large_enough,
    ranges_have_zones,
    vswitches_can_be_made,
)
from .services import database_has_one_owner, volumes_have_one_owner
from .storage import mount_targets_lie_in_the_region, storage_has_places_of_its_own
from .workers import nodes_get_time_to_start, pods_reach_their_nodes
from .zones import zones_lie_in_the_region, zones_offer_the_machines

if TYPE_CHECKING:
    from ..cluster import AckSpec

__all__ = ["check_ack", "check_slurm"]

_RULES: tuple[Callable[["AckSpec"], Iterator[Mistake]], ...] = (
    instance_types_exist,
    instance_types_are_alike,
    system_pool_is_fit,
    nodes_can_join,
    something_is_left_for_slurmd,
    drivers_fit,
    images_fit,
    zones_lie_in_the_region,
    zones_offer_the_machines,
    pool_names_are_unique,
    labels_are_free,
    numbers_agree,
    spot_fields_agree,
    cluster_is_not_too_large,
    pods_have_one_network,
    ranges_have_zones,
    vswitches_can_be_made,
    ranges_are_apart,
    ranges_are_large_enough,
    edition_has_it,
    version_has_one_owner,
    addons_fit,
    operator_knows_the_version,
    runtime_has_its_own_options,
    pools_are_shared,
    storage_has_places_of_its_own,
    mount_targets_lie_in_the_region,
    replicas_have_zones,
)

_RULES_WITH_SLURM: tuple[Callable[["AckSpec", SlurmSpec], Iterator[Mistake]], ...] = (
    pods_reach_their_nodes,
    nodes_get_time_to_start,
    spot_jobs_are_requeued,
    volumes_have_one_owner,
    database_has_one_owner,
)


def check_ack(spec: "AckSpec") -> Iterator[Mistake]:
    """Yield every mistake that shows in the ACK specification alone; paths begin there."""
    for rule in _RULES:
        yield from rule(spec)


def check_slurm(spec: "AckSpec", slurm: SlurmSpec) -> Iterator[Mistake]:
    """Yield every mistake of a Slurm cluster on this ACK cluster; paths begin at the Slurm specification.

    ``slurm`` is what the user stated: what the ACK specification adds, such as shared volumes, isn't in it yet.
    """
    for rule in _RULES_WITH_SLURM:
        yield from rule(spec, slurm)

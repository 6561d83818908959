"""What has to hold between the fields of an ACK specification, and between it and the Slurm cluster's.

Each rule is a generator over one aspect, and all of them run, so that a user learns of every error in one go. What
concerns one model alone is checked by that model, and what ack-slurm-operator needs of the Slurm cluster by
`pulumi_slurm.ack.slurm`.

What can't be seen here: quotas, balances, whether a zone has machines left, whether services such as NAS and ACK are
activated for the account, and whether its roles exist.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules.capacity import numbers_agree, spot_fields_agree
from pulumi_slurm.ack.rules.colocation import pools_are_shared
from pulumi_slurm.ack.rules.control_plane import (
    addons_fit,
    edition_has_it,
    operator_knows_the_version,
    runtime_has_its_own_options,
    version_has_one_owner,
)
from pulumi_slurm.ack.rules.database import replicas_have_zones
from pulumi_slurm.ack.rules.images import images_fit
from pulumi_slurm.ack.rules.jobs import spot_jobs_are_requeued
from pulumi_slurm.ack.rules.machines import (
    drivers_fit,
    instance_types_are_alike,
    instance_types_exist,
    nodes_can_join,
    something_is_left_for_slurmd,
    system_pool_is_fit,
)
from pulumi_slurm.ack.rules.pool_names import labels_are_free, pool_names_are_unique
from pulumi_slurm.ack.rules.ranges import (
    cluster_is_not_too_large,
    pods_have_one_network,
    ranges_are_apart,
    ranges_are_large_enough,
    ranges_have_zones,
    vswitches_can_be_made,
)
from pulumi_slurm.ack.rules.services import database_has_one_owner, volumes_have_one_owner
from pulumi_slurm.ack.rules.storage import mount_targets_lie_in_the_region, storage_has_places_of_its_own
from pulumi_slurm.ack.rules.workers import nodes_get_time_to_start, pods_reach_their_nodes
from pulumi_slurm.ack.rules.zones import zones_lie_in_the_region, zones_offer_the_machines
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, checked_by, run_rules

__all__ = ["RULES", "RULES_WITH_SLURM", "check_ack", "check_slurm", "checked_ack"]

RULES: tuple[Rule, ...] = (
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

RULES_WITH_SLURM: tuple[Rule, ...] = (
    pods_reach_their_nodes,
    nodes_get_time_to_start,
    spot_jobs_are_requeued,
    volumes_have_one_owner,
    database_has_one_owner,
)


def check_ack(spec: AckSpec) -> Iterator[FieldError]:
    """Return every error that shows in the ACK specification alone; paths begin there."""
    return run_rules(RULES, AckPlan.of(spec))


def check_slurm(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Return every error of a Slurm cluster on this ACK cluster; paths begin at the Slurm specification.

    ``slurm`` is what the user stated: what the ACK specification adds, such as shared volumes, isn't in it yet.
    """
    return run_rules(RULES_WITH_SLURM, plan, slurm)


def checked_ack(spec: AckSpec) -> AckSpec:
    """Return a specification in which all rules hold that don't look at the Slurm cluster's.

    Raises:
        SpecError: with every error.
    """
    return checked_by(spec, check_ack, "The ACK specification")

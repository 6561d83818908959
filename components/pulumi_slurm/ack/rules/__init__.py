"""Rules for several fields of an ACK specification, or for it and the Slurm specification.

Every rule is a generator for one aspect, and all rules run, so that users see all errors at once. Models check their
own fields, and `pulumi_slurm.ack_slurm.rules` checks what ack-slurm-operator requires of the Slurm specification.

Rules can't check quotas, balances, whether a zone has machines available, whether services such as NAS and ACK are
activated for the account, or whether its roles exist.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules.bridge import version_runs_the_bridge
from pulumi_slurm.ack.rules.capacity import (
    numbers_agree,
    repairs_agree,
    spot_fields_agree,
    subscription_fields_agree,
    subscriptions_stay,
    system_pool_is_not_scaled,
)
from pulumi_slurm.ack.rules.colocation import colocation_has_shared_nodes
from pulumi_slurm.ack.rules.control_plane import (
    addons_fit_the_network_plugin,
    autoscaler_supports_the_version,
    edition_supports_encryption,
    existing_roles_are_for_others,
    metadata_tokens_are_supported,
    options_match_the_slurm_operator,
    proxy_mode_has_a_future,
    version_excludes_upgrade_channel,
)
from pulumi_slurm.ack.rules.database import keys_have_dedicated_instances, second_instance_has_a_zone
from pulumi_slurm.ack.rules.disks import disks_fit_the_machines
from pulumi_slurm.ack.rules.erdma import erdma_is_given_to_pods, machines_have_erdma
from pulumi_slurm.ack.rules.existing import (
    existing_cluster_is_left_alone,
    existing_network_is_left_alone,
    names_of_existing_pools_are_unique,
    pods_of_an_existing_network_have_vswitches,
)
from pulumi_slurm.ack.rules.images import image_of_slurm_fits, images_fit
from pulumi_slurm.ack.rules.jobs import spot_jobs_are_requeued
from pulumi_slurm.ack.rules.load_balancers import nlbs_have_zones, source_ranges_have_an_effect
from pulumi_slurm.ack.rules.machines import (
    drivers_fit,
    gpus_are_given_out_whole,
    instance_types_are_alike,
    instance_types_exist,
    nodes_can_join,
    nodes_have_room_for_slurmd,
    scaled_pools_have_one_size,
    system_pool_is_fit,
)
from pulumi_slurm.ack.rules.pool_names import labels_are_not_reserved, pool_names_are_unique
from pulumi_slurm.ack.rules.ranges import (
    cluster_is_not_too_large,
    pods_have_one_network,
    ranges_are_apart,
    ranges_are_large_enough,
    ranges_have_zones,
    vswitches_can_be_created,
)
from pulumi_slurm.ack.rules.registries import nodes_reach_the_registries
from pulumi_slurm.ack.rules.services import database_has_one_owner, volumes_have_one_owner
from pulumi_slurm.ack.rules.storage import mount_targets_are_in_the_region, storage_names_and_paths_are_unique
from pulumi_slurm.ack.rules.tags import nodes_have_room_for_tags
from pulumi_slurm.ack.rules.workers import (
    nodes_get_time_to_start,
    pods_with_sidecars_have_fixed_pools,
    workers_have_names_of_their_own,
)
from pulumi_slurm.ack.rules.zones import control_plane_has_few_zones, zones_are_in_the_region, zones_offer_the_machines
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, checked_by, run_rules

__all__ = ["RULES", "RULES_WITH_SLURM", "check_ack", "check_slurm", "checked_ack"]

RULES: tuple[Rule, ...] = (
    instance_types_exist,
    instance_types_are_alike,
    scaled_pools_have_one_size,
    system_pool_is_fit,
    nodes_can_join,
    nodes_have_room_for_slurmd,
    drivers_fit,
    gpus_are_given_out_whole,
    machines_have_erdma,
    erdma_is_given_to_pods,
    images_fit,
    disks_fit_the_machines,
    nodes_have_room_for_tags,
    zones_are_in_the_region,
    control_plane_has_few_zones,
    zones_offer_the_machines,
    pool_names_are_unique,
    existing_network_is_left_alone,
    pods_of_an_existing_network_have_vswitches,
    existing_cluster_is_left_alone,
    names_of_existing_pools_are_unique,
    labels_are_not_reserved,
    numbers_agree,
    system_pool_is_not_scaled,
    spot_fields_agree,
    subscription_fields_agree,
    subscriptions_stay,
    repairs_agree,
    cluster_is_not_too_large,
    pods_have_one_network,
    ranges_have_zones,
    vswitches_can_be_created,
    ranges_are_apart,
    ranges_are_large_enough,
    edition_supports_encryption,
    version_excludes_upgrade_channel,
    addons_fit_the_network_plugin,
    autoscaler_supports_the_version,
    existing_roles_are_for_others,
    metadata_tokens_are_supported,
    options_match_the_slurm_operator,
    proxy_mode_has_a_future,
    colocation_has_shared_nodes,
    storage_names_and_paths_are_unique,
    mount_targets_are_in_the_region,
    second_instance_has_a_zone,
    keys_have_dedicated_instances,
)

RULES_WITH_SLURM: tuple[Rule, ...] = (
    workers_have_names_of_their_own,
    pods_with_sidecars_have_fixed_pools,
    source_ranges_have_an_effect,
    nlbs_have_zones,
    nodes_get_time_to_start,
    spot_jobs_are_requeued,
    volumes_have_one_owner,
    database_has_one_owner,
    nodes_reach_the_registries,
    image_of_slurm_fits,
    version_runs_the_bridge,
)


def check_ack(spec: AckSpec) -> Iterator[FieldError]:
    """Return all errors of an ACK specification by itself; paths start at its root."""
    return run_rules(RULES, AckPlan.of(spec))


def check_slurm(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Return all errors of a Slurm cluster on this ACK cluster; paths start at the Slurm specification.

    ``slurm`` is the user's specification, without the additions of the ACK specification such as shared volumes.
    """
    return run_rules(RULES_WITH_SLURM, plan, slurm)


def checked_ack(spec: AckSpec) -> AckSpec:
    """Return the specification if it has no errors by itself.

    Raises:
        SpecError: with all errors.
    """
    return checked_by(spec, check_ack, "The ACK specification")

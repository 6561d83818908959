"""The rules between the fields of a GKE specification, and between it and the specification of the Slurm cluster.

Every rule is a generator that checks one aspect, and all of them run, so that a user sees all errors at once. Checks
that concern a single model are validators of that model.

Not checked: quotas, whether a reservation exists and has the pool's machine type, whether a zone still has machines,
and whether the name of a bucket or the id of a project is in use.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.bridge import version_runs_the_bridge
from pulumi_slurm.gke.rules.capacity import capacity_fields_agree, machine_types_support_the_capacity, numbers_agree
from pulumi_slurm.gke.rules.claims import claims_suit_their_machines
from pulumi_slurm.gke.rules.compact import compact_pools_fit
from pulumi_slurm.gke.rules.disks import boot_disks_fit, local_ssds_fit
from pulumi_slurm.gke.rules.existing import (
    access_is_granted_to_another_project,
    existing_cluster_is_left_alone,
    existing_network_is_left_alone,
    names_of_existing_pools_are_unique,
    nodes_have_an_account,
)
from pulumi_slurm.gke.rules.fabrics import fabrics_can_be_built, nvlink_domains_are_not_made
from pulumi_slurm.gke.rules.file_caches import file_caches_fit_on_disks
from pulumi_slurm.gke.rules.jobs import (
    flex_start_ends_jobs_that_begin_late,
    flex_start_outlives_jobs,
    spot_jobs_are_requeued,
)
from pulumi_slurm.gke.rules.machines import (
    images_fit,
    machine_types_exist,
    nodes_have_room_for_slurmd,
    system_pool_is_fit,
)
from pulumi_slurm.gke.rules.network_policies import network_policies_let_the_operator_in
from pulumi_slurm.gke.rules.new_project import (
    new_projects_get_their_services,
    new_projects_have_a_new_id,
    new_projects_have_nothing_yet,
)
from pulumi_slurm.gke.rules.pool_names import pool_names_are_unique
from pulumi_slurm.gke.rules.priorities import (
    later_priorities_start_at_once,
    node_sets_suit_priorities,
    priorities_are_reachable,
    priorities_replace_capacity_fields,
    replicas_on_priorities_are_stated,
)
from pulumi_slurm.gke.rules.ranges import cluster_is_not_too_large, ranges_are_apart, ranges_are_large_enough
from pulumi_slurm.gke.rules.services import (
    database_has_one_owner,
    pods_reach_their_buckets,
    priorities_are_admitted,
    source_ranges_are_ipv4,
    volumes_have_one_owner,
)
from pulumi_slurm.gke.rules.storage import (
    buckets_are_mounted_once,
    keys_are_in_the_region,
    storage_names_and_paths_are_unique,
)
from pulumi_slurm.gke.rules.versions import version_is_new_enough
from pulumi_slurm.gke.rules.workers import (
    pods_reach_their_nodes,
    queued_workers_start_together,
    workers_find_each_other,
)
from pulumi_slurm.gke.rules.zones import (
    daemons_run_in_standard_zones,
    zones_are_in_the_region,
    zones_offer_the_machines,
)
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, checked_by, run_rules

__all__ = [
    "RULES",
    "RULES_OF_NODE_SETS",
    "RULES_OF_PRIORITIES",
    "RULES_WITH_SLURM",
    "check_gke",
    "check_node_sets",
    "check_priorities",
    "check_slurm",
    "checked_gke",
]

RULES: tuple[Rule, ...] = (
    machine_types_exist,
    system_pool_is_fit,
    nodes_have_room_for_slurmd,
    zones_are_in_the_region,
    zones_offer_the_machines,
    daemons_run_in_standard_zones,
    pool_names_are_unique,
    new_projects_have_a_new_id,
    new_projects_have_nothing_yet,
    new_projects_get_their_services,
    existing_network_is_left_alone,
    existing_cluster_is_left_alone,
    names_of_existing_pools_are_unique,
    nodes_have_an_account,
    access_is_granted_to_another_project,
    priorities_replace_capacity_fields,
    numbers_agree,
    capacity_fields_agree,
    machine_types_support_the_capacity,
    compact_pools_fit,
    fabrics_can_be_built,
    nvlink_domains_are_not_made,
    local_ssds_fit,
    boot_disks_fit,
    images_fit,
    cluster_is_not_too_large,
    ranges_are_apart,
    ranges_are_large_enough,
    storage_names_and_paths_are_unique,
    buckets_are_mounted_once,
    file_caches_fit_on_disks,
    keys_are_in_the_region,
    version_is_new_enough,
)

RULES_WITH_SLURM: tuple[Rule, ...] = (
    workers_find_each_other,
    pods_reach_their_nodes,
    queued_workers_start_together,
    replicas_on_priorities_are_stated,
    spot_jobs_are_requeued,
    flex_start_outlives_jobs,
    flex_start_ends_jobs_that_begin_late,
    later_priorities_start_at_once,
    volumes_have_one_owner,
    claims_suit_their_machines,
    pods_reach_their_buckets,
    database_has_one_owner,
    priorities_are_admitted,
    source_ranges_are_ipv4,
    network_policies_let_the_operator_in,
    version_runs_the_bridge,
)

RULES_OF_PRIORITIES: tuple[Rule, ...] = (priorities_are_reachable,)
RULES_OF_NODE_SETS: tuple[Rule, ...] = (node_sets_suit_priorities,)


def check_gke(spec: GkeSpec) -> Iterator[FieldError]:
    """Return all errors of the GKE specification by itself; paths start there."""
    return run_rules(RULES, GkePlan.of(spec))


def check_slurm(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Return all errors of a Slurm cluster on this GKE cluster; paths start at the Slurm specification.

    ``slurm`` is the user's specification: node sets may name a pool with priorities or one of its capacity options,
    and the parts that the GKE specification adds, such as shared volumes, aren't in it yet.
    """
    return run_rules(RULES_WITH_SLURM, plan, slurm)


def check_priorities(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Return the errors of capacity options that no job could reach; paths start at the GKE specification."""
    return run_rules(RULES_OF_PRIORITIES, plan, slurm)


def check_node_sets(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Return all errors of node sets on pools with priorities; paths start at the Slurm specification."""
    return run_rules(RULES_OF_NODE_SETS, plan, slurm)


def checked_gke(spec: GkeSpec) -> GkeSpec:
    """Return the specification if it satisfies all rules that don't involve the Slurm specification.

    Raises:
        SpecError: with all errors.
    """
    return checked_by(spec, check_gke, "The GKE specification")

"""Rules: checks that involve more than one field of a specification.

Each rule is a generator that checks one aspect. All rules run, so that the user sees all errors at once. Rules that
need the node pools run separately, once the pools are known. Models don't run rules; `load` and the arguments of
components do.

A rule sees one specification, not the previous one. The descriptions of fields say which can't be changed after
creation; components protect or replace the objects concerned.
"""

from collections.abc import Iterator, Sequence

from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.access import (
    services_agree,
    slurmctld_knows_users_and_groups,
    slurmrestd_knows_users_of_workloads,
    tokens_are_valid,
    users_have_a_source,
)
from pulumi_slurm.rules.accounts import (
    accounts_form_a_tree,
    accounts_of_partitions_exist,
    no_qos_preempts_itself,
    privileged_users_have_an_account,
    qos_exist,
)
from pulumi_slurm.rules.autoscalers import (
    autoscaled_partitions_are_counted_once,
    autoscaled_partitions_exist,
    autoscalers_can_read_metrics,
    autoscalers_find_prometheus,
    autoscalers_know_the_names_of_nodes,
)
from pulumi_slurm.rules.bridge import (
    bridge_controllers_are_alone,
    bridge_has_its_token,
    bridge_has_namespaces,
    bridged_namespaces_are_for_workloads,
)
from pulumi_slurm.rules.bridge_nodes import (
    bridge_nodes_are_in_partitions,
    bridge_nodes_are_selected_once,
    bridge_nodes_fit_their_pools,
    bridge_nodes_have_names_of_their_own,
    bridge_nodes_have_no_workers,
    nodes_of_running_pods_stay,
)
from pulumi_slurm.rules.bridge_partitions import (
    all_includes_a_node_set,
    bridge_partition_exists,
    changed_partitions_take_effect,
    features_of_bridge_nodes_are_their_own,
    jobs_have_a_default_partition_of_their_own,
    partitions_of_namespaces_exist,
    pods_get_nodes_of_kubernetes,
)
from pulumi_slurm.rules.bridge_release import (
    bridge_belongs_to_the_operator,
    bridge_has_its_slurmctld,
    bridge_release_is_listed,
    slurm_keeps_external_nodes,
)
from pulumi_slurm.rules.bridged_node_sets import (
    bridged_node_sets_follow_nodes,
    bridged_node_sets_have_a_bridge,
    jobs_and_pods_are_kept_apart,
)
from pulumi_slurm.rules.clusters import clusters_have_names_of_their_own, one_cluster_per_namespace
from pulumi_slurm.rules.default_memory import defaults_of_memory_fit_their_workers, jobs_have_a_default_of_memory
from pulumi_slurm.rules.external_nodes import (
    external_machines_have_names_of_their_own,
    external_nodes_have_names_of_their_own,
)
from pulumi_slurm.rules.files import (
    acct_gather_conf_has_its_plugins,
    cgroup_conf_suits_pods,
    files_have_one_owner,
    files_match_the_specification,
    slurm_conf_fits_into_a_config_map,
)
from pulumi_slurm.rules.gpu_detection import slurmd_detects_the_gpus, workers_have_all_gpus_of_their_nodes
from pulumi_slurm.rules.gres_conf import gres_conf_has_the_gpus, gres_conf_starts_slurmd, shared_gres_have_gpus
from pulumi_slurm.rules.high_availability import backups_share_the_state
from pulumi_slurm.rules.hybrid import (
    existing_keys_are_not_rotated,
    hybrid_is_complete,
    slurmctld_address_is_for_machines_outside,
    slurmctld_outside_finds_slurmdbd,
)
from pulumi_slurm.rules.ignored_words import slurm_heeds_the_words
from pulumi_slurm.rules.load_balancers import (
    load_balancers_are_in_one_place,
    load_balancers_are_not_for_everyone,
    open_load_balancers_say_who_may_connect,
    source_ranges_hold_ipv4,
)
from pulumi_slurm.rules.locked_memory import jobs_may_lock_memory_for_rdma
from pulumi_slurm.rules.machines import node_sets_have_a_machine
from pulumi_slurm.rules.names import features_name_no_other_nodes, names_are_unique, names_fit, node_names_are_unique
from pulumi_slurm.rules.network_policies import network_policies_have_an_effect
from pulumi_slurm.rules.operator import (
    claims_keep_their_letters,
    operator_release_is_listed,
    operator_supports_the_fields,
    slurm_is_no_newer_than_the_operator,
)
from pulumi_slurm.rules.operator_defects import operator_release_has_no_known_defects
from pulumi_slurm.rules.overrides import overrides_keep_derived_fields
from pulumi_slurm.rules.partition_options import (
    one_default_partition,
    partition_options_agree,
    preemption_is_configured,
)
from pulumi_slurm.rules.partitions import partitions_refer_to_node_sets
from pulumi_slurm.rules.passwords import passwords_stay_out_of_config_maps
from pulumi_slurm.rules.plugin_files import (
    files_have_their_plugins,
    helpers_conf_names_features,
    resources_name_nodes_that_are_there,
    scripts_define_their_functions,
    slurmctld_knows_who_may_reboot,
)
from pulumi_slurm.rules.plugstack import (
    plugins_are_in_the_images,
    required_plugins_are_in_the_images,
    slurm_reads_plugstack_conf,
    slurmctld_finds_what_plugstack_includes,
)
from pulumi_slurm.rules.pod_needs import (
    logs_are_where_containers_read_them,
    programs_of_power_saving_are_in_the_image,
    ssh_into_workers_adopts_processes,
    windows_of_jobs_have_their_keys,
)
from pulumi_slurm.rules.pools import bounds_of_pools_agree, node_sets_fit_their_pools, pools_are_distinguishable
from pulumi_slurm.rules.removals import removals_wait_for_slurmctld
from pulumi_slurm.rules.replicas import all_nodes_can_register, daemon_sets_follow_nodes, replicas_have_one_owner
from pulumi_slurm.rules.requirements import lines_meet_their_requirements
from pulumi_slurm.rules.resources import named_resources_are_tracked
from pulumi_slurm.rules.run import Rule, checked_by, run_rules
from pulumi_slurm.rules.slurm_security import slurm_release_has_no_known_vulnerability
from pulumi_slurm.rules.slurmdbd import archives_outlive_slurmdbd, daemons_hash_alike, slurmdbd_finds_its_files
from pulumi_slurm.rules.supported_keys import (
    slurm_knows_the_keys_of_fields,
    slurm_supports_the_files,
    slurm_supports_the_lines,
)
from pulumi_slurm.rules.topology import (
    block_sizes_fit,
    blocks_in_files_have_sizes,
    bridge_nodes_have_their_places,
    topologies_exist,
    topologies_have_names_of_their_own,
    topologies_reach_slurm,
    topology_conf_suits_its_plugin,
)
from pulumi_slurm.rules.unread_files import slurm_knows_the_files
from pulumi_slurm.rules.versions import daemons_are_upgraded_in_order, own_versions_choose_images
from pulumi_slurm.rules.volumes import (
    daemons_stay_on_the_pod_network,
    existing_claims_keep_their_class,
    sidecar_names_and_paths_are_unique,
    volume_names_and_paths_are_unique,
)

__all__ = [
    "RULES",
    "RULES_OF_CLUSTERS",
    "RULES_OF_POOLS",
    "RULES_OF_SLINKY",
    "RULES_WITH_POOLS",
    "check_cluster",
    "check_clusters",
    "check_pool_list",
    "check_pools",
    "checked",
]

RULES: tuple[Rule, ...] = (
    names_are_unique,
    names_fit,
    node_names_are_unique,
    node_sets_have_a_machine,
    partitions_refer_to_node_sets,
    external_nodes_have_names_of_their_own,
    external_machines_have_names_of_their_own,
    features_name_no_other_nodes,
    partition_options_agree,
    preemption_is_configured,
    one_default_partition,
    named_resources_are_tracked,
    replicas_have_one_owner,
    daemon_sets_follow_nodes,
    autoscaled_partitions_exist,
    autoscalers_can_read_metrics,
    autoscalers_find_prometheus,
    autoscalers_know_the_names_of_nodes,
    autoscaled_partitions_are_counted_once,
    operator_supports_the_fields,
    claims_keep_their_letters,
    operator_release_is_listed,
    operator_release_has_no_known_defects,
    slurm_release_has_no_known_vulnerability,
    daemons_are_upgraded_in_order,
    own_versions_choose_images,
    slurm_is_no_newer_than_the_operator,
    qos_exist,
    no_qos_preempts_itself,
    accounts_form_a_tree,
    accounts_of_partitions_exist,
    privileged_users_have_an_account,
    users_have_a_source,
    services_agree,
    open_load_balancers_say_who_may_connect,
    load_balancers_are_in_one_place,
    load_balancers_are_not_for_everyone,
    source_ranges_hold_ipv4,
    network_policies_have_an_effect,
    tokens_are_valid,
    slurmctld_knows_users_and_groups,
    slurmrestd_knows_users_of_workloads,
    volume_names_and_paths_are_unique,
    sidecar_names_and_paths_are_unique,
    existing_claims_keep_their_class,
    daemons_stay_on_the_pod_network,
    files_have_one_owner,
    files_match_the_specification,
    slurm_knows_the_files,
    files_have_their_plugins,
    scripts_define_their_functions,
    helpers_conf_names_features,
    slurmctld_knows_who_may_reboot,
    resources_name_nodes_that_are_there,
    required_plugins_are_in_the_images,
    plugins_are_in_the_images,
    slurmctld_finds_what_plugstack_includes,
    slurm_reads_plugstack_conf,
    gres_conf_starts_slurmd,
    passwords_stay_out_of_config_maps,
    acct_gather_conf_has_its_plugins,
    slurm_conf_fits_into_a_config_map,
    cgroup_conf_suits_pods,
    ssh_into_workers_adopts_processes,
    logs_are_where_containers_read_them,
    programs_of_power_saving_are_in_the_image,
    windows_of_jobs_have_their_keys,
    hybrid_is_complete,
    slurmctld_address_is_for_machines_outside,
    slurmctld_outside_finds_slurmdbd,
    backups_share_the_state,
    removals_wait_for_slurmctld,
    existing_keys_are_not_rotated,
    overrides_keep_derived_fields,
    slurm_supports_the_lines,
    slurm_knows_the_keys_of_fields,
    slurm_supports_the_files,
    slurm_heeds_the_words,
    lines_meet_their_requirements,
    slurmdbd_finds_its_files,
    archives_outlive_slurmdbd,
    daemons_hash_alike,
    topologies_exist,
    bridge_belongs_to_the_operator,
    bridge_release_is_listed,
    bridge_has_its_slurmctld,
    slurm_keeps_external_nodes,
    bridge_has_namespaces,
    bridged_namespaces_are_for_workloads,
    bridge_controllers_are_alone,
    bridge_has_its_token,
    bridge_nodes_have_names_of_their_own,
    bridge_nodes_are_in_partitions,
    bridge_nodes_are_selected_once,
    bridge_partition_exists,
    partitions_of_namespaces_exist,
    pods_get_nodes_of_kubernetes,
    all_includes_a_node_set,
    features_of_bridge_nodes_are_their_own,
    jobs_have_a_default_partition_of_their_own,
    changed_partitions_take_effect,
    bridged_node_sets_have_a_bridge,
    bridged_node_sets_follow_nodes,
    jobs_and_pods_are_kept_apart,
    block_sizes_fit,
    topologies_have_names_of_their_own,
    topologies_reach_slurm,
    topology_conf_suits_its_plugin,
    blocks_in_files_have_sizes,
    bridge_nodes_have_their_places,
)

RULES_OF_SLINKY: frozenset[Rule] = frozenset(
    {
        operator_release_has_no_known_defects,
        slurmctld_knows_users_and_groups,
        slurm_knows_the_files,
        slurmctld_knows_who_may_reboot,
        required_plugins_are_in_the_images,
        plugins_are_in_the_images,
        slurmctld_finds_what_plugstack_includes,
        slurm_reads_plugstack_conf,
        logs_are_where_containers_read_them,
        programs_of_power_saving_are_in_the_image,
        windows_of_jobs_have_their_keys,
    }
)
"""Rules on what is in Slinky's images and in the pods of its operator, which ack-slurm-operator has otherwise."""

RULES_WITH_POOLS: tuple[Rule, ...] = (
    node_sets_fit_their_pools,
    slurmd_detects_the_gpus,
    workers_have_all_gpus_of_their_nodes,
    jobs_have_a_default_of_memory,
    defaults_of_memory_fit_their_workers,
    gres_conf_has_the_gpus,
    shared_gres_have_gpus,
    jobs_may_lock_memory_for_rdma,
    all_nodes_can_register,
    bridge_nodes_fit_their_pools,
    bridge_nodes_have_no_workers,
    nodes_of_running_pods_stay,
)
RULES_OF_POOLS: tuple[Rule, ...] = (pools_are_distinguishable, bounds_of_pools_agree)
RULES_OF_CLUSTERS: tuple[Rule, ...] = (one_cluster_per_namespace, clusters_have_names_of_their_own)


def check_cluster(spec: SlurmSpec, *, slinky: bool = True) -> Iterator[FieldError]:
    """Return all errors that can be found without the node pools; ``slinky`` is false with ack-slurm-operator."""
    return run_rules([rule for rule in RULES if slinky or rule not in RULES_OF_SLINKY], spec)


def check_pools(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Return all errors in how node sets use node pools; paths start at the root of the specification."""
    return run_rules(RULES_WITH_POOLS, spec, pools)


def check_pool_list(pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Return all errors between node pools; paths start at their list."""
    return run_rules(RULES_OF_POOLS, pools)


def check_clusters(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Return all errors between Slurm clusters of one Kubernetes cluster; paths start with the index in ``specs``."""
    return run_rules(RULES_OF_CLUSTERS, specs)


def checked(spec: SlurmSpec, *, slinky: bool = True) -> SlurmSpec:
    """Return a derived specification if it violates no rule that can be checked without the node pools.

    It is derived from one that was checked before, so warnings are not repeated: they would name paths that the user
    didn't write.

    Raises:
        SpecError: with all errors.
    """

    def refusals(spec: SlurmSpec) -> Iterator[FieldError]:
        return (error for error in check_cluster(spec, slinky=slinky) if error.severity is Severity.ERROR)

    return checked_by(spec, refusals, "The Slurm specification")

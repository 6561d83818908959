"""Rules between fields: what only shows when a whole specification is seen at once.

Each rule is a generator over one aspect. All of them run, so that a user learns of every mistake in one go. Rules that
need the node pools run where pools are known; the others run whenever a specification is made.

A rule sees one specification, not the one before it. What can't be changed after creation is told by the fields'
descriptions and kept by the components, which protect or replace the objects concerned.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..mistakes import Mistake
from .access import services_agree, tokens_are_sound, users_come_from_somewhere
from .accounts import accounts_form_a_tree, no_qos_preempts_itself, qos_exist
from .files import files_have_one_owner, files_suit_the_rest
from .hybrid import existing_keys_are_not_rotated, hybrid_is_complete
from .known_keys import slurm_knows_the_files, slurm_knows_the_lines
from .machines import machine_of, node_sets_have_a_machine
from .names import names_are_unique, names_fit, nodes_have_names_of_their_own
from .operator import operator_knows_it
from .overrides import overrides_leave_what_is_derived
from .partition_options import (
    one_default_partition,
    partition_options_agree,
    preemption_is_set_up,
)
from .partitions import partitions_hold_known_node_sets, partitions_of
from .pools import check_pool_list, check_pools
from .replicas import autoscaled_partitions_exist, daemon_sets_follow_nodes, replicas_have_one_owner
from .resources import named_resources_are_counted
from .volumes import (
    daemons_stay_on_the_pod_network,
    sidecars_have_names_and_places_of_their_own,
    volumes_have_places_of_their_own,
)

if TYPE_CHECKING:
    from ..cluster import SlurmSpec

__all__ = ["check_cluster", "check_pool_list", "check_pools", "machine_of", "partitions_of"]

_RULES: tuple[Callable[["SlurmSpec"], Iterator[Mistake]], ...] = (
    names_are_unique,
    names_fit,
    nodes_have_names_of_their_own,
    node_sets_have_a_machine,
    partitions_hold_known_node_sets,
    partition_options_agree,
    preemption_is_set_up,
    one_default_partition,
    named_resources_are_counted,
    replicas_have_one_owner,
    daemon_sets_follow_nodes,
    autoscaled_partitions_exist,
    operator_knows_it,
    qos_exist,
    no_qos_preempts_itself,
    accounts_form_a_tree,
    users_come_from_somewhere,
    services_agree,
    tokens_are_sound,
    volumes_have_places_of_their_own,
    sidecars_have_names_and_places_of_their_own,
    daemons_stay_on_the_pod_network,
    files_have_one_owner,
    files_suit_the_rest,
    hybrid_is_complete,
    existing_keys_are_not_rotated,
    overrides_leave_what_is_derived,
    slurm_knows_the_lines,
    slurm_knows_the_files,
)


def check_cluster(spec: "SlurmSpec") -> Iterator[Mistake]:
    """Yield every mistake that shows without knowing the node pools."""
    for rule in _RULES:
        yield from rule(spec)

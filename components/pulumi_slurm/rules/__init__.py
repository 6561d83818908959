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
from pulumi_slurm.rules import (
    access,
    accounts,
    autoscalers,
    bridge,
    bridge_nodes,
    bridge_partitions,
    bridge_release,
    bridged_node_sets,
    clusters,
    default_memory,
    external_nodes,
    files,
    gpu_detection,
    gres_conf,
    high_availability,
    hybrid,
    ignored_words,
    load_balancers,
    locked_memory,
    machines,
    names,
    network_policies,
    operator,
    operator_defects,
    overrides,
    partition_options,
    partitions,
    passwords,
    plugin_files,
    plugstack,
    pod_needs,
    pools,
    removals,
    replicas,
    requirements,
    resources,
    slurm_security,
    slurmdbd,
    supported_keys,
    topology,
    unread_files,
    versions,
    volumes,
)
from pulumi_slurm.rules.run import Rule, checked_by, run_rules

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
    *names.RULES,
    *machines.RULES,
    *partitions.RULES,
    *external_nodes.RULES,
    *partition_options.RULES,
    *resources.RULES,
    *replicas.RULES,
    *autoscalers.RULES,
    *operator.RULES,
    *operator_defects.RULES,
    *slurm_security.RULES,
    *versions.RULES,
    *accounts.RULES,
    *access.RULES,
    *load_balancers.RULES,
    *network_policies.RULES,
    *volumes.RULES,
    *files.RULES,
    *unread_files.RULES,
    *plugin_files.RULES,
    *plugstack.RULES,
    *gres_conf.RULES,
    *passwords.RULES,
    *pod_needs.RULES,
    *hybrid.RULES,
    *high_availability.RULES,
    *removals.RULES,
    *overrides.RULES,
    *supported_keys.RULES,
    *ignored_words.RULES,
    *requirements.RULES,
    *slurmdbd.RULES,
    *topology.RULES,
    *bridge_release.RULES,
    *bridge.RULES,
    *bridge_nodes.RULES,
    *bridge_partitions.RULES,
    *bridged_node_sets.RULES,
)

RULES_OF_SLINKY: frozenset[Rule] = frozenset(
    (
        *operator_defects.RULES_OF_SLINKY,
        *access.RULES_OF_SLINKY,
        *unread_files.RULES_OF_SLINKY,
        *plugin_files.RULES_OF_SLINKY,
        *plugstack.RULES_OF_SLINKY,
        *pod_needs.RULES_OF_SLINKY,
    )
)
"""Rules on what is in Slinky's images and in the pods of its operator, which ack-slurm-operator has otherwise."""

RULES_WITH_POOLS: tuple[Rule, ...] = (
    *pools.RULES_WITH_POOLS,
    *gpu_detection.RULES_WITH_POOLS,
    *default_memory.RULES_WITH_POOLS,
    *gres_conf.RULES_WITH_POOLS,
    *locked_memory.RULES_WITH_POOLS,
    *replicas.RULES_WITH_POOLS,
    *bridge_nodes.RULES_WITH_POOLS,
)
RULES_OF_POOLS: tuple[Rule, ...] = (*pools.RULES_OF_POOLS,)
RULES_OF_CLUSTERS: tuple[Rule, ...] = (*clusters.RULES_OF_CLUSTERS,)


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

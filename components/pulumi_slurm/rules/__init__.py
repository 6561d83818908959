"""Rules: checks that involve more than one field of a specification.

Each rule is a generator that checks one aspect. All rules run, so that the user sees all errors at once. Rules that
need the node pools run separately, once the pools are known. Models don't run rules; `load` and the arguments of
components do.

A rule sees one specification, not the previous one. The descriptions of fields say which can't be changed after
creation; components protect or replace the objects concerned.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from pulumi_slurm.derived.operator_lines import OptionTexts
from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules import (
    access,
    accounts,
    alerts,
    autoscalers,
    bridge,
    bridge_nodes,
    bridge_partitions,
    bridge_release,
    bridged_node_sets,
    clusters,
    dashboards,
    default_memory,
    external_nodes,
    files,
    gpu_detection,
    gpu_types,
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
    slurm_defects,
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
    "ALL_RULES",
    "RULES",
    "RULES_OF_CLUSTERS",
    "RULES_OF_POOLS",
    "RULES_OF_SLINKY",
    "RULES_ON_LINES",
    "RULES_WITH_POOLS",
    "check_cluster",
    "check_clusters",
    "check_lines",
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
    *replicas.RULES,
    *autoscalers.RULES,
    *alerts.RULES,
    *dashboards.RULES,
    *operator.RULES,
    *operator_defects.RULES,
    *slurm_defects.RULES,
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
    *requirements.RULES,
    *ignored_words.RULES,
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
        *operator.RULES_OF_SLINKY,
        *operator_defects.RULES_OF_SLINKY,
        *slurm_defects.RULES_OF_SLINKY,
        *slurm_security.RULES_OF_SLINKY,
        *autoscalers.RULES_OF_SLINKY,
        *access.RULES_OF_SLINKY,
        *unread_files.RULES_OF_SLINKY,
        *plugin_files.RULES_OF_SLINKY,
        *plugstack.RULES_OF_SLINKY,
        *pod_needs.RULES_OF_SLINKY,
        *requirements.RULES_OF_SLINKY,
    )
)
"""Rules on releases and pods of Slinky's operator and what is in its images, all of which ack-slurm-operator has
otherwise."""

RULES_ON_LINES: tuple[Rule, ...] = (
    *resources.RULES_ON_LINES,
    *plugin_files.RULES_ON_LINES,
    *requirements.RULES_ON_LINES,
)
"""Rules on all lines of slurm.conf together: those of a specification, and those of the operator that runs it."""

RULES_WITH_POOLS: tuple[Rule, ...] = (
    *pools.RULES_WITH_POOLS,
    *gpu_detection.RULES_WITH_POOLS,
    *gpu_types.RULES_WITH_POOLS,
    *default_memory.RULES_WITH_POOLS,
    *gres_conf.RULES_WITH_POOLS,
    *locked_memory.RULES_WITH_POOLS,
    *replicas.RULES_WITH_POOLS,
    *bridge_nodes.RULES_WITH_POOLS,
)
RULES_OF_POOLS: tuple[Rule, ...] = (*pools.RULES_OF_POOLS,)
ALL_RULES: tuple[Rule, ...] = (*RULES, *RULES_ON_LINES, *RULES_WITH_POOLS, *RULES_OF_POOLS)
"""What can be said of one Slurm cluster."""
RULES_OF_CLUSTERS: tuple[Rule, ...] = (*clusters.RULES_OF_CLUSTERS,)


def check_cluster(spec: SlurmSpec, *, other_release: str | None = None) -> Iterator[FieldError]:
    """Return all errors that can be found without the node pools.

    ``other_release`` is the release of Slurm that another operator runs, ack-slurm-operator; it is None with
    slurm-operator. The rules on lines of slurm.conf, `check_lines`, then need that operator's.
    """
    of_spec = _run(RULES, other_release, spec)
    return of_spec if other_release else chain(of_spec, check_lines(spec, slurm_conf_lines(spec)))


def check_lines(spec: SlurmSpec, lines: OptionTexts, *, other_release: str | None = None) -> Iterator[FieldError]:
    """Return all errors of the options of slurm.conf together: those of a specification and those of its operator."""
    return _run(RULES_ON_LINES, other_release, spec, lines)


def check_pools(
    spec: SlurmSpec, pools: Sequence[NodePoolSpec], *, other_release: str | None = None
) -> Iterator[FieldError]:
    """Return all errors in how node sets use node pools; paths start at the root of the specification."""
    return _run(RULES_WITH_POOLS, other_release, spec, pools)


def _run(rules: Sequence[Rule], other_release: str | None, spec: SlurmSpec, *others: Any) -> Iterator[FieldError]:
    """Run rules on a specification as the operator runs it, which may be another one that runs a release of its own."""
    if other_release is None:
        return run_rules(rules, spec, *others)
    of_release = spec.model_copy(update={"slurm_version": other_release})
    return run_rules([rule for rule in rules if rule not in RULES_OF_SLINKY], of_release, *others)


def check_pool_list(pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Return all errors between node pools; paths start at their list."""
    return run_rules(RULES_OF_POOLS, pools)


def check_clusters(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Return all errors between Slurm clusters of one Kubernetes cluster; paths start with the index in ``specs``."""
    return run_rules(RULES_OF_CLUSTERS, specs)


def checked(spec: SlurmSpec, *, other_release: str | None = None) -> SlurmSpec:
    """Return a derived specification if it violates no rule that can be checked without the node pools.

    It is derived from one that was checked before, so warnings are not repeated: they would name paths that the user
    didn't write.

    Raises:
        SpecError: with all errors.
    """

    def refusals(spec: SlurmSpec) -> Iterator[FieldError]:
        return (error for error in check_cluster(spec, other_release=other_release) if error.severity is Severity.ERROR)

    return checked_by(spec, refusals, "The Slurm specification")

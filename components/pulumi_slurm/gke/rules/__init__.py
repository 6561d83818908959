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
from pulumi_slurm.gke.rules import (
    bridge,
    capacity,
    claims,
    compact,
    disks,
    existing,
    fabrics,
    file_caches,
    jobs,
    machines,
    network_policies,
    new_project,
    nodes,
    pool_names,
    priorities,
    ranges,
    services,
    storage,
    versions,
    workers,
    zones,
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
    *machines.RULES,
    *nodes.RULES,
    *zones.RULES,
    *pool_names.RULES,
    *new_project.RULES,
    *existing.RULES,
    *priorities.RULES,
    *capacity.RULES,
    *compact.RULES,
    *fabrics.RULES,
    *disks.RULES,
    *ranges.RULES,
    *storage.RULES,
    *file_caches.RULES,
    *versions.RULES,
)

RULES_WITH_SLURM: tuple[Rule, ...] = (
    *workers.RULES_WITH_SLURM,
    *priorities.RULES_WITH_SLURM,
    *jobs.RULES_WITH_SLURM,
    *services.RULES_WITH_SLURM,
    *claims.RULES_WITH_SLURM,
    *network_policies.RULES_WITH_SLURM,
    *bridge.RULES_WITH_SLURM,
)

RULES_OF_PRIORITIES: tuple[Rule, ...] = (*priorities.RULES_OF_PRIORITIES,)
RULES_OF_NODE_SETS: tuple[Rule, ...] = (*priorities.RULES_OF_NODE_SETS,)


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

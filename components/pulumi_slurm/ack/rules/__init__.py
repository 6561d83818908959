"""Rules for several fields of an ACK specification, or for it and the Slurm specification.

Every rule is a generator for one aspect, and all rules run, so that users see all errors at once. Models check their
own fields, and `pulumi_slurm.ack_slurm.rules` checks what ack-slurm-operator requires of the Slurm specification.

Rules can't check quotas, balances, or whether services such as NAS and ACK are activated for the account. What its
roles and the machines of zones are, `preflight` asks: `pulumi_slurm.ack.existing.account`.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules import (
    bridge,
    capacity,
    claims,
    colocation,
    control_plane,
    database,
    disks,
    erdma,
    existing,
    images,
    jobs,
    load_balancers,
    machines,
    placement,
    pool_names,
    ranges,
    registries,
    services,
    storage,
    tags,
    workers,
    zones,
)
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, checked_by, run_rules

__all__ = ["RULES", "RULES_WITH_SLURM", "check_ack", "check_slurm", "checked_ack"]

RULES: tuple[Rule, ...] = (
    *machines.RULES,
    *erdma.RULES,
    *images.RULES,
    *disks.RULES,
    *tags.RULES,
    *zones.RULES,
    *pool_names.RULES,
    *existing.RULES,
    *capacity.RULES,
    *placement.RULES,
    *ranges.RULES,
    *control_plane.RULES,
    *colocation.RULES,
    *storage.RULES,
    *database.RULES,
)

RULES_WITH_SLURM: tuple[Rule, ...] = (
    *workers.RULES_WITH_SLURM,
    *load_balancers.RULES_WITH_SLURM,
    *jobs.RULES_WITH_SLURM,
    *services.RULES_WITH_SLURM,
    *claims.RULES_WITH_SLURM,
    *registries.RULES_WITH_SLURM,
    *images.RULES_WITH_SLURM,
    *bridge.RULES_WITH_SLURM,
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

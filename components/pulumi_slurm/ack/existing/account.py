"""What an account lacks for what is to be made: roles, and machines in the zones of pools.

What is in stock changes by the hour, and what other things in the account use isn't known.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pulumi_slurm.ack.existing.answers import AccountAnswers
from pulumi_slurm.ack.model import AckCapacity
from pulumi_slurm.ack.model.service_roles import (
    ROLE_FOR_SCALING,
    ROLES_FOR_LOGS,
    ROLES_OF_CLUSTERS,
    ROLES_OF_COMPONENTS,
    SERVICE_ROLES,
)
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.parts import key_roles
from pulumi_slurm.errors import FieldError, Path, Severity
from pulumi_slurm.rules.run import Rule, run_rules, warns


def account_will_do(plan: AckPlan, account: AccountAnswers) -> Iterator[FieldError]:
    """Yield what the account lacks; warn of what may not suffice. Paths begin at the ACK specification."""
    return run_rules(RULES_OF_ACCOUNTS, plan, account)


def account_has_the_roles(plan: AckPlan, account: AccountAnswers) -> Iterator[FieldError]:
    """Refuse an account without the roles by which what is made works, and warn of those that some of it may need.

    Of a cluster that exists the roles are not compared: it runs with what it has.
    """
    spec = plan.spec
    if spec.create_service_roles:
        for index, role in enumerate(spec.existing_service_roles):
            if role not in account.roles:
                problem = "the account has no such role, so it is to be made"
                yield FieldError(("existing_service_roles", index), role, problem, "Take it out of the list.")
        return
    exists = [role for role in SERVICE_ROLES if role in account.roles]
    fix = f"with existingServiceRoles: [{', '.join(exists)}]" if exists else "which makes all"
    for roles, severity in ((_needed(plan), Severity.ERROR), (_useful(plan), Severity.WARNING)):
        if lacking := [role for role in roles if role not in account.roles]:
            yield FieldError(
                ("create_service_roles",),
                value=False,
                problem=f"the account lacks roles that services assume: {', '.join(lacking)}",
                fix=f"Grant them in ACK's console, or write true, {fix}.",
                severity=severity,
            )


def _needed(plan: AckPlan) -> list[str]:
    scales = any(planned.pool.is_scaled for planned in plan.new_pools)
    of_clusters = () if plan.spec.existing_cluster else ROLES_OF_CLUSTERS
    return [*of_clusters, *((ROLE_FOR_SCALING,) if scales else ()), *key_roles(plan.spec)]


def _useful(plan: AckPlan) -> list[str]:
    if plan.spec.existing_cluster:
        return []
    logs, audit = ROLES_FOR_LOGS
    control_plane = plan.spec.control_plane
    return [
        *ROLES_OF_COMPONENTS,
        *((logs,) if control_plane.log_components else ()),
        *((audit,) if control_plane.audit_log else ()),
    ]


@dataclass(frozen=True)
class _Wanted:
    """The machines that a pool takes."""

    at: Path
    types: Sequence[str]
    zones: Sequence[str]
    capacity: AckCapacity
    says_types: bool = True
    """Whether somebody has written the instance types."""


@warns
def zones_have_the_machines(plan: AckPlan, account: AccountAnswers) -> Iterator[FieldError]:
    """Warn of instance types that no zone of their pool has in stock, and of pools that get no machine.

    A pool that is there keeps its machines, which a preview doesn't tell apart.
    """
    for wanted in _wanted(plan):
        offers = account.offers[wanted.capacity]
        sold_out = [name for name in wanted.types if not any(name in offers.get(zone, ()) for zone in wanted.zones)]
        zones = " and ".join(wanted.zones)
        if len(sold_out) == len(wanted.types):
            yield FieldError(
                (*wanted.at, "instance_types"),
                list(wanted.types),
                f"{zones} {'has' if len(wanted.zones) == 1 else 'have'} none of them in stock, as {wanted.capacity}",
                "Name other instance types or zones, or try again later.",
            )
            continue
        for name in sold_out if wanted.says_types else ():
            yield FieldError(
                (*wanted.at, "instance_types", wanted.types.index(name)),
                name,
                f"{zones} {'has' if len(wanted.zones) == 1 else 'have'} none in stock, as {wanted.capacity}",
                "Name another one, or another zone, if the pool is to have a choice.",
            )


def zones_to_ask(plan: AckPlan) -> Mapping[AckCapacity, Collection[str]]:
    """Return the zones whose stock counts for a plan, by how machines are billed."""
    zones: dict[AckCapacity, set[str]] = {}
    for wanted in _wanted(plan):
        zones.setdefault(wanted.capacity, set()).update(wanted.zones)
    return zones


def _wanted(plan: AckPlan) -> Iterator[_Wanted]:
    """Yield what new pools take; those of a private pool have machines that are kept for them."""
    for planned in plan.new_pools:
        pool = planned.pool
        if pool.private_pool is None:
            types = [machine_type.name for machine_type in planned.machine_types]
            yield _Wanted(planned.at, types, planned.zones, AckCapacity(pool.capacity))
    if plan.makes_system_pool:
        daemons = plan.spec.system_pool
        says_types = "instance_types" in daemons.model_fields_set
        zones = daemons.zones or plan.spec.zones
        yield _Wanted(("system_pool",), daemons.instance_types, zones, AckCapacity.ON_DEMAND, says_types)


RULES_OF_ACCOUNTS: tuple[Rule, ...] = (account_has_the_roles, zones_have_the_machines)

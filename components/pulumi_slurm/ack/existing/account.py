"""What an account lacks for what is to be made: roles, and machines in the zones of pools.

What is in stock changes by the hour, and what other things in the account use isn't known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pulumi_slurm.ack.existing.answers import AccountAnswers
from pulumi_slurm.ack.model import AckCapacity
from pulumi_slurm.ack.model.service_roles import ROLE_FOR_SCALING, ROLES_OF_CLUSTERS, SERVICE_ROLES
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.parts import key_roles
from pulumi_slurm.errors import FieldError, Path, Severity
from pulumi_slurm.rules.run import Rule, run_rules


def account_will_do(plan: AckPlan, account: AccountAnswers) -> Iterator[FieldError]:
    """Yield what the account lacks; warn of what may not suffice. Paths begin at the ACK specification."""
    return run_rules(RULES_OF_ACCOUNTS, plan, account)


def account_has_the_roles(plan: AckPlan, account: AccountAnswers) -> Iterator[FieldError]:
    """Refuse an account without the roles by which ACK makes a cluster and its nodes, and warn of others that it lacks.

    Roles of a cluster that exists are not compared: it runs with what it has.
    """
    spec = plan.spec
    if spec.create_service_roles:
        for index, role in enumerate(spec.existing_service_roles):
            if role not in account.roles:
                problem = "the account has no such role, so it is to be made"
                yield FieldError(("existing_service_roles", index), role, problem, "Take it out of the list.")
        return
    of_keys = tuple(key_roles(spec))
    scales = any(planned.pool.is_scaled for planned in plan.new_pools)
    needed = {*ROLES_OF_CLUSTERS, *of_keys, *((ROLE_FOR_SCALING,) if scales else ())}
    lacking = [role for role in (*SERVICE_ROLES, *of_keys) if role not in account.roles]
    for severity in Severity:
        roles = [role for role in lacking if (role in needed) == (severity is Severity.ERROR)]
        if roles and not spec.existing_cluster:
            yield FieldError(
                ("create_service_roles",),
                value=False,
                problem=f"the account lacks roles that services assume: {', '.join(roles)}",
                fix="Write true, or grant them in ACK's console.",
                severity=severity,
            )


@dataclass(frozen=True)
class _Wanted:
    """The machines that a pool takes."""

    at: Path
    types: Sequence[str]
    zones: Sequence[str]
    capacity: AckCapacity
    at_once: int
    """How many come with the pool."""


def zones_have_the_machines(plan: AckPlan, account: AccountAnswers) -> Iterator[FieldError]:
    """Refuse pools whose first nodes no zone of theirs has a machine for; warn of instance types that none has."""
    for wanted in _wanted(plan):
        offers = account.offers[wanted.capacity]
        sold_out = [name for name in wanted.types if not any(name in offers.get(zone, ()) for zone in wanted.zones)]
        zones = " and ".join(wanted.zones)
        if len(sold_out) == len(wanted.types):
            yield FieldError(
                (*wanted.at, "instance_types"),
                list(wanted.types),
                f"{zones} offer{'s' if len(wanted.zones) == 1 else ''} none of them now, as {wanted.capacity}",
                "Name other instance types or zones, or try again later.",
                severity=Severity.ERROR if wanted.at_once else Severity.WARNING,
            )
            continue
        for name in sold_out:
            yield FieldError(
                (*wanted.at, "instance_types", wanted.types.index(name)),
                name,
                f"it can't be had in {zones} now, as {wanted.capacity}",
                "Name another one, or another zone, if the pool is to have a choice.",
                severity=Severity.WARNING,
            )


def _wanted(plan: AckPlan) -> Iterator[_Wanted]:
    """Yield what new pools take; those of a private pool have machines that are kept for them."""
    for planned in plan.new_pools:
        pool = planned.pool
        if pool.private_pool is None:
            types = [machine_type.name for machine_type in planned.machine_types]
            yield _Wanted(planned.at, types, planned.zones, AckCapacity(pool.capacity), pool.least_nodes)
    if plan.makes_system_pool:
        pool_of_daemons = plan.spec.system_pool
        zones = pool_of_daemons.zones or plan.spec.zones
        types = pool_of_daemons.instance_types
        yield _Wanted(("system_pool",), types, zones, AckCapacity.ON_DEMAND, pool_of_daemons.min_nodes)


RULES_OF_ACCOUNTS: tuple[Rule, ...] = (account_has_the_roles, zones_have_the_machines)

"""What an account lacks for what is to be made, as `ack.preflight` asks."""

from typing import Any

import pytest

from pulumi_slurm.ack.existing.account import account_will_do
from pulumi_slurm.ack.existing.answers import AccountAnswers
from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckCapacity
from pulumi_slurm.ack.model.service_roles import (
    ROLE_FOR_SCALING,
    ROLES_FOR_LOGS,
    ROLES_OF_CLUSTERS,
    ROLES_OF_COMPONENTS,
    SERVICE_ROLES,
)
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import Severity

ZONES = ("cn-hangzhou-i", "cn-hangzhou-j")
DAEMONS = ("ecs.g8i.xlarge", "ecs.g7.xlarge")
TYPES = ("ecs.g8i.4xlarge", "ecs.g7.4xlarge", *DAEMONS)
FIXED = {"name": "cpu", "instanceTypes": ["ecs.g8i.4xlarge"], "nodes": 2}
SCALED = {"name": "cpu", "instanceTypes": ["ecs.g8i.4xlarge", "ecs.g7.4xlarge"], "maxNodes": 4}


def told(
    pool: dict[str, Any] = FIXED,
    roles: Any = tuple(SERVICE_ROLES),
    offers: Any = None,
    capacity: AckCapacity = AckCapacity.ON_DEMAND,
    **fields: Any,
) -> list[tuple[Severity, str]]:
    """Return what is told of an account in which every zone has all types, unless it is said otherwise."""
    spec = load_ack({"region": "cn-hangzhou", "zones": list(ZONES), "name": "hpc", "pools": [pool], **fields})
    everywhere = dict.fromkeys(ZONES, TYPES)
    answers = AccountAnswers(roles, {AckCapacity.ON_DEMAND: everywhere, capacity: offers or everywhere})
    return [(error.severity, str(error)) for error in account_will_do(AckPlan.of(spec), answers)]


def test_an_account_that_has_all_is_told_nothing() -> None:
    assert told() == []
    assert told(createServiceRoles=True, roles=()) == []


def test_roles_without_which_there_is_no_cluster_are_asked_for() -> None:
    refused, warned = told(roles=())
    assert refused[0] is Severity.ERROR
    assert refused[1].startswith("create_service_roles = false: the account lacks roles that services assume: ")
    for role in ROLES_OF_CLUSTERS:
        assert role in refused[1]
    assert ROLE_FOR_SCALING not in refused[1]
    assert warned[0] is Severity.WARNING
    for role in (*ROLES_OF_COMPONENTS, *ROLES_FOR_LOGS):
        assert role in warned[1]
    ((_, line),) = told(roles=[role for role in SERVICE_ROLES if role not in ROLES_FOR_LOGS])
    assert "AliyunCSManagedLogRole, AliyunCSKubernetesAuditRole" in line
    assert (
        told(roles=[*ROLES_OF_CLUSTERS, *ROLES_OF_COMPONENTS], controlPlane={"auditLog": False, "logComponents": []})
        == []
    )


def test_the_way_out_names_the_roles_that_exist() -> None:
    """Each name as it is: they change between letters and capitals as often as a secret does."""
    roles = [role for role in SERVICE_ROLES if role != ROLE_FOR_SCALING]
    ((severity, line),) = told(SCALED, roles=roles)
    assert severity is Severity.ERROR
    assert line.endswith(f"or write true, with existing_service_roles: [{', '.join(roles)}].")
    assert "…" not in line


def test_a_key_of_kms_needs_its_role() -> None:
    ((severity, line),) = told(diskClass={"encryptionKey": "key-1"})
    assert (severity, "AliyunECSDiskEncryptDefaultRole" in line) == (Severity.ERROR, True)


def test_a_role_that_is_said_to_exist_has_to() -> None:
    ((severity, line),) = told(createServiceRoles=True, existingServiceRoles=["AliyunCSDefaultRole"], roles=())
    assert severity is Severity.ERROR
    assert line.startswith('existing_service_roles[0] = "AliyunCSDefaultRole": the account has no such role')


@pytest.mark.parametrize("pool", [FIXED, SCALED])
def test_what_is_sold_out_is_warned_of(pool: dict[str, Any]) -> None:
    """Whether machines are bought at all depends on what is there already."""
    ((severity, line),) = told(pool, offers=dict.fromkeys(ZONES, DAEMONS))
    assert severity is Severity.WARNING
    assert line.startswith("pools[0].instance_types")
    assert "cn-hangzhou-i and cn-hangzhou-j have none of them in stock, as on-demand" in line


def test_one_zone_is_enough_and_a_type_that_none_has_is_warned_of() -> None:
    assert told(FIXED, offers={ZONES[0]: DAEMONS, ZONES[1]: TYPES}) == []
    ((_, line),) = told(SCALED, offers=dict.fromkeys(ZONES, (*DAEMONS, "ecs.g7.4xlarge")))
    assert line.startswith(
        'pools[0].instance_types[0] = "ecs.g8i.4xlarge": cn-hangzhou-i and cn-hangzhou-j have none in'
    )


def test_spot_machines_are_another_stock() -> None:
    pool = {**FIXED, "capacity": "spot"}
    assert told(pool, capacity=AckCapacity.SPOT) == []
    ((_, line),) = told(pool, offers={ZONES[0]: ()}, capacity=AckCapacity.SPOT)
    assert "as spot" in line


def test_a_private_pool_keeps_its_machines() -> None:
    pool = {**FIXED, "privatePool": "eap-bp1example", "zones": [ZONES[0]]}
    assert told(pool, offers={ZONES[0]: DAEMONS}) == []


def test_the_pool_of_daemons_is_asked_for_too() -> None:
    """Of types that nobody has written one is enough."""
    assert told(FIXED, offers=dict.fromkeys(ZONES, ("ecs.g8i.4xlarge", "ecs.g7.xlarge"))) == []
    ((_, line),) = told(FIXED, offers=dict.fromkeys(ZONES, ("ecs.g8i.4xlarge",)))
    assert line.startswith("system_pool.instance_types")

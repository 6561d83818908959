"""What an account lacks for what is to be made, as `ack.preflight` asks."""

from typing import Any

import pytest

from pulumi_slurm.ack.existing.account import account_will_do
from pulumi_slurm.ack.existing.answers import AccountAnswers
from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckCapacity
from pulumi_slurm.ack.model.service_roles import ROLES_OF_CLUSTERS, SERVICE_ROLES
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
    assert "AliyunCSManagedAutoScalerRole" not in refused[1]
    assert warned[0] is Severity.WARNING
    assert "AliyunCSManagedAutoScalerRole" in warned[1]


def test_the_autoscaler_needs_its_role() -> None:
    roles = [role for role in SERVICE_ROLES if role != "AliyunCSManagedAutoScalerRole"]
    assert [severity for severity, _ in told(SCALED, roles=roles)] == [Severity.ERROR]


def test_a_key_of_kms_needs_its_role() -> None:
    ((severity, line),) = told(diskClass={"encryptionKey": "key-1"})
    assert (severity, "AliyunECSDiskEncryptDefaultRole" in line) == (Severity.ERROR, True)


def test_a_role_that_is_said_to_exist_has_to() -> None:
    ((severity, line),) = told(createServiceRoles=True, existingServiceRoles=["AliyunCSDefaultRole"], roles=())
    assert severity is Severity.ERROR
    assert line.startswith('existing_service_roles[0] = "AliyunCSDefaultRole": the account has no such role')


def test_first_nodes_need_machines_and_later_ones_may_come() -> None:
    without = dict.fromkeys(ZONES, DAEMONS)
    ((severity, line),) = told(FIXED, offers=without)
    assert severity is Severity.ERROR
    assert line.startswith("pools[0].instance_types")
    assert "cn-hangzhou-i and cn-hangzhou-j offer none of them now, as on-demand" in line
    assert [severity for severity, _ in told(SCALED, offers=without)] == [Severity.WARNING]


def test_one_zone_is_enough_and_a_type_that_none_has_is_warned_of() -> None:
    one_zone = {ZONES[0]: DAEMONS, ZONES[1]: TYPES}
    assert told(FIXED, offers=one_zone) == []
    ((severity, line),) = told(SCALED, offers=dict.fromkeys(ZONES, (*DAEMONS, "ecs.g7.4xlarge")))
    assert severity is Severity.WARNING
    assert line.startswith('pools[0].instance_types[0] = "ecs.g8i.4xlarge": it can\'t be had in')


def test_spot_machines_are_another_stock() -> None:
    pool = {**FIXED, "capacity": "spot"}
    assert told(pool, capacity=AckCapacity.SPOT) == []
    ((_, line),) = told(pool, offers={ZONES[0]: ()}, capacity=AckCapacity.SPOT)
    assert "as spot" in line


def test_a_private_pool_keeps_its_machines() -> None:
    pool = {**FIXED, "privatePool": "eap-bp1example", "zones": [ZONES[0]]}
    assert told(pool, offers={ZONES[0]: DAEMONS}) == []


@pytest.mark.parametrize("zone", [(), ("ecs.g7.xlarge",)])
def test_the_pool_of_daemons_is_asked_for_too(zone: tuple[str, ...]) -> None:
    lines = told(FIXED, offers=dict.fromkeys(ZONES, ("ecs.g8i.4xlarge", *zone)))
    (only,) = [line for _, line in lines]
    assert only.startswith("system_pool.instance_types")

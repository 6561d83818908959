"""The roles that ACK assumes, for accounts that don't have them."""

import json
from typing import Any

import pytest

from pulumi_slurm.ack.model.service_roles import KEY_ROLES, SERVICE_ROLES
from pulumi_slurm.ack.service_roles import AckServiceRoles, AckServiceRolesArgs
from pulumi_slurm.errors import SpecError
from tests.components.conftest import Build, Registered

ROLE = "alicloud:ram/role:Role"
ATTACHMENT = "alicloud:ram/rolePolicyAttachment:RolePolicyAttachment"


def made(build: Build, token: str, **args: Any) -> list[Registered]:
    return [item for item in build(lambda: AckServiceRoles("roles", AckServiceRolesArgs(**args))) if item.typ == token]


def test_every_role_is_assumed_by_its_service_and_has_its_policy(build: Build) -> None:
    services = {
        item.inputs["roleName"]: json.loads(item.inputs["assumeRolePolicyDocument"])["Statement"][0]["Principal"]
        for item in made(build, ROLE)
    }
    assert services == {name: {"Service": [service]} for name, service in SERVICE_ROLES.items()}
    policies = {item.inputs["roleName"]: item.inputs["policyName"] for item in made(build, ATTACHMENT)}
    assert policies == {name: f"{name}Policy" for name in SERVICE_ROLES}


def test_roles_for_encryption_are_made_where_keys_are_named(build: Build) -> None:
    roles = {item.inputs["roleName"]: item for item in made(build, ROLE, for_encryption=list(KEY_ROLES))}
    assert roles.keys() - SERVICE_ROLES.keys() == KEY_ROLES.keys()
    trust = json.loads(roles["AliyunRDSInstanceEncryptionDefaultRole"].inputs["assumeRolePolicyDocument"])
    assert trust["Statement"][0]["Principal"] == {"Service": ["rds.aliyuncs.com"]}
    policies = {
        item.inputs["roleName"]: item.inputs["policyName"]
        for item in made(build, ATTACHMENT, for_encryption=list(KEY_ROLES))
    }
    assert {name: policies[name] for name in KEY_ROLES} == {
        "AliyunCSManagedSecurityRole": "AliyunCSManagedSecurityRolePolicy",
        "AliyunECSDiskEncryptDefaultRole": "AliyunECSDiskEncryptRolePolicy",
        "AliyunRDSInstanceEncryptionDefaultRole": "AliyunRDSInstanceEncryptionRolePolicy",
    }
    existing = made(build, ROLE, for_encryption=list(KEY_ROLES), existing=list(KEY_ROLES))
    assert {item.inputs["roleName"] for item in existing} == SERVICE_ROLES.keys()


def test_roles_that_exist_are_left_alone_and_all_stay_in_the_account(build: Build) -> None:
    roles = made(build, ROLE, existing=["AliyunCSDefaultRole"])
    assert {item.inputs["roleName"] for item in roles} == SERVICE_ROLES.keys() - {"AliyunCSDefaultRole"}
    assert all(item.retained for item in [*roles, *made(build, ATTACHMENT)])


def test_other_roles_are_refused() -> None:
    with pytest.raises(SpecError) as caught:
        AckServiceRolesArgs(existing=["AliyunCSDefaultRoll"])
    assert [str(error) for error in caught.value.errors] == [
        'existing[0] = "AliyunCSDefaultRoll": no service assumes a role of this name for a cluster. '
        'Did you mean "AliyunCSDefaultRole"?'
    ]

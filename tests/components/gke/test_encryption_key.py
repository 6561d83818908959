"""One key of Cloud KMS for all that takes one, and who may use it."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pytest

from pulumi_slurm_stacks import build as build_stack
from tests.clouds.gcp.google import KINDS
from tests.clouds.gcp.package import PACKAGE
from tests.clouds.simulator.wire import texts_at
from tests.components.conftest import Recorder, Registered, once_for_equal_settings, recorded, registered
from tests.components.order import all_before
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, read

KEY = "projects/keys/locations/us-east4/keyRings/slurm/cryptoKeys/slurm"
OTHER = "projects/keys/locations/us-east4/keyRings/slurm/cryptoKeys/etcd"
ANSWERS: dict[str, Mapping[str, Any]] = {
    "gcp:organizations/getProject:getProject": {"number": "123", "projectId": "my-project"},
    "gcp:storage/getProjectServiceAccount:getProjectServiceAccount": {
        "emailAddress": "service-123@gs-project-accounts.iam.gserviceaccount.com"
    },
    "train-scratch-lustre": {"mountPoint": "10.2.0.2@tcp:/lustrefs"},
}
MEMBER = "gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember"


def make_anew(gke: dict[str, Any]) -> list[Registered]:
    settings = shipped("gke-a3")
    settings["slurm:gke"] |= gke
    config, secrets = read({"slurm:rootKey": ROOT_KEY, **settings})
    return registered(recorded(lambda: build_stack(config, secrets), Recorder(ANSWERS)))


make = once_for_equal_settings(make_anew)


@pytest.fixture
def encrypted() -> list[Registered]:
    return make({"encryptionKey": KEY})


def test_all_that_takes_a_key_has_it_after_the_grant_to_its_service(encrypted: list[Registered]) -> None:
    assert PACKAGE.kinds is KINDS
    seen = set()
    for resource in encrypted:
        kind = KINDS.get(resource.typ)
        for place, domain in (kind.keys if kind else {}).items():
            assert [*texts_at(dict(resource.inputs), place)] == [KEY], resource.name
            member = f"serviceAccount:service-123@{domain}.iam.gserviceaccount.com"
            (grant,) = [one for one in encrypted if one.typ == MEMBER and one.inputs["member"] == member]
            assert grant.urn in all_before(resource.name, encrypted), resource.name
            seen.add(domain)
    assert len(seen) == 7


def test_grants_stay_when_the_cluster_goes(encrypted: list[Registered]) -> None:
    grants = [one for one in encrypted if one.typ == MEMBER]
    assert all(grant.retained and grant.inputs["cryptoKeyId"] == KEY for grant in grants)


def test_secrets_can_have_a_key_of_their_own() -> None:
    resources = make({"encryptionKey": KEY, "controlPlane": {"secretsEncryptionKey": OTHER}})
    (cluster,) = [one for one in resources if one.typ == "gcp:container/cluster:Cluster"]
    assert cluster.inputs["databaseEncryption"]["keyName"] == OTHER
    (of_gke,) = [one for one in resources if one.typ == MEMBER and "container-engine" in one.inputs["member"]]
    assert of_gke.inputs["cryptoKeyId"] == OTHER


def test_gke_is_granted_nothing_where_it_may_use_the_key_already() -> None:
    resources = make({"encryptionKey": KEY, "controlPlane": {"grantEncryptionKey": False}})
    assert not [one for one in resources if one.typ == MEMBER and "container-engine" in one.inputs["member"]]


def test_others_grant_where_they_manage_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    exported: dict[str, Any] = {}
    monkeypatch.setattr(pulumi, "export", exported.__setitem__)
    account = "nodes@my-project.iam.gserviceaccount.com"
    resources = make_anew({"encryptionKey": KEY, "manage": {"iam": False}, "nodeAccount": account})
    assert not [one for one in resources if one.typ == MEMBER]
    told: list[Any] = []
    recorded(lambda: pulumi.Output.from_input(exported["neededGrants"]).apply(told.append), Recorder())
    assert len([grant for grant in told[0] if grant["on"] == KEY]) == 7

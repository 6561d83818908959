"""RDS for slurmdbd."""

import base64
import re
from collections.abc import Mapping
from typing import Any

import pulumi
import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.ack import AckDatabase, AckDatabaseArgs
from pulumi_slurm.ack.database_password import database_password
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.slurm_spec import with_alibaba_services
from pulumi_slurm.errors import SpecError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.components.ack.requests import SECRET, requests_of
from tests.components.conftest import Build, Registered
from tests.stack_configuration import ROOT_KEY

REF = ClusterRef(name="hpc", namespace="jobs")
ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]
VSWITCHES = {zone: f"vsw-{zone}" for zone in ZONES}
HOST = "rm-0123456789.mysql.rds.aliyuncs.com"
OUTPUTS: dict[str, Mapping[str, Any]] = {
    "db-instance": {"connectionString": HOST},
    "alicloud:index/getAccount:getAccount": {"id": "1234567890123456"},
}
PASSWORD = database_password(ROOT_KEY, "hpc")


def ack(database: dict[str, Any], **more: Any) -> AckSpec:
    return AckSpec.model_validate(
        {"region": "cn-hangzhou", "zones": ZONES, "name": "ack", "database": database, **more}
    )


def make(spec: AckSpec) -> AckDatabase:
    assert spec.database
    args = AckDatabaseArgs(
        cluster=REF,
        database=spec.database,
        ack_cluster=spec.cluster_name,
        zones=spec.zones,
        node_vswitches=VSWITCHES,
        security_ips=plan_addresses(AckPlan.of(spec)).clients,
        root_key=ROOT_KEY,
        tags=spec.tags,
        deletion_protection=spec.deletion_protection,
    )
    return AckDatabase("db", args)


def resources_of(build: Build, database: dict[str, Any] | None = None, **more: Any) -> dict[str, Registered]:
    return {item.name: item for item in build(lambda: make(ack(database or {}, **more)), OUTPUTS)}


def test_one_instance_for_slurmdbd(build: Build) -> None:
    resources = resources_of(build, {"parameters": {"max_connections": "500"}}, tags={"team": "hpc"})
    instance = resources["db-instance"].inputs
    assert (instance["engine"], instance["engineVersion"], instance["category"]) == ("MySQL", "8.0", "Basic")
    assert (instance["instanceType"], instance["instanceStorage"]) == ("mysql.n2.medium.1", 20)
    assert (instance["zoneId"], instance["vswitchId"]) == ("cn-hangzhou-h", "vsw-cn-hangzhou-h")
    assert "zoneIdSlaveA" not in instance
    assert instance["parameters"] == [
        {"name": "innodb_lock_wait_timeout", "value": "900"},
        {"name": "max_connections", "value": "500"},
    ]
    assert instance["tags"] == {"team": "hpc"}
    assert resources["db-database"].inputs["dataBaseName"] == "slurm_acct_db"
    assert resources["db-privilege"].inputs == {
        "instanceId": "db-instance-id",
        "accountName": "slurm",
        "privilege": "ReadWrite",
        "dbNames": ["slurm_acct_db"],
    }
    assert "enableBackupLog" not in resources["db-backups"].inputs, "the Basic edition keeps no log"


@pytest.mark.parametrize("cni", ["terway", "flannel"])
def test_only_nodes_and_pods_may_connect(build: Build, cni: str) -> None:
    ranges = resources_of(build, control_plane={"cni": cni})["db-instance"].inputs["securityIps"]
    assert ranges == plan_addresses(AckPlan.of(ack({}, control_plane={"cni": cni}))).clients
    assert "0.0.0.0/0" not in ranges


def test_a_second_instance_in_another_zone(build: Build) -> None:
    resources = resources_of(build, {"highAvailability": True, "backupDays": 30, "backupTime": "23:00"})
    instance, backups = resources["db-instance"].inputs, resources["db-backups"].inputs
    assert (instance["category"], instance["instanceType"]) == ("HighAvailability", "mysql.n2.medium.2c")
    assert (instance["zoneId"], instance["zoneIdSlaveA"]) == ("cn-hangzhou-h", "cn-hangzhou-i")
    assert instance["vswitchId"] == "vsw-cn-hangzhou-h,vsw-cn-hangzhou-i"
    # The provider's list of hours ends so.
    assert backups["preferredBackupTime"] == "23:00Z-24:00Z"
    assert (backups["enableBackupLog"], backups["backupRetentionPeriod"], backups["logBackupRetentionPeriod"]) == (
        True,
        30,
        30,
    )


def test_slurmdbd_finds_it_under_the_name_in_its_configuration(build: Build) -> None:
    resources = resources_of(build)
    service = resources["db-service"]
    slurm = SlurmSpec(name="hpc", node_sets=[{"name": "a", "machine": {"cpus": 4, "memory": "8Gi"}}], accounting={})
    accounting = with_alibaba_services(AckPlan.of(ack({})), slurm, "hpc").accounting
    assert accounting
    assert service.kubernetes_name == accounting.database.host
    assert service.inputs["spec"] == {"type": "ExternalName", "externalName": HOST}
    assert service.inputs["metadata"]["namespace"] == "jobs"
    secret = resources["db-password"]
    reference = accounting.database.password_secret
    assert reference
    assert secret.kubernetes_name == reference.name
    assert secret.inputs["stringData"]["value"] == {reference.key: PASSWORD}
    assert resources["db-account"].inputs["accountName"] == accounting.database.user


def test_the_password_is_secret_and_the_same_on_both_sides() -> None:
    requests = requests_of(lambda: make(ack({})), OUTPUTS)
    holders = {key for key, request in requests.items() if PASSWORD in str(request.object)}
    assert holders == {"RdsAccount db-account", "Secret db-password"}
    for key in holders:
        for value in requests[key].object.values():
            if PASSWORD in str(value):
                assert SECRET in str(value), key


@given(st.binary(min_size=32, max_size=32), st.from_regex(r"[a-z][a-z0-9]{0,20}", fullmatch=True))
def test_rds_and_slurmdbd_take_every_password(key: bytes, cluster: str) -> None:
    password = database_password(base64.b64encode(key).decode(), cluster)
    assert 8 <= len(password) <= 32
    assert sum(bool(re.search(pattern, password)) for pattern in ("[A-Z]", "[a-z]", "[0-9]", "[!@#$%^&*()_+=-]")) >= 3
    assert re.fullmatch(r"[A-Za-z0-9_-]+", password), "nothing that slurmdbd.conf would need quotes for"


def test_accounting_goes_with_its_instance_and_never_before(build: Build) -> None:
    resources = resources_of(build)
    for name in ("db-database", "db-account", "db-privilege", "db-backups"):
        assert resources[name].retained, name
    assert not resources["db-instance"].retained


@pytest.mark.parametrize("protected", [True, False])
def test_it_is_protected_like_the_cluster(protected: bool) -> None:
    request = requests_of(lambda: make(ack({}, deletionProtection=protected)), OUTPUTS)["Instance db-instance"]
    assert request.protect is protected
    assert request.object["deletionProtection"] is protected


def test_only_the_disk_of_a_pair_of_instances_grows_automatically() -> None:
    basic = requests_of(lambda: make(ack({"diskGib": 50})), OUTPUTS)["Instance db-instance"]
    pair = requests_of(lambda: make(ack({"highAvailability": True})), OUTPUTS)["Instance db-instance"]
    growth = {"storageAutoScale", "storageThreshold", "storageUpperBound"}
    assert not growth & set(basic.object), "RDS refuses that for the Basic edition"
    assert list(basic.ignoreChanges) == [], "a larger diskGib enlarges it"
    assert growth <= set(pair.object)
    assert list(pair.ignoreChanges) == ["instanceStorage"]


def test_its_disk_is_encrypted_by_a_key_of_kms() -> None:
    request = requests_of(lambda: make(ack({"encryptionKey": "key-1"})), OUTPUTS)["Instance db-instance"]
    assert request.object["encryptionKey"] == "key-1"
    assert request.object["roleArn"] == "acs:ram::1234567890123456:role/aliyunrdsinstanceencryptiondefaultrole"
    assert "encryptionKey" in request.replaceOnChanges, "RDS keeps the disk as it was created"
    assert "roleArn" not in requests_of(lambda: make(ack({})), OUTPUTS)["Instance db-instance"].object


def test_outputs(build: Build) -> None:
    outputs: dict[str, Any] = {}

    def program() -> None:
        component = make(ack({}))
        pulumi.Output.all(component.host, component.secret_name, component.connection_string).apply(
            lambda values: outputs.update(values=list(values))
        )

    build(program, OUTPUTS)
    assert outputs["values"] == ["hpc-rds", "hpc-rds", HOST]


def test_a_second_instance_has_to_have_a_zone() -> None:
    with pytest.raises(SpecError) as caught:
        make(ack({"highAvailability": True}, zones=ZONES[:1]))
    assert [str(error) for error in caught.value.errors] == [
        "database.high_availability = true: its second instance would be in cn-hangzhou-h too, the only zone. Add a "
        "zone to zones, or leave high_availability out."
    ]

"""Cloud SQL for slurmdbd."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeDatabase, GkeDatabaseArgs
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.slurm_spec import with_google_services
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.components.conftest import Build, Registered
from tests.components.gke.requests import requests_of
from tests.components.loosely import loosely
from tests.stack_configuration import ROOT_KEY

GKE = GkeSpec.model_validate(
    {"project": "my-project", "region": "us-central1", "zones": ["us-central1-a"], "name": "gke", "database": {}}
)
REF = ClusterRef(name="hpc", namespace="jobs")
NETWORK = "projects/my-project/global/networks/gke"
ADDRESS = "10.1.2.5"
OUTPUTS: dict[str, Mapping[str, Any]] = {"sql-instance": {"name": "sql-instance-1234567", "privateIpAddress": ADDRESS}}
PASSWORD = derive(ROOT_KEY, "hpc", Purpose.DATABASE)


def sql(database: Any, **fields: Any) -> dict[str, Any]:
    defaults = {"project": "my-project", "region": "us-central1", "cluster": REF, "network_id": NETWORK}
    return {**defaults, "root_key": ROOT_KEY, "database": database, **fields}


def create(args: dict[str, Any]) -> GkeDatabase:
    return GkeDatabase("sql", GkeDatabaseArgs.model_validate(args))


def clear(value: Any) -> Any:
    """Return the value of a secret; fail for a value that isn't one."""
    assert pulumi.runtime.rpc.is_rpc_secret(value)
    return pulumi.runtime.rpc.unwrap_rpc_secret(value)


def resources_of(build: Build, database: dict[str, Any], **fields: Any) -> dict[str, Registered]:
    return {item.name: item for item in build(lambda: create(sql(database, **fields)), OUTPUTS)}


def test_the_instance_is_private_and_backed_up(build: Build) -> None:
    instance = resources_of(build, {}, labels={"team": "hpc"})["sql-instance"].inputs
    settings = instance["settings"]
    assert (instance["databaseVersion"], instance["region"]) == ("MYSQL_8_4", "us-central1")
    assert (settings["tier"], settings["edition"]) == ("db-custom-2-8192", "ENTERPRISE")
    assert settings["availabilityType"] == "ZONAL"
    assert settings["ipConfiguration"]["ipv4Enabled"] is False
    assert settings["ipConfiguration"]["privateNetwork"] == NETWORK
    assert settings["backupConfiguration"] == {"enabled": True, "binaryLogEnabled": True, "startTime": "03:00"}
    assert settings["userLabels"] == {"team": "hpc"}
    # Its name can't be used again for a week, so it is left to Pulumi.
    assert "name" not in instance


def test_a_last_backup_stays_after_the_instance(build: Build) -> None:
    kept = resources_of(build, {})["sql-instance"].inputs["settings"]
    assert kept["retainBackupsOnDelete"] is True
    assert kept["finalBackupConfig"] == {"enabled": True, "retentionDays": 30}
    none = resources_of(build, {"finalBackupDays": 0})["sql-instance"].inputs["settings"]
    assert (none["retainBackupsOnDelete"], none["finalBackupConfig"]) == (False, {"enabled": False})


def test_when_it_is_updated_and_how_far_it_grows(build: Build) -> None:
    plain = resources_of(build, {})["sql-instance"].inputs["settings"]
    assert not {"maintenanceWindow", "diskAutoresizeLimit"} & plain.keys()
    # Left out, it would stay on once it is on.
    assert plain["insightsConfig"] == {"queryInsightsEnabled": False}
    fields = {"maintenanceWindow": {"day": "Sunday", "hour": 4}, "maxDiskGib": 200, "queryInsights": True}
    settings = resources_of(build, fields)["sql-instance"].inputs["settings"]
    assert settings["maintenanceWindow"] == {"day": 7, "hour": 4}
    assert settings["diskAutoresizeLimit"] == 200
    assert settings["insightsConfig"] == {"queryInsightsEnabled": True}


def test_a_second_instance_in_another_zone(build: Build) -> None:
    settings = resources_of(build, {"highAvailability": True})["sql-instance"].inputs["settings"]
    assert settings["availabilityType"] == "REGIONAL"
    assert settings["backupConfiguration"]["binaryLogEnabled"] is True


def test_flags_of_slurmdbd_and_of_users(build: Build) -> None:
    settings = resources_of(build, {"flags": {"max_connections": "200"}})["sql-instance"].inputs["settings"]
    assert settings["databaseFlags"] == [
        {"name": "innodb_lock_wait_timeout", "value": "900"},
        {"name": "max_connections", "value": "200"},
    ]


def test_slurmdbd_s_configuration_matches_the_resources(build: Build) -> None:
    resources = resources_of(build, {})
    slurm = with_google_services(GkePlan.of(GKE), SlurmSpec.model_validate({"name": "hpc", "accounting": {}}), "hpc")
    assert slurm.accounting is not None
    configured = slurm.accounting.database
    assert configured.password_secret is not None
    service, slice_, secret = resources["sql-service"], resources["sql-endpoints"], resources["sql-password"]
    assert configured.host == service.kubernetes_name
    assert configured.port == service.inputs["spec"]["ports"][0]["port"]
    assert configured.password_secret.name == secret.kubernetes_name
    assert clear(secret.inputs["stringData"]) == {configured.password_secret.key: PASSWORD}
    user, database = resources["sql-user"].inputs, resources["sql-database"].inputs
    assert (user["name"], clear(user["password"]), user["host"]) == (configured.user, PASSWORD, "%")
    assert database["name"] == configured.name
    assert user["instance"] == database["instance"] == "sql-instance-1234567"
    assert "selector" not in service.inputs["spec"]
    assert slice_.inputs["metadata"]["labels"]["kubernetes.io/service-name"] == service.kubernetes_name
    assert slice_.inputs["endpoints"] == [{"addresses": [ADDRESS], "conditions": {"ready": True}}]
    assert slice_.inputs["ports"][0]["name"] == service.inputs["spec"]["ports"][0]["name"]
    assert {item.inputs["metadata"]["namespace"] for item in (service, slice_, secret)} == {"jobs"}


@pytest.mark.parametrize("as_output", [False, True])
def test_the_password_is_always_a_secret(as_output: bool) -> None:
    def program() -> None:
        create(sql({}, root_key=pulumi.Output.from_input(ROOT_KEY) if as_output else ROOT_KEY))

    requests = requests_of(program, OUTPUTS)
    holding = {name for name, request in requests.items() if PASSWORD in str(request.object)}
    assert holding == {"sql-user", "sql-password"}
    for name in holding:
        inputs = pulumi.runtime.rpc.deserialize_properties(requests[name].object)
        assert pulumi.runtime.rpc.is_rpc_secret(inputs["password" if name == "sql-user" else "stringData"])
    assert not [name for name, request in requests.items() if ROOT_KEY in str(request.object)]


@pytest.mark.parametrize("protected", [True, False])
def test_deletion_protection_keeps_accounting_data(protected: bool) -> None:
    requests = requests_of(lambda: create(sql({}, deletion_protection=protected)), OUTPUTS)
    instance = pulumi.runtime.rpc.deserialize_properties(requests["sql-instance"].object)
    assert requests["sql-instance"].protect is protected
    assert instance["deletionProtection"] is protected
    assert instance["settings"]["deletionProtectionEnabled"] is protected
    for name in ("sql-database", "sql-user"):
        inputs = pulumi.runtime.rpc.deserialize_properties(requests[name].object)
        assert inputs["deletionPolicy"] == "ABANDON"


def test_the_size_of_a_grown_disk_is_ignored() -> None:
    assert list(requests_of(lambda: create(sql({})), OUTPUTS)["sql-instance"].ignoreChanges) == ["settings.diskSize"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"database": None}, "database = null: this is not a mapping. "),
        ({"database": {"tier": ""}}, 'database.tier = "": '),
        ({"region": "us-central1-a"}, 'region = "us-central1-a": this is a zone.'),
        ({"labels": {"Team": "hpc"}}, 'labels.Team = "hpc": Google takes no such label.'),
    ],
)
def test_invalid_arguments(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        loosely(GkeDatabase)("sql", {**sql({}), **fields})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)

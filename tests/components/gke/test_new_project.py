"""A project that a stack makes: where it is, what is asked of it, and what comes after it."""

from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import Severity, SpecError
from pulumi_slurm.gke import GkeNewProject
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.rules import check_gke
from pulumi_slurm_stacks import build as build_stack
from tests.clouds.gcp.data_sources import subnetwork_answer
from tests.components.conftest import Recorder, Registered, recorded, registered
from tests.components.gke.existing import SUBNETWORK
from tests.components.gke.requests import requests_of
from tests.components.order import all_before, made_by
from tests.stack_configuration import ROOT_KEY, read

State = dict[str, Any]

PROJECT = "my-hpc-prod"
NEW: State = {"folder": "folders/123456789", "billingAccount": "0123AB-CDEF01-234567"}
NUMBER = "987654321098"
CPU: State = {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 4}
KEY = "projects/keys/locations/us-central1/keyRings/slurm/cryptoKeys/slurm"
SHARED_VPC: State = {
    "existing": {
        "project": "network-team",
        "network": "shared",
        "subnetwork": "batch",
        "podsRange": "batch-pods",
        "servicesRange": "batch-services",
    },
    "controlPlaneRange": "172.16.4.0/28",
}
GET_PROJECT = "gcp:organizations/getProject:getProject"
GET_PROJECTS = "gcp:projects/getProject:getProject"
GET_QUOTAS = "gcp:cloudquota/getSQuotaInfos:getSQuotaInfos"
GET_MACHINES = "gcp:compute/getMachineTypes:getMachineTypes"
GET_SUBNETWORK = "gcp:compute/getSubnetwork:getSubnetwork"
GET_STORAGE_AGENT = "gcp:storage/getProjectServiceAccount:getProjectServiceAccount"


class Google(Recorder):
    """A Google that knows no project with the id, or one in some state, and keeps what it was asked.

    It fails on every question that was not foreseen: those to the project itself.
    """

    def __init__(self, state: str | None = None, answers: State | None = None) -> None:
        projects = [{"projectId": "my-hpc-prod-2", "lifecycleState": "ACTIVE"}]
        if state:
            projects.append({"projectId": PROJECT, "lifecycleState": state})
        outputs: dict[str, Any] = {GET_PROJECTS: {"projects": projects}, "slurm-project": {"number": NUMBER}}
        super().__init__({**outputs, **(answers or {})})
        self.asked: list[str] = []

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        self.asked.append(args.token)
        return super().call(args)


def settings(**gke: Any) -> State:
    place = {"project": PROJECT, "region": "us-central1", "zones": ["us-central1-b"]}
    return {
        "slurm:kind": "gke",
        "slurm:rootKey": ROOT_KEY,
        "slurm:gke": {**place, "newProject": NEW, "pools": [CPU], **gke},
        "slurm:cluster": {
            "name": "slurm",
            "accounting": {} if "database" in gke else None,
            "nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 1}],
            "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
        },
    }


def built(google: Google, **gke: Any) -> list[Registered]:
    config, secrets = read(settings(**gke))
    return registered(recorded(lambda: build_stack(config, secrets), google))


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_, **__: lines.append(text))
    return lines


def one(resources: list[Registered], typ: str) -> Registered:
    (found,) = [resource for resource in resources if resource.typ == typ]
    return found


def test_the_project_is_where_it_is_said_to_be() -> None:
    labels = {"cost": "research"}
    resources = built(Google(), newProject={**NEW, "name": "HPC prod", "labels": {"team": "hpc"}}, labels=labels)
    assert one(resources, "gcp:organizations/project:Project").inputs == {
        "projectId": PROJECT,
        "name": "HPC prod",
        "folderId": "123456789",
        "billingAccount": "0123AB-CDEF01-234567",
        "labels": {"cost": "research", "team": "hpc"},
        "autoCreateNetwork": False,
        "deletionPolicy": "PREVENT",
    }
    of_organization = {"organization": "organizations/42", "billingAccount": NEW["billingAccount"]}
    inputs = one(built(Google(), newProject=of_organization), "gcp:organizations/project:Project").inputs
    assert (inputs["orgId"], inputs["name"]) == ("42", PROJECT)
    assert "folderId" not in inputs


@pytest.mark.parametrize(
    ("policy", "protection", "protected"),
    [
        ("PREVENT", True, True),
        ("PREVENT", False, True),
        ("ABANDON", True, True),
        ("ABANDON", False, False),
        ("DELETE", True, True),
        ("DELETE", False, False),
    ],
)
def test_a_destroy_is_refused_before_anything_goes(policy: str, protection: bool, protected: bool) -> None:
    new: Any = {**NEW, "deletionPolicy": policy}
    request = requests_of(
        lambda: GkeNewProject("hpc", {"project": PROJECT, "new_project": new, "deletion_protection": protection})
    )["hpc-project"]
    assert request.protect is protected


def test_everything_comes_after_the_project_and_its_apis() -> None:
    resources = built(Google(), registry={}, database={}, encryptionKey=KEY)
    first = made_by({"GkeNewProject"}, resources)
    apis = made_by({"GkeServices"}, resources)
    assert first
    assert apis
    for resource in resources:
        if resource.typ.startswith("gcp:") and resource.urn not in first:
            assert first <= all_before(resource.name, resources), resource.urn
            if resource.urn not in apis:
                assert apis <= all_before(resource.name, resources), resource.urn


def test_nothing_is_asked_of_a_project_that_is_not_there(shown: list[str]) -> None:
    reserved = {
        "name": "a3",
        "machineType": "a3-megagpu-8g",
        "capacity": "reservation",
        "reservation": "ours",
        "nodes": 2,
    }
    google = Google()
    key = f"projects/{PROJECT}/locations/us-central1/keyRings/slurm/cryptoKeys/slurm"
    account = f"nodes@{PROJECT}.iam.gserviceaccount.com"
    built(google, preflight=True, pools=[CPU, reserved], nodeAccount=account, encryptionKey=key)
    assert google.asked == [GET_PROJECTS]
    waiting = [line for line in shown if "isn't there yet" in line]
    assert [line.partition(": ")[0] for line in waiting] == [
        f'slurm:gke.nodeAccount = "{account}"',
        "slurm:gke.encryptionKey",
        "preflight = true",
        'pools[1].reservation = "ours"',
    ]


def test_a_project_that_is_there_is_looked_at(shown: list[str]) -> None:
    sizes = (("n2-standard-8", 8), ("e2-standard-4", 4))
    machines = [{"name": name, "guestCpus": cpus, "memoryMb": cpus * 4096} for name, cpus in sizes]
    google = Google("ACTIVE", {GET_QUOTAS: {"quotaInfos": []}, GET_MACHINES: {"machineTypes": machines}})
    built(google, preflight=True)
    assert google.asked == [GET_PROJECTS, GET_QUOTAS, GET_MACHINES]
    assert [line for line in shown if "isn't there yet" in line] == []


def test_the_id_of_a_project_that_is_being_deleted_is_refused() -> None:
    with pytest.raises(SpecError) as raised:
        built(Google("DELETE_REQUESTED"))
    assert [str(error) for error in raised.value.errors] == [
        f'slurm:gke.project = "{PROJECT}": a project with this id is being deleted, which takes 30 days: its state is '
        f"DELETE_REQUESTED. Restore it, gcloud projects undelete {PROJECT}, and import it; or write another id."
    ]


def test_its_service_agents_are_named_by_its_number() -> None:
    bucket = {"name": "data", "mountPath": "/data", "bucket": {}}
    agent = f"service-{NUMBER}@gs-project-accounts.iam.gserviceaccount.com"
    google = Google(answers={GET_STORAGE_AGENT: {"emailAddress": agent}})
    resources = built(google, encryptionKey=KEY, storage=[bucket], database={})
    assert google.asked == [GET_PROJECTS, GET_STORAGE_AGENT]
    members = {
        resource.inputs["member"] for resource in resources if resource.typ.startswith("gcp:kms/cryptoKeyIAMMember")
    }
    assert f"serviceAccount:service-{NUMBER}@container-engine-robot.iam.gserviceaccount.com" in members
    assert all(NUMBER in member for member in members)
    assert len(members) == 4


def test_it_becomes_a_service_project_of_a_shared_vpc(shown: list[str]) -> None:
    google = Google(answers={GET_SUBNETWORK: subnetwork_answer(SUBNETWORK)})
    resources = built(google, network=SHARED_VPC)
    assert google.asked == [GET_SUBNETWORK, GET_PROJECTS], "of the host project, which is there"
    attachment = one(resources, "gcp:compute/sharedVPCServiceProject:SharedVPCServiceProject")
    assert attachment.inputs == {"hostProject": "network-team", "serviceProject": PROJECT}
    cluster = one(resources, "gcp:container/cluster:Cluster")
    assert attachment.urn in all_before(cluster.name, resources)
    (warning,) = [line for line in shown if "sharedVpcGrants" in line]
    assert warning.startswith("slurm:gke.network.existing.grantAccess = false: Google's service agents of the project")

    shown.clear()
    granting = {**SHARED_VPC, "existing": {**SHARED_VPC["existing"], "grantAccess": True}}
    resources = built(google, network=granting)
    members = {resource.inputs["member"] for resource in resources if "subnetworkIAMMember" in resource.typ}
    assert members == {
        f"serviceAccount:service-{NUMBER}@container-engine-robot.iam.gserviceaccount.com",
        f"serviceAccount:{NUMBER}@cloudservices.gserviceaccount.com",
    }
    assert [line for line in shown if "sharedVpcGrants" in line] == []


def test_a_project_that_exists_is_not_attached() -> None:
    google = Google(answers={GET_SUBNETWORK: subnetwork_answer(SUBNETWORK), GET_PROJECT: {"number": "1"}})
    types = {resource.typ for resource in built(google, newProject=None, network=SHARED_VPC)}
    assert not {"gcp:compute/sharedVPCServiceProject:SharedVPCServiceProject", "slurm:index:GkeNewProject"} & types
    assert GET_PROJECTS not in google.asked


def test_others_who_grant_wait_for_the_project(shown: list[str]) -> None:
    account = "nodes@other-project.iam.gserviceaccount.com"
    built(Google(), manage={"iam": False}, nodeAccount=account, encryptionKey=KEY)
    (warning,) = [line for line in shown if "neededGrants" in line]
    assert warning.startswith("slurm:gke.manage.iam = false: Google's service agents of the project come with it")


def test_words_that_google_restricts_are_warned_of() -> None:
    spec = GkeSpec.model_validate({**settings()["slurm:gke"], "project": "ssl-lab-google"})
    warnings = [error for error in check_gke(spec) if error.severity is Severity.WARNING]
    assert [(str(error).partition(". ")[0], error.code) for error in warnings] == [
        (
            f'project = "ssl-lab-google": Google makes no project whose id has "{word}" in it',
            "gke-new-projects-have-a-new-id",
        )
        for word in ("google", "ssl")
    ]

"""A stack that makes its project too, in a folder, from the first preview to a destroy.

Until the project is there the simulated Google answers no question about it, and none that takes an API before that is
on. The VPC is that of another project, of which the new one becomes a service project.
"""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.clouds.engine import EngineClient
from tests.clouds.gcp.examples import NETWORK, PROJECT, REGION, SUBNETWORK
from tests.clouds.gcp.google import KEY_MEMBER, NEW_PROJECT
from tests.clouds.gcp.package import PACKAGE
from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import Settings, made_up
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.surroundings import CloudProgram
from tests.clouds.whole_life import Made, made_in, untouched
from tests.e2e.objects import Objects, ready
from tests.waiting import eventually

NAME = "fresh"
OURS = "fresh-project"
KEY = f"projects/{PROJECT}/locations/{REGION}/keyRings/ring/cryptoKeys/key"
SERVICE = "gcp:projects/service:Service"
SHARED_VPC = {
    "project": PROJECT,
    "network": "shared",
    "subnetwork": "batch",
    "podsRange": "pods",
    "servicesRange": "services",
    "grantAccess": True,
}
STAYS = {KEY_MEMBER, "gcp:compute/subnetworkIAMMember:SubnetworkIAMMember", "gcp:projects/iAMMember:IAMMember"}
"""What Google's service agents are granted elsewhere."""


@pytest.fixture
def before(google: Google) -> Iterator[Made]:
    """What there is in the host project."""
    with EngineClient(PACKAGE, google.cloud, project=PROJECT, region=REGION) as client:
        for api in ("compute", "container", "cloudkms"):
            client.create(SERVICE, service=f"{api}.googleapis.com")
        client.create(NETWORK, name="shared", autoCreateSubnetworks=False)
        client.create(
            SUBNETWORK,
            name="batch",
            network=f"projects/{PROJECT}/global/networks/shared",
            ipCidrRange="10.0.0.0/20",
            secondaryIpRanges=[
                {"rangeName": "pods", "ipCidrRange": "10.64.0.0/14"},
                {"rangeName": "services", "ipCidrRange": "10.8.0.0/20"},
            ],
            privateIpGoogleAccess=True,
        )
        yield existing(google.cloud)


def existing(cloud: Cloud) -> Made:
    """Return what there is, but for APIs, which have the same names in each project."""
    return {key: state for key, state in made_in(cloud).items() if key[0] != SERVICE}


def settings(**new_project: Any) -> Settings:
    """A stack with all that names Google's service agents of the project: a Shared VPC, a key, a bucket."""
    made = made_up(
        [{"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 2}],
        name=NAME,
        namespace=NAME,
        nodeSets=[{"name": "cpu", "pool": "cpu", "replicas": 1}],
        partitions=[{"name": "main", "nodeSets": ["ALL"], "default": True}],
    )
    made["slurm:gke"] |= {
        "project": OURS,
        "newProject": {"folder": "folders/42", "billingAccount": "0123AB-CDEF01-234567", **new_project},
        "network": {"existing": SHARED_VPC, "controlPlaneRange": "172.16.4.0/28"},
        "encryptionKey": KEY,
        "storage": [{"name": "data", "mountPath": "/data", "bucket": {}}],
        "preflight": True,
        "deletionProtection": False,
    }
    return made


@pytest.mark.repeats("tests/components/gke/test_new_project.py, on the simulated cloud")
def test_a_stack_makes_its_project(google: Google, before: Made, objects: Objects, tmp_path: Any) -> None:
    cloud = google.cloud
    program = CloudProgram(google, tmp_path / NAME, stack=NAME)

    # The first preview: nothing is there, and nothing of it is asked.
    preview = program.preview(settings())
    assert "the project isn't there yet, so its quotas are not compared" in preview.output
    assert "Permission denied" not in preview.output
    assert existing(cloud) == before

    program.configure(settings())
    cloud.fault("billing", "Project")
    refused = program.up(check=False)
    assert 'missing permission on "billingAccounts/0123AB-CDEF01-234567"' in refused.output
    assert "Traceback" not in refused.output
    assert existing(cloud) == before

    program.up()
    eventually(
        "a worker",
        lambda: {pod["metadata"]["name"] for pod in objects.all("Pod", NAME) if ready(pod)},
        lambda names: f"{NAME}-worker-cpu-0" in names,
    )
    project = cloud.find("Project", OURS).state
    assert (project["folderId"], project["deletionPolicy"]) == ("42", "PREVENT")
    assert [state["name"] for (token, _), state in made_in(cloud).items() if token == NETWORK] == ["shared"]
    members = {state["member"] for (token, _), state in made_in(cloud).items() if token == KEY_MEMBER}
    assert len(members) == 3
    assert all(project["number"] in member for member in members)

    # Now the project can be asked, and hasn't got the API for that.
    unchanged = program.up(None, "--refresh", "--expect-no-changes")
    assert unchanged.changes == {}
    assert "Cloud Quotas API has not been used in project fresh-project" in unchanged.output

    # A project moves, and has other labels, without anything else being touched.
    began = len(cloud.done())
    program.up(settings(folder="folders/43", name="Fresh project", labels={"team": "hpc"}))
    assert [(one["operation"], one["name"]) for one in cloud.done()[began:]] == [("update", OURS)]
    assert cloud.find("Project", OURS).state["folderId"] == "43"

    check_that_it_is_protected(program, google)

    program.up(settings(deletionPolicy="DELETE"))
    program.destroy()
    assert {token for token, _ in existing(cloud).keys() - before.keys()} <= STAYS
    assert [key for token, key in made_in(cloud) if token == SERVICE and key.startswith(OURS)] == []
    untouched(cloud, before)
    again = program.preview(settings(), check=False)
    assert f'slurm:gke.project = "{OURS}": a project with this id is being deleted' in again.output
    assert "Traceback" not in again.output


def check_that_it_is_protected(program: CloudProgram, google: Google) -> None:
    """A destroy, and a configuration that no longer has the project, are refused before anything goes."""
    there = made_in(google.cloud)
    assert "it is protected" in program.run("destroy", "--yes", check=False).output
    assert made_in(google.cloud) == there
    without = copy.deepcopy(settings())
    del without["slurm:gke"]["newProject"]
    assert "it is protected" in program.preview(without, check=False).output


@pytest.mark.repeats("tests/components/gke/test_new_project.py, on the simulated cloud")
def test_a_project_can_stay(google: Google, before: Made, tmp_path: Any) -> None:
    cloud = google.cloud
    program = CloudProgram(google, tmp_path / NAME, stack=NAME)
    wanted = settings(deletionPolicy="ABANDON")
    for field in ("encryptionKey", "storage", "preflight"):
        del wanted["slurm:gke"][field]
    wanted["slurm:gke"]["network"]["existing"] = {**SHARED_VPC, "grantAccess": False}
    failed = program.up(wanted, check=False)
    assert "slurm:gke.network.existing.grantAccess = false: Google's service agents of the project" in failed.output
    assert "lacks compute.subnetworks.use" in failed.output, "nobody has granted it anything"
    number = cloud.find("Project", OURS).state["number"]
    assert f"{number}@cloudservices.gserviceaccount.com" in program.preview().output, "the grants to make"
    program.destroy()
    assert {token for token, _ in existing(cloud).keys() - before.keys()} == {NEW_PROJECT}
    assert [key for token, key in made_in(cloud) if token == SERVICE and key.startswith(OURS)] != []
    untouched(cloud, before)

"""Which of Google's APIs are enabled."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.services import google_services
from pulumi_slurm.gke.services import GkeServices, GkeServicesArgs
from tests.components.conftest import Build

BARE: dict[str, Any] = {
    "project": "my-project",
    "region": "us-central1",
    "zones": ["us-central1-a"],
    "name": "hpc",
    "network": {"sshFromIap": False},
    "controlPlane": {"dns": "kube-dns"},
}
ALWAYS = {"compute", "container", "containerfilesystem", "cloudresourcemanager", "iam", "logging", "monitoring"}


def enabled(build: Build, **fields: Any) -> set[str]:
    spec = GkeSpec.model_validate({**BARE, **fields})
    args = GkeServicesArgs(project=spec.project, services=google_services(GkePlan.of(spec)))
    resources = [item for item in build(lambda: GkeServices("hpc", args)) if item.typ == "gcp:projects/service:Service"]
    assert all(item.inputs["project"] == "my-project" for item in resources)
    assert all(item.inputs["disableOnDestroy"] is False for item in resources), "others in the project may use them"
    names = [item.inputs["service"] for item in resources]
    assert len(names) == len(set(names))
    assert all(name.endswith(".googleapis.com") for name in names)
    return {name.removesuffix(".googleapis.com") for name in names}


def storage(**service: Any) -> dict[str, Any]:
    return {"storage": [{"name": "data", "mountPath": "/data", **service}]}


@pytest.mark.parametrize(
    ("fields", "additional"),
    [
        ({}, set()),
        ({"controlPlane": {}}, {"dns"}),
        ({"network": {}}, {"iap"}),
        ({"registry": {}}, {"artifactregistry"}),
        (storage(filestore={}), {"file", "servicenetworking"}),
        (storage(lustre={}), {"lustre", "servicenetworking"}),
        (storage(bucket={}), {"storage", "iamcredentials"}),
        ({"database": {}}, {"sqladmin", "servicenetworking"}),
        ({"database": {}, **storage(lustre={})}, {"sqladmin", "lustre", "servicenetworking"}),
        (
            {
                "controlPlane": {
                    "dns": "kube-dns",
                    "secretsEncryptionKey": "projects/p/locations/us-central1/keyRings/k/cryptoKeys/c",
                }
            },
            {"cloudkms"},
        ),
    ],
)
def test_only_what_the_cluster_needs_is_enabled(build: Build, fields: dict[str, Any], additional: set[str]) -> None:
    assert enabled(build, **fields) == ALWAYS | additional


def test_nothing_is_enabled_if_apis_are_managed_elsewhere(build: Build) -> None:
    assert enabled(build, manage={"services": False}, database={}, registry={}) == set()


@pytest.mark.parametrize(
    ("services", "expected"),
    [
        (["container"], 'services[0] = "container": this is not the name of an API. '),
        (["iam.googleapis.com"] * 2, 'services[1] = "iam.googleapis.com": this API is named before. '),
    ],
)
def test_invalid_arguments(services: list[str], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        GkeServices("hpc", {"project": "my-project", "services": services})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)

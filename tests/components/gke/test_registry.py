"""Repositories for images."""

from typing import Any

import pulumi
import pytest
from pulumi_gcp.artifactregistry import (
    RepositoryCleanupPolicyArgsDict,
    RepositoryDockerConfigArgsDict,
    RepositoryRemoteRepositoryConfigArgsDict,
)

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeRegistry, GkeRegistryArgs
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.images import own_repository, slinky_images
from pulumi_slurm.model.images import Daemon, ImagesSpec
from tests.components.conftest import Build, Registered
from tests.components.loosely import loosely

REPOSITORY = "gcp:artifactregistry/repository:Repository"


def gke(registry: dict[str, Any] | None, **fields: Any) -> GkeSpec:
    defaults = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-a"], "name": "hpc"}
    return GkeSpec.model_validate({**defaults, "registry": registry, **fields})


def args_of(spec: GkeSpec) -> GkeRegistryArgs:
    assert spec.registry
    return GkeRegistryArgs(
        project=spec.project,
        region=spec.region,
        repository_id=own_repository(GkePlan.of(spec)),
        registry=spec.registry,
        labels=spec.labels,
    )


def repositories(build: Build, spec: GkeSpec) -> dict[str, Registered]:
    resources = build(lambda: GkeRegistry("hpc", args_of(spec)))
    return {item.name: item for item in resources if item.typ == REPOSITORY}


def test_own_images_and_a_cache_of_slinkys(build: Build) -> None:
    resources = repositories(build, gke({}, labels={"team": "hpc"}))
    repository, cache = resources["hpc-images"].inputs, resources["hpc-slinky"].inputs
    assert (repository["repositoryId"], repository["format"]) == ("hpc", "DOCKER")
    assert repository["location"] == "us-central1"
    assert repository["dockerConfig"] == {"immutableTags": True}
    assert (cache["repositoryId"], cache["mode"]) == ("hpc-slinky", "REMOTE_REPOSITORY")
    assert cache["remoteRepositoryConfig"]["commonRepository"] == {"uri": "https://ghcr.io"}
    assert {item.inputs["labels"]["team"] for item in resources.values()} == {"hpc"}


def test_tags_of_the_cache_follow_those_at_slinky(build: Build) -> None:
    assert "dockerConfig" not in repositories(build, gke({"immutableTags": True}))["hpc-slinky"].inputs


def test_untagged_versions_are_deleted_but_not_the_newest(build: Build) -> None:
    for repository in repositories(build, gke({"keepVersions": 3})).values():
        assert repository.inputs["cleanupPolicies"] == [
            {"id": "keep-newest", "action": "KEEP", "mostRecentVersions": {"keepCount": 3}},
            {
                "id": "delete-untagged",
                "action": "DELETE",
                "condition": {"tagState": "UNTAGGED", "olderThan": "604800s"},
            },
        ]


def test_without_a_cache_there_is_one_repository(build: Build) -> None:
    spec = gke({"cacheSlinky": False})
    assert list(repositories(build, spec)) == ["hpc-images"]
    assert slinky_images(GkePlan.of(spec)) is None


@pytest.mark.parametrize(
    ("project", "path"), [("my-project", "my-project"), ("example.com:my-project", "example.com/my-project")]
)
def test_images_lie_in_the_region_and_the_project(build: Build, project: str, path: str) -> None:
    spec = gke({}, project=project)
    assert outputs(build, spec)["url"] == f"us-central1-docker.pkg.dev/{path}/hpc"
    registry = slinky_images(GkePlan.of(spec))
    assert registry is not None
    image = ImagesSpec(registry=registry).of(Daemon.SLURMD, "25.11")
    assert image == f"us-central1-docker.pkg.dev/{path}/hpc-slinky/slinkyproject/slurmd:25.11-ubuntu24.04"


def test_outputs_are_the_addresses_of_images(build: Build) -> None:
    url = "us-central1-docker.pkg.dev/my-project/hpc"
    assert outputs(build, gke({})) == {"url": url, "slinky": slinky_images(GkePlan.of(gke({})))}


def outputs(build: Build, spec: GkeSpec) -> dict[str, Any]:
    """Return the component's outputs."""
    values: dict[str, Any] = {}

    def program() -> None:
        registry = GkeRegistry("hpc", args_of(spec))
        pulumi.Output.all(url=registry.url, slinky=registry.slinky_images).apply(values.update)

    build(program)
    return values


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"registry": None}, "registry = null: this is not a mapping. "),
        ({"region": "europe"}, 'region = "europe": this is not a region. '),
        ({"repository_id": "Images"}, 'repository_id = "Images": '),
    ],
)
def test_invalid_arguments(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        loosely(GkeRegistry)("hpc", {**dict(args_of(gke({}))), **fields})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)


@pytest.mark.parametrize(
    ("field", "sdk_type"),
    [
        ("cleanupPolicies", RepositoryCleanupPolicyArgsDict),
        ("dockerConfig", RepositoryDockerConfigArgsDict),
        ("remoteRepositoryConfig", RepositoryRemoteRepositoryConfigArgsDict),
    ],
)
def test_googles_sdk_has_every_field(build: Build, field: str, sdk_type: Any) -> None:
    values = [item.inputs[field] for item in repositories(build, gke({})).values() if field in item.inputs]
    fields_in_use = {
        key for value in values for part in (value if isinstance(value, list) else [value]) for key in part
    }
    names = {
        "".join([word, *map(str.title, words)]) for word, *words in (key.split("_") for key in sdk_type.__annotations__)
    }
    assert fields_in_use
    assert fields_in_use <= names

"""GKE's own Slurm operator in place of ours: the same cluster of the same objects, and nothing of ours to run it."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import OPERATOR_VERSION, PLACE, Settings
from tests.clouds.surroundings import CloudProgram
from tests.e2e.objects import Object, Objects, ready
from tests.e2e.program import Run
from tests.e2e.waiting import eventually

NAME = "addon"
FIRST_VERSION = "1.35.2-gke.1842000"
"""The first with the add-on."""


def settings(operator: str) -> Settings:
    return {
        "slurm:kind": "gke",
        "slurm:gke": {
            **PLACE,
            "slurmOperator": operator,
            "controlPlane": {"releaseChannel": "RAPID", "version": FIRST_VERSION},
            "pools": [{"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 2}],
        },
        "slurm:cluster": {
            "name": NAME,
            "operatorVersion": OPERATOR_VERSION,
            "nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 1}],
            "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
            "loginSets": [{"name": "login"}],
            "identity": {"directory": {}},
        },
    }


@dataclass
class Seen:
    """Previews from nothing with either operator, a cluster with GKE's, and the preview of ours in its place."""

    ours: Run
    googles: Run
    addons: Object
    state: set[str]
    """Types of the resources of the cluster with GKE's operator."""
    workers: list[Object]
    switched: Run


@pytest.fixture(scope="module")
def seen(module_google: Google, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    program = CloudProgram(module_google, tmp_path_factory.mktemp(NAME), stack=NAME)
    ours = program.preview(settings("slinky"))
    googles = program.preview(settings("gke-addon"))
    program.up()
    # The embedded cluster's operator stands in for Google's.
    workers = eventually("workers", lambda: [pod for pod in objects.all("Pod", "slurm") if of_cpu(pod) and ready(pod)])
    addons = module_google.cloud.find("Cluster", NAME).state["addonsConfig"]
    state = {each["type"] for each in program.resources()}
    # Charts can't be rendered here, so this time ours is said to be there.
    switched = program.preview({**settings("slinky"), "slurm:operator": {"preinstalled": True}})
    return Seen(ours, googles, addons, state, workers, switched)


def of_cpu(pod: Object) -> bool:
    return bool(pod["metadata"]["name"].startswith(f"{NAME}-worker-cpu-"))


def kubernetes(run: Run) -> dict[str, Any]:
    """Return the inputs of the Kubernetes objects of a preview from nothing, by type and name."""
    found = {}
    for event in run.events:
        metadata = event.get("resourcePreEvent", {}).get("metadata", {})
        if metadata.get("op") == "create" and metadata["type"].startswith("kubernetes:"):
            found[metadata["urn"].rpartition("$")[2]] = metadata["new"]["inputs"]
    return found


def test_gke_is_told_to_run_the_operator(seen: Seen) -> None:
    assert seen.addons["slurmOperatorConfig"] == {"enabled": True}


def test_node_sets_get_ready(seen: Seen) -> None:
    assert len(seen.workers) == 1


def test_we_install_nothing_of_the_operators(seen: Seen) -> None:
    assert "slurm:index:SlurmCluster" in seen.state
    assert not {each for each in seen.state if each == "slurm:index:SlinkyOperator" or ":helm.sh/" in each}


def test_the_same_objects_are_made_with_either_operator(seen: Seen) -> None:
    ours, googles = kubernetes(seen.ours), kubernetes(seen.googles)
    assert {key.rpartition("::")[0].rpartition(":")[2] for key in googles} >= {"Controller", "NodeSet", "LoginSet"}
    assert {key: value for key, value in ours.items() if not key.rpartition("::")[2].startswith("slinky")} == googles
    assert {key.rpartition("::")[2] for key in ours.keys() - googles.keys()} == {
        "slinky-cert-manager",
        "slinky-cert-manager-namespace",
        "slinky-crds",
        "slinky-namespace",
        "slinky-operator",
    }


def test_to_have_ours_instead_changes_only_the_cluster_in_place(seen: Seen) -> None:
    assert seen.switched.changes == {"update": 2}, str(seen.switched)
    assert seen.switched.resources("update") == {NAME, f"{NAME}-cluster"}

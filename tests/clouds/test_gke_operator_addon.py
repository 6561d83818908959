"""GKE's Slurm operator add-on instead of Slinky's charts: the same objects, and no operator installed."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import OPERATOR_VERSION, PLACE, Settings
from tests.clouds.surroundings import CloudProgram
from tests.e2e.objects import Object, Objects, ready
from tests.e2e.program import Run
from tests.waiting import eventually

pytestmark = pytest.mark.repeats("tests/components/gke/test_stack.py, on the simulated cloud")

NAME = "addon"
SLINKY = f"{NAME}-slinky"
"""The component of slurm-operator."""
FIRST_VERSION = "1.35.2-gke.1842000"
"""The first version with the add-on."""


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
            # With the add-on there are none.
            "networkPolicies": {"enabled": False},
        },
    }


@dataclass
class AddonRuns:
    """Previews of a new stack with either operator, a cluster with GKE's, and the preview of a switch to Slinky's."""

    with_slinky: Run
    with_addon: Run
    addons: Object
    state: set[str]
    """Types of the resources of the cluster with GKE's operator."""
    workers: list[Object]
    switched: Run


@pytest.fixture(scope="module")
def runs(module_google: Google, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> AddonRuns:
    program = CloudProgram(module_google, tmp_path_factory.mktemp(NAME), stack=NAME)
    with_slinky = program.preview(settings("slinky"))
    with_addon = program.preview(settings("gke-addon"))
    program.up()
    # The embedded cluster's operator takes the role of Google's.
    of_the_set = eventually(
        "a worker that is ready",
        lambda: [pod for pod in objects.all("Pod", "slurm") if of_cpu(pod)],
        lambda found: any(map(ready, found)),
    )
    workers = [pod for pod in of_the_set if ready(pod)]
    addons = module_google.cloud.find("Cluster", NAME).state["addonsConfig"]
    state = {resource["type"] for resource in program.resources()}
    # Charts can't be rendered here, so the operator counts as preinstalled.
    switched = program.preview({**settings("slinky"), "slurm:operator": {"preinstalled": True}})
    return AddonRuns(with_slinky, with_addon, addons, state, workers, switched)


def of_cpu(pod: Object) -> bool:
    return bool(pod["metadata"]["name"].startswith(f"{NAME}-worker-cpu-"))


def kubernetes(run: Run) -> dict[str, Any]:
    """Return the inputs of the Kubernetes objects in the preview of a new stack, by type and name."""
    inputs = {}
    for event in run.events:
        metadata = event.get("resourcePreEvent", {}).get("metadata", {})
        if metadata.get("op") == "create" and metadata["type"].startswith("kubernetes:"):
            inputs[metadata["urn"].rpartition("$")[2]] = metadata["new"]["inputs"]
    return inputs


def test_gke_runs_the_operator(runs: AddonRuns) -> None:
    assert runs.addons["slurmOperatorConfig"] == {"enabled": True}


def test_node_sets_get_ready(runs: AddonRuns) -> None:
    assert len(runs.workers) == 1


def test_no_operator_is_installed(runs: AddonRuns) -> None:
    assert "slurm:index:SlurmCluster" in runs.state
    assert not {token for token in runs.state if token == "slurm:index:SlinkyOperator" or ":helm.sh/" in token}


def test_the_same_objects_are_created_with_either_operator(runs: AddonRuns) -> None:
    slinky, addon = kubernetes(runs.with_slinky), kubernetes(runs.with_addon)
    assert {key.rpartition("::")[0].rpartition(":")[2] for key in addon} >= {"Controller", "NodeSet", "LoginSet"}
    assert {key: value for key, value in slinky.items() if not key.rpartition("::")[2].startswith(SLINKY)} == addon
    assert {key.rpartition("::")[2] for key in slinky.keys() - addon.keys()} == {
        f"{SLINKY}-cert-manager",
        f"{SLINKY}-cert-manager-namespace",
        f"{SLINKY}-crds",
        f"{SLINKY}-namespace",
        f"{SLINKY}-operator",
    }


def test_a_switch_to_slinky_only_changes_the_cluster_in_place(runs: AddonRuns) -> None:
    # The components of the cluster and of all show their arguments.
    assert runs.switched.changes == {"update": 3}, str(runs.switched)
    assert runs.switched.resources("update") == {NAME, f"{NAME}-cluster"}

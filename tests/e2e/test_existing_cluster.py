"""A stack of kind `kubernetes` on a cluster that somebody else runs, with the operator on it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.cluster import CONTEXT, Cluster
from devcluster.nodes import NodeShape
from devcluster.toolchain import Toolchain
from pulumi_slurm.providers.provider import INSTANCE_TYPE
from tests.e2e.conftest import NewProgram, dispose
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.e2e.stack_settings import small
from tests.unit.importing.command_line import run

NAME = "existing"


def test_context_and_kubeconfig_of_the_users_choice(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path
) -> None:
    objects.namespace(NAME)
    # Another context is current, so only the one that is named can work.
    data = yaml.safe_load(cluster.kubeconfig.read_text())
    data["contexts"].append({"name": "elsewhere", "context": {"cluster": "elsewhere", "user": "nobody"}})
    data["current-context"] = "elsewhere"
    (tmp_path / "first").write_text("apiVersion: v1\nkind: Config\n")
    (tmp_path / "second").write_text(yaml.safe_dump(data))

    several = Path(f"{tmp_path / 'first'}:{tmp_path / 'second'}")
    program = Program(tools, tmp_path, several, stack="mine", context=CONTEXT)
    settings = {**small(NAME), "slurm:kind": "kubernetes", "slurm:operator": {"preinstalled": True}}
    program.up(settings)
    assert objects.get("StatefulSet", NAME, f"{NAME}-controller")["status"]["readyReplicas"] == 1

    wrong = program.preview({**settings, "slurm:context": "elsewher"}, check=False)
    assert 'slurm:context = "elsewher": the kubeconfig has no such context. Did you mean "elsewhere"?' in wrong.output
    program.configure(settings)
    dispose(program, objects, NAME)


POOL_LABEL = "cloud.google.com/gke-nodepool"
SHAPES = (
    NodeShape("gke-cpu", 1, 16, 64, labels={POOL_LABEL: "cpu", INSTANCE_TYPE: "n2-standard-16"}),
    NodeShape(
        *("gke-gpu", 2, 224, 2886, 8),
        labels={
            POOL_LABEL: "gpu",
            INSTANCE_TYPE: "a3-ultragpu-8g",
            "cloud.google.com/gke-accelerator": "nvidia-h200-141gb",
        },
        taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
    ),
)
"""Pools that somebody has made on GKE, with the labels and the taint of GKE's own."""


@pytest.fixture
def nodes_of_gke(objects: Objects) -> Iterator[list[dict[str, Any]]]:
    """Yield the nodes of GKE as the cluster shows them."""
    made = [node for shape in SHAPES for node in shape.manifests()]
    for node in made:
        name = node["metadata"]["name"]
        node["spec"] = {**node.get("spec", {}), "providerID": f"gce://my-project/us-central1-b/{name}"}
        objects.create(node)
    yield [node for node in objects.all("Node") if POOL_LABEL in node["metadata"]["labels"]]
    for node in made:
        objects.delete("Node", None, node["metadata"]["name"])


def test_from_the_nodes_of_a_gke_cluster_to_workers_that_find_driver_and_network(
    new_program: NewProgram, objects: Objects, nodes_of_gke: list[dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "nodes.json").write_text(json.dumps({"kind": "List", "items": nodes_of_gke}))
    written = yaml.safe_load(run("pools", tmp_path / "nodes.json").stdout)["config"]
    node_sets: list[dict[str, Any]] = [
        {"name": name, "pool": name, "replicas": 1, "partition": {}, "wait": True} for name in ("cpu", "gpu")
    ]
    settings = {
        **small("ongke", nodeSets=node_sets, partitions=[]),
        **written,
        "slurm:context": CONTEXT,
        "slurm:operator": {"preinstalled": True},
    }
    new_program("ongke").up(settings)

    workers = {
        pod["spec"]["nodeName"]: pod for pod in objects.all("Pod", "ongke", {"app.kubernetes.io/name": "slurmd"})
    }
    assert {name.rpartition("-")[0] for name in workers} == {"gke-cpu", "gke-gpu"}
    found = {}
    for node, pod in workers.items():
        (slurmd,) = [one for one in pod["spec"]["containers"] if one["name"] == "slurmd"]
        found[node.rpartition("-")[0]] = {one["name"]: one.get("value") for one in slurmd.get("env", [])}
    assert found["gke-gpu"]["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"
    assert found["gke-gpu"]["PATH"].startswith("/usr/local/nvidia/bin:")
    assert "LD_LIBRARY_PATH" not in found["gke-cpu"]
    conf = objects.get("Controller", "ongke", "ongke")["spec"]["extraConf"].splitlines()
    assert "TaskProlog=gke-task-prolog.sh" in conf
    texts = [text for one in objects.all("ConfigMap", "ongke") for text in one.get("data", {}).values()]
    assert any("topology: gke" in text for text in texts)
    assert objects.find("Deployment", "ongke", "ongke-topology")

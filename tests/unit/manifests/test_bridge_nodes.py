"""What marks nodes as Slurm's external nodes."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from tests import kubectl
from tests.kubectl import Node, Round, node
from tests.unit.hostile_annotations import hostile_annotations
from tests.unit.manifests.bridges import BRIDGE, CLUSTER, bridge
from tests.unit.manifests.rendered import MACHINE
from tests.waiting import HANGS

EXTERNAL = [
    {"name": "big", "nodeSelector": {"example.com/size": "big"}},
    {"name": "fast", "nodeSelector": {"example.com/net": "fast", "example.com/zone": "a"}},
]
PARTITIONS = [
    {"name": "pods", "nodeSets": ["cpu", "big", "fast"]},
    {"name": "large", "nodeSets": ["big"]},
    {"name": "net", "nodeSets": ["fast"]},
]
MARKED_BY, NAMES = "slurm.pulumi.com/bridge", "scheduler.slinky.slurm.net/external-node-partitions"
LABEL = "scheduler.slinky.slurm.net/external-node"
BIG = {"example.com/size": "big"}
FAST = {"example.com/net": "fast", "example.com/zone": "a"}


def one_round(nodes: list[Node], folder: Path, fails: str = "no such call") -> Round:
    """Run the script once."""
    *_, deployment = [
        item
        for (_, name), item in bridge({"partitions": PARTITIONS}, externalNodes=EXTERNAL).items()
        if "nodes" in name
    ]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    env = {variable["name"]: variable["value"] for variable in container["env"]}
    return kubectl.one_round(container["command"], env, nodes, folder, fails, HANGS)


def marked(
    name: str, partitions: str, labels: dict[str, str] | None = None, by: str = "slurm/hpc", **annotations: str
) -> Node:
    """Return a node that is an external node."""
    return node(name, {LABEL: "true", **(labels or {})}, {**annotations, NAMES: partitions, MARKED_BY: by})


def test_nodes_are_marked_when_they_join_a_group_and_again_when_they_leave_it(tmp_path: Path) -> None:
    nodes = [
        node("a", BIG),
        node("b", {**BIG, **FAST}),
        marked("c", "pods,large", BIG),
        marked("gone", "pods"),
        marked("others", "x", by="slurm/other"),
        node("by-hand", {LABEL: "true"}, {NAMES: "x"}),
        # As numbers these two are equal.
        node("10", BIG),
        node("1e1", {**BIG, **FAST}),
    ]
    assert one_round(nodes, tmp_path).changes == [
        f"annotate --overwrite -- node a {MARKED_BY}=slurm/hpc {NAMES}=pods,large",
        f"label --overwrite -- node a {LABEL}=true",
        f"annotate --overwrite -- node b {MARKED_BY}=slurm/hpc {NAMES}=pods,large,net",
        f"label --overwrite -- node b {LABEL}=true",
        f"label -- node gone {LABEL}-",
        f"annotate -- node gone {NAMES}- {MARKED_BY}-",
        f"annotate --overwrite -- node 10 {MARKED_BY}=slurm/hpc {NAMES}=pods,large",
        f"label --overwrite -- node 10 {LABEL}=true",
        f"annotate --overwrite -- node 1e1 {MARKED_BY}=slurm/hpc {NAMES}=pods,large,net",
        f"label --overwrite -- node 1e1 {LABEL}=true",
    ]


def test_what_is_written_is_not_written_again(tmp_path: Path) -> None:
    done = one_round([node("a", {**BIG, **FAST}), marked("gone", "pods")], tmp_path)
    assert done.nodes == [marked("a", "pods,large,net", {**BIG, **FAST}), node("gone")]
    assert one_round(done.nodes, tmp_path).changes == []


@pytest.mark.parametrize("call", ["--selector=example.com/size=big", "{.metadata.name}|"])
def test_no_node_leaves_its_group_because_a_query_fails(tmp_path: Path, call: str) -> None:
    assert one_round([marked("a", "pods", BIG)], tmp_path, fails=call).changes == []


@settings(max_examples=40, deadline=None)
@given(hostile_annotations(MARKED_BY, NAMES), st.booleans())
def test_annotations_of_a_node_change_no_other_node(annotations: dict[str, str], member: bool) -> None:
    """A kubelet may annotate its own node as it likes."""
    others = [marked("b", "pods,large", BIG), marked("c", "pods,large", BIG)]
    own = node("a", BIG if member else {}, annotations)
    with TemporaryDirectory() as folder:
        first, after, last = one_round([others[0], own, others[1]], Path(folder)).nodes
    assert [first, last] == others
    wanted = {**annotations, MARKED_BY: "slurm/hpc", NAMES: "pods,large"}
    kept = {key: value for key, value in annotations.items() if key not in (MARKED_BY, NAMES)}
    left = kept if annotations.get(MARKED_BY) == "slurm/hpc" else annotations
    assert after["metadata"]["annotations"] == (wanted if member else left)


def test_nodes_of_a_pool_are_found_by_its_labels() -> None:
    pools = [{"name": "pods", "machine": MACHINE, "nodeLabels": {"pool": "pods"}}]
    bridge = {**BRIDGE, "externalNodes": [{"name": "x", "pool": "pods"}]}
    partitions = [{"name": "pods", "nodeSets": ["cpu", "x"]}]
    objects = {
        (item["kind"], item["metadata"]["name"]): item
        for item in render(*load({"name": "hpc", **CLUSTER, "partitions": partitions, "bridge": bridge}, pools))
    }
    (container,) = objects["Deployment", "hpc-bridge-nodes"]["spec"]["template"]["spec"]["containers"]
    env = container["env"]
    # kubectl holds all nodes of the Kubernetes cluster at once.
    assert container["resources"]["limits"] == {"memory": "1Gi"}
    assert {"name": "GROUPS_OF_NODES", "value": "pods pool=pods"} in env

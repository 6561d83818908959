"""Topologies: topology.yaml, the program that annotates nodes, and where each is made."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import config_files
from pulumi_slurm.manifests.parts.controller import ControllerPart
from pulumi_slurm.manifests.parts.drain_job import DrainJobPart
from pulumi_slurm.manifests.parts.node_topology import NodeTopologyPart
from pulumi_slurm.manifests.parts.plan import cluster_parts
from pulumi_slurm.manifests.topology import ANNOTATION, node_topology, selectors_of_nodes
from pulumi_slurm.model import MachineSpec, NodePoolSpec, SlurmSpec, TopologySpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.conf import render
from pulumi_slurm.slurmconf.topology import from_text
from pulumi_slurm.slurmconf.version import Series
from tests.annotating import Round, annotate, nodes_of
from tests.kubectl import Node, node
from tests.unit.hostile_annotations import hostile_annotations

NET = {"name": "net", "kind": "tree", "nodeLabels": ["topology.kubernetes.io/zone", "example.org/rack"]}
RACKS = {
    **{"name": "racks", "kind": "block", "nodeLabels": ["example.org/rack"]},
    **{"blocks": ["r2", "r1"], "blockSizes": [2, 4]},
}
POOL = NodePoolSpec(name="p", machine=MachineSpec(cpus=4, memory="8Gi"), node_labels={"pool": "p", "a": "b"})
NODE_SETS: list[dict[str, Any]] = [
    {"name": "a", "pool": "p", "replicas": 4, "partition": {"topology": "racks"}},
    {"name": "b", "pool": "p", "replicas": 2},
    {"name": "c", "machine": {"cpus": 2, "memory": "2Gi"}, "pod": {"nodeSelector": {"disk": "ssd"}}},
]


def cluster(**fields: Any) -> SlurmSpec:
    partitions = [{"name": "p", "nodeSets": ["b"], "topology": "net"}]
    given = {"name": "c", "topologies": [NET, RACKS], "nodeSets": NODE_SETS, "partitions": partitions, **fields}
    return checked(SlurmSpec(**given))


def test_the_file_has_every_topology_and_a_flat_default() -> None:
    flat, net, racks = from_text(config_files(cluster())["topology.yaml"], Series.of("25.11"))
    assert (flat.topology, flat.flat, flat.cluster_default) == ("default", True, True)
    assert (net.cluster_default, racks.cluster_default) == (False, False)
    assert net.tree
    assert [switch.switch for switch in net.tree.switches] == ["root"]
    assert racks.block
    assert racks.block.block_sizes == [2, 4]
    assert [block.block for block in racks.block.blocks] == ["r2", "r1"]


def test_a_default_of_ones_own_is_the_only_one() -> None:
    topologies = [NET | {"default": True}, RACKS]
    file = config_files(cluster(topologies=topologies))["topology.yaml"]
    assert [(one.topology, one.cluster_default) for one in from_text(file, Series.of("25.11"))] == [
        ("net", True),
        ("racks", False),
    ]


def test_partitions_name_their_topology() -> None:
    assert "PartitionName=p Nodes=b Default=NO MaxTime=UNLIMITED State=UP Topology=net\n" in render(
        additions(cluster())
    )


def test_without_topologies_nothing_is_made() -> None:
    spec = cluster(topologies=[], partitions=[], nodeSets=NODE_SETS[1:])
    assert "topology.yaml" not in config_files(spec)
    assert not [planned for planned in cluster_parts(spec, [POOL]) if isinstance(planned.part, NodeTopologyPart)]


def test_the_nodes_of_all_node_sets_are_annotated_before_slurmctld_reads_its_file() -> None:
    parts = list(cluster_parts(cluster(), [POOL]))
    (topology,) = (planned for planned in parts if isinstance(planned.part, NodeTopologyPart))
    (drain,) = (planned for planned in parts if isinstance(planned.part, DrainJobPart))
    (controller,) = (planned for planned in parts if isinstance(planned.part, ControllerPart))
    assert topology.key in drain.after
    assert drain.key in controller.after
    assert isinstance(topology.part, NodeTopologyPart)
    assert topology.part.selectors == [{"pool": "p", "a": "b"}, {"disk": "ssd"}]


def test_a_node_set_anywhere_has_all_nodes_annotated() -> None:
    anywhere = {"name": "d", "machine": {"cpus": 2, "memory": "2Gi"}}
    assert selectors_of_nodes(cluster(nodeSets=[*NODE_SETS, anywhere]), [POOL]) == [{}]


def test_external_nodes_of_the_bridge_are_annotated() -> None:
    bridge = {"partition": "p", "externalNodes": [{"name": "x", "nodeSelector": {"for": "pods"}}]}
    spec = SlurmSpec(name="c", topologies=[NET], bridge=bridge)
    assert selectors_of_nodes(spec, []) == [{"for": "pods"}]


def manifests(*topologies: dict[str, Any]) -> list[dict[str, Any]]:
    specs = [TopologySpec(**topology) for topology in topologies]
    return node_topology(ClusterRef(name="c", namespace="ns"), specs, [{"b": "2", "a": "1"}, {"disk": "ssd"}])


def test_the_account_may_only_annotate_nodes() -> None:
    account, role, binding, deployment = manifests(NET)
    assert role["rules"] == [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "patch"]}]
    assert binding["subjects"] == [
        {"kind": "ServiceAccount", "name": account["metadata"]["name"], "namespace": "ns"},
    ]
    assert binding["roleRef"]["name"] == role["metadata"]["name"]
    assert "namespace" not in role["metadata"]
    pod = deployment["spec"]["template"]["spec"]
    assert pod["serviceAccountName"] == account["metadata"]["name"]
    assert pod["securityContext"]["runAsNonRoot"] is True


def one_round(topologies: list[dict[str, Any]], nodes: list[Node], folder: Path, fails: str = "no such call") -> Round:
    *_, deployment = manifests(*topologies)
    return annotate(deployment, nodes, folder, fails=fails)


def worker(name: str, zone: str = "", rack: str = "", place: str | None = None, **annotations: str) -> Node:
    """Return a node that the first selector finds."""
    places = {} if place is None else {ANNOTATION: place}
    (at,) = nodes_of([*NET["nodeLabels"], "a", "b"], {name: (zone, rack, "1", "2")})
    return {"metadata": {**at["metadata"], "annotations": {**annotations, **places}}}


def test_labels_become_the_annotation_unless_it_is_correct(tmp_path: Path) -> None:
    nodes = [
        worker("a", "z1", "r1"),
        worker("b", "z1", "r2", "net:root:/z1:/z1/r2,racks:r2"),
        worker("c"),
        worker("d", "z1", place="net:root:unknown"),
        worker("e", "z1", "r9", "net:root:/z1:/z1/r9,racks:r9"),
        node("not-selected"),
    ]
    done = one_round([NET, RACKS], nodes, tmp_path)
    columns = (
        r"--output=jsonpath={range .items[*]}{.metadata.name}|{.metadata.labels.topology\.kubernetes\.io/zone}|"
        r"{.metadata.labels.example\.org/rack}|{.metadata.annotations}{'\n'}{end}"
    )
    selected = [["get", "nodes", f"--selector={selector}", columns] for selector in ("a=1,b=2", "disk=ssd")]
    assert done.calls[:2] == selected
    assert done.changes[0] == f"annotate --overwrite -- node a {ANNOTATION}=net:root:/z1:/z1/r1,racks:r1"
    assert done.places == {
        "a": "net:root:/z1:/z1/r1,racks:r1",
        "c": "net:root:unknown",
        "e": "net:root:/z1:/z1/r9",
    }
    assert done.is_ready


def test_nodes_leave_a_topology_that_has_become_flat(tmp_path: Path) -> None:
    done = one_round([{"name": "racks", "kind": "flat"}], [worker("a", place="racks:r1"), worker("b")], tmp_path)
    assert done.places == {"a": ""}


@pytest.mark.parametrize("call", ["disk=ssd", "node a "])
def test_what_fails_is_tried_again_and_not_ready_before(tmp_path: Path, call: str) -> None:
    done = one_round([NET], [worker("a", "z1", "r1"), worker("b", "z1", "r1")], tmp_path, fails=call)
    assert len(done.calls) == (2 if call == "disk=ssd" else 4)
    assert not done.is_ready


@settings(max_examples=40, deadline=None)
@given(hostile_annotations(ANNOTATION), st.booleans())
def test_annotations_of_a_node_change_no_other_node(annotations: dict[str, str], flat: bool) -> None:
    """A kubelet may annotate its own node as it likes."""
    topologies: list[dict[str, Any]] = [{"name": "racks", "kind": "flat"}] if flat else [NET, RACKS]
    correct = "" if flat else "net:root:/z1:/z1/r2,racks:r2"
    others = [worker("b", "z1", "r2", correct), worker("c", "z1", "r2", correct)]
    with TemporaryDirectory() as folder:
        done = one_round(topologies, [others[0], worker("a", "z1", "r2", **annotations), others[1]], Path(folder))
    first, own, last = done.nodes
    assert [first, last] == others
    written = {} if flat and ANNOTATION not in annotations else {ANNOTATION: correct}
    assert own["metadata"]["annotations"] == {**annotations, **written}
    assert done.is_ready

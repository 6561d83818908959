"""The position of nodes in Google's network, as a topology of Slurm."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.topology import topology_manifests, with_topology
from pulumi_slurm.gke.rules import checked_gke
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.topology import from_text
from pulumi_slurm.slurmconf.version import Series

GKE = checked_gke(
    GkeSpec(
        project="my-project",
        region="us-central1",
        zones=["us-central1-b"],
        pools=[
            {"name": "cpu", "machineType": "n2-standard-8", "nodes": 2},
            {"name": "gpu", "machineType": "a3-ultragpu-8g", "nodes": 2},
            {"name": "near", "machineType": "c2-standard-60", "nodes": 2, "compactPlacement": True},
        ],
    )
)


def cluster(**fields: Any) -> SlurmSpec:
    node_sets = [
        {"name": "cpu", "pool": "cpu", "replicas": 2, "partition": {}},
        {"name": "gpu", "pool": "gpu", "replicas": 2, "partition": {"maxTime": "60"}},
        {"name": "near", "pool": "near", "replicas": 2},
    ]
    partitions = [
        {"name": "all", "nodeSets": ["ALL"]},
        {"name": "fast", "nodeSets": ["gpu", "near"]},
        {"name": "mine", "nodeSets": ["near"], "extra": {"topology": "default"}},
    ]
    return checked(SlurmSpec(**{"name": "slurm", "nodeSets": node_sets, "partitions": partitions, **fields}))


def test_partitions_use_the_tree_if_all_their_nodes_have_positions() -> None:
    after = with_topology(GkePlan.of(GKE), cluster())
    assert {partition.name: partition.extra for partition in after.partitions} == {
        "all": {},
        "fast": {"Topology": "gke"},
        "mine": {"topology": "default"},
    }
    partitions = [node_set.partition for node_set in after.node_sets]
    assert [partition and partition.extra for partition in partitions] == [{}, {"Topology": "gke"}, None]


def test_the_tree_has_a_root_and_the_default_stays_flat() -> None:
    text = with_topology(GkePlan.of(GKE), cluster()).config_files["topology.yaml"]
    flat, tree = from_text(text, Series.of("25.11"))
    assert (flat.flat, flat.cluster_default) == (True, True)
    assert (tree.topology, tree.cluster_default) == ("gke", False)
    assert tree.tree
    assert [switch.switch for switch in tree.tree.switches] == ["root"]


@pytest.mark.parametrize(
    "fields",
    [
        {"configFiles": {"topology.conf": "SwitchName=a Nodes=b\n"}},
        {"slurmConf": {"extra": {"topologyParam": "SwitchAsNodeRank"}}},
        {"operatorVersion": "1.0.5"},
        {"nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 2}], "partitions": []},
        {"nodeSets": [], "partitions": [{"name": "all", "nodeSets": ["ALL"]}]},
    ],
)
def test_other_clusters_do_not_change(fields: dict[str, Any]) -> None:
    assert with_topology(GkePlan.of(GKE), cluster(**fields)) == cluster(**fields)


def test_the_account_may_only_annotate_nodes() -> None:
    account, role, binding, deployment = topology_manifests(ClusterRef(name="c", namespace="ns"), ["gpu"])
    assert role["rules"] == [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "patch"]}]
    assert binding["subjects"] == [
        {"kind": "ServiceAccount", "name": account["metadata"]["name"], "namespace": "ns"},
    ]
    assert binding["roleRef"]["name"] == role["metadata"]["name"]
    assert "namespace" not in role["metadata"]
    pod = deployment["spec"]["template"]["spec"]
    assert pod["serviceAccountName"] == account["metadata"]["name"]
    assert pod["securityContext"]["runAsNonRoot"] is True


def test_labels_are_copied_unless_the_annotation_is_correct(tmp_path: Path) -> None:
    *_, deployment = topology_manifests(ClusterRef(name="c"), ["gpu", "near"])
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    nodes = [
        "a|b1|s1||",
        "b|b1|s2|gke:root:block-b1:subblock-s2|",
        "c||||",
        "d|b1||gke:root:unknown|",
    ]
    (tmp_path / "nodes").write_text("\n".join(nodes) + "\n")
    for name, script in {
        "kubectl": 'printf "%s\\n" "$*" >>"$DIR/calls"\nif [ "$1" = get ]; then cat "$DIR/nodes"; fi\n',
        "sleep": "kill $PPID\n",
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}")
        (tmp_path / name).chmod(0o755)
    env = {variable["name"]: variable["value"] for variable in container["env"]}
    path = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(container["command"], env={**env, "PATH": path, "DIR": str(tmp_path)}, check=False, timeout=30)
    get, *annotate = (tmp_path / "calls").read_text().splitlines()
    assert get == (
        "get nodes --selector=cloud.google.com/gke-nodepool in (gpu,near) --output=jsonpath={range .items[*]}"
        r"{.metadata.name}|{.metadata.labels.cloud\.google\.com/gce-topology-block}|"
        r"{.metadata.labels.cloud\.google\.com/gce-topology-subblock}|"
        r"{.metadata.annotations.topology\.slinky\.slurm\.net/spec}|{'\n'}{end}"
    )
    assert annotate == [
        "annotate node a --overwrite topology.slinky.slurm.net/spec=gke:root:block-b1:subblock-s1",
        "annotate node c --overwrite topology.slinky.slurm.net/spec=gke:root:unknown",
    ]

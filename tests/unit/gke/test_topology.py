"""The position of nodes in Google's network, as a topology of Slurm."""

from typing import Any

import pytest

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.topology import with_topology
from pulumi_slurm.gke.rules import checked_gke
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.providers.provider import GKE_NETWORK
from pulumi_slurm.rules import checked

GKE = checked_gke(
    GkeSpec(
        project="my-project",
        region="us-central1",
        zones=["us-central1-b"],
        pools=[
            {"name": "cpu", "machineType": "n2-standard-8", "nodes": 2},
            {"name": "gpu", "machineType": "a3-ultragpu-8g", "capacity": "spot", "nodes": 2},
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
        {"name": "mine", "nodeSets": ["near"], "topology": "default"},
    ]
    return checked(SlurmSpec(**{"name": "slurm", "nodeSets": node_sets, "partitions": partitions, **fields}))


def test_partitions_use_the_tree_if_all_their_nodes_have_positions() -> None:
    after = with_topology(GkePlan.of(GKE), cluster())
    assert after.topologies == [GKE_NETWORK]
    assert {partition.name: partition.topology for partition in after.partitions} == {
        "all": None,
        "fast": "gke",
        "mine": "default",
    }
    partitions = [node_set.partition for node_set in after.node_sets]
    assert [partition and partition.topology for partition in partitions] == [None, "gke", None]


@pytest.mark.parametrize(
    "fields",
    [
        {"configFiles": {"topology.conf": "SwitchName=a Nodes=b\n"}},
        {"slurmConf": {"extra": {"topologyParam": "SwitchAsNodeRank"}}},
        {"topologies": [{"name": "default", "kind": "flat", "default": True}]},
        {"operatorVersion": "1.0.5"},
        {"nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 2}], "partitions": []},
        {"nodeSets": [], "partitions": [{"name": "all", "nodeSets": ["ALL"]}]},
    ],
)
def test_other_clusters_do_not_change(fields: dict[str, Any]) -> None:
    assert with_topology(GkePlan.of(GKE), cluster(**fields)) == cluster(**fields)

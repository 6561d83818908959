"""A node pool in a cluster that another stack made."""

from typing import Any

import pulumi

from pulumi_slurm.gke import GkeNodePool, GkeNodePoolArgs, GkePoolSpec
from tests.components.conftest import Build

OUTPUTS = {"clusterName": "theirs", "location": "europe-west4", "nodeAccount": "nodes@my-project"}


def program() -> None:
    platform = pulumi.StackReference("organization/platform/prod")
    GkeNodePool(
        "l4",
        GkeNodePoolArgs(
            project="my-project",
            location=platform.require_output("location"),
            cluster=platform.require_output("clusterName"),
            node_account=platform.require_output("nodeAccount"),
            zones=["europe-west4-a"],
            pool=GkePoolSpec(name="l4", machine_type="g2-standard-8", max_nodes=4),
        ),
    )


def test_a_program_adds_a_pool_to_a_cluster_that_it_did_not_make(build: Build) -> None:
    made = build(program, {"organization/platform/prod": {"outputs": OUTPUTS, "secretOutputNames": []}})
    component, pool = (each for each in made if each.name.startswith("l4"))
    assert component.typ == "slurm:index:GkeNodePool"
    assert component.inputs == {
        "pool": {"name": "l4", "machineType": "g2-standard-8", "maxNodes": 4, "zones": ["europe-west4-a"]},
        "labels": {},
    }
    assert (pool.typ, pool.name, pool.parent) == ("gcp:container/nodePool:NodePool", "l4-pool", component.urn)
    asked: dict[str, Any] = dict(pool.inputs)
    assert (asked["cluster"], asked["location"], asked["project"]) == ("theirs", "europe-west4", "my-project")
    assert asked["nodeLocations"] == ["europe-west4-a"]
    assert asked["autoscaling"] == {"totalMinNodeCount": 0, "totalMaxNodeCount": 4, "locationPolicy": "BALANCED"}
    nodes = asked["nodeConfig"]
    assert nodes["serviceAccount"] == "nodes@my-project"
    assert nodes["machineType"] == "g2-standard-8"
    assert [(gpu["type"], gpu["count"]) for gpu in nodes["guestAccelerators"]] == [("nvidia-l4", 1)]
    assert [taint["key"] for taint in nodes["taints"]] == ["slurm.pulumi.com/pool"]

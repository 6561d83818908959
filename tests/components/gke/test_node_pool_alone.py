"""A node pool in a cluster of another stack."""

from typing import Any

import pulumi

from pulumi_slurm.gke import GkeNodePool, GkeNodePoolArgs, GkePoolSpec
from tests.components.conftest import Build

OUTPUTS = {"gkeCluster": "theirs", "location": "europe-west4", "nodeAccount": "nodes@my-project"}


def program() -> None:
    platform = pulumi.StackReference("organization/platform/prod")
    GkeNodePool(
        "l4",
        GkeNodePoolArgs(
            project="my-project",
            location=platform.require_output("location"),
            gke_cluster=platform.require_output("gkeCluster"),
            node_account=platform.require_output("nodeAccount"),
            zones=["europe-west4-a"],
            pool=GkePoolSpec(name="l4", machine_type="g2-standard-8", max_nodes=4),
        ),
    )


def test_a_program_adds_a_pool_to_an_existing_cluster(build: Build) -> None:
    resources = build(program, {"organization/platform/prod": {"outputs": OUTPUTS, "secretOutputNames": []}})
    component, pool = (resource for resource in resources if resource.name.startswith("l4"))
    assert component.typ == "slurm:index:GkeNodePool"
    assert component.inputs == {
        "pool": {"name": "l4", "machineType": "g2-standard-8", "maxNodes": 4, "zones": ["europe-west4-a"]},
        "labels": {},
    }
    assert (pool.typ, pool.name, pool.parent) == ("gcp:container/nodePool:NodePool", "l4-pool", component.urn)
    pool_inputs: dict[str, Any] = dict(pool.inputs)
    assert (pool_inputs["cluster"], pool_inputs["location"], pool_inputs["project"]) == (
        "theirs",
        "europe-west4",
        "my-project",
    )
    assert pool_inputs["nodeLocations"] == ["europe-west4-a"]
    assert pool_inputs["autoscaling"] == {"totalMinNodeCount": 0, "totalMaxNodeCount": 4, "locationPolicy": "ANY"}
    nodes = pool_inputs["nodeConfig"]
    assert nodes["serviceAccount"] == "nodes@my-project"
    assert nodes["machineType"] == "g2-standard-8"
    assert [(gpu["type"], gpu["count"]) for gpu in nodes["guestAccelerators"]] == [("nvidia-l4", 1)]
    assert [taint["key"] for taint in nodes["taints"]] == ["slurm.pulumi.com/pool"]

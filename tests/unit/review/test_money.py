"""What node pools cost, by their inputs."""

from typing import Any

import pytest

from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm_cli.review.money import PoolCost, cost_changes
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange

GKE, ACK = "gcp:container/nodePool:NodePool", "alicloud:cs/nodePool:NodePool"


def cost_of(kind: str, inputs: dict[str, Any]) -> PoolCost:
    """Return the cost of a new pool, whose resource is called "workers"."""
    made = ResourceChange("urn:pulumi:s::p::x::workers", kind, "workers", Operation.CREATE, None, inputs)
    ((before, after),) = ((change.before, change.after) for change in cost_changes([made]))
    assert before is None
    assert after
    return after


@pytest.mark.parametrize(
    ("kind", "inputs", "machine", "nodes"),
    [
        (GKE, {"nodeConfig": UNKNOWN, "nodeCount": 2}, "", (2, 2)),
        (GKE, {"nodeConfig": {"machineType": UNKNOWN}, "nodeCount": 2}, "", (2, 2)),
        (GKE, {"nodeConfig": {"machineType": "n2-standard-8"}, "autoscaling": UNKNOWN}, "n2-standard-8", None),
        (GKE, {"nodeConfig": {"machineType": "n2-standard-8"}, "nodeCount": UNKNOWN}, "n2-standard-8", None),
        (
            GKE,
            {"nodeConfig": {"machineType": "n2-standard-8"}, "nodeCount": 2, "nodeLocations": UNKNOWN},
            *("n2-standard-8", None),
        ),
        (ACK, {"instanceTypes": UNKNOWN, "desiredSize": 2}, "", (2, 2)),
        (ACK, {"instanceTypes": ["ecs.g8i.4xlarge"], "scalingConfig": UNKNOWN}, "ecs.g8i.4xlarge", None),
    ],
)
def test_what_is_not_known_before_the_update_has_no_price(
    kind: str, inputs: dict[str, Any], machine: str, nodes: tuple[int, int] | None
) -> None:
    cost = cost_of(kind, inputs)
    assert (cost.machine, cost.nodes, cost.a_month) == (machine, nodes, None)


@pytest.mark.parametrize(("kind", "field"), [(GKE, "name"), (ACK, "nodePoolName")])
def test_a_pool_without_a_name_of_its_own_is_called_as_its_resource(kind: str, field: str) -> None:
    assert [cost_of(kind, inputs).pool for inputs in ({field: "cpu"}, {field: UNKNOWN}, {})] == [
        *("cpu", "workers", "workers")
    ]


@pytest.mark.parametrize(
    ("kind", "inputs", "spot"),
    [
        (GKE, {"nodeConfig": {"machineType": "n2-standard-8"}}, False),
        (GKE, {"nodeConfig": {"machineType": "n2-standard-8", "spot": True}}, True),
        (GKE, {"nodeConfig": {"machineType": "n2-standard-8", "preemptible": True}}, True),
        (ACK, {"instanceTypes": ["ecs.g8i.4xlarge"], "spotStrategy": "NoSpot"}, False),
        (ACK, {"instanceTypes": ["ecs.g8i.4xlarge"], "spotStrategy": "SpotAsPriceGo"}, True),
    ],
)
def test_machines_that_the_cloud_takes_back_have_their_own_price(kind: str, inputs: dict[str, Any], spot: bool) -> None:
    assert cost_of(kind, inputs).spot is spot

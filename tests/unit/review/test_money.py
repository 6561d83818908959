"""What node pools cost, by their inputs."""

from typing import Any

import pytest

from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.machines.gke.prices import of_attached_gpu
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.money import PoolCost, cost_changes
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange

KEDA = {"maxReplicas": 4, "prometheusAddress": "http://prometheus:9090"}
GKE, ACK = "gcp:container/nodePool:NodePool", "alicloud:cs/nodePool:NodePool"


def cost_of(kind: str, inputs: dict[str, Any]) -> PoolCost:
    """Return the cost of a new pool, whose resource is called "workers"."""
    made = ResourceChange("urn:pulumi:s::p::x::workers", kind, "workers", Operation.CREATE, None, inputs)
    ((before, after),) = ((change.before, change.after) for change in cost_changes([made], []))
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


def side(**fields: Any) -> ClusterSide:
    node_set = {"name": "gpu", "pool": "gpu", **fields}
    return ClusterSide(SlurmSpec.model_validate({"name": "c", "nodeSets": [node_set]}))


@pytest.mark.parametrize(
    ("before", "after", "nodes"),
    [
        ({"replicas": 2}, {"replicas": 4}, ((2, 4), (4, 4))),
        ({"replicas": 0}, {"replicas": 9}, ((0, 4), (4, 4))),
        ({"autoscaling": {"minReplicas": 0, **KEDA}}, {"autoscaling": {"minReplicas": 3, **KEDA}}, ((0, 4), (3, 4))),
        ({"scalingMode": "DaemonSet"}, {"replicas": 1}, ((0, 4), (1, 4))),
    ],
)
def test_a_worker_keeps_its_node(before: Any, after: Any, nodes: Any) -> None:
    inputs = {
        "name": "gpu",
        "nodeConfig": {"machineType": "a2-highgpu-8g"},
        "autoscaling": {"totalMinNodeCount": 0, "totalMaxNodeCount": 4},
    }
    same = ResourceChange("urn:pulumi:s::p::x::gpu", GKE, "gpu", Operation.SAME, inputs, inputs)
    (cost,) = cost_changes([same], [ClusterChange("c", side(**before), side(**after))])
    assert cost.before
    assert cost.after
    assert (cost.before.nodes, cost.after.nodes) == nodes


def test_attached_gpus_are_paid_for() -> None:
    t4 = {"guestAccelerators": [{"type": "nvidia-tesla-t4", "count": 2}]}
    machine = {"machineType": "n1-standard-8"}
    plain, attached = (
        cost_of(GKE, {"nodeConfig": {**machine, **gpus}, "nodeCount": 1}) for gpus in (dict[str, Any](), t4)
    )
    gpu = of_attached_gpu("nvidia-tesla-t4")
    assert plain.price
    assert gpu
    assert gpu.on_demand
    assert attached.price == pytest.approx(plain.price + 2 * gpu.on_demand)


def test_gpus_that_come_with_a_machine_are_in_its_price() -> None:
    a100 = {"guestAccelerators": [{"type": "nvidia-tesla-a100", "count": 8}]}
    machine = {"machineType": "a2-highgpu-8g"}
    assert (
        cost_of(GKE, {"nodeConfig": machine, "nodeCount": 1}).price
        == cost_of(GKE, {"nodeConfig": {**machine, **a100}, "nodeCount": 1}).price
    )


def test_gpus_that_no_machine_takes_have_no_price() -> None:
    wrong = {"machineType": "n1-standard-8", "guestAccelerators": [{"type": "nvidia-tesla-t4", "count": 3}]}
    assert cost_of(GKE, {"nodeConfig": wrong, "nodeCount": 1}).price is None


@pytest.mark.parametrize(
    ("location", "machine", "region", "a_month"),
    [
        # By the file that tools/gke_prices.py reads, on the day that stands in `list.prices`.
        ("us-central1", "n2-standard-8", "us-central1", 283.58456),
        ("asia-east1", "n2-standard-8", "asia-east1", 328.35984),
        ("asia-east1-a", "n2-standard-8", "asia-east1", 328.35984),
        ("asia-east1", "a2-highgpu-8g", "us-central1", 21452.5684),
        ("moon-east1", "n2-standard-8", "us-central1", 283.58456),
        (UNKNOWN, "n2-standard-8", "us-central1", 283.58456),
    ],
)
def test_a_price_is_of_the_region_of_the_pool_or_of_the_one_beside_it(
    location: str, machine: str, region: str, a_month: float
) -> None:
    cost = cost_of(GKE, {"location": location, "nodeConfig": {"machineType": machine}, "nodeCount": 1})
    assert cost.of.startswith(f"{region}, ")
    assert cost.a_month
    assert [round(price, 4) for price in cost.a_month] == [round(a_month, 4)] * 2


@pytest.mark.parametrize(
    ("regions", "priced_in", "price"),
    [
        # By the file that tools/ack_prices.py reads, on the day that stands in `list.prices`.
        (["ap-southeast-1"], "ap-southeast-1", 18.065),
        (["ap-southeast-1", "ap-southeast-1"], "ap-southeast-1", 18.065),
        (["cn-nanjing"], "cn-beijing", 9.5326),
        (["ap-southeast-1", "cn-hangzhou"], "cn-beijing", 9.5326),
        ([UNKNOWN], "cn-beijing", 9.5326),
        ([], "cn-beijing", 9.5326),
    ],
)
def test_a_pool_on_alibaba_cloud_is_in_the_region_of_its_provider(
    regions: list[str], priced_in: str, price: float
) -> None:
    providers = [
        ResourceChange(f"urn:{count}", "pulumi:providers:alicloud", "cloud", Operation.SAME, {"region": region}, None)
        for count, region in enumerate(regions)
    ]
    inputs = {"instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "desiredSize": "1"}
    pool = ResourceChange("urn:pool", ACK, "gpu", Operation.DELETE, inputs, None)
    (change,) = cost_changes([*providers, pool], [])
    assert change.before
    assert change.before.of.startswith(f"{priced_in}, ")
    assert change.before.price == pytest.approx(price)


def test_a_region_that_changes_has_two_prices() -> None:
    old, new = {"region": "cn-beijing"}, {"region": "ap-southeast-1"}
    provider = ResourceChange("urn:provider", "pulumi:providers:alicloud", "cloud", Operation.UPDATE, old, new)
    inputs = {"instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "desiredSize": "1"}
    (change,) = cost_changes([provider, ResourceChange("urn:pool", ACK, "gpu", Operation.SAME, inputs, inputs)], [])
    assert change.before
    assert change.after
    assert [cost.price for cost in (change.before, change.after)] == [pytest.approx(9.5326), pytest.approx(18.065)]


@pytest.mark.parametrize(
    ("machine", "disks", "is_known"),
    [
        # Chosen: paid for beside the machine, by a price that no list here has.
        ("n2-standard-8", {"ephemeralStorageLocalSsdConfig": {"localSsdCount": 2}}, False),
        ("n2-standard-8", {"localNvmeSsdBlockConfig": {"localSsdCount": 2}}, False),
        ("n1-standard-8", {"localSsdCount": 1}, False),
        ("n2-standard-8", {"ephemeralStorageLocalSsdConfig": {"localSsdCount": 0}}, True),
        ("n2-standard-8", {}, True),
        # They come with the machine, and are in its price.
        ("a3-highgpu-8g", {"ephemeralStorageLocalSsdConfig": {"localSsdCount": 16}}, True),
        ("c3-standard-8-lssd", {"ephemeralStorageLocalSsdConfig": {"localSsdCount": 2}}, True),
    ],
)
def test_a_price_without_chosen_disks_is_none(machine: str, disks: dict[str, Any], is_known: bool) -> None:
    cost = cost_of(GKE, {"nodeConfig": {"machineType": machine, **disks}, "nodeCount": 1, "location": "us-central1"})
    assert (cost.price is not None) is is_known

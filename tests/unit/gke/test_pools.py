"""GKE's node pools in the Slurm specification."""

from typing import Any

import pytest
from hypothesis import given

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.image_streaming import image_streaming_gib
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.plan.pools import NODE_POOL_LABEL, node_pools
from pulumi_slurm.gke.plan.taints import all_taints, node_labels, taints_to_set
from pulumi_slurm.gke.rules import checked_gke
from pulumi_slurm.model import TaintSpec
from pulumi_slurm.rules import check_pool_list
from tests.unit.gke.strategies import gke_specs


def spec(**pool: Any) -> GkeSpec:
    fields = {"name": "gpu", "machineType": "g2-standard-8", "nodes": 2, **pool}
    return checked_gke(GkeSpec(project="my-project", region="us-central1", zones=["us-central1-b"], pools=[fields]))


def taints(specs: list[TaintSpec]) -> list[str]:
    return [f"{taint.key}={taint.value}:{taint.effect}" for taint in specs]


@given(gke_specs())
def test_planned_pools_have_less_allocatable_than_their_machines(gke: GkeSpec) -> None:
    pools = node_pools(GkePlan.of(gke))
    assert [pool.name for pool in pools] == [planned.name for planned in planned_pools(gke)]
    for pool, planned in zip(pools, planned_pools(gke), strict=True):
        assert 0 < pool.machine.cpus <= planned.machine_type.vcpus
        assert 0 < pool.machine.memory_mib < planned.machine_type.memory_gib * 1024
        assert pool.node_labels == {NODE_POOL_LABEL: planned.name}
        assert pool.max_nodes == planned.capacity_option.most_nodes
        to_set = {(taint.key, taint.effect) for taint in taints_to_set(planned)}
        assert to_set <= {(taint.key, taint.effect) for taint in pool.taints}
    assert not list(check_pool_list(pools))


def test_a_gpu_pool() -> None:
    (pool,) = node_pools(GkePlan.of(spec(imageStreaming=False)))
    assert (pool.machine.cpus, pool.machine.gpus and pool.machine.gpus.gres) == (7, "gpu:l4:1")
    assert taints(pool.taints) == ["slurm.pulumi.com/pool=gpu:NoSchedule", "nvidia.com/gpu=present:NoSchedule"]
    assert (pool.max_nodes, pool.reserved_cpus, pool.reserved_memory) == (2, 1, "2Gi")


@pytest.mark.parametrize(
    ("fields", "within"),
    [
        ({"capacity": "on-demand"}, "30m"),
        ({"capacity": "on-demand", "readyWithin": "2h"}, "2h"),
        ({"capacity": "on-demand", "readyWithin": None}, None),
        ({"capacity": "spot"}, None),
        ({"capacity": "spot", "readyWithin": "2h"}, "2h"),
        ({"capacity": "flex-start", "nodes": None, "maxNodes": 2}, None),
        ({"capacity": "queued", "nodes": None, "maxNodes": 2}, None),
    ],
)
def test_nobody_waits_for_machines_that_come_some_day(fields: dict[str, Any], within: str | None) -> None:
    (pool,) = node_pools(GkePlan.of(spec(**fields)))
    assert pool.ready_within == within


def test_image_streaming_takes_memory() -> None:
    (with_it,), (without,) = node_pools(GkePlan.of(spec())), node_pools(GkePlan.of(spec(imageStreaming=False)))
    assert without.machine.memory_mib - with_it.machine.memory_mib == pytest.approx(
        image_streaming_gib(32) * 1024, abs=2
    )
    # 3 x 1 % + 4 x 0.8 % + 8 x 0.4 % + 112 x 0.24 % + 22 x 0.08 %
    assert image_streaming_gib(150) == pytest.approx(0.3804)
    assert image_streaming_gib(4) == pytest.approx(0.03)
    assert image_streaming_gib(1) == 0


@pytest.mark.parametrize(
    ("fields", "added", "labels"),
    [
        (
            {"machineType": "a4x-highgpu-4g", "capacity": "reservation", "reservation": "r"},
            ["nvidia.com/gpu=present:NoSchedule", "kubernetes.io/arch=arm64:NoSchedule"],
            {},
        ),
        (
            {"machineType": "a3-highgpu-8g", "capacity": "queued", "nodes": None, "maxNodes": 4},
            ["nvidia.com/gpu=present:NoSchedule", "cloud.google.com/gke-queued=true:NoSchedule"],
            {"cloud.google.com/gke-queued": "true"},
        ),
    ],
)
def test_taints_that_gke_adds_are_tolerated_and_not_set(
    fields: dict[str, Any], added: list[str], labels: dict[str, str]
) -> None:
    configured = [{"key": "nvidia.com/gpu", "value": "mine"}, {"key": "team"}]
    (planned,) = planned_pools(spec(**fields, dedicated=False, taints=configured, nodeLabels={"team": "a"}))
    assert taints(taints_to_set(planned)) == ["team=None:NoSchedule"]
    assert taints(all_taints(planned)) == ["team=None:NoSchedule", *added]
    assert node_labels(planned) == {"team": "a", **labels}


def test_every_capacity_option_is_a_pool() -> None:
    priorities = [{"capacity": "reservation", "reservation": "r", "nodes": 4}, {"capacity": "spot", "maxNodes": 8}]
    pools = node_pools(GkePlan.of(spec(priorities=priorities, nodes=None)))
    assert [(pool.name, pool.min_nodes, pool.max_nodes) for pool in pools] == [
        ("gpu-reservation", 4, 4),
        ("gpu-spot", 0, 8),
    ]
    assert pools[1].taints[0].value == "gpu-spot"


@pytest.mark.parametrize(
    ("pool", "line"),
    [
        (
            {"machineType": "n1-standard-1"},
            'pools[0].machine_type = "n1-standard-1": GKE and its daemons leave 0 whole CPUs and 2665 MiB of this '
            "machine. Choose a larger machine type.",
        ),
        (
            {"reservedCpus": 7},
            "pools[0].reserved_cpus = 7: GKE leaves 7 CPUs and 27962Mi of g2-standard-8, and this takes them all. "
            "Write less, or choose a larger machine type.",
        ),
        (
            {"reservedMemory": "27899Mi"},
            'pools[0].reserved_memory = "27899Mi": GKE leaves 7 CPUs and 27962Mi of g2-standard-8, and this takes '
            "them all. Write less, or choose a larger machine type.",
        ),
    ],
)
def test_machines_that_are_too_small_are_reported_once(pool: dict[str, Any], line: str) -> None:
    priorities = [{"capacity": "on-demand", "nodes": 1}, {"capacity": "spot", "maxNodes": 1}]
    with pytest.raises(SpecError) as caught:
        checked_gke(spec(**pool, priorities=priorities, nodes=None))
    assert [str(error) for error in caught.value.errors] == [line]


def test_a_reserve_may_leave_a_little() -> None:
    (pool,) = node_pools(GkePlan.of(spec(reservedCpus=6, reservedMemory="27898Mi")))
    assert not list(check_pool_list([pool]))

"""Node pools of the Slurm specification that are derived from ACK's."""

from typing import Any

from hypothesis import given

from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import planned_pools
from pulumi_slurm.ack.plan.pools import node_pools, pools_from_zero
from pulumi_slurm.ack.plan.taints import all_taints, node_labels, taints_to_set
from pulumi_slurm.ack.rules import checked_ack
from pulumi_slurm.model import TaintSpec
from tests.unit.ack.strategies import ack_specs


def spec(*pools: dict[str, Any], **fields: Any) -> AckSpec:
    return checked_ack(AckSpec(region="cn-hangzhou", zones=["cn-hangzhou-h"], pools=list(pools), **fields))


def pool(*types: str, **fields: Any) -> dict[str, Any]:
    return {"name": "gpu", "instanceTypes": list(types), "nodes": 2, **fields}


def taints(taint_specs: list[TaintSpec]) -> list[str]:
    return [f"{taint.key}={taint.value}:{taint.effect}" for taint in taint_specs]


@given(ack_specs())
def test_every_pool_offers_less_than_the_least_of_its_machines_has(ack: AckSpec) -> None:
    pools = node_pools(AckPlan.of(ack))
    assert [pool.name for pool in pools] == [planned.name for planned in planned_pools(ack)]
    for pool, planned in zip(pools, planned_pools(ack), strict=True):
        assert 0 < pool.machine.cpus <= min(machine_type.vcpus for machine_type in planned.machine_types)
        assert (
            0 < pool.machine.memory_mib < min(machine_type.memory_gib for machine_type in planned.machine_types) * 1024
        )
        assert pool.node_labels.items() <= node_labels(planned).items(), "the selector finds the pool's nodes"
        assert pool.max_nodes == planned.pool.most_nodes
        assert (pool.min_nodes == 0) == (planned.pool.starts_from_nothing or planned.pool.nodes == 0)
        set_taints = {(taint.key, taint.effect) for taint in taints_to_set(planned)}
        assert set_taints <= {(taint.key, taint.effect) for taint in pool.taints}, "pods tolerate what we set"


def test_a_gpu_pool() -> None:
    (node_pool,) = node_pools(AckPlan.of(spec(pool("ecs.gn7i-c8g1.2xlarge"))))
    assert (node_pool.machine.cpus, node_pool.machine.gpus and node_pool.machine.gpus.gres) == (7, "gpu:a10:1")
    assert node_pool.machine.gpus
    assert node_pool.machine.gpus.resource == "nvidia.com/gpu"
    assert node_pool.node_labels == {"slurm.pulumi.com/pool": "gpu"}
    assert taints(node_pool.taints) == ["slurm.pulumi.com/pool=gpu:NoSchedule"]
    assert (node_pool.max_nodes, node_pool.reserved_cpus, node_pool.reserved_memory) == (2, 1, "2Gi")


def test_a_pool_of_several_types_has_what_all_of_them_have() -> None:
    (both,) = node_pools(AckPlan.of(spec(pool("ecs.g8i.4xlarge", "ecs.c8i.8xlarge"))))
    (first,) = node_pools(AckPlan.of(spec(pool("ecs.g8i.4xlarge"))))
    (second,) = node_pools(AckPlan.of(spec(pool("ecs.c8i.8xlarge"))))
    assert both.machine.cpus == first.machine.cpus < second.machine.cpus
    assert both.machine.memory_mib == min(first.machine.memory_mib, second.machine.memory_mib)


def test_the_number_of_pods_determines_what_ack_reserves() -> None:
    few = spec(pool("ecs.g8i.4xlarge"), control_plane={"cni": "flannel"}, network={"podsPerNode": 16})
    many = spec(pool("ecs.g8i.4xlarge"), control_plane={"cni": "flannel"}, network={"podsPerNode": 256})
    assert node_pools(AckPlan.of(few))[0].machine.memory_mib > node_pools(AckPlan.of(many))[0].machine.memory_mib


def test_labels_and_taints() -> None:
    ack = spec(
        pool(
            "ecs.gn7i-c8g1.2xlarge",
            driverVersion="550.144.03",
            dedicated=False,
            taints=[{"key": "team", "value": "a"}],
            nodeLabels={"team": "a"},
        )
    )
    (planned,) = planned_pools(ack)
    assert taints(all_taints(planned)) == taints(taints_to_set(planned)) == ["team=a:NoSchedule"]
    assert node_labels(planned) == {
        "team": "a",
        "slurm.pulumi.com/pool": "gpu",
        "ack.aliyun.com/nvidia-driver-version": "550.144.03",
    }


def test_pods_on_arm_tolerate_its_taint_which_we_do_not_set() -> None:
    (planned,) = planned_pools(spec(pool("ecs.g8y.4xlarge", dedicated=False)))
    assert taints_to_set(planned) == []
    assert taints(all_taints(planned)) == ["kubernetes.io/arch=arm64:NoSchedule"]


def test_pools_that_may_have_no_node_yet() -> None:
    pools = [
        pool("ecs.g8i.xlarge", name="fixed", nodes=0),
        pool("ecs.g8i.xlarge", name="some", nodes=None, minNodes=1, maxNodes=2),
        pool("ecs.g8i.xlarge", name="none", nodes=None, maxNodes=2),
    ]
    assert pools_from_zero(AckPlan.of(spec(*pools))) == ["none"]


def test_pools_that_leave_nothing_are_left_out_or_lose_their_reserve() -> None:
    def partial(fields: dict[str, Any]) -> AckSpec:
        # A specification with errors, as while loading a stack's configuration: rules refuse both pools.
        fields = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-h"], "pools": [fields]}
        return AckSpec.model_validate(fields)

    assert node_pools(AckPlan.of(partial(pool("ecs.nothing.large")))) == []
    (node_pool,) = node_pools(AckPlan.of(partial(pool("ecs.g8i.xlarge", reservedCpus=3, reservedMemory="1Gi"))))
    assert (node_pool.reserved_cpus, node_pool.reserved_memory) == (0, "0")

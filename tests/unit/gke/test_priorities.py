"""Node sets on pools with priorities."""

from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.errors import Severity
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import node_pools
from pulumi_slurm.gke.plan.priorities import expand_priorities
from pulumi_slurm.gke.rules import check_node_sets, check_priorities, check_slurm, checked_gke
from pulumi_slurm.manifests.nodes_wanted import nodes_wanted
from pulumi_slurm.model import ScalingMode, SlurmSpec
from pulumi_slurm.rules import check_pools, checked
from tests.unit.gke.strategies import clusters, gke_specs, options_of

RESERVED = {"capacity": "reservation", "reservation": "mine", "nodes": 4}
FLEX = {"capacity": "flex-start", "maxNodes": 8}
SPOT = {"capacity": "spot", "maxNodes": 16}


def gke(*priorities: dict[str, Any], **pool: Any) -> GkeSpec:
    fields = {"name": "h100", "machineType": "a3-highgpu-8g", "priorities": list(priorities), **pool}
    return checked_gke(GkeSpec(project="my-project", region="us-central1", zones=["us-central1-b"], pools=[fields]))


def cluster(*node_sets: dict[str, Any], **fields: Any) -> SlurmSpec:
    return checked(
        SlurmSpec(**{"name": "slurm", "nodeSets": list(node_sets) or [{"name": "gpu", "pool": "h100"}], **fields})
    )


def partition(name: str = "all", *node_sets: str, **options: Any) -> dict[str, Any]:
    return {"name": name, "nodeSets": list(node_sets) or ["gpu"], **options}


def members(spec: SlurmSpec) -> dict[str, list[str]]:
    return {partition.name: partition.node_sets for partition in spec.partitions}


@given(st.data())
def test_an_expanded_cluster_is_valid(data: st.DataObject) -> None:
    spec = data.draw(gke_specs())
    before = data.draw(clusters(spec))
    plan = GkePlan.of(spec)
    assume(not list(check_priorities(plan, before)) and not list(check_node_sets(plan, before)))
    after = expand_priorities(plan, before)
    assert not [error for error in check_pools(after, node_pools(plan)) if error.severity is Severity.ERROR]
    assert expand_priorities(plan, after) == after
    assert partition_names(before) == partition_names(after)
    for node_set in before.node_sets:
        options = options_of(spec, str(node_set.pool))
        expanded = [other for other in after.node_sets if other.pool in {option.name for option in options}]
        assert len(expanded) == len(options)
        partitions = set(partitions_of(before, node_set))
        for other in expanded:
            assert set(partitions_of(after, other)) <= partitions
            assert bool(partitions_of(after, other)) == bool(partitions)
        assert {name for other in expanded for name in partitions_of(after, other)} <= partitions
        if not options[0].pool.priorities:
            assert expanded == [node_set]
            continue
        assert [other.weight for other in expanded] == sorted(other.weight or 0 for other in expanded)
        if node_set.scaling_mode is ScalingMode.DAEMON_SET:
            continue
        max_replicas = [other.max_replicas or 0 for other in expanded]
        max_nodes = [option.capacity_option.most_nodes for option in options]
        if node_set.autoscaling:
            assert sum(max_replicas) == min(sum(max_nodes), node_set.autoscaling.max_replicas)
            assert all(replicas <= nodes for replicas, nodes in zip(max_replicas, max_nodes, strict=True))
        else:
            assert sum(max_replicas) == node_set.max_replicas
            assert all(replicas <= nodes for replicas, nodes in zip(max_replicas, max_nodes, strict=True))
            first_free = next((n for n, (a, b) in enumerate(zip(max_replicas, max_nodes, strict=True)) if a < b), None)
            assert first_free is None or not any(max_replicas[first_free + 1 :])


def partition_names(spec: SlurmSpec) -> set[str]:
    """Return the names of all partitions, including those of node sets."""
    of_node_sets = (node_set.slurm_name for node_set in spec.node_sets if node_set.partition)
    return {*of_node_sets, *(partition.name for partition in spec.partitions)}


def test_partitions_keep_nodes_that_are_no_node_sets() -> None:
    bridge = {
        "partition": "pods",
        "namespaces": [{"name": "jobs"}],
        "externalNodes": [{"name": "x", "nodeSelector": {"x": ""}}],
    }
    spec = cluster(
        {"name": "gpu", "pool": "h100", "replicas": 13},
        controller={"address": "slurmctld.example.org"},
        externalNodes=[{"name": "out", "maxNodes": 2}],
        bridge=bridge,
        partitions=[
            partition("pods", "x"),
            partition("long", "ALL"),
            partition("short", "gpu", "out", maxTime="60"),
        ],
    )
    after = expand_priorities(GkePlan.of(gke(RESERVED, FLEX)), spec)
    assert members(after) == {
        "pods": ["x"],
        "long": ["gpu-reservation", "out"],
        "short": ["gpu-reservation", "gpu-flex-start", "out"],
    }


@pytest.mark.parametrize(("machine_type", "weights"), [("a3-highgpu-8g", [100, 110]), ("n2-standard-8", [1, 11])])
def test_capacity_options_without_gpus_come_first(machine_type: str, weights: list[int]) -> None:
    spec = cluster({"name": "gpu", "pool": "h100", "replicas": 5})
    after = expand_priorities(GkePlan.of(gke(RESERVED, SPOT, machineType=machine_type)), spec)
    assert [node_set.weight for node_set in after.node_sets] == weights


def test_every_option_becomes_a_node_set_and_partitions_get_the_suitable_ones() -> None:
    spec = cluster(
        {
            "name": "gpu",
            "pool": "h100",
            "replicas": 13,
            "weight": 5,
            "features": ["ib"],
            "partition": {"preemptMode": "OFF"},
        },
        partitions=[
            partition("long", preemptMode="OFF"),
            partition("week", maxTime="7-00:00:00"),
            partition("everything", "ALL", maxTime="60"),
            partition("most", "ALL"),
        ],
    )
    after = expand_priorities(GkePlan.of(gke(RESERVED, FLEX, SPOT)), spec)
    assert [
        (node_set.name, node_set.pool, node_set.weight, node_set.replicas, node_set.features, node_set.partition)
        for node_set in after.node_sets
    ] == [
        ("gpu-reservation", "h100-reservation", 5, 4, ["ib", "gpu", "reservation"], None),
        ("gpu-flex-start", "h100-flex-start", 15, 8, ["ib", "gpu", "flex-start"], None),
        ("gpu-spot", "h100-spot", 25, 1, ["ib", "gpu", "spot"], None),
    ]
    assert members(after) == {
        "gpu": ["gpu-reservation"],
        "long": ["gpu-reservation"],
        "week": ["gpu-reservation", "gpu-flex-start", "gpu-spot"],
        "everything": ["ALL"],
        "most": ["gpu-reservation", "gpu-spot"],
    }


def test_without_priorities_nothing_changes() -> None:
    spec = cluster({"name": "gpu", "pool": "h100", "replicas": 2}, partitions=[partition()])
    assert expand_priorities(GkePlan.of(gke(nodes=2)), spec) is spec
    assert not list(check_node_sets(GkePlan.of(gke(nodes=2)), spec))


def test_replicas_are_distributed_best_option_first() -> None:
    scaling = {"minReplicas": 5, "maxReplicas": 10, "prometheusAddress": "http://p:9090", "partition": "long"}
    spec = cluster(
        {"name": "gpu", "pool": "h100", "autoscaling": scaling},
        partitions=[partition("long", preemptMode="OFF"), partition("short", maxTime="60")],
    )
    after = expand_priorities(GkePlan.of(gke(RESERVED, SPOT, FLEX)), spec)
    assert [
        (node_set.name, scaling and (scaling.min_replicas, scaling.max_replicas))
        for node_set in after.node_sets
        for scaling in (node_set.autoscaling,)
    ] == [("gpu-reservation", (4, 4)), ("gpu-spot", (1, 6)), ("gpu-flex-start", None)]
    assert after.node_sets[2].replicas == 0
    assert [node_set.autoscaling.partition for node_set in after.node_sets if node_set.autoscaling] == ["long", None]


def test_nodes_that_cost_while_nothing_runs_are_asked_for() -> None:
    plan = GkePlan.of(gke(RESERVED, FLEX, SPOT))
    assert [str(error) for error in check_slurm(plan, cluster(partitions=[partition(maxTime="60")]))] == [
        "node_sets[0].replicas: each worker keeps its node, with jobs or without, and flex-start, spot would always "
        'run in full: 28 nodes of the pool "h100". Write autoscaling with max_replicas 28 or less, or state the number '
        "of replicas, which are distributed best capacity option first."
    ]
    reserved = cluster({"name": "gpu", "pool": "h100"}, partitions=[partition()])
    assert not list(check_slurm(GkePlan.of(gke(RESERVED)), reserved))
    assert [node_set.replicas for node_set in expand_priorities(GkePlan.of(gke(RESERVED)), reserved).node_sets] == [4]


def test_jobs_with_room_on_fixed_nodes_start_no_others() -> None:
    scaling = {"maxReplicas": 28, "prometheusAddress": "http://p:9090"}
    spec = cluster({"name": "gpu", "pool": "h100", "autoscaling": scaling}, partitions=[partition()])
    after = expand_priorities(GkePlan.of(gke(RESERVED, SPOT)), spec)
    reserved, spot = (node_set.autoscaling.query or "" for node_set in after.node_sets if node_set.autoscaling)
    assert reserved == nodes_wanted("slurm", "all", "gpu-reservation-", 1)
    assert spot == nodes_wanted("slurm", "all", "gpu-spot-", 1, [("gpu-reservation-", 4)])


def test_names_of_nodes_contain_the_capacity() -> None:
    after = expand_priorities(
        GkePlan.of(gke(RESERVED, SPOT)), cluster({"name": "gpu", "pool": "h100", "hostNamePrefix": "n-"})
    )
    assert [node_set.host_name for node_set in after.node_sets] == ["n-reservation-", "n-spot-"]


@pytest.mark.parametrize(
    ("priorities", "spec", "lines"),
    [
        (
            [RESERVED, SPOT],
            {"partitions": [partition(preemptMode="OFF")]},
            [
                'pools[0].priorities[1].capacity = "spot": no job could run on it, as it suits no partition of '
                'the node set "gpu": "all" has preempt_mode OFF, and Google can reclaim a spot node at any time. '
                'Leave preempt_mode out of "all", or remove this capacity option from priorities.'
            ],
        ),
        (
            [RESERVED, {**FLEX, "maxRunDuration": "1-00:00:00"}],
            {"partitions": [partition("a", maxTime="2-00:00:00"), partition("b", "ALL")]},
            [
                'pools[0].priorities[1].capacity = "flex-start": no job could run on it, as it suits no '
                'partition of the node set "gpu": max_time of "a" is 2-00:00:00, and a flex-start node ends after '
                '1-00:00:00; max_time of "b" is UNLIMITED, and a flex-start node ends after 1-00:00:00. Write max_time '
                '"1-00:00:00" or less in "a", or remove this capacity option from priorities.'
            ],
        ),
        ([RESERVED, SPOT], {}, []),
        ([RESERVED, SPOT], {"partitions": [partition("a", preemptMode="OFF"), partition("b")]}, []),
    ],
)
def test_options_that_no_job_could_reach(priorities: list[Any], spec: dict[str, Any], lines: list[str]) -> None:
    assert [str(error) for error in check_priorities(GkePlan.of(gke(*priorities)), cluster(**spec))] == lines


@pytest.mark.parametrize(
    ("priorities", "node_sets", "spec", "lines"),
    [
        (
            [SPOT],
            [{"name": "gpu", "pool": "h100", "replicas": 17}],
            {},
            [
                'node_sets[0].replicas = 17: the capacity options of the pool "h100" have 16 nodes. Write 16 or less, '
                "or give the capacity options more nodes."
            ],
        ),
        (
            [SPOT],
            [{"name": "a", "pool": "h100"}, {"name": "b", "pool": "h100"}, {"name": "c", "pool": "h100-spot"}],
            {},
            [
                f'node_sets[{index}].pool = "{pool}": "a" takes every node of the priorities of "h100", and other pods '
                "would stay Pending. Use another pool for it."
                for index, pool in ((1, "h100"), (2, "h100-spot"))
            ],
        ),
        (
            [SPOT],
            [{"name": "gpu", "pool": "h100"}, {"name": "gpu-spot", "machine": {"cpus": 1, "memory": "1Gi"}}],
            {},
            [
                'node_sets[1].name = "gpu-spot": the node set "gpu" gets this name on its priorities. Choose '
                "another name.",
            ],
        ),
        (
            [RESERVED, SPOT],
            [{"name": "gpu", "pool": "h100"}, {"name": "spot", "machine": {"cpus": 1, "memory": "1Gi"}}],
            {"externalNodes": [{"name": "reservation", "maxNodes": 1}], "controller": {"address": "h"}},
            [
                f'{path}.name = "{name}": nodes of "gpu" have this capacity as a feature, and would come into its '
                "partitions. Choose another name."
                for path, name in (("node_sets[1]", "spot"), ("external_nodes[0]", "reservation"))
            ],
        ),
        ([RESERVED, SPOT], [{"name": "spot", "pool": "h100"}], {}, []),
        (
            [RESERVED],
            [{"name": "g" * 36, "pool": "h100"}],
            {},
            [
                f'node_sets[0].name = "{"g" * 36}": with the capacity options of its pool and the cluster\'s '
                f'name it results in names such as "slurm-worker-{"g" * 36}-reservation-00000", which are too long. '
                "Shorten it, or the cluster's name, by 8."
            ],
        ),
        (
            [RESERVED],
            [{"name": "gpu", "pool": "h100", "hostNamePrefix": "n" * 45}],
            {},
            [
                f'node_sets[0].host_name_prefix = "{"n" * 45}": with the capacity options of its pool it becomes '
                f'"{"n" * 45}-reservation-" of 58 characters, and there is room for 50. Shorten it by 8.'
            ],
        ),
        (
            [SPOT],
            [{"name": "gpu", "pool": "h100"}],
            {"configFiles": {"gres.conf": "NodeName=gpu-[0-3] Name=gpu File=/dev/nvidia0\n"}},
            [
                'config_files["gres.conf"] = "...": it names nodes of the node set "gpu", which have other names on '
                'the capacity options of its pool. Write "gpu-<capacity>-<number>" for them.'
            ],
        ),
        (
            [SPOT],
            [{"name": "gpu", "pool": "h100"}],
            {"partitions": [partition("a", preemptMode="OFF"), partition("b")]},
            [
                'partitions[0] = "a": no capacity option of its node sets\' priorities suits it, so it would '
                'have no nodes: "a" has preempt_mode OFF, and Google can reclaim a spot node at any time. Leave '
                'preempt_mode out of "a", or remove this capacity option from priorities.'
            ],
        ),
    ],
)
def test_errors_of_node_sets(
    priorities: list[Any], node_sets: list[Any], spec: dict[str, Any], lines: list[str]
) -> None:
    assert [str(error) for error in check_node_sets(GkePlan.of(gke(*priorities)), cluster(*node_sets, **spec))] == lines

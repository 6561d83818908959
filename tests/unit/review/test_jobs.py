"""Which jobs are in the way of a change, and what becomes of them."""

from dataclasses import replace
from typing import Any

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm_cli.live import LiveJob
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.drained_nodes import drained_node_effects
from pulumi_slurm_cli.review.jobs import JobInTheWay, Outcome, costs_nothing_from, gpu_hours_lost, jobs_in_the_way
from pulumi_slurm_cli.review.node_pools import PoolChange
from tests.unit.review.live_jobs import node, running, waiting
from tests.unit.review.test_effects import DATA, changed, side

NODES = [node(name) for name in ("cpu-0", "cpu-1", "cpu-2", "gpu-0", "gpu-1")]
FEWER = {"nodeSets": [{"replicas": 1}, {}]}
AWAITED = {"nodeSets": [{"replicas": 1, "wait": True}, {}]}
KEY = {"keys": {"slurm": {"generation": 2}}}
POOLS = [{"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, "nodeLabels": {"pool": "cpu"}}]
NO_GPU: dict[str, Any] = {"nodeSets": [{}], "partitions": [{}, {}]}
ONE_GPU_NODE = {"nodeSets": [{}, {"replicas": 1}]}
SHORTER = {"partitions": [{"maxTime": 30}, {"maxTime": 30}]}


def limited(enforced: str = "limits", **accounting: Any) -> dict[str, Any]:
    """Return a change of QoS and accounts, where slurmctld looks at limits."""
    return {"accounting": accounting, "slurmConf": {"accountingStorageEnforce": [enforced]}}


CASES: dict[str, tuple[dict[str, Any] | None, LiveJob, tuple[Outcome, str] | None]] = {
    "a job on a node set that goes": (NO_GPU, running("gpu-0"), (Outcome.HOLDS_UP, "node set gpu goes")),
    "a job on another node set": (NO_GPU, running("cpu-0"), None),
    "a waiting job of that node set alone": (
        NO_GPU,
        waiting(features="gpu"),
        (Outcome.NEVER_STARTS, "all has no node for it: cpu lacks the feature gpu"),
    ),
    "fewer workers": (FEWER, running("cpu-2"), (Outcome.DRAINED, "node set cpu has 2 workers fewer")),
    "fewer workers, for which the update waits": (
        AWAITED,
        running("cpu-2"),
        (Outcome.HOLDS_UP, "node set cpu has 2 workers fewer, and `wait` is set"),
    ),
    "no workers, for which no update waits": (
        {"nodeSets": [{"replicas": 0, "wait": True}, {}]},
        running("cpu-2"),
        (Outcome.DRAINED, "node set cpu has 3 workers fewer"),
    ),
    "a waiting job of more nodes than are left": (
        FEWER,
        waiting(node_count=1, tres={"node": 5}, partitions=("all", "short")),
        (Outcome.NEVER_STARTS, "all has 3 nodes for it, and it needs 5; short has 1 node for it, and it needs 5"),
    ),
    "another machine, for whose workers the update waits": (
        {"nodeSets": [{"machine": {"cpus": 2, "memory": "8Gi"}, "wait": True}, {}]},
        running("cpu-1"),
        (Outcome.HOLDS_UP, "node set cpu: its worker is replaced after it, and `wait` is set"),
    ),
    "another machine": (
        {"nodeSets": [{"machine": {"cpus": 2, "memory": "8Gi"}}, {}]},
        running("cpu-1"),
        (Outcome.DRAINED, "node set cpu: its worker is replaced after it"),
    ),
    "a job too large for the other machine": (
        {"nodeSets": [{"machine": {"cpus": 2, "memory": "8Gi"}}, {}]},
        waiting(cpus_per_node=3, partitions=("short",)),
        (Outcome.NEVER_STARTS, "short has no node for it: cpu has 2 CPUs a node"),
    ),
    "GPUs that are no longer there": (
        {"nodeSets": [{}, {"gpus": 2}]},
        waiting(gres_per_node="gres/gpu:4"),
        (Outcome.NEVER_STARTS, "all has no node for it: cpu has no GPUs a node, gpu has gpu:a100:2 a node"),
    ),
    "more GPUs of a job than all nodes have": (
        ONE_GPU_NODE,
        waiting(gres_per_job="gres/gpu:8"),
        (Outcome.NEVER_STARTS, "all has 4 GPUs for it, and it needs 8"),
    ),
    "GPUs of a job on two nodes": ({"partitions": [{"maxNodes": 2}, {}]}, waiting(gres_per_job="gres/gpu:8"), None),
    "GPUs of a job on fewer nodes than have them": (
        {"partitions": [{"maxNodes": 1}, {}]},
        waiting(gres_per_job="gres/gpu:a100:5"),
        (Outcome.NEVER_STARTS, "all has 4 a100 GPUs for it, and it needs 5"),
    ),
    "GPUs of a job that are of another kind": (
        {"nodeSets": [{}, {"machine": {"gpus": {"type": "h100"}}}]},
        waiting(gres_per_job="gres/gpu:a100:1"),
        (Outcome.NEVER_STARTS, "all has no node for it: cpu has no GPUs a node, gpu has gpu:h100:4 a node"),
    ),
    "GPUs of a job that are all on one of its nodes": (
        ONE_GPU_NODE,
        waiting(gres_per_job="gres/gpu:2", tres={"node": 2}),
        (Outcome.NEVER_STARTS, "all has 1 node for it, and it needs 2"),
    ),
    "GPUs of tasks, each of which has to be on one node": (
        {"nodeSets": [{}, {"gpus": 3}]},
        waiting(gres_per_task="cpu=1,gres/gpu=2", tasks=3),
        (Outcome.NEVER_STARTS, "all has 4 GPUs for it, and it needs 6"),
    ),
    "GPUs of a task that no node has": (
        {"nodeSets": [{}, {"gpus": 2}]},
        waiting(gres_per_task="gres/gpu:a100=3"),
        (Outcome.NEVER_STARTS, "all has no node for it: cpu has no GPUs a node, gpu has gpu:a100:2 a node"),
    ),
    "GPUs of a socket, about which nothing is said": (ONE_GPU_NODE, waiting(gres_per_node="gres/shard:8"), None),
    "a choice of features, of which none is left": (
        NO_GPU,
        waiting(features="gpu|huge"),
        (Outcome.NEVER_STARTS, "all has no node for it: cpu lacks the feature gpu|huge"),
    ),
    "a choice of features, of which one is left": (NO_GPU, waiting(features="gpu|cpu"), None),
    "a choice before another feature": (
        NO_GPU,
        waiting(features="cpu|gpu&gpu"),
        (Outcome.NEVER_STARTS, "all has no node for it: cpu lacks the feature cpu|gpu&gpu"),
    ),
    "a choice behind another feature, from left to right": (NO_GPU, waiting(features="gpu&gpu|cpu"), None),
    "a choice in parentheses": (
        NO_GPU,
        waiting(features="gpu&(huge|gpu)"),
        (Outcome.NEVER_STARTS, "all has no node for it: cpu lacks the feature gpu&(huge|gpu)"),
    ),
    "a choice of one feature for all nodes, about which nothing is said": (
        NO_GPU,
        waiting(features="[gpu|huge]"),
        None,
    ),
    "features with a number of nodes, about which nothing is said": (NO_GPU, waiting(features="gpu*1&cpu*1"), None),
    "a node by name that goes": (
        NO_GPU,
        waiting(required_nodes=("cpu-0", "gpu-0"), tres={"node": 2}),
        (Outcome.NEVER_STARTS, "all has no gpu-0"),
    ),
    "a node by name that the partition loses": (
        {"partitions": [{"nodeSets": ["gpu"]}, {}]},
        waiting(required_nodes=("cpu-0",)),
        (Outcome.NEVER_STARTS, "all has no cpu-0"),
    ),
    "nodes by name, one of which is enough": (NO_GPU, waiting(required_nodes=("cpu-0", "gpu-0")), None),
    "a node by name that has become too small": (
        {"nodeSets": [{}, {"gpus": 2}]},
        waiting(gres_per_node="gres/gpu:3", required_nodes=("gpu-1",), partitions=("all",)),
        (Outcome.NEVER_STARTS, "all can't give it gpu-1: gpu has gpu:a100:2 a node"),
    ),
    "a node by name that nobody knows": (NO_GPU, waiting(required_nodes=("other-0",)), None),
    "a node by name, and fewer workers": (
        FEWER,
        waiting(required_nodes=("cpu-0",)),
        (Outcome.NEVER_STARTS, "it asks for cpu-0, and node set cpu has 2 workers fewer"),
    ),
    "nodes by name, and fewer workers than others of them": (
        FEWER,
        waiting(required_nodes=("cpu-0", "cpu-1")),
        None,
    ),
    "the key of Slurm": (
        KEY,
        running("cpu-0"),
        (
            Outcome.REQUEUED,
            "node set cpu: slurmctld has the new key before they do, and doesn't hear of their jobs any more",
        ),
    ),
    "the key of Slurm, and a job that may not start again": (
        KEY,
        running("cpu-0", requeue=False),
        (
            Outcome.ENDS,
            "node set cpu: slurmctld has the new key before they do, and doesn't hear of their jobs any more",
        ),
    ),
    "a partition that goes": (
        {"partitions": [{}]},
        running("cpu-0", partitions=("short",)),
        (Outcome.HOLDS_UP, "partition short goes"),
    ),
    "a waiting job of a partition that goes": (
        {"partitions": [{}]},
        waiting(partitions=("short",)),
        (Outcome.HOLDS_UP, "partition short goes"),
    ),
    "a waiting job of another partition besides": ({"partitions": [{}]}, waiting(partitions=("short", "all")), None),
    "a user who goes": (
        {"accounting": {"accounts": [{"users": ["bob"]}]}},
        running("cpu-0"),
        (Outcome.HOLDS_UP, "ada may not use account a any more"),
    ),
    "a waiting job of an account that goes": (
        {"accounting": {"accounts": []}},
        waiting(),
        (Outcome.HOLDS_UP, "ada may not use account a any more"),
    ),
    "a user of somebody else's": ({"accounting": {"accounts": []}}, running("cpu-0", user="eve"), None),
    "a shorter time": (SHORTER, waiting(), (Outcome.NEVER_STARTS, "all has maxTime 30")),
    "a shorter time, and a job that runs": (SHORTER, running("cpu-0"), None),
    "an account that may not": (
        {"partitions": [{"denyAccounts": ["a"]}, {}], "slurmConf": {"accountingStorageEnforce": ["limits"]}},
        waiting(),
        (Outcome.NEVER_STARTS, "all has a in denyAccounts"),
    ),
    "an account that may not, where nobody looks at accounts": (
        {"partitions": [{"denyAccounts": ["a"]}, {}]},
        waiting(),
        None,
    ),
    "a waiting job whose number of nodes is a guess": (FEWER, waiting(node_count=9, tres={"node": 1}), None),
    "an account below one that may": (
        {
            "partitions": [{"allowAccounts": ["top"]}, {}],
            "slurmConf": {"accountingStorageEnforce": ["limits"]},
            "accounting": {"accounts": [{"name": "top"}, {"name": "a", "parent": "top", "users": ["ada"]}]},
        },
        waiting(),
        None,
    ),
    "a QoS that may go beyond a partition's time": (
        {**SHORTER, "accounting": {"qos": [{"name": "long", "flags": ["PartitionTimeLimit"]}]}},
        waiting(qos="long"),
        None,
    ),
    "a longest time of the account": (
        limited(accounts=[{"name": "a", "users": ["ada"], "maxWall": "30"}]),
        waiting(),
        (Outcome.NEVER_STARTS, "account a has maxWall 30"),
    ),
    "a longest time of the account above": (
        limited(
            accounts=[{"name": "top", "maxWall": "30"}, {"name": "a", "parent": "top", "users": ["ada"], "qos": ["q"]}],
            qos=[{"name": "q"}],
        ),
        waiting(qos="q"),
        (Outcome.NEVER_STARTS, "account top has maxWall 30"),
    ),
    "a longest time of the QoS comes before that of the account": (
        limited(
            accounts=[{"name": "a", "users": ["ada"], "qos": ["q"], "maxWall": "30"}],
            qos=[{"name": "q", "maxWall": "90"}],
        ),
        waiting(qos="q"),
        None,
    ),
    "the partition's QoS comes before the job's": (
        {
            **limited(qos=[{"name": "q", "maxWall": "30"}, {"name": "p", "maxWall": "90"}]),
            "partitions": [{"qos": "p"}, {}],
        },
        waiting(qos="q"),
        None,
    ),
    "unless the job's is over that": (
        {
            **limited(qos=[{"name": "q", "maxWall": "30", "flags": ["OverPartQOS"]}, {"name": "p", "maxWall": "90"}]),
            "partitions": [{"qos": "p"}, {}],
        },
        waiting(qos="q"),
        (Outcome.NEVER_STARTS, "QoS q has maxWall 30"),
    ),
    "a longest time, where nobody looks at limits": (
        {"accounting": {"accounts": [{"users": ["ada"], "maxWall": "30"}]}},
        waiting(),
        None,
    ),
    "more CPUs than the users of a QoS may have": (
        limited(qos=[{"name": "q", "maxTresPerUser": {"cpu": 4}}]),
        waiting(qos="q", tres={"cpu": 6, "node": 1}),
        (Outcome.NEVER_STARTS, "QoS q has maxTresPerUser cpu=4"),
    ),
    "nodes of its own have more CPUs than they may have": (
        limited(qos=[{"name": "q", "maxTresPerUser": {"cpu": 3}}]),
        waiting(qos="q", tres={"cpu": 1, "node": 1}, exclusive="node"),
        (Outcome.NEVER_STARTS, "QoS q has maxTresPerUser cpu=3"),
    ),
    "nodes of its own that have few enough": (
        limited(qos=[{"name": "q", "maxTresPerUser": {"cpu": 4}}]),
        waiting(qos="q", tres={"cpu": 1, "node": 1}, exclusive="node"),
        None,
    ),
    "what it needs on a node is given on each": (
        limited(qos=[{"name": "q", "grpTres": {"cpu": 5}}]),
        waiting(qos="q", tres={"cpu": 3, "node": 2}, cpus_per_node=3),
        (Outcome.NEVER_STARTS, "QoS q has grpTres cpu=5"),
    ),
    "memory follows the CPUs that are given": (
        limited(qos=[{"name": "q", "grpTres": {"mem": 599}}]),
        waiting(qos="q", tres={"cpu": 3, "mem": 300, "node": 2}, cpus_per_node=3, memory_per_cpu=100),
        (Outcome.NEVER_STARTS, "QoS q has grpTres mem=599"),
    ),
    "memory of a node is given on each": (
        limited(qos=[{"name": "q", "grpTres": {"mem": 1999}}]),
        waiting(qos="q", tres={"cpu": 1, "mem": 2000, "node": 2}, memory_per_cpu=None, memory_per_node=1000),
        (Outcome.NEVER_STARTS, "QoS q has grpTres mem=1999"),
    ),
    "GPUs of a node are given on each": (
        limited(qos=[{"name": "q", "grpTres": {"gres/gpu": 3}}]),
        waiting(qos="q", tres={"gres/gpu": 4, "node": 2}, gres_per_node="gres/gpu:2"),
        (Outcome.NEVER_STARTS, "QoS q has grpTres gres/gpu=3"),
    ),
    "what it needs on two nodes is as much as they may have": (
        limited(qos=[{"name": "q", "grpTres": {"cpu": 6, "mem": 600}}]),
        waiting(qos="q", tres={"cpu": 3, "mem": 300, "node": 2}, cpus_per_node=3, memory_per_cpu=100),
        None,
    ),
    "as many CPUs as they may have": (
        limited(qos=[{"name": "q", "maxTresPerUser": {"cpu": 6}}]),
        waiting(qos="q", tres={"cpu": 6, "node": 1}),
        None,
    ),
    "more than an account above may have together": (
        limited(
            accounts=[
                {"name": "top", "grpTres": {"gres/gpu": 2}},
                {"name": "a", "parent": "top", "users": ["ada"], "grpTres": {"gres/gpu": 8}},
            ],
        ),
        waiting(tres={"gres/gpu": 4}),
        (Outcome.NEVER_STARTS, "account top has grpTres gres/gpu=2"),
    ),
    "an option for one job, shortened": (
        limited(accounts=[{"name": "a", "users": ["ada"], "options": {"MaxTRESPerJ": "cpu=5,node=-1,mem=1G"}}]),
        waiting(tres={"cpu": 5, "node": 5, "mem": 2048}),
        (Outcome.NEVER_STARTS, "account a has MaxTRESPerJ mem=1024"),
    ),
    "an option of CPUs for one job": (
        limited(qos=[{"name": "q", "options": {"MaxCPUsPerJob": "2"}}]),
        waiting(qos="q", tres={"cpu": 3}),
        (Outcome.NEVER_STARTS, "QoS q has MaxCPUsPerJob cpu=2"),
    ),
    "a share of the cluster": (
        limited(qos=[{"name": "q", "maxTresPerUser": {"cpu": 4}, "flags": ["Relative"]}]),
        waiting(qos="q", tres={"cpu": 6}),
        None,
    ),
    "no jobs": (
        limited(accounts=[{"name": "a", "users": ["ada"], "grpJobs": 0}]),
        waiting(),
        (Outcome.NEVER_STARTS, "account a has grpJobs 0"),
    ),
    "a limit of time that is used up together, and a job that runs": (
        limited(qos=[{"name": "q", "options": {"GrpTRESMins": "cpu=100"}}]),
        running("cpu-0", qos="q"),
        (Outcome.ENDS, "QoS q has GrpTRESMins cpu=100, and it may be beyond that"),
    ),
    "the same, and a job of another QoS": (
        limited(qos=[{"name": "q", "options": {"GrpTRESMins": "cpu=100"}}]),
        running("cpu-0"),
        None,
    ),
    "the same, where limits are safe": (
        limited("safe", qos=[{"name": "q", "options": {"GrpTRESMins": "cpu=100"}}]),
        running("cpu-0", qos="q"),
        None,
    ),
    "a longest time of the account, and a job that runs": (
        limited(accounts=[{"name": "a", "users": ["ada"], "maxWall": "30"}]),
        running("cpu-0"),
        None,
    ),
    "a QoS that nobody knows here": (SHORTER, waiting(qos="by-hand"), None),
    "another namespace, and a job that waits": (
        {"namespace": "other"},
        waiting(),
        (Outcome.ENDS, "the cluster is made anew, since its namespace is another"),
    ),
    "another namespace, and a job that runs": (
        {"namespace": "other"},
        running("cpu-0"),
        (Outcome.ENDS, "the cluster is made anew, since its namespace is another"),
    ),
    "another node set takes the name in Slurm": (
        {"nodeSets": [{"name": "compute", "hostNamePrefix": "cpu-"}, {}], "partitions": [{}]},
        running("cpu-0"),
        (
            Outcome.REQUEUED,
            "node set cpu: another node set is called cpu in Slurm, so nothing is drained",
        ),
    ),
    "another scaling mode": (
        {"nodeSets": [{"scalingMode": "DaemonSet", "replicas": None}, {}]},
        running("cpu-0"),
        (Outcome.DRAINED, "node set cpu: its worker is replaced after it"),
    ),
    "fewer workers than an autoscaler may have": (
        {"nodeSets": [{"replicas": 0}, {}]},
        running("cpu-0"),
        (Outcome.DRAINED, "node set cpu has 3 workers fewer"),
    ),
    "a login set with fewer pods": (
        {"loginSets": [{"replicas": 0}]},
        running("cpu-0", batch=False),
        (Outcome.ENDS, "login set login: sessions there end"),
    ),
    "a login set with fewer pods, and a job with a script": (
        {"loginSets": [{"replicas": 0}]},
        running("cpu-0"),
        None,
    ),
    "a node outside with the old key": (
        KEY,
        running("ext-0"),
        (Outcome.REQUEUED, "slurmd on its node has the old key"),
    ),
    "another name of the cluster in Slurm": (
        {"clusterName": "zzz"},
        running("cpu-0"),
        (Outcome.ENDS, "Slurm's files change by ClusterName, StateSaveLocation"),
    ),
    "a cluster that is destroyed": (None, waiting(), (Outcome.ENDS, "the cluster is destroyed")),
    "a job that has ended": (None, waiting(states=("COMPLETED",)), None),
}


@pytest.mark.parametrize("name", CASES)
def test_what_becomes_of_a_job(name: str) -> None:
    after, job, expected = CASES[name]
    found = [*jobs_in_the_way(ClusterChange("c", side({}), side(after)), [job], NODES)]
    assert [(item.outcome, item.why) for item in found] == ([expected] if expected else [])


def test_it_is_one_of_some_while_workers_stay() -> None:
    change = ClusterChange("c", side({}), side(FEWER))
    assert [item.may for item in jobs_in_the_way(change, [running("cpu-0")], NODES)] == [True]
    change = ClusterChange("c", side({}), side({"nodeSets": [{"replicas": 0}, {}]}))
    assert [item.may for item in jobs_in_the_way(change, [running("cpu-0")], NODES)] == [False]


@pytest.mark.parametrize(
    ("on_a_volume", "change_of"), [(True, {}), (False, {"image": "x:1"}), (True, {"image": "x:1"})]
)
def test_another_pod_of_slurmctld_ends_all_jobs_without_a_volume(on_a_volume: bool, change_of: dict[str, Any]) -> None:
    before = {"state": {"enabled": on_a_volume}}
    change = ClusterChange("c", side({"controller": before}), side({"controller": {**before, **change_of}}))
    lost = [(item.outcome, item.why) for item in jobs_in_the_way(change, [waiting()], NODES)]
    assert lost == ([] if on_a_volume else [(Outcome.ENDS, "slurmctld starts without the queue")])


def test_a_job_that_could_not_start_before_is_not_the_changes_fault() -> None:
    change = ClusterChange("c", side({"partitions": [{"maxTime": 45}, {}]}), side(SHORTER))
    assert [*jobs_in_the_way(change, [waiting()], NODES)] == []


GOES = PoolChange("cpu", goes=True, deleted=False, change="is replaced")
ANEW = PoolChange("cpu", goes=False, deleted=False, change="machineType a → b")


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        (GOES, [(Outcome.REQUEUED, "node pool cpu is replaced", False)]),
        (ANEW, [(Outcome.REQUEUED, "its node may be made anew before it ends", True)]),
        (PoolChange("other", goes=True, deleted=True, change="is deleted"), []),
    ],
)
def test_the_nodes_of_a_pool_go_with_their_jobs(pool: PoolChange, expected: list[Any]) -> None:
    spec, _ = load(changed(DATA["base"], {"nodeSets": [{"pool": "cpu", "machine": None}, {}]}), POOLS)
    same = ClusterChange("c", ClusterSide(spec), ClusterSide(spec))
    found = jobs_in_the_way(same, [running("cpu-0"), running("gpu-0")], NODES, [pool])
    assert [(item.outcome, item.why, item.may) for item in found] == expected


def test_a_change_is_looked_through_once_for_all_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ClusterChange] = []

    def lines(of: ClusterChange) -> list[str]:
        asked.append(of)
        return []

    monkeypatch.setattr("pulumi_slurm_cli.review.jobs.unsafe_lines", lines)
    change = ClusterChange("c", side({}), side(SHORTER))
    assert len([*jobs_in_the_way(change, [waiting(number=number) for number in range(50)], NODES)]) == 50
    assert len(asked) == 1


def test_drains_by_hand_end_with_the_pods_of_their_nodes() -> None:
    reasons = {"cpu-0": "bad DIMM", "cpu-1": "slurm-operator: Pod is cordoned", "cpu-2": "", "gpu-0": "bad GPU"}
    nodes = [replace(node(name), states=("IDLE", "DRAIN"), reason=reason) for name, reason in reasons.items()]
    change = ClusterChange("c", side({}), side({"nodeSets": [{"image": "x:1"}, {}]}))
    assert [(effect.subject, effect.change) for effect in drained_node_effects(change, nodes)] == [
        ("node set cpu", "2 of its nodes are drained by hand (cpu-[0,2])")
    ]
    unchanged = ClusterChange("c", side({}), side(FEWER))
    assert [*drained_node_effects(unchanged, nodes)] == []


def test_a_component_ends_with_the_others() -> None:
    change = ClusterChange("c", side({}), side({"nodeSets": [{}], "partitions": [{}, {}]}))
    parts = [running("cpu-0", heterogeneous_job=7, component=0), running("gpu-0", heterogeneous_job=7, component=1)]
    found = [*jobs_in_the_way(change, parts, NODES)]
    assert [(item.job, item.outcome) for item in found] == [(part, Outcome.HOLDS_UP) for part in parts]


def test_a_qos_with_jobs_is_not_removed() -> None:
    change = ClusterChange("c", side({"accounting": {"qos": [{"name": "long"}]}}), side({}))
    (found,) = jobs_in_the_way(change, [waiting(qos="long")], NODES)
    assert (found.outcome, found.why) == (Outcome.HOLDS_UP, "QoS long goes")


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        ("cpu=100", "cpu=100", False),
        ("cpu=100", "cpu=200", False),
        ("cpu=100", "cpu=99", True),
        ("cpu=100", "cpu=100,node=5", True),
        ("cpu=-1", "cpu=100", True),
        ("cpu=100", "cpu=-1", False),
    ],
)
def test_a_limit_ends_running_jobs_where_it_is_lower(before: str, after: str, ends: bool) -> None:
    sides = [
        side(limited(accounts=[{"name": "a", "users": ["ada"], "options": {"MaxTRESMinsPerJob": text}}]))
        for text in (before, after)
    ]
    found = [*jobs_in_the_way(ClusterChange("c", sides[0], sides[1]), [running("cpu-0")], NODES)]
    assert [(item.outcome, item.may) for item in found] == ([(Outcome.ENDS, True)] if ends else [])


def test_hours_that_are_lost_and_when_nothing_is() -> None:
    jobs = [running("gpu-0", gpus=4), running("gpu-1", number=8, gpus=2, end=9000)]
    found = [*jobs_in_the_way(ClusterChange("c", side({}), side(KEY)), jobs, NODES)]
    assert gpu_hours_lost(found, 1000 + 1800) == 3
    assert costs_nothing_from(found) == 9000
    never = [*found, JobInTheWay(waiting(), Outcome.NEVER_STARTS, "")]
    assert costs_nothing_from(never) is None
    unlimited = [*jobs_in_the_way(ClusterChange("c", side({}), side(KEY)), [*jobs, running("cpu-0", end=None)], NODES)]
    assert costs_nothing_from(unlimited) is None


def test_a_job_of_a_number_may_be_one_of_a_user_who_goes() -> None:
    """Slurm in pods knows no users of a directory."""
    leaves = side({"accounting": {"accounts": [{"users": ["bob"]}]}})
    of_another = running("cpu-1", user="10001", user_number=10001, account="b", number=8)
    jobs = [running("cpu-0", user="10000", user_number=10000), of_another]
    (found,) = jobs_in_the_way(ClusterChange("c", side({}), leaves), jobs, NODES)
    assert (found.job, found.outcome, found.may) == (jobs[0], Outcome.HOLDS_UP, True)
    assert found.why == "ada may not use account a any more, and 10000 may be one of them"

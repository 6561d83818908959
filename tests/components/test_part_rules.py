"""Rules in the arguments of parts that are used without a whole cluster."""

from collections.abc import Callable, Sequence
from typing import Any

import pulumi
import pytest

import pulumi_slurm as slurm
from pulumi_slurm import kube, slinky
from tests.components.conftest import Build
from tests.components.loosely import loosely

CLUSTER = {"name": "hpc"}
OLDEST = {"name": "hpc", "operator_version": "1.0.5"}
UNLISTED = {"name": "hpc", "operator_version": "1.1.9"}
SSSD = {"name": "sssd", "key": "sssd.conf"}
MACHINE = {"cpus": 4, "memory": "8Gi"}
POOL = {"name": "cpu", "machine": MACHINE, "node_labels": {"pool": "cpu"}}
BLOCKS = {"name": "t", "kind": "block", "blocks": ["x"], "blockSizes": [1]}
KEDA = {"kind": "keda", "maxReplicas": 3, "prometheusAddress": "http://prometheus:9090"}


def node_set(fields: dict[str, Any], cluster: dict[str, str] = CLUSTER, **more: Any) -> Callable[[], Any]:
    members = {"name": "a", "machine": MACHINE, **fields}
    members = {field: value for field, value in members.items() if value is not None}
    return lambda: loosely(slurm.NodeSet)("hpc-a", {"cluster": cluster, "node_set": members, **more})


def bridge(pools: list[dict[str, Any]], partitions: Sequence[str] = (), **nodes: Any) -> Callable[[], Any]:
    namespace = {"name": "jobs", "partitions": [*partitions]}
    fields = {"partition": "pods", "namespaces": [namespace], "externalNodes": [{"name": "x", **nodes}]}
    args = {"cluster": CLUSTER, "bridge": fields, "pools": pools, "partitions": {"x": ["pods"]}}
    return lambda: loosely(slinky.SlurmBridge)("b", args)


def controller(extra_conf: str, **fields: Any) -> Callable[[], Any]:
    args = {"cluster": CLUSTER, "extra_conf": extra_conf, "controller": fields}
    return lambda: loosely(slinky.Controller)("hpc", args)


def overridden(**overrides: Any) -> Callable[[], Any]:
    return node_set({"overrides": overrides})


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (controller("KillWat=30\nNodeSet=x Feature=x"), 'extra_conf = "KillWat": extra_conf:1: there is no such key'),
        (controller("MaxJobCount=many"), 'extra_conf = "MaxJobCount=many": extra_conf:1: this is not a whole number'),
        (controller("SelectType=select/linear"), "slurmctld exits with it, since nodes that register by themselves"),
        (controller("TaskPlugin=task/nothing"), 'Slurm has no plugin "task/nothing"'),
        (node_set({"machine": None}), 'node_set = "a": neither pool nor machine is given'),
        (node_set({"machine": None, "pool": "gpu"}), 'pool: the machine, labels and taints of the pool "gpu"'),
        (node_set({"machine": None, "pool": "gpu"}, pool=POOL), 'node_set.pool = "gpu": there is no such node pool'),
        (node_set({}, pool=POOL), 'node_set.pool: without it the machine of the pool "cpu"'),
        (
            node_set({"machine": {"cpus": 9, "memory": "8Gi"}, "pool": "cpu"}, pool=POOL),
            'node_set.machine.cpus = 9: a node of the pool "cpu" has 3 CPUs',
        ),
        (
            node_set({"machine": None, "pool": "cpu"}, pool={**POOL, "reserved_cpus": 4}),
            "pool.reserved_cpus = 4: this reserve leaves nothing",
        ),
        (node_set({"ssh": {}}), "sssd: SSH into workers needs SSSD"),
        (node_set({"autoscaling": KEDA}), "scaled_by: KEDA counts the pending jobs of a partition"),
        (
            node_set({"autoscaling": {**KEDA, "partition": "b"}}, scaled_by="a"),
            'scaled_by = "a": node_set.autoscaling.partition is "b"',
        ),
        (
            node_set({"scaling_mode": "DaemonSet", "bridged": True}),
            "bridge_scheduler: the bridge puts a taint with the name of its scheduler on the nodes",
        ),
        (
            node_set({"bridged": True}, bridge_scheduler="b"),
            "node_set.bridged = true: the bridge finds a node of Slurm",
        ),
        (
            node_set({"autoscaling": KEDA, "replicas": 2}, scaled_by="a"),
            "node_set.replicas = 2: the autoscaler sets the number",
        ),
        (node_set({"ssh": {}}, OLDEST, sssd=SSSD), "node_set.ssh = {}: slurm-operator 1.0.5 doesn't know it"),
        (node_set({"ordinal_padding": 3}, OLDEST), "node_set.ordinal_padding = 3: slurm-operator 1.0.5"),
        (node_set({"scaling_mode": "DaemonSet"}, OLDEST), 'node_set.scaling_mode = "DaemonSet": slurm-operator 1.0.5'),
        (overridden(foo=1), "node_set.overrides.foo = 1: slurm-operator 1.1.3 knows no such field"),
        (overridden(replicas=7), "node_set.overrides.replicas = 7: pulumi-slurm derives this"),
        (overridden(controllerRef={"name": "b"}), "node_set.overrides.controllerRef"),
        (overridden(logfile={"livenessProbe": {}}), "node_set.overrides.logfile.livenessProbe"),
        (node_set({"name": "a" * 60}), "node_set.name"),
        (
            lambda: loosely(slinky.RestApi)(
                "r", {"cluster": {**OLDEST, "keys": {"jwks": {"name": "k", "key": "jwks.json"}}}}
            ),
            'cluster.keys.jwks = {"name": "k", "key": "jwks.json"}: slurm-operator 1.0.5',
        ),
        (
            lambda: loosely(slinky.RestApi)("r", {"cluster": CLUSTER, "rest_api": {"service": {"nodePort": 30000}}}),
            "rest_api.service.node_port = 30000: a Service of type ClusterIP",
        ),
        (
            lambda: loosely(slinky.Controller)("c", {"cluster": CLUSTER, "controller": {"pod": {"hostNetwork": True}}}),
            "controller.pod.host_network = true: the operator's names",
        ),
        (
            lambda: loosely(slinky.Controller)("c", {"cluster": CLUSTER, "config_files": {"slurm.conf": ""}}),
            'config_files["slurm.conf"]',
        ),
        (
            lambda: loosely(slinky.Accounting)("d", {"cluster": CLUSTER, "accounting": {"overrides": {"foo": 1}}}),
            "accounting.overrides.foo = 1: slurm-operator 1.1.3 knows no such field",
        ),
        (
            lambda: loosely(slurm.LoginSet)(
                "l", {"cluster": CLUSTER, "login_set": {"name": "l", "overrides": {"foo": 1}}, "sssd": SSSD}
            ),
            "login_set.overrides.foo = 1: slurm-operator 1.1.3 knows no such field",
        ),
        (
            lambda: loosely(slurm.Token)(
                "t", {"cluster": CLUSTER, "token": {"name": "t", "username": "root", "lifetime": "9000h"}}
            ),
            'token.lifetime = "9000h": a token of root',
        ),
        (
            bridge([], pool="cpu"),
            'bridge.external_nodes[0].pool = "cpu": the labels of its nodes are taken from the argument pools, which '
            "is empty. Pass the node pool, or write node_selector in place of pool.",
        ),
        (bridge([POOL], pool="gpu"), 'bridge.external_nodes[0].pool = "gpu": there is no such node pool'),
        (
            bridge([{**POOL, "machine": {**MACHINE, "gpus": {"count": 1}}}], pool="cpu"),
            'bridge.external_nodes[0].pool = "cpu": its nodes offer nvidia.com/gpu by a device plugin',
        ),
        (
            bridge([{**POOL, "max_nodes": 0}], pool="cpu"),
            'bridge.external_nodes[0].pool = "cpu": this pool begins without nodes',
        ),
        (bridge([POOL, POOL], pool="cpu"), 'pools[1].name = "cpu": this name is already used'),
        (
            lambda: loosely(kube.NodeTopology)(
                "t", {"cluster": CLUSTER, "topologies": [{"name": "t", "kind": "block"}]}
            ),
            "topologies[0].blocks = []: a topology of blocks needs it",
        ),
        (
            lambda: loosely(kube.NodeTopology)(
                "t", {"cluster": CLUSTER, "topologies": [{**BLOCKS, "nodeLabels": ["a", "b"]}]}
            ),
            'topologies[0].node_labels = ["a", "b"]: blocks are not nested',
        ),
    ],
)
def test_a_part_alone_obeys_the_rules(build: Build, part: Callable[[], Any], expected: str) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        build(part)
    assert expected in str(raised.value)


@pytest.mark.parametrize(
    "part",
    [
        node_set({"machine": None, "pool": "cpu", "ssh": {}}, pool=POOL, sssd=SSSD),
        node_set({"autoscaling": KEDA}, scaled_by="a"),
        node_set({"scaling_mode": "DaemonSet", "bridged": True}, bridge_scheduler="slurm-bridge-scheduler"),
        bridge([POOL], pool="cpu"),
        bridge([], ["night"], nodeSelector={"a": "b"}),
        # What only other parts know isn't refused: the accounting, and the settings of slurmctld.
        node_set({"partition": {"qos": "night", "preemptMode": "REQUEUE", "tresBillingWeights": {"gres/gpu": 2}}}),
        lambda: loosely(slinky.Controller)(
            "c", {"cluster": CLUSTER, "controller": {"external": {"host": "slurm.example.org", "port": 6817}}}
        ),
    ],
)
def test_what_depends_on_other_parts_is_not_refused(build: Build, part: Callable[[], Any]) -> None:
    assert build(part)


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_: lines.append(text))
    return lines


def test_a_part_alone_warns_of_an_unlisted_release(build: Build, warnings: list[str]) -> None:
    build(node_set({}, UNLISTED))
    assert len(warnings) == 1
    assert warnings[0].startswith('cluster.operator_version = "1.1.9": this patch release')


def test_a_node_set_alone_may_be_in_partitions_of_others(build: Build, warnings: list[str]) -> None:
    build(node_set({}))
    assert warnings == []


def test_a_bridge_alone_warns_of_pools_that_shrink(build: Build, warnings: list[str]) -> None:
    build(bridge([{**POOL, "min_nodes": 1, "max_nodes": 4}], pool="cpu"))
    assert warnings[-1].startswith('bridge.external_nodes[0].pool = "cpu": with slurm-bridge 1.1.2 all jobs of pods')


def test_the_parts_of_a_whole_cluster_do_not_repeat_its_warnings(build: Build, warnings: list[str]) -> None:
    workers = {"name": "a", "machine": MACHINE, "partition": {"def_mem_per_cpu": "1G"}}
    spec = {"name": "hpc", "operator_version": "1.1.9", "node_sets": [workers]}
    build(lambda: loosely(slurm.SlurmCluster)("hpc", {"spec": spec}))
    assert len(warnings) == 1
    assert warnings[0].startswith('spec.operator_version = "1.1.9": this patch release')

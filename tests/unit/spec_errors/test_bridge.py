"""Slurm Bridge: its release, namespaces, external nodes and partitions, and node sets that share nodes with pods."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import BridgeSpec, NodePoolSpec, PartitionSpec, SlurmSpec
from pulumi_slurm.model.bridge_version import bridge_release
from pulumi_slurm.model.operator_version import operator_version
from pulumi_slurm.rules import check_cluster, check_pools
from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "a release": (
        """
        name: c
        bridge: {partition: p, version: 1.0.5}
        """,
        [
            (
                'bridge.version = "1.0.5": this release of slurm-bridge is not known here. Write one of: 1.1.0, '
                "1.1.1, 1.1.2, 1.2.0, 1.2.1."
            ),
            (
                "bridge.namespaces: without namespaces the bridge schedules no pods. Add namespaces: [{name: ...}], "
                "or namespaceSelector: {<label>: <value>}."
            ),
            (
                'bridge.partition = "p": there is no such partition, and Slurm would refuse the jobs of all pods. '
                "Nothing is defined there yet."
            ),
        ],
    ),
    "an operator to which no bridge belongs": (
        """
        name: c
        operatorVersion: 1.0.5
        bridge: {partition: p, namespaces: [{name: jobs}], externalNodes: [{name: x, nodeSelector: {a: b}}]}
        partitions: [{name: p, nodeSets: [x]}]
        """,
        [
            (
                'operatorVersion = "1.0.5": no known release of slurm-bridge belongs to this release of '
                "slurm-operator. Write a release of 1.1 or 1.2, or leave bridge out."
            ),
        ],
    ),
    "a bridge of another minor release": (
        """
        name: c
        operatorVersion: 1.1.3
        bridge:
          partition: p
          version: 1.2.1
          namespaces: [{name: jobs}]
          externalNodes: [{name: x, nodeSelector: {a: b}}]
        partitions: [{name: p, nodeSets: [x]}]
        """,
        [
            (
                'bridge.version = "1.2.1": bridge and operator belong together by minor release, and the operator is '
                '1.1.3. Write "1.1.2", or leave it out.'
            ),
        ],
    ),
    "a Slurm that loses external nodes": (
        """
        name: c
        slurmVersion: 25.11.2
        bridge: {partition: p, namespaces: [{name: jobs}], externalNodes: [{name: x, nodeSelector: {a: b}}]}
        partitions: [{name: p, nodeSets: [x]}]
        """,
        [
            (
                'slurmVersion = "25.11.2": this slurmctld takes the bridge\'s external nodes for unresponsive whenever'
                ' it reads its files again. Write "25.11.3" or later, or "25.11" for the newest.'
            ),
        ],
    ),
    "a slurmctld that loses external nodes": (
        """
        name: c
        controller: {slurmVersion: 25.11.0}
        bridge: {partition: p, namespaces: [{name: jobs}], externalNodes: [{name: x, nodeSelector: {a: b}}]}
        partitions: [{name: p, nodeSets: [x]}]
        """,
        [
            (
                'controller.slurmVersion = "25.11.0": this slurmctld takes the bridge\'s external nodes for '
                'unresponsive whenever it reads its files again. Write "25.11.3" or later, or "25.11" for the newest.'
            ),
        ],
    ),
    "a slurmctld outside the cluster": (
        """
        name: c
        controller: {external: {host: h, port: 6817}}
        keys: {slurm: {existing: {name: s, key: k}}, jwt: {existing: {name: s, key: j}}}
        bridge: {partition: p, namespaces: [{name: jobs}]}
        """,
        [
            (
                "bridge: slurmctld runs outside the cluster, where no partition and no node set for pods would be "
                "written. Leave it out, or leave controller.external out."
            ),
        ],
    ),
    "no namespaces, and no partition": (
        """
        name: c
        bridge: {partition: p}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {}}]
        """,
        [
            (
                "bridge.namespaces: without namespaces the bridge schedules no pods. Add namespaces: [{name: ...}], "
                "or namespaceSelector: {<label>: <value>}."
            ),
            (
                'bridge.partition = "p": there is no such partition, and Slurm would refuse the jobs of all pods. '
                "Write one of: a."
            ),
        ],
    ),
    "namespaces that others need": (
        """
        name: c
        bridge:
          partition: a
          tokenLifetime: 10000h
          schedulerName: default-scheduler
          namespaceSelector: {team: x}
          namespaces:
            - {name: kube-system}
            - {name: slurm}
            - {name: slinky}
            - {name: default}
            - {name: jobs, create: false, labels: {a: b}}
            - {name: jobs}
            - {name: cert-manager}
          controllers: {replicas: 2}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, bridged: true, partition: {}}]
        """,
        [
            (
                'bridge.schedulerName = "default-scheduler": this is Kubernetes\' own scheduler. Write another name, '
                "or leave it out."
            ),
            (
                'bridge.tokenLifetime = "10000h": a token of slurm that lasts more than a year is a key to the whole '
                'cluster. Write "8760h" or less.'
            ),
            (
                'bridge.namespaceSelector = {"team": "x"}: the bridge takes labels or a list of names, and would '
                "ignore the list. Leave it out, or leave namespaces out."
            ),
            'bridge.namespaces[5].name = "jobs": this name is used before. Leave it out.',
            (
                'bridge.namespaces[0].name = "kube-system": Kubernetes itself runs there, and its pods would wait for'
                " a scheduler that needs them. Write a namespace for workloads."
            ),
            (
                'bridge.namespaces[1].name = "slurm": Slurm\'s own pods run there, and its pods would wait for a '
                "scheduler that needs them. Write a namespace for workloads."
            ),
            (
                'bridge.namespaces[2].name = "slinky": slurm-operator runs there, and its pods would wait for a '
                "scheduler that needs them. Write a namespace for workloads."
            ),
            (
                "bridge.namespaces[3].create = true: every cluster has this namespace, and Kubernetes does not let it"
                " be deleted. Write false."
            ),
            (
                'bridge.namespaces[4].labels = {"a": "b"}: the namespace is not made here, so it would not get these '
                "labels. Leave it out, or leave create out."
            ),
            (
                'bridge.namespaces[6].name = "cert-manager": cert-manager runs there, and its pods would wait for a '
                "scheduler that needs them. Write a namespace for workloads."
            ),
            (
                "bridge.controllers.replicas = 2: controllers of slurm-bridge before 1.3 elect no leader, and several"
                " would register each node. Leave it out."
            ),
        ],
    ),
    "names of external nodes": (
        """
        name: c
        bridge:
          partition: p
          namespaces: [{name: jobs}]
          externalNodes:
            - {name: a, nodeSelector: {a: a}}
            - {name: out, nodeSelector: {a: b}}
            - {name: all, nodeSelector: {a: c}}
            - {name: x, nodeSelector: {a: d}}
            - {name: x, nodeSelector: {a: e}}
            - {name: unused, nodeSelector: {a: f}}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, bridged: true}]
        controller: {address: slurmctld.example.org}
        externalNodes: [{name: out, maxNodes: 4}]
        partitions: [{name: p, nodeSets: [x, a, all]}]
        """,
        [
            'bridge.externalNodes[4].name = "x": this name is used before. Choose another name.',
            (
                'bridge.externalNodes[0].name = "a": a node set or a group of external nodes has this name, and '
                "partitions would mean either. Choose another."
            ),
            (
                'bridge.externalNodes[1].name = "out": a node set or a group of external nodes has this name, and '
                "partitions would mean either. Choose another."
            ),
            (
                'bridge.externalNodes[2].name = "all": in slurm.conf this is a word of its own, for every node or for'
                " defaults. Choose another name."
            ),
            (
                'bridge.externalNodes[1].name = "out": no partition names these nodes, so Slurm would give them to no'
                " pod. Add it to nodeSets of a partition."
            ),
            (
                'bridge.externalNodes[5].name = "unused": no partition names these nodes, so Slurm would give them to'
                " no pod. Add it to nodeSets of a partition."
            ),
        ],
    ),
    "nodes that are not selected, selected in two ways, or those of others": (
        """
        name: c
        bridge:
          partition: p
          namespaces: [{name: jobs}]
          externalNodes: [{name: u}, {name: v, pool: v, nodeSelector: {a: d}}, {name: w, pool: w}, {name: x, pool: v}]
        nodeSets: [{name: a, pool: w}]
        partitions: [{name: p, nodeSets: [u, v, w, x]}]
        pools:
          - {name: v, machine: {cpus: 4, memory: 8Gi}, nodeLabels: {pool: v}}
          - {name: w, machine: {cpus: 4, memory: 8Gi}, nodeLabels: {pool: w}}
        """,
        [
            (
                'bridge.externalNodes[0] = "u": neither pool nor nodeSelector says which Kubernetes nodes they are. '
                "Add pool: <name of a node pool>, or nodeSelector: {<label>: <value>}."
            ),
            (
                'bridge.externalNodes[1].nodeSelector = {"a": "d"}: the labels of the pool select the nodes. Leave it'
                " out, or leave pool out."
            ),
            (
                'bridge.externalNodes[2].pool = "w": the node set "a" runs there, and Slurm would know each node '
                "twice. Give these nodes a pool of their own; a node set that shares its nodes with pods has bridged:"
                " true."
            ),
            (
                'bridge.externalNodes[3].pool = "v": the external nodes "v" are there, and Slurm would know each node'
                " twice. Give these nodes a pool of their own; a node set that shares its nodes with pods has "
                "bridged: true."
            ),
        ],
    ),
    "nodes on which workers run": (
        """
        name: c
        bridge:
          partition: p
          namespaces: [{name: jobs}]
          externalNodes:
            - {name: u, nodeSelector: {pool: v}}
            - {name: v, pool: w}
            - {name: w, nodeSelector: {disk: ssd}}
            - {name: x, nodeSelector: {disk: ssd, rack: a}}
            - {name: y, nodeSelector: {pool: v, disk: ssd}}
        nodeSets:
          - {name: a, pool: v}
          - {name: b, machine: {cpus: 2, memory: 4Gi}, pod: {nodeSelector: {pool: w}}}
          - name: d
            machine: {cpus: 2, memory: 4Gi}
            scalingMode: DaemonSet
            bridged: true
            pod: {nodeSelector: {rack: b, disk: ssd}}
          - {name: e, machine: {cpus: 2, memory: 4Gi}}
          - name: f
            machine: {cpus: 2, memory: 4Gi}
            scalingMode: DaemonSet
            pod: {nodeSelector: {rack: a, disk: ssd}}
        partitions: [{name: p, nodeSets: [u, v, w, x, y, d]}]
        pools:
          - {name: v, machine: {cpus: 4, memory: 8Gi}, nodeLabels: {pool: v}}
          - {name: w, machine: {cpus: 4, memory: 8Gi}, nodeLabels: {pool: w}}
        """,
        [
            (
                'bridge.externalNodes[0].nodeSelector = {"pool": "v"}: the node set "a" runs on these nodes, and the '
                "bridge's taint would evict it. Select other nodes, or write bridged: true in the node set and leave "
                "this out."
            ),
            (
                'bridge.externalNodes[1].pool = "w": the node set "b" runs on these nodes, and the bridge\'s taint '
                "would evict it. Select other nodes, or write bridged: true in the node set and leave this out."
            ),
            (
                'bridge.externalNodes[2].nodeSelector = {"disk": "ssd"}: the node set "d" runs on these nodes, and '
                "Slurm would know each node twice. Select other nodes."
            ),
            (
                'bridge.externalNodes[3].nodeSelector = {"disk": "ssd", "rack": "a"}: the node set "f" runs on these '
                "nodes, and Slurm would know each node twice. Select other nodes, or write bridged: true in the node "
                "set and leave this out."
            ),
        ],
    ),
    "pools without nodes that Slurm could know": (
        """
        name: c
        bridge:
          partition: p
          namespaces: [{name: jobs}]
          externalNodes: [{name: u, pool: gpu}, {name: v, pool: none}, {name: w, pool: later}, {name: x, pool: gpus}]
        partitions: [{name: p, nodeSets: [u, v, w, x]}]
        pools:
          - {name: gpu, machine: {cpus: 4, memory: 8Gi, gpus: {count: 1}}, nodeLabels: {pool: gpu}}
          - {name: none, machine: {cpus: 4, memory: 8Gi}, nodeLabels: {pool: none}, maxNodes: 0}
          - {name: later, machine: {cpus: 4, memory: 8Gi}, nodeLabels: {pool: later}, maxNodes: 4, minNodes: 0}
        """,
        [
            (
                'bridge.externalNodes[0].pool = "gpu": its nodes offer nvidia.com/gpu by a device plugin, which the '
                "bridge doesn't count, so no pod with a GPU would ever start there. Make it a bridged node set: "
                "nodeSets: [{pool: ..., scalingMode: DaemonSet, bridged: true}]."
            ),
            (
                'bridge.externalNodes[1].pool = "none": this pool begins without nodes, and Slurm places pods on '
                "nodes that it knows, so none would be added. Write nodes, or minNodes of 1 or more, in the pool."
            ),
            (
                'bridge.externalNodes[2].pool = "later": this pool begins without nodes, and Slurm places pods on '
                "nodes that it knows, so none would be added. Write nodes, or minNodes of 1 or more, in the pool."
            ),
            'bridge.externalNodes[3].pool = "gpus": there is no such node pool. Did you mean "gpu"?',
        ],
    ),
    "partitions with nodes that are none of Kubernetes": (
        """
        name: c
        bridge: {partition: p, namespaces: [{name: jobs}], externalNodes: [{name: x, nodeSelector: {a: b}}]}
        nodeSets:
          - {name: a, machine: {cpus: 4, memory: 8Gi}, features: [fast]}
          - {name: b, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, bridged: true}
        controller: {address: slurmctld.example.org}
        externalNodes: [{name: out, maxNodes: 4}]
        partitions:
          - {name: p, nodeSets: [ALL]}
          - {name: q, nodeSets: [x, b, a, out]}
          - {name: fast, nodeSets: [x, b]}
          - {name: out, nodeSets: [x], default: true}
          - {name: b, nodeSets: [x, b]}
        """,
        [
            (
                'partitions[0].nodeSets[0] = "ALL": Slurm would give pods nodes of "a", which the bridge can\'t match '
                'with nodes of Kubernetes. Write bridged: true in the node set, or give "a" a partition of its own.'
            ),
            (
                'partitions[1].nodeSets[2] = "a": Slurm would give pods nodes of "a", which the bridge can\'t match '
                'with nodes of Kubernetes. Write bridged: true in the node set, or give "a" a partition of its own.'
            ),
            (
                'partitions[1].nodeSets[3] = "out": Slurm would give pods nodes of "out", which the bridge can\'t '
                'match with nodes of Kubernetes. Write bridged: true in the node set, or give "out" a partition of '
                "its own."
            ),
            (
                'partitions[2].name = "fast": the bridge\'s external nodes have it as their feature, and so have those'
                ' of "a", so Slurm would take the one for the other. Choose another name.'
            ),
            (
                'partitions[3].name = "out": the bridge\'s external nodes have it as their feature, and so have those '
                'of "out", so Slurm would take the one for the other. Choose another name.'
            ),
            (
                'partitions[4].name = "b": the bridge\'s external nodes have it as their feature, and so have those of'
                ' "b", so Slurm would take the one for the other. Choose another name.'
            ),
            (
                "partitions[3].default = true: Slurm gives the bridge's external nodes to pods alone, so jobs without"
                " a partition would never start. Leave it to a partition with a node set."
            ),
        ],
    ),
    "a token of the bridge's name": (
        """
        name: c
        bridge: {partition: a, namespaces: [{name: jobs}]}
        tokens: [{name: bridge, username: slurm}]
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, bridged: true, partition: {}}]
        """,
        [
            'tokens[0].name = "bridge": the bridge has a token of this name. Choose another name.',
        ],
    ),
    "a partition of pods that a node set has": (
        """
        name: c
        bridge: {partition: a, namespaces: [{name: jobs}]}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {}}]
        """,
        [
            (
                'bridge.partition = "a": Slurm would give pods nodes of "a", which the bridge can\'t match with nodes '
                'of Kubernetes. Write bridged: true in the node set, or give "a" a partition of its own.'
            ),
        ],
    ),
    "partitions of namespaces that are not there, or not for pods": (
        """
        name: c
        bridge:
          partition: p
          namespaces: [{name: jobs, partitions: [p, nope, all]}, {name: more, partitions: [own, all, P]}]
          externalNodes: [{name: x, nodeSelector: {a: b}}]
        nodeSets:
          - {name: a, machine: {cpus: 4, memory: 8Gi}}
          - {name: own, machine: {cpus: 4, memory: 8Gi}, partition: {}}
        partitions: [{name: p, nodeSets: [x]}, {name: all, nodeSets: [a]}, {name: others, nodeSets: [a]}]
        """,
        [
            (
                'bridge.namespaces[0].partitions[1] = "nope": there is no such partition, and Slurm would refuse the '
                "jobs of pods that name it. Write one of: all, others, own, p."
            ),
            (
                'bridge.namespaces[1].partitions[2] = "P": there is no such partition, and Slurm would refuse the jobs '
                'of pods that name it. Did you mean "p"?'
            ),
            (
                'partitions[1].nodeSets[0] = "a": Slurm would give pods nodes of "a", which the bridge can\'t match '
                'with nodes of Kubernetes. Write bridged: true in the node set, or give "a" a partition of its own.'
            ),
            (
                'bridge.namespaces[1].partitions[0] = "own": Slurm would give pods nodes of "own", which the bridge '
                'can\'t match with nodes of Kubernetes. Write bridged: true in the node set, or give "own" a '
                "partition of its own."
            ),
        ],
    ),
    "all of nothing": (
        """
        name: c
        bridge: {partition: p, namespaces: [{name: jobs}], externalNodes: [{name: x, nodeSelector: {a: b}}]}
        partitions: [{name: p, nodeSets: [x]}, {name: all, nodeSets: [ALL]}]
        """,
        [
            (
                'partitions[1].nodeSets[0] = "ALL": ALL leaves out the bridge\'s external nodes, and there are no '
                "others. Write x."
            ),
        ],
    ),
    "workers that share their nodes with nobody, or not by name": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, bridged: true}]
        """,
        [
            (
                "nodeSets[0].bridged = true: there is no bridge, and Kubernetes itself would start pods beside the "
                "jobs of these nodes. Add bridge, or leave this out."
            ),
            (
                "nodeSets[0].bridged = true: the bridge finds a node of Slurm by the name that it has in Kubernetes, "
                "and only workers of a DaemonSet have that. Write scalingMode: DaemonSet, or leave this out."
            ),
        ],
    ),
    "partitions that never change": (
        """
        name: c
        bridge: {partition: a, namespaces: [{name: jobs}]}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, bridged: true, partition: {}}]
        slurmConf: {extra: {reconfigFlags: "KeepPowerSaveSettings,KeepPartInfo"}}
        """,
        [
            (
                'slurmConf.extra.reconfigFlags = "KeepPowerSaveSettings,KeepPartInfo": with KeepPartInfo slurmctld '
                "ignores what changes in partitions. Leave it out: external nodes and their jobs outlive a "
                "reconfigure without it."
            ),
        ],
    ),
    "jobs and pods on the same CPUs": (
        """
        name: c
        bridge: {partition: a, namespaces: [{name: jobs}]}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, bridged: true, partition: {}}]
        slurmConf: {extra: {MCSPlugin: mcs/user, mcsparameters: "ondemand,ondemandselect"}}
        """,
        [
            (
                'slurmConf.extra.MCSPlugin = "mcs/user": with it pods and jobs would share nodes of bridged node '
                'sets, and use each other\'s CPUs and memory. Write "mcs/label", or leave it out.'
            ),
            (
                'slurmConf.extra.mcsparameters = "ondemand,ondemandselect": with it pods and jobs would share nodes '
                'of bridged node sets, and use each other\'s CPUs and memory. Write "ondemand,select", or leave it '
                "out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_words_of_the_users_that_keep_jobs_and_pods_apart_are_taken() -> None:
    node_set = {"name": "a", "machine": {"cpus": 4, "memory": "8Gi"}, "scalingMode": "DaemonSet", "bridged": True}
    extra = {"MCSPlugin": "mcs/label", "MCSParameters": "enforced,select,privatedata"}
    spec = {"name": "c", "nodeSets": [{**node_set, "partition": {}}], "slurmConf": {"extra": extra}}
    bridge = {"partition": "a", "namespaceSelector": {"slurm": "yes"}}
    errors = check_cluster(SlurmSpec.model_validate({**spec, "bridge": bridge}))
    assert [error for error in errors if error.severity is Severity.ERROR] == []


LABELS = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy"), max_size=3)
NODES = [dict(zip("abc", values, strict=True)) for values in product("xyz", repeat=3)]
"""Nodes with and without each label that can be drawn."""


@given(LABELS.filter(bool), LABELS.filter(bool), st.booleans())
def test_external_nodes_are_refused_where_workers_have_no_others(
    selected: dict[str, str], workers: dict[str, str], in_pools: bool
) -> None:
    def pool(name: str, labels: dict[str, str]) -> NodePoolSpec:
        machine = {"cpus": 4, "memory": "8Gi"}
        return NodePoolSpec.model_validate({"name": name, "machine": machine, "nodeLabels": labels})

    def of(labels: dict[str, str]) -> list[dict[str, str]]:
        return [node for node in NODES if labels.items() <= node.items()]

    pools = [pool("v", selected), pool("w", workers)] if in_pools else []
    group = {"name": "x", **({"pool": "v"} if in_pools else {"nodeSelector": selected})}
    pod = {"pool": "w"} if in_pools else {"machine": {"cpus": 1, "memory": "1Gi"}, "pod": {"nodeSelector": workers}}
    bridge = {"partition": "p", "namespaces": [{"name": "jobs"}], "externalNodes": [group]}
    spec = SlurmSpec.model_validate({"name": "c", "bridge": bridge, "nodeSets": [{"name": "a", **pod}]})
    refused = [error for error in check_pools(spec, pools) if error.code == "bridge-nodes-have-no-workers"]
    assert bool(refused) == all(node in of(selected) for node in of(workers))


POOL = {"name": "v", "machine": {"cpus": 4, "memory": "8Gi"}, "nodeLabels": {"pool": "v"}, "maxNodes": 4}


def warnings_of(operator_version: str, min_nodes: int, **bridge: object) -> list[str]:
    pool = NodePoolSpec.model_validate({**POOL, "minNodes": min_nodes})
    fields = {"partition": "p", "namespaces": [{"name": "jobs"}], "externalNodes": [{"name": "x", "pool": "v"}]}
    spec = SlurmSpec(
        name="c",
        operator_version=operator_version,
        bridge=BridgeSpec.model_validate({**fields, **bridge}),
        partitions=[PartitionSpec(name="p", node_sets=["x"])],
    )
    errors = [*check_cluster(spec), *check_pools(spec, [pool])]
    assert all(error.severity is Severity.WARNING for error in errors)
    return [str(error) for error in errors if error.path[0] == "bridge"]


def test_pools_that_shrink_are_warned_of_where_the_bridge_then_loses_jobs() -> None:
    assert warnings_of("1.1.3", 4) == []
    assert warnings_of("1.2.2", 1, version="1.2.99") == [unlisted("1.2.99", "1.2.1")]
    assert warnings_of("1.1.3", 1) == [
        'bridge.externalNodes[0].pool = "v": with slurm-bridge 1.1.2 all jobs of pods that could run on a node end, '
        "once that node is removed and slurmctld restarts, and this pool can shrink. Write a fixed number of nodes in "
        "the pool, or a release of the bridge after 1.2.1 that mends it: "
        "https://github.com/SlinkyProject/slurm-bridge/issues/43."
    ]


def unlisted(version: str, newest: str) -> str:
    return (
        f'bridge.version = "{version}": this patch release of slurm-bridge is not known here, so it is treated as '
        f"{newest}, the newest known one. Look in its release notes for what has changed since {newest}, or write "
        f'"{newest}".'
    )


@pytest.mark.parametrize(
    ("operator", "version", "expected"),
    [
        ("1.1.0", None, "1.1.2"),
        ("1.2.2", None, "1.2.1"),
        ("1.2.2", "1.2.0", "1.2.0"),
        ("1.0.5", None, None),
    ],
)
def test_without_a_version_the_bridge_is_the_operator_s(
    operator: str, version: str | None, expected: str | None
) -> None:
    row = bridge_release(version, operator_version(operator))
    assert (row.version if row else None) == expected

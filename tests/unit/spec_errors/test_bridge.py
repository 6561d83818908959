"""Slurm Bridge: its release, namespaces, external nodes and partitions, and node sets that share nodes with pods."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.errors import Severity, collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.model import BridgeSpec, NodePoolSpec, PartitionSpec, SlurmSpec
from pulumi_slurm.model.releases.bridge_version import bridge_release
from pulumi_slurm.model.releases.operator_version import operator_version
from pulumi_slurm.rules import check_cluster, check_pools


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
        'bridge.external_nodes[0].pool = "v": with slurm-bridge 1.1.2 all jobs of pods that could run on a node end, '
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


def test_a_release_of_which_only_a_candidate_was_seen_is_warned_of_and_elects_its_controllers() -> None:
    nodes = [{"name": "batch", "nodeSelector": {"pool": "batch"}}]
    bridge = {"partition": "pods", "namespaces": [{"name": "jobs"}], "externalNodes": nodes}
    config = {"name": "c", "operatorVersion": "1.3.0", "partitions": [{"name": "pods", "nodeSets": ["batch"]}]}
    with collected_warnings() as warnings:
        load({**config, "bridge": {**bridge, "controllers": {"replicas": 2}}})
    assert [str(warning) for warning in warnings if warning.code == "bridge-release-is-listed"] == [
        'bridge.version = "1.3.0": of this release of slurm-bridge only a candidate was known here, and its images may '
        "be missing. Look in its release notes for what has changed since 1.3.0-rc1, or stay with operator and bridge "
        "1.2."
    ]

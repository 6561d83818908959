"""The warning of nodes that are in no partition, to which Slurm sends no job."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, strategies as st
from hypothesis.strategies import DrawFn

from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster
from pulumi_slurm.slurmconf.catalogue import File
from tests.unit.adopting.chart import adopted

CODE = "node-sets-are-in-partitions"
MACHINE = {"cpus": 1, "memory": "2Gi"}
A, B = ({"name": name, "machine": MACHINE} for name in ("a", "b"))
SHARED = {"name": "shared", "pool": "shared", "scalingMode": "DaemonSet", "bridged": True}
OUTSIDE = {"name": "site", "nodes": "n[1-2]", "cpus": 4, "memory": "8Gi"}
BRIDGE = {"partition": "pods", "namespaces": [{"name": "jobs"}]}


def warned_of(errors: Iterable[FieldError]) -> list[Any]:
    """Return the names of the node sets and external nodes that are warned of."""
    return [error.value for error in errors if error.code == CODE]


def names(**fields: Any) -> list[Any]:
    return warned_of(check_cluster(SlurmSpec.model_validate({"name": "c", "nodeSets": [A, B], **fields})))


def partition(name: str, *node_sets: str) -> dict[str, Any]:
    return {"name": name, "nodeSets": [*node_sets]}


def test_what_is_said_of_it() -> None:
    (warning,) = check_cluster(SlurmSpec.model_validate({"name": "c", "nodeSets": [A]}))
    assert warning.line == (
        'node_sets[0].name = "a": this node set is in no partition, so no job can run on its nodes. Add it to '
        "node_sets of a partition, or give it one of its own: partition: {}. [node-sets-are-in-partitions]"
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["a", "b"]),
        ({"partitions": [partition("main", "a")]}, ["b"]),
        ({"partitions": [partition("main", "a"), partition("other", "a", "b")]}, []),
        ({"partitions": [partition("main", "ALL")]}, []),
        ({"nodeSets": [{**A, "partition": {}}, B]}, ["b"]),
        ({"nodeSets": [{**A, "partition": None}, {**B, "partition": {"maxTime": 60}}]}, ["a"]),
        # Its name in Slurm is another one.
        ({"nodeSets": [{**A, "hostNamePrefix": "x-"}], "partitions": [partition("main", "a")]}, []),
        # A partition of that name is no partition of it.
        ({"partitions": [partition("a", "b")]}, ["a"]),
        # Pods of the bridge are jobs too; its external nodes are in the partitions that name them.
        ({"nodeSets": [SHARED], "bridge": BRIDGE, "partitions": [partition("pods", "shared")]}, []),
        (
            {
                "nodeSets": [SHARED],
                "bridge": {**BRIDGE, "externalNodes": [{"name": "batch", "nodeSelector": {"pool": "batch"}}]},
                "partitions": [partition("pods", "batch")],
            },
            ["shared"],
        ),
        # Nodes outside of Kubernetes get jobs in the same way.
        ({"externalNodes": [OUTSIDE], "nodeSets": []}, ["site"]),
        ({"externalNodes": [OUTSIDE], "partitions": [partition("main", "a", "b")]}, ["site"]),
        ({"externalNodes": [OUTSIDE], "nodeSets": [], "partitions": [partition("main", "site")]}, []),
        ({"externalNodes": [OUTSIDE], "partitions": [partition("main", "ALL")]}, []),
        # The partitions of a slurmctld outside are in its own slurm.conf.
        ({"controller": {"external": {"host": "slurm.example.org", "port": 6817}}}, []),
    ],
)
def test_which_node_sets_are_warned_of(fields: dict[str, Any], expected: list[str]) -> None:
    assert names(**fields) == expected


@st.composite
def clusters(draw: DrawFn) -> SlurmSpec:
    """Draw node sets with and without partitions of their own, and partitions of some of them or of ALL."""
    options = {
        "partition": st.sampled_from([None, {}, {"maxTime": 60}]),
        "hostNamePrefix": st.sampled_from([None, "x"]),
    }
    drawn = {name: draw(st.fixed_dictionaries(options)) for name in draw(st.sets(st.sampled_from("abc")))}
    node_sets = [
        {"name": name, "machine": MACHINE, **fields, "hostNamePrefix": fields["hostNamePrefix"] and f"{name}x-"}
        for name, fields in drawn.items()
    ]
    some = st.lists(st.sampled_from([*drawn]), min_size=1, unique=True) if drawn else st.nothing()
    members = draw(st.lists(some | st.just(["ALL"]), max_size=2))
    partitions = [{"name": f"p{number}", "nodeSets": names} for number, names in enumerate(members)]
    return SlurmSpec.model_validate({"name": "c", "nodeSets": node_sets, "partitions": partitions})


@given(clusters())
def test_the_lines_of_slurm_conf_say_the_same(spec: SlurmSpec) -> None:
    for slinky in (True, False):
        conf = slinky_files(spec)[File.SLURM] if slinky else slurm_conf(spec, [], AckSlurmSpec())
        members = {name for entry in conf.of("PartitionName") for name in str(entry.options["Nodes"]).split(",")}
        alone = [one.name for one in spec.node_sets if members.isdisjoint({"ALL", one.slurm_name})]
        assert warned_of(check_cluster(spec, other_release=None if slinky else "23.02.7")) == alone


LINE = "PartitionName=all Nodes=ALL"


@pytest.mark.parametrize(
    "fields",
    [
        {"slurmConf": {"extra": {"PartitionName": "all Nodes=ALL"}}},
        {"slurmConf": {"extra": {"NodeSet": "all Feature=a"}}},
        {"slurmConf": {"extra": {"Include": "partitions.conf"}}, "configFiles": {"partitions.conf": LINE}},
        {"configFiles": {"slurm.conf": LINE}},
        {"configFiles": {"gres.conf": "Include partitions.conf", "partitions.conf": LINE}},
        {"controller": {"overrides": {"extraConf": LINE}}},
        {"nodeSets": [{**A, "overrides": {"partition": {"enabled": True}}}]},
        {"nodeSets": [{**A, "slurmdOptions": {"PartitionName": "all"}}]},
    ],
)
@pytest.mark.filterwarnings("ignore::pulumi_slurm.errors.SpecWarning")
@pytest.mark.parametrize("more", [{}, {"adopted": {}}])
def test_no_other_line_makes_a_partition(fields: dict[str, Any], more: dict[str, Any]) -> None:
    load({"name": "c", "nodeSets": [A], **more})
    with pytest.raises(SpecError):
        load({"name": "c", "nodeSets": [A], **more, **fields})


WITHOUT_ALL = {"partitions": {"all": {"enabled": False}}}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, []),
        (WITHOUT_ALL, ["slinky"]),
        ({"partitions": {**WITHOUT_ALL["partitions"], "main": {"enabled": True, "nodesets": ["slinky"]}}}, []),
        ({**WITHOUT_ALL, "nodesets": {"slinky": {"partition": {"enabled": True}}}}, []),
        ({**WITHOUT_ALL, "controller": {"extraConf": "PartitionName=main Nodes=slinky"}}, []),
    ],
)
def test_partitions_of_a_chart_are_those_of_the_specification(values: dict[str, Any], expected: list[str]) -> None:
    adoption = adopted(values)
    assert adoption.refused == []
    assert warned_of(check_cluster(SlurmSpec.model_validate(adoption.data))) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {"partitions": "main"},
        {"partitions": [{"name": "main"}]},
        {"partitions": [{"name": "main", "nodeSets": "ALL"}]},
        {"partitions": [{"name": "main", "nodeSets": [1]}]},
        {"partitions": [{"name": "night and day", "nodeSets": ["a"]}]},
        {"partitions": [{"nodeSets": ["a"]}]},
        {"partitions": [{"name": "main", "nodeSets": ["aa"]}]},
        {"partitions": [{"name": "main", "nodeSets": ["all"]}]},
        {"nodeSets": [{**A, "partition": "a"}]},
        {"nodeSets": [{**A, "partition": [{"maxTime": 60}]}]},
    ],
)
def test_a_partition_that_is_refused_may_have_been_that_of_the_node_set(
    fields: dict[str, Any], recwarn: pytest.WarningsRecorder
) -> None:
    with pytest.raises(SpecError) as raised:
        load({"name": "c", "nodeSets": [A], **fields})
    assert len(raised.value.errors) == 1
    assert recwarn.list == []

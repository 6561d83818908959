"""A file that has changed since the last update: what isn't applied is no edit of slurmctld's memory."""

import dataclasses
import json
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from pulumi_slurm.manifests.cluster import render
from pulumi_slurm_cli.drift import Kind, of_objects, of_slurm
from pulumi_slurm_cli.drift.finding import APPLY
from tests.unit.drift.test_drift import EDITS
from tests.unit.drift.worlds import STACK, look, node, partition, stated

OBJECTS = [json.loads(json.dumps(item)) for item in render(*stated())]
"""What the last update has left."""
CHANGES: dict[str, tuple[tuple[Any, ...], Any, set[str]]] = {
    "a feature more": (("nodeSets", 0, "features"), ["fast", "large"], {"node cpu-0", "node cpu-1"}),
    "no features": (("nodeSets", 0, "features"), [], {"node cpu-0", "node cpu-1"}),
    "another weight": (("nodeSets", 0, "weight"), 7, {"node cpu-0", "node cpu-1"}),
    "a longer time": (("partitions", 1, "maxTime"), "18:00:00", {"partition cpu"}),
    "no limit of time": (("partitions", 1, "maxTime"), "UNLIMITED", {"partition cpu"}),
    "no default": (("partitions", 0, "default"), False, {"partition all"}),
    "other accounts": (("partitions", 1, "allowAccounts"), ["biology"], {"partition cpu"}),
    "several options": (("partitions", 1), {"name": "cpu", "nodeSets": ["cpu"], "lln": True}, {"partition cpu"}),
    "another name": (
        ("partitions", 1),
        {"name": "new", "nodeSets": ["cpu"], "maxTime": "12:00:00"},
        {"partition cpu", "partition new"},
    ),
    "another node set": (
        ("nodeSets", 0),
        {"name": "new", "pool": "cpu", "replicas": 2},
        {"node cpu-0", "node cpu-1"},
    ),
    "a partition of the node set": (("nodeSets", 0, "partition"), {"maxTime": "1:00:00"}, {"partition cpu"}),
}
"""A path below the cluster, its new value, and what differs in slurmctld's memory then."""


def file_with(steps: tuple[Any, ...], value: Any) -> str:
    content = yaml.safe_load(STACK)
    cluster = content["config"]["slurm:cluster"]
    inner = cluster
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    if steps == ("nodeSets", 0):
        cluster["partitions"][1]["nodeSets"] = ["new"]
    if steps[-1] == "partition":
        del cluster["partitions"][1]
    return yaml.safe_dump(content)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_is_not_applied_is_ours(name: str) -> None:
    steps, value, subjects = CHANGES[name]
    spec, pools = stated(file_with(steps, value))
    findings = of_slurm(spec, pools, look(), None, OBJECTS)
    assert {finding.subject for finding in findings} == subjects
    assert {(finding.kind, finding.way_back, finding.adoption) for finding in findings} == {(Kind.OURS, APPLY, ())}
    # Where nobody has looked at the objects, it may be an edit.
    assert Kind.DANGEROUS in {finding.kind for finding in of_slurm(spec, pools, look())}


@given(st.data(), st.sampled_from(sorted(EDITS)))
def test_an_edit_beside_it_is_still_found(data: st.DataObject, field: str) -> None:
    every, cpu = look().partitions
    edited = dataclasses.replace(cpu, **{field: data.draw(EDITS[field])})
    spec, pools = stated(file_with(("partitions", 1, "maxTime"), "18:00:00"))
    unapplied = {"max_time": edited.max_time == cpu.max_time}.get(field, True)
    findings = of_slurm(spec, pools, look(partitions=(every, edited)), None, OBJECTS)
    kinds = [finding.kind for finding in findings]
    assert kinds.count(Kind.OURS) == unapplied
    # Somebody may have set by hand what the file has meanwhile.
    by_hand = edited != cpu and not (field == "max_time" and edited.max_time == 18 * 60)
    assert kinds.count(Kind.DANGEROUS) == by_hand


def test_an_edited_node_and_one_of_nobody_are_found() -> None:
    spec, pools = stated(file_with(("nodeSets", 0, "features"), ["fast", "large"]))
    nodes = (node("cpu-0"), node("cpu-1", features=("cpu", "slow")), node("lost", features=()))
    findings = of_slurm(spec, pools, look(nodes=nodes), None, OBJECTS)
    assert [(finding.kind, finding.subject) for finding in findings] == [
        (Kind.DANGEROUS, "node cpu-1"),
        (Kind.DANGEROUS, "node lost"),
        (Kind.OURS, "node cpu-0"),
    ]


@pytest.mark.parametrize("config", ["MaxTime=soon PriorityTier", "", "PartitionName", "=", "MaxTime=12:00:00"])
def test_a_line_of_somebody_else_is_no_traceback(config: str) -> None:
    objects = json.loads(json.dumps(OBJECTS))
    (controller,) = [item for item in objects if item["kind"] == "Controller"]
    controller["spec"]["extraConf"] = f"PartitionName=cpu {config}"
    spec, pools = stated(file_with(("partitions", 1, "maxTime"), "18:00:00"))
    found = of_slurm(spec, pools, look(partitions=(partition("cpu", max_time=720),)), None, objects)
    assert any(finding.subject == "partition cpu" for finding in found)
    assert of_objects(spec, pools, [{**item, "metadata": {**item["metadata"]}} for item in objects])

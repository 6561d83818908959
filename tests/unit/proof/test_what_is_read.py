"""What a proof reads from sinfo and from a specification, and how it reports."""

import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.loading import load
from pulumi_slurm.model import PartitionOptionsSpec
from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.proof import BAD, Result, Trial, Verdict
from pulumi_slurm_cli.proof.accounts import enforced
from pulumi_slurm_cli.proof.floors import Floor, floor_of
from pulumi_slurm_cli.proof.inside import confines
from pulumi_slurm_cli.proof.node_sets import _amounts
from pulumi_slurm_cli.proof.node_states import Kind
from pulumi_slurm_cli.proof.nodes import nodes_in
from pulumi_slurm_cli.proof.place import Place
from pulumi_slurm_cli.proof.rates import Rate, rated
from pulumi_slurm_cli.proof.reports import json_of, junit_of, line_of, markdown_of
from pulumi_slurm_cli.proof.trial import why_not


@pytest.mark.parametrize(
    ("state", "is_idle", "works", "is_away"),
    [
        ("idle", True, True, False),
        ("IDLE", True, True, False),
        ("idle-", True, True, False),
        ("mixed", False, True, False),
        ("mixed-", False, True, False),
        ("allocated", False, True, False),
        ("completing", False, True, False),
        ("planned", False, True, False),
        # Off, starting, going, to be rebooted, in a reservation for maintenance.
        *((f"idle{mark}", False, True, True) for mark in "~#%!^@$"),
        ("powering_down", False, False, True),
        ("idle*", False, False, False),
        ("down", False, False, False),
        ("down*", False, False, False),
        ("drained", False, False, False),
        ("draining", False, False, False),
        ("drained*", False, False, False),
        ("inval", False, False, False),
        ("unknown*", False, False, False),
    ],
)
def test_states_of_nodes(state: str, is_idle: bool, works: bool, is_away: bool) -> None:
    (node,) = nodes_in([f"cpu-0|{state}|2|4096|(null)|cpu|all|none"])
    assert (node.is_idle, node.works, node.is_away) == (is_idle, works, is_away)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("idle", Kind.IDLE),
        ("mixed-", Kind.MIXED),
        ("allocated@", Kind.ALLOCATED),
        ("completing", Kind.ALLOCATED),
        ("idle*", Kind.DOWN),
        ("allocated*", Kind.DOWN),
        ("inval", Kind.DOWN),
        ("drained~", Kind.DRAINED),
        ("draining*", Kind.DRAINED),
        ("reboot*", Kind.AWAY),
        ("down^", Kind.AWAY),
        ("idle#", Kind.AWAY),
        ("maint", Kind.AWAY),
        ("melted", Kind.OTHER),
    ],
)
def test_what_a_node_does_for_jobs(state: str, kind: Kind) -> None:
    (node,) = nodes_in([f"cpu-0|{state}|2|4096|(null)|cpu|all|none"])
    assert node.kind is kind


def test_a_node_is_in_all_its_partitions_once() -> None:
    (node,) = nodes_in([f"gpu-0|idle|2|4096|gpu:h100:2(S:0)|gpu,fast|{name}|a | b" for name in ("all", "gpu")])
    assert (node.partitions, node.features, node.reason) == (("all", "gpu"), ("gpu", "fast"), "a | b")


@given(st.lists(st.text(st.characters(exclude_characters="\n\r"), max_size=40)))
def test_other_lines_are_no_nodes(lines: list[str]) -> None:
    assert nodes_in([line.replace("|", "") for line in lines]) == []


@pytest.mark.parametrize(
    ("gres", "amounts"),
    [
        ("", {}),
        ("gpu", {"gpu": 1}),
        ("gpu:2", {"gpu": 2}),
        ("gpu:h100:8(S:0-1)", {"gpu:h100": 8}),
        ("gpu:h100:4,gpu:h100:4", {"gpu:h100": 8}),
        ("gpu:h100:1,tmpdisk:1T", {"gpu:h100": 1, "tmpdisk": 1024**4}),
        ("tmpdisk:1024G", {"tmpdisk": 1024**4}),
        ("bandwidth:no_consume:4G", {"bandwidth": 4 * 1024**3}),
    ],
)
def test_generic_resources_are_compared_by_their_amounts(gres: str, amounts: dict[str, int]) -> None:
    assert _amounts(gres) == amounts


@pytest.mark.parametrize(
    ("options", "count", "why"),
    [
        ({}, 1, ""),
        ({"state": "DOWN"}, 1, "its state is DOWN"),
        ({"root_only": True}, 1, "rootOnly is set"),
        ({"req_resv": True}, 1, "reqResv is set"),
        ({"min_nodes": 2}, 1, "fewer nodes are idle than minNodes, 2"),
        ({"min_nodes": 2}, 2, ""),
        ({"max_mem_per_node": 99}, 1, "maxMemPerNode is 99 MiB, and a job takes 100"),
        ({"max_mem_per_cpu": "100M"}, 1, ""),
        ({"max_mem_per_cpu": "0"}, 1, ""),
        ({"max_mem_per_cpu": "UNLIMITED"}, 1, ""),
    ],
)
def test_a_partition_that_takes_no_small_job_is_left_alone(options: dict[str, Any], count: int, why: str) -> None:
    assert why_not(PartitionOptionsSpec(**options), count) == why


MACHINE = {"cpus": 4, "memory": "16Gi"}


@pytest.mark.parametrize(
    ("fields", "confined"),
    [
        ({}, {"ConstrainCores", "ConstrainRAMSpace", "ConstrainDevices"}),
        ({"confine": {"memory": False}}, {"ConstrainCores", "ConstrainDevices"}),
        ({"slurmConf": {"selectTypeParameters": "CR_Core"}}, {"ConstrainCores", "ConstrainDevices"}),
        ({"configFiles": {"cgroup.conf": "IgnoreSystemd=yes\nConstrainRAMSpace=yes\n"}}, {"ConstrainRAMSpace"}),
        (
            {"configFiles": {"cgroup.conf": "IgnoreSystemd=yes\nConstrainCores=no\nConstrainDevices = Yes\n"}},
            {"ConstrainDevices"},
        ),
        ({"configFiles": {"cgroup.conf": "IgnoreSystemd=yes\nConstrainRAMSpace=yes\nAllowedRAMSpace=300\n"}}, set()),
    ],
)
def test_what_jobs_are_confined_to(fields: dict[str, Any], confined: set[str]) -> None:
    spec, _ = load({"name": "hpc", "nodeSets": [{"name": "cpu", "machine": MACHINE, "partition": {}}], **fields})
    assert {
        one for one in ("ConstrainCores", "ConstrainRAMSpace", "ConstrainDevices") if confines(spec, one)
    } == confined


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ([], set()),
        (["limits"], {"limits", "associations"}),
        (["qos"], {"qos", "associations"}),
        (["safe"], {"safe", "limits", "associations"}),
        (["ALL"], {"all", "limits", "qos", "associations"}),
        (["nosteps"], {"nosteps"}),
    ],
)
def test_what_is_enforced(words: list[str], means: set[str]) -> None:
    node_sets = [{"name": "cpu", "machine": MACHINE, "partition": {}}]
    conf = {"accountingStorageEnforce": words}
    spec, _ = load({"name": "hpc", "nodeSets": node_sets, "accounting": {}, "slurmConf": conf})
    assert enforced(spec) == means


@pytest.mark.parametrize(
    ("gpu", "kind", "rate"),
    [
        ("h100", "to-device", 48),
        ("nvidia-h100-80gb", "memory", 1905),
        ("NVIDIA-H100-Mega-80GB", "memory", 1905),
        ("h20", "memory", 1507),
        ("h200-141gb", "to-device", 48),
        ("l4", "memory", 198),
        ("l40s", "memory", 525),
    ],
)
def test_floors_by_type(gpu: str, kind: str, rate: float) -> None:
    floor = floor_of(gpu, kind)
    assert floor
    assert floor.rate == rate


@pytest.mark.parametrize("gpu", [None, "", "t4", "h1000", "gh100x"])
def test_others_have_no_floor(gpu: str | None) -> None:
    assert floor_of(gpu, "memory") is None


@given(st.floats(0, 1e6), st.none() | st.floats(1, 1e6), st.none() | st.floats(1, 1e6))
def test_rates_are_held_to_a_floor_and_else_to_the_baseline(
    value: float, floor: float | None, baseline: float | None
) -> None:
    spec, _ = load({"name": "hpc", "nodeSets": [{"name": "gpu", "machine": MACHINE, "partition": {}}]})
    trial = Trial(spec, (), Place(Kubectl(), "slurm", "login", "login", "alice"))
    trial.baseline = {} if baseline is None else {"gpu.memory": baseline}
    rate = Rate(subject="memory", value=value, unit="GB/s", name="gpu.memory", of="read")
    rate = replace(rate, floor=None if floor is None else Floor(floor, "a source"))
    wanted = baseline if floor is None else floor
    verdict = rated(trial, "gpus", rate, ()).verdict
    if wanted is None:
        assert verdict is Verdict.SKIP
    else:
        part = value / wanted
        assert verdict is (Verdict.FAIL if part < 0.25 else Verdict.SLOW if part < 0.9 else Verdict.PASS) or (
            min(abs(part - 0.25), abs(part - 0.9)) < 1e-9
        )
    # What is wrong makes no baseline.
    assert trial.measured == ({} if verdict in BAD else {"gpu.memory": round(value, 1)})


RESULTS = [
    Result(step="nodes", subject="node set a|b", verdict=Verdict.PASS, observed="2 `nodes`"),
    Result(step="srun", subject="all", verdict=Verdict.FAIL, observed="0 of 2", expected="2", fix="See.", jobs=(7,)),
    Result(step="record", subject="sacct", verdict=Verdict.SKIP, observed="no accounting"),
]


def test_reports() -> None:
    assert line_of(RESULTS[1]) == "FAIL  srun, all: 0 of 2. Expected: 2. See. [job 7]"
    report = json.loads(json_of(RESULTS))
    assert report["summary"] == "1 PASS, 0 SLOW, 1 FAIL, 1 SKIP"
    assert report["results"][1]["jobs"] == [7]
    suite = ElementTree.fromstring(junit_of(RESULTS))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert [case.find("failure") is not None for case in suite] == [False, True, False]
    assert "| PASS | nodes | `node set a\\|b` | `2 'nodes'` |" in markdown_of(RESULTS).splitlines()

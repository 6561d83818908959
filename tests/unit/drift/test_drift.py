"""What is found in a look: every edit, by its name, and nothing in a cluster that nobody has touched."""

import dataclasses
import json
import math
from typing import Any

import jsonschema
import pytest
from hypothesis import given, strategies as st

from devcluster.folders import CHECKOUT
from pulumi_slurm.model import PartitionOptionsSpec
from pulumi_slurm_cli.drift import Change, Finding, Kind, of_slurm
from pulumi_slurm_cli.drift.adopt import AdoptionImpossibleError, changed
from pulumi_slurm_cli.drift.partitions import _OPTIONS
from pulumi_slurm_cli.drift.report import DriftReport, schema
from pulumi_slurm_cli.live import Look
from tests.unit.drift.worlds import DAY, STACK, look, node, partition, reservation, stated

NAMES = st.lists(st.sampled_from(["physics", "biology", "chemistry"]), unique=True, max_size=2).map(tuple)
LIMIT = st.just(math.inf) | st.integers(1, 10_000)
MEMORY = st.none() | st.integers(1, 10_000)
EDITS: dict[str, st.SearchStrategy[Any]] = {
    "state": st.sampled_from(["UP", "DOWN", "DRAIN", "INACTIVE"]),
    "max_time": st.just(math.inf) | st.integers(1, 400 * DAY),
    "default_time": st.integers(1, 60),
    "max_nodes": LIMIT,
    "min_nodes": st.integers(0, 10),
    "max_cpus_per_node": LIMIT,
    "max_cpus_per_socket": LIMIT,
    "tier": st.integers(0, 65535),
    "job_factor": st.integers(0, 65535),
    "grace_time": st.integers(0, 1000),
    "oversubscribe": st.sampled_from(["NO", "EXCLUSIVE", "YES:2", "FORCE:1"]),
    "alternate": st.sampled_from(["", "all"]),
    "allowed_groups": NAMES,
    "max_memory_per_node": MEMORY,
    "flags": st.lists(st.sampled_from(["HIDDEN", "LLN", "REQ_RESV", "ROOT_ONLY"]), max_size=1).map(tuple),
}
UNTOLD = "no release of slurmrestd tells it"
UNREAD = "drift doesn't read it"
NOT_COMPARED = {
    "def_cpu_per_gpu": UNTOLD,
    "def_mem_per_gpu": UNTOLD,
    "disable_root_jobs": UNREAD,
    "exclusive_user": UNREAD,
    "extra": "Alternate has a row of its own",
    "over_subscribe_jobs": "it is a part of OverSubscribe",
    "over_time_limit": UNREAD,
    "preempt_mode": UNREAD,
    "suspend_time": UNREAD,
    "topology": UNREAD,
    "tres_billing_weights": UNREAD,
}
"""The options of a partition that aren't compared, and why; docs/drift.md names those that nothing else covers."""


def found(seen: Look, text: str = STACK) -> list[Finding]:
    return of_slurm(*stated(text), seen)


def test_nothing_is_found_in_an_untouched_cluster() -> None:
    assert found(look()) == []


@pytest.mark.parametrize(
    ("written", "fields"),
    [
        ("allowAccounts: [Physics]", {"allowed_accounts": ("physics",)}),
        ("denyAccounts: [BIO]", {"denied_accounts": ("bio",)}),
        ("allowQos: [Normal]", {"allowed_qos": ("normal",)}),
        ("denyQos: [Normal]", {"denied_qos": ("normal",)}),
        ("allowGroups: [Domain]", {"allowed_groups": ("Domain",)}),
    ],
)
def test_nothing_is_found_of_what_slurm_has_in_another_form(written: str, fields: dict[str, Any]) -> None:
    text = STACK.replace("        allowAccounts: [physics]\n", f"        {written}\n")
    every, cpu = look().partitions
    live = dataclasses.replace(cpu, allowed_accounts=())
    assert found(look(partitions=(every, dataclasses.replace(live, **fields))), text) == []


@given(st.data(), st.sampled_from(sorted(EDITS)))
def test_an_edit_of_a_partition_is_found_and_can_be_adopted(data: st.DataObject, field: str) -> None:
    value = data.draw(EDITS[field])
    every, cpu = look().partitions
    edited = dataclasses.replace(cpu, **{field: value})
    findings = found(look(partitions=(every, edited)))
    if edited == cpu:
        assert findings == []
        return
    (finding,) = findings
    assert (finding.kind, finding.subject) == (Kind.DANGEROUS, "partition cpu")
    assert finding.way_back.startswith(("scontrol update PartitionName=cpu ", "scontrol reconfigure"))
    text = changed(STACK, finding.adoption)
    assert found(look(partitions=(every, edited)), text) == []
    # Only what was adopted is another line, and every comment stays.
    assert text.count("#") == STACK.count("#")
    assert len(STACK.splitlines()) - len([line for line in STACK.splitlines() if line in text.splitlines()]) <= 1


def test_every_option_of_a_partition_is_compared_or_has_a_reason() -> None:
    compared = {option.field for option in _OPTIONS if option.field}
    assert compared.isdisjoint(NOT_COMPARED)
    assert compared | NOT_COMPARED.keys() == PartitionOptionsSpec.model_fields.keys()
    page = (CHECKOUT / "docs" / "drift.md").read_text().lower()
    for field, reason in NOT_COMPARED.items():
        if reason in (UNTOLD, UNREAD):
            assert f"`{field.replace('_', '')}`" in page


def test_a_partition_made_by_hand_and_one_deleted() -> None:
    every, cpu = look().partitions
    mine = partition("mine", max_time=60, tier=2)
    made, gone = found(look(partitions=(every, mine)))
    assert [(item.kind, item.subject) for item in (gone, made)] == [
        (Kind.DANGEROUS, "partition mine"),
        (Kind.DANGEROUS, "partition cpu"),
    ]
    assert (made.way_back, gone.way_back) == ("scontrol reconfigure", "scontrol delete PartitionName=mine")
    text = changed(STACK, gone.adoption)
    assert found(look(partitions=(every, cpu, mine)), text) == []
    (by_nodes,) = found(look(partitions=(every, cpu, dataclasses.replace(mine, node_sets=""))))
    assert by_nodes.adoption == ()


@given(st.integers(2, 1000))
def test_a_weight_is_found_and_can_be_adopted(weight: int) -> None:
    nodes = (node("cpu-0", weight=weight), node("cpu-1", weight=weight))
    findings = found(look(nodes=nodes))
    assert [(item.kind, item.subject) for item in findings] == [
        (Kind.DANGEROUS, "node cpu-0"),
        (Kind.DANGEROUS, "node cpu-1"),
    ]
    assert found(look(nodes=nodes), changed(STACK, findings[0].adoption)) == []


def test_features_and_nodes_of_no_set() -> None:
    odd = node("cpu-1", features=("cpu",))
    mine = node("mine-0", features=("mine",), weight=3)
    assert [item.line for item in found(look(nodes=(node("cpu-0"), odd, mine)))] == [
        "node cpu-1: its features are cpu, and cpu,fast in the specification; it is lost when the node registers anew. "
        "Back: scontrol update NodeName=cpu-1 AvailableFeatures=cpu,fast ActiveFeatures=cpu,fast",
        "node mine-0: it is of no node set; it was made by hand, or is left of a set that is gone. "
        "Back: scontrol delete NodeName=mine-0",
    ]


def test_what_somebody_did_on_purpose_comes_last() -> None:
    drained = node("cpu-0", states=("IDLE", "DRAIN"), reason="bad disk", reason_by="root", reason_at=1795676400)
    operators = node("cpu-1", states=("IDLE", "DRAIN"), reason="slurm-operator: scale-in")
    seen = look(nodes=(drained, operators), reservations=(reservation("maint"),), release="26.05.3")
    findings = found(seen)
    assert [(item.kind, item.subject) for item in findings] == [
        (Kind.VULNERABLE, "Slurm 26.05.3"),
        (Kind.ON_PURPOSE, "node cpu-0"),
        (Kind.ON_PURPOSE, "reservation maint"),
    ]
    assert findings[1].line == (
        "node cpu-0: drained by root since 2026-11-26 07:00 UTC: bad disk. "
        "Back: scontrol update NodeName=cpu-0 State=RESUME"
    )
    assert findings[2].problem == "1 node for root from 2026-11-26 09:00 UTC to 2026-11-26 10:00 UTC, MAINT"


def test_before_26_05_what_is_not_told_is_not_compared() -> None:
    parts = tuple(dataclasses.replace(part, flags=None, preempt_mode=None) for part in look().partitions)
    assert found(look(partitions=parts, release="25.11.8", configuration=None)) == []


def test_the_report_is_as_its_schema_says() -> None:
    published = (CHECKOUT / "stacks" / "drift-report.schema.json").read_text()
    assert published == schema(), "run `make generate`"
    every, cpu = look().partitions
    seen = look(partitions=(every, dataclasses.replace(cpu, state="DOWN", oversubscribe="YES:2")))
    report = DriftReport.of("Pulumi.hpc.yaml", seen, found(seen)).model_dump_json(by_alias=True)
    jsonschema.validate(json.loads(report), json.loads(published))
    assert [item["wayBack"] for item in json.loads(report)["findings"]] == [
        "scontrol update PartitionName=cpu OverSubscribe=NO",
        "scontrol update PartitionName=cpu State=UP",
    ]


@pytest.mark.parametrize("written", ['\'{"name": "c"}\'', "5", "[1]"])
def test_a_file_without_the_place_is_not_changed(written: str) -> None:
    text = f"config:\n  slurm:cluster: {written}\n"
    with pytest.raises(AdoptionImpossibleError):
        changed(text, [Change(("slurm:cluster", "partitions", 0, "state"), "DOWN")])


def test_a_field_that_is_removed_leaves_the_comment_of_the_next_one() -> None:
    text = "config:\n  slurm:cluster:\n    name: c\n    # Of old.\n    maxNodes: 2\n\n    # The rest.\n    tokens: []\n"
    written = changed(text, [Change(("slurm:cluster", "maxNodes"), None)])
    assert written == text.replace("    maxNodes: 2\n", "")


def test_lists_are_kept_in_their_own_form() -> None:
    text = (
        "# a\nconfig:\n  slurm:cluster:  # b\n    partitions:\n"
        "    - name: cpu   # c\n      maxTime: '1'\n    tokens: [{name: a}]\n"
    )
    written = changed(text, [Change(("slurm:cluster", "partitions", 0, "extra", "Alternate"), "all")])
    assert written == text.replace("      maxTime: '1'\n", "      maxTime: '1'\n      extra:\n        Alternate: all\n")

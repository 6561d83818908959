"""The engine's events, one JSON object a line."""

import json
from typing import Any

import pytest

from pulumi_slurm_cli.review.engine_events import UnreadableEventsError, read_events
from pulumi_slurm_cli.review.resource_change import Operation

URN = "urn:pulumi:prod::hpc::slurm:index:SlurmCluster$kubernetes:core/v1:Secret::key"


def step(op: str, old: Any = None, new: Any = None, **fields: Any) -> str:
    state = {name: {"inputs": inputs} if inputs is not None else None for name, inputs in (("old", old), ("new", new))}
    metadata = {"op": op, "urn": URN, "type": "kubernetes:core/v1:Secret", **state, **fields}
    return json.dumps({"sequence": 1, "timestamp": 1, "resourcePreEvent": {"metadata": metadata}})


def error(message: str, **fields: Any) -> str:
    return json.dumps({"sequence": 2, "diagnosticEvent": {"severity": "error", "message": message, **fields}})


def summary(**fields: Any) -> str:
    return json.dumps({"sequence": 3, "summaryEvent": {"isPreview": True, **fields}})


def test_an_update_has_both_sides() -> None:
    preview = read_events([step("update", {"a": 1}, {"a": "[secret]"}), "", '{"sequence": 2, "cancelEvent": {}}'])
    assert (preview.project, preview.stack) == ("hpc", "prod")
    (change,) = preview.changes
    assert (change.name, change.operation, change.old, change.new) == (
        "key",
        Operation.UPDATE,
        {"a": 1},
        {"a": "[secret]"},
    )


@pytest.mark.parametrize(
    "ops", [("create-replacement", "replace", "delete-replaced"), ("delete-replaced", "replace", "create-replacement")]
)
def test_the_three_steps_of_a_replacement_are_one_change(ops: tuple[str, ...]) -> None:
    sides = {
        "create-replacement": (None, {"a": 2}),
        "replace": ({"a": 1}, {"a": 2}),
        "delete-replaced": ({"a": 1}, None),
    }
    (change,) = read_events([step(op, *sides[op], keys=["a"]) for op in ops]).changes
    assert (change.operation, change.old, change.new, change.replaced_for) == (
        Operation.REPLACE,
        {"a": 1},
        {"a": 2},
        ("a",),
    )


def test_the_order_is_not_that_of_the_log() -> None:
    lines = [step("same", {}, {}, urn=f"{URN}-{name}") for name in "bca"]
    lines += [
        json.dumps({"sequence": 1, "policyEvent": {"policyName": name, "resourceUrn": URN, "message": ""}})
        for name in "ba"
    ]
    one, other = read_events(lines), read_events(lines[::-1])
    assert [change.name for change in one.changes] == ["key-a", "key-b", "key-c"]
    assert one == other


def test_protection_is_that_of_before() -> None:
    metadata = {"op": "delete", "urn": URN, "type": "a:b:C", "old": {"inputs": {}, "protect": True}, "new": None}
    (change,) = read_events([json.dumps({"sequence": 1, "resourcePreEvent": {"metadata": metadata}})]).changes
    assert change.protected
    assert change.new is None


def test_policies_and_errors_are_kept() -> None:
    policy = {"policyName": "p", "enforcementLevel": "mandatory", "resourceUrn": URN, "message": "No.\n"}
    preview = read_events(
        [
            json.dumps({"sequence": 1, "policyEvent": policy}),
            error("it failed\n"),
            json.dumps({"sequence": 3, "diagnosticEvent": {"severity": "debug", "message": "noise"}}),
            summary(result="failed"),
        ]
    )
    assert [(found.policy, found.level, found.message) for found in preview.policies] == [("p", "mandatory", "No.")]
    assert preview.errors == ("it failed",)


LATE = error("Detected that pulumi-resource-kubernetes exited prematurely.")
"""What the engine says of a provider that takes more than 5 s to end."""


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        ([summary(result="succeeded")], ()),
        ([summary(result="succeeded"), LATE], ()),
        ([error("a container waits", ephemeral=True), error("it failed"), summary(result="failed")], ("it failed",)),
        ([summary(result="failed")], ("The engine's result is: failed.",)),
        ([error("update canceled"), summary(result="canceled")], ("update canceled",)),
        # Engines before v3.237 tell no result.
        ([summary()], ()),
        ([error("it failed"), summary()], ("it failed",)),
    ],
)
def test_whether_it_failed_is_what_the_engine_says_at_its_end(lines: list[str], errors: tuple[str, ...]) -> None:
    assert read_events([step("same", {}, {}), *lines]).errors == errors


def test_events_that_were_cut_are_not_taken_for_the_whole() -> None:
    (problem,) = read_events([step("same", {}, {})]).errors
    assert problem == "The events end before the engine has told a result: it was stopped, or the file was cut."


def test_an_end_within_a_line_is_a_cut_too() -> None:
    (problem,) = read_events([step("same", {}, {}), '{"sequence": 2, "resour']).errors
    assert problem.startswith("The events end before")


@pytest.mark.parametrize(
    "event",
    [
        {"diagnosticEvent": "x"},
        {"resourcePreEvent": 3},
        {"resourcePreEvent": {"metadata": [1]}},
        {"resourcePreEvent": {"metadata": {"op": "update"}}},
        *(
            {"resourcePreEvent": {"metadata": {"op": "update", "urn": URN, **wrong}}}
            for wrong in ({"urn": "x"}, {"keys": 3}, {"op": ["update"]}, {"old": "x"}, {"new": {"inputs": [1]}})
        ),
        {"summaryEvent": ["x"]},
        {"policyEvent": "x"},
        {"errorEvent": "x"},
    ],
)
def test_an_event_of_another_shape_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(UnreadableEventsError, match="line 2 is no event of the engine"):
        read_events([step("same", {}, {}), json.dumps({"sequence": 2, **event}), summary(result="succeeded")])


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], "there are no events of the engine in it"),
        (["{"], "line 1 is no JSON"),
        (["[" * 100_000], "line 1 is no JSON"),
        (["1"], "line 1 is no event of the engine"),
        (['{"steps": []}'], "there are no events of the engine in it"),
    ],
)
def test_what_is_no_log_is_refused(lines: list[str], problem: str) -> None:
    with pytest.raises(UnreadableEventsError, match=problem):
        read_events(lines)

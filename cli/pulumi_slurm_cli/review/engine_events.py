"""A preview by the engine, read from its events.

`pulumi preview --json` has neither findings of policies nor what changes of components, so events are read: one JSON
object a line, as `--event-log FILE` (with PULUMI_DEBUG_COMMANDS=true) and the Automation API write them. Their types:
sdk/go/common/apitype/events.go of pulumi, v3.259.0.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange
from pulumi_slurm_cli.review.shapes import event_errors

_OPERATIONS = MappingProxyType(
    {
        "same": Operation.SAME,
        "refresh": Operation.SAME,
        "read": Operation.SAME,
        "create": Operation.CREATE,
        "import": Operation.CREATE,
        "update": Operation.UPDATE,
        "replace": Operation.REPLACE,
        "create-replacement": Operation.REPLACE,
        "delete-replaced": Operation.REPLACE,
        "import-replacement": Operation.REPLACE,
        "delete": Operation.DELETE,
        "discard": Operation.DELETE,
    }
)
"""OpType in sdk/go/common/apitype/core.go. Others, such as "remove-pending-replace", are about an update of before."""


class UnreadableEventsError(Exception):
    """What was given is no log of the engine's events."""


class _NoJsonError(UnreadableEventsError):
    """A line isn't JSON, as one that was cut."""


@dataclass(frozen=True)
class PolicyFinding:
    """What a policy says of a resource."""

    policy: str
    level: str
    """"advisory" or "mandatory"."""
    urn: str
    message: str


@dataclass(frozen=True)
class Preview:
    """What the engine says of an update, in an order that is the same whenever it is asked again."""

    project: str
    stack: str
    changes: tuple[ResourceChange, ...]
    """All resources by their URNs, also those that stay the same."""
    policies: tuple[PolicyFinding, ...] = ()
    errors: tuple[str, ...] = ()
    """What it failed with, if it failed; its steps may then be fewer than those of the change."""


def read_events(lines: Iterable[str]) -> Preview:
    """Return what the engine found.

    The last line may be cut off: it is then the end that is missing, which `Preview.errors` tells.

    Raises:
        UnreadableEventsError: if a line is none of its events, or nothing is there.
    """
    steps: dict[str, list[Mapping[str, Any]]] = {}
    policies: list[PolicyFinding] = []
    errors: list[str] = []
    result: str | None = None
    has_events = False
    lines = list(lines)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = _event(line, number)
        except _NoJsonError:
            if has_events and number == len(lines):
                # The file was cut within its last line, so it has no result either.
                break
            raise
        has_events = has_events or "sequence" in event
        if metadata := (event.get("resourcePreEvent") or {}).get("metadata"):
            steps.setdefault(str(metadata.get("urn")), []).append(metadata)
        if policy := event.get("policyEvent"):
            policies.append(_policy(policy))
        if summary := event.get("summaryEvent"):
            result = str(summary.get("result", ""))
        diagnostic = event.get("diagnosticEvent") or {}
        if diagnostic.get("severity") == "error" and not diagnostic.get("ephemeral"):
            errors.append(str(diagnostic.get("message", "")).strip())
        if error := (event.get("errorEvent") or {}).get("error"):
            errors.append(str(error).strip())
    if not has_events:
        raise UnreadableEventsError("there are no events of the engine in it")
    changes = tuple(change for urn in sorted(steps) if (change := _change(steps[urn])))
    policies.sort(key=lambda violation: (violation.policy, violation.urn, violation.message))
    project, stack = _project_and_stack(steps)
    return Preview(project, stack, changes, tuple(policies), _failures(result, tuple(filter(None, errors))))


def _failures(result: str | None, errors: tuple[str, ...]) -> tuple[str, ...]:
    """Return why the engine failed, given the result that it tells at its end, "" from one before v3.237.

    An error alone is no failure: a provider that takes more than 5 s to end, on a busy machine, "exited prematurely"
    after all was done (Plugin.Close in pkg/resource/plugin/plugin.go). And without a result the events are not all.
    """
    if result == "succeeded":
        return ()
    if result is None:
        return (*errors, "The events end before the engine has told a result: it was stopped, or the file was cut.")
    if result and not errors:
        return (f"The engine's result is: {result}.",)
    return errors


def _event(line: str, number: int) -> Mapping[str, Any]:
    try:
        event: Mapping[str, Any] = json.loads(line)
    except (ValueError, RecursionError):
        raise _NoJsonError(f"line {number} is no JSON") from None
    if error := next(event_errors(event), None):
        where = f": {error.where}: {error.problem}" if error.path else ""
        raise UnreadableEventsError(f"line {number} is no event of the engine{where}")
    return event


def _project_and_stack(urns: Iterable[str]) -> tuple[str, str]:
    """Return both, of which every URN speaks: urn:pulumi:STACK::PROJECT::TYPE::NAME."""
    for urn in urns:
        stack, project = urn.removeprefix("urn:pulumi:").split("::")[:2]
        return project, stack
    return "", ""


def _policy(event: Mapping[str, Any]) -> PolicyFinding:
    return PolicyFinding(
        policy=str(event.get("policyName", "")),
        level=str(event.get("enforcementLevel", "")),
        urn=str(event.get("resourceUrn", "")),
        message=str(event.get("message", "")).strip(),
    )


def _change(steps: list[Mapping[str, Any]]) -> ResourceChange | None:
    """Return what the steps of one URN come to: a replacement is three of them, each with one of both sides."""
    operations = {_OPERATIONS[step["op"]] for step in steps if step.get("op") in _OPERATIONS}
    if not operations:
        return None
    operation = Operation.REPLACE if {Operation.CREATE, Operation.DELETE} <= operations else max(operations, key=_order)
    old = next((step["old"] for step in steps if step.get("old")), None)
    new = next((step["new"] for step in steps if step.get("new")), None)
    keys = [key for step in steps for key in step.get("keys") or () if operation is Operation.REPLACE]
    state = new or old or {}
    urn = str(steps[0].get("urn"))
    return ResourceChange(
        urn=urn,
        type=str(steps[0].get("type")),
        name=urn.rpartition("::")[2],
        operation=operation,
        old=None if operation is Operation.CREATE else _inputs(old),
        new=None if operation is Operation.DELETE else _inputs(new),
        replaced_for=tuple(dict.fromkeys(map(str, keys))),
        protected=bool((old or {}).get("protect")),
        retained=bool(state.get("retainOnDelete")),
    )


def _order(operation: Operation) -> int:
    return list(Operation).index(operation)


def _inputs(state: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return (state or {}).get("inputs") or {}

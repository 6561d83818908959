"""Warnings that a stack's configuration accepts, each with a reason."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from pulumi_slurm.errors import FieldError, Severity, format_path, nearest
from pulumi_slurm.issue import Issue
from pulumi_slurm.model.base import Model
from pulumi_slurm.visible import as_line


class Acceptance(Model):
    """A warning that is as wanted."""

    _with_line_breaks = frozenset({"reason"})

    rule: str = Field(min_length=1)
    """The rule that warns: what stands in brackets at the end of the warning."""
    path: str = Field(min_length=1)
    """Where it warns, as the warning begins, with names for positions: such as `slurm:cluster.nodeSets[gpu].gpus`."""
    reason: str = Field(min_length=1)
    """Why it is as wanted, for those who read it later."""


_ACCEPTANCES = TypeAdapter(list[Acceptance])


def acceptances_in(data: Mapping[str, Any]) -> list[Acceptance]:
    """Return what a configuration accepts; nothing, where the model of the configuration refuses that."""
    try:
        return _ACCEPTANCES.validate_python(data.get("accepted", []))
    except ValidationError:
        return []


def with_positions(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[FieldError]]:
    """Return a configuration whose acceptances have positions for names, as warnings have, and what is wrong with them.

    A position of what has a name is refused: it is another's as soon as one is written before it.
    """
    acceptances = data.get("accepted")
    if not isinstance(acceptances, list):
        return dict(data), []
    positioned: list[Any] = []
    errors: list[FieldError] = []
    for index, item in enumerate(acceptances):
        path = item.get("path") if isinstance(item, Mapping) else None
        if not isinstance(path, str):
            positioned.append(item)
            continue
        by_position, issue = _by_position(path, data)
        positioned.append({**item, "path": by_position})
        if issue:
            errors.append(FieldError(("accepted", index, "path"), path, issue.problem, issue.fix))
    return {**data, "accepted": positioned}, errors


def without_rules(acceptances: Iterable[Acceptance], codes: Collection[str]) -> list[FieldError]:
    """Return an error for each acceptance of a rule that isn't among ``codes``, those of a kind of stack."""
    problem = "no rule of a stack of this kind has this name"
    return [
        FieldError(("accepted", index, "rule"), item.rule, problem, fix)
        for index, item in enumerate(acceptances)
        if item.rule not in codes
        for fix in (_rule_to_write(item.rule, codes),)
    ]


def _rule_to_write(rule: str, codes: Collection[str]) -> str:
    if not codes:
        return "Take it out."
    near = nearest(rule, codes)
    return near if near.startswith("Did you mean") else "Write what stands in brackets at the end of the warning."


def unused(
    acceptances: Iterable[Acceptance], accepted: Iterable[tuple[FieldError, str]], codes: Collection[str]
) -> list[FieldError]:
    """Return a warning for each acceptance of what nothing warns of.

    ``accepted`` are the warnings that there are, and ``codes`` the rules that run without a cloud's answers.
    """
    used = {(warning.code, format_path(warning.path)) for warning, _ in accepted}
    fix = "Take it out, or correct its path."
    return [
        FieldError(
            ("accepted", index),
            FieldError.ABSENT,
            f"it accepts nothing, as {item.rule} doesn't warn there",
            fix,
            severity=Severity.WARNING,
        )
        for index, item in enumerate(acceptances)
        if item.rule in codes and (item.rule, item.path) not in used
    ]


_STEP = re.compile(r'\.?(?P<key>[A-Za-z][\w:]*)|\[(?P<position>[0-9]+)\]|\[(?P<text>"[^"]*")\]|\[(?P<name>[^\[\]"]+)\]')


def _by_position(path: str, data: Mapping[str, Any]) -> tuple[str, Issue | None]:
    """Return a path with positions for names, and the issue with it; one that isn't there is returned as it is."""
    value: Any = data
    by_position, by_name = "", ""
    steps = [*_STEP.finditer(path)]
    if "".join(step[0] for step in steps) != path:
        return path, None
    for step in steps:
        if key := step["key"]:
            value = value.get(key.removeprefix("slurm:")) if isinstance(value, Mapping) else None
            by_position, by_name = by_position + step[0], by_name + step[0]
            continue
        items = value if isinstance(value, list) else []
        names = [item.get("name") if isinstance(item, Mapping) else None for item in items]
        if step["name"] and step["name"] not in names:
            others = [name for name in names if isinstance(name, str)]
            fix = (
                f"{nearest(step['name'], others)} Or take the acceptance out." if others else "Take the acceptance out."
            )
            return path, Issue(f'nothing there is called "{step["name"]}"', fix)
        position = names.index(step["name"]) if step["name"] else int(step["position"] or len(items))
        value = items[position] if position < len(items) else None
        has_name = position < len(items) and isinstance(names[position], str)
        by_position += f"[{position}]" if step["name"] else step[0]
        by_name += f"[{names[position]}]" if has_name else step[0]
    if path != by_name:
        return path, Issue("a position is another's as soon as one is written before it", f'Write "{by_name}".')
    return by_position, None


def split_accepted(
    acceptances: Sequence[Acceptance], warnings: Iterable[FieldError]
) -> tuple[list[FieldError], list[tuple[FieldError, str]]]:
    """Return the warnings that remain, and those that are accepted, each with its reason; paths as in the file."""
    reasons = {(item.rule, item.path): item.reason for item in acceptances}
    remaining, accepted = [], []
    for warning in warnings:
        reason = reasons.get((warning.code or "", format_path(warning.path)))
        if reason is None:
            remaining.append(warning)
        else:
            accepted.append((warning, reason))
    return remaining, accepted


def accepted_line(warning: FieldError, reason: str) -> str:
    """Return a note of a warning that is accepted."""
    return as_line(f"Accepted: {warning.line} Reason: {reason}")

"""Warnings that a stack's configuration accepts, each with a reason."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from pulumi_slurm.errors import FieldError, format_path
from pulumi_slurm.model.base import Model
from pulumi_slurm.visible import as_line


class Acceptance(Model):
    """A warning that is as wanted."""

    _with_line_breaks = frozenset({"reason"})

    rule: str = Field(min_length=1)
    """The rule that warns: what stands in brackets at the end of the warning."""
    path: str = Field(min_length=1)
    """Where it warns, as the warning begins: such as `slurm:cluster.nodeSets[0].gpus`."""
    reason: str = Field(min_length=1)
    """Why it is as wanted, for those who read it later."""


_ACCEPTANCES = TypeAdapter(list[Acceptance])


def acceptances_in(data: Mapping[str, Any]) -> list[Acceptance]:
    """Return what a configuration accepts; nothing, where the model of the configuration refuses that."""
    try:
        return _ACCEPTANCES.validate_python(data.get("accepted", []))
    except ValidationError:
        return []


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

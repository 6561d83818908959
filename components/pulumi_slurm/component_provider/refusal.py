"""Our errors as those of Pulumi, which the engine shows in the output of whatever program it runs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pulumi import InputPropertiesError, InputPropertyErrorDetails

from pulumi_slurm.errors import FieldError, Path, SpecError
from pulumi_slurm.errors.path import field_text, format_path


def refusal(error: SpecError, inputs: Mapping[str, Any]) -> InputPropertiesError:
    """Return all errors in the arguments of a component, each with path, value and what to write instead."""
    heading, _, _ = str(error).partition("\n")
    return InputPropertiesError(heading, [_details(item, inputs) for item in error.errors])


def _details(error: FieldError, inputs: Mapping[str, Any]) -> InputPropertyErrorDetails:
    """Return an error with a path that the engine finds only if it may show what is there.

    It writes out whatever stands at the path: maps and lists in full, and secrets. See `errorToMessage` in
    pkg/resource/deploy/source_eval.go of pulumi/pulumi, v3.259.0. For those the value is in our own words, if at all,
    and the path ends with a space, as no property's does.
    """
    path = format_path(error.path, error.spelling)
    value = _value_at(inputs, error.path)
    if value is None or value == error.value:
        shown = replace(error, value=FieldError.ABSENT).line.removeprefix(f"{path}: ")
        return {"property_path": path, "reason": shown}
    return {"property_path": f"{path} ", "reason": error.line.removeprefix(path).removeprefix(" = ").removeprefix(": ")}


def _value_at(inputs: Any, path: Path) -> Any:
    """Return what a program has written at a path, or the Output in which that is; None if nothing is there."""
    for step in path:
        if isinstance(inputs, Mapping) and isinstance(step, str):
            inputs = inputs.get(field_text(step))
        elif isinstance(inputs, list) and isinstance(step, int) and step < len(inputs):
            inputs = inputs[step]
    return inputs

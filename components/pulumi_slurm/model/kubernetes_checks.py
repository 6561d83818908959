"""What rules of Kubernetes' form are made of: errors of one field of a value, of which the rest is right."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import AsWritten, FieldError, Path, field_error_of

Errors = Iterator[FieldError]
Rule = Callable[[Mapping[str, Any], Path], Errors]
"""Yields the errors of a value at a path."""


def refusal(path: Path, value: Any, problem: str, fix: str) -> FieldError:
    """Return an error whose texts have Kubernetes' words, which stay as they are in a program in Python."""
    return FieldError(path, value, problem, AsWritten(fix))


def required(value: Mapping[str, Any], field: str, path: Path, fix: str) -> Errors:
    """Yield an error if a field is absent or empty."""
    if not value.get(field):
        yield refusal((*path, field), value.get(field, FieldError.ABSENT), "Kubernetes requires this", fix)


def between(value: Mapping[str, Any], field: str, minimum: int, maximum: int | None, path: Path) -> Errors:
    """Yield an error unless a number is in its range; one that is absent counts as 0."""
    number = value.get(field)
    if (number or 0) < minimum or (maximum is not None and (number or 0) > maximum):
        bounds = f"{minimum} or more" if maximum is None else f"{minimum} to {maximum}"
        shown = FieldError.ABSENT if number is None else number
        yield refusal((*path, field), shown, f"Kubernetes takes {bounds} here", f"Write {bounds}.")


def checked(check: Callable[[str], object], text: Any, path: Path) -> Errors:
    """Yield what a validator of a text says."""
    try:
        check(text)
    except PydanticCustomError as error:
        yield field_error_of(error, path, text)

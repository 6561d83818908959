"""Helpers with which pydantic validators raise errors that reach the user as `FieldError`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic_core import PydanticCustomError

from pulumi_slurm.errors.field_error import FieldError, Severity
from pulumi_slurm.errors.path import Path
from pulumi_slurm.errors.spec_error import without_warnings

T = TypeVar("T")
R = TypeVar("R")


def field_error(problem: str, fix: str) -> PydanticCustomError:
    """Return the exception for a field validator to raise."""
    # The texts are passed as context, so that braces in them are not interpreted as placeholders.
    return PydanticCustomError("slurm", "{problem}. {fix}", {"problem": problem, "fix": fix})


def field_error_of(
    error: PydanticCustomError, path: Path, value: Any, depends_on_fields: tuple[Path, ...] = ()
) -> FieldError:
    """Convert the exception of `field_error` to a `FieldError`, for rules that reuse a validator's check."""
    context = error.context or {}
    return FieldError(path, value, context["problem"], context["fix"], depends_on_fields)


def field_errors(errors: list[FieldError]) -> PydanticCustomError:
    """Return the exception for a model validator to raise: errors that involve more than one field."""
    text = "; ".join(str(error) for error in errors)
    return PydanticCustomError("slurm_rules", "{text}", {"text": text, "errors": errors})


def raise_errors(errors: Iterable[FieldError], at: Path = ()) -> None:
    """Raise the errors of rules from within a validator; issue a `SpecWarning` for those of severity "warning".

    ``at`` is the field of the validator: pydantic puts it before the paths of what is raised, and not of warnings.
    """
    remaining = without_warnings(error.below(*at) if error.severity is Severity.WARNING else error for error in errors)
    if remaining:
        raise field_errors(remaining)


def check_each(items: T, check: Callable[[str], object]) -> T:
    """Return ``items`` if every string in the list or mapping passes ``check``; raise all errors with their paths."""
    pairs: Iterable[tuple[str | int, Any]] = ()
    if isinstance(items, Mapping):
        pairs = items.items()
    elif isinstance(items, Sequence):
        pairs = enumerate(items)
    return check_each_pair(items, pairs, lambda _, text: check(text))


def each(check: Callable[[str], object]) -> Callable[[T], T]:
    """Return the validator of a list or mapping of strings, each of which has to pass ``check``."""
    return lambda items: check_each(items, check)


def optional(read: Callable[[Any], R]) -> Callable[[Any], R | None]:
    """Return the validator of a field that may be None: ``read`` gets every other value, and returns the field's."""
    return lambda value: None if value is None else read(value)


def check_each_pair(items: T, pairs: Iterable[tuple[Any, Any]], check: Callable[[Any, Any], object]) -> T:
    """Return ``items`` if every key and value passes ``check``; raise all errors with their paths."""
    errors: list[FieldError] = []
    for key, value in pairs:
        try:
            check(key, value)
        except PydanticCustomError as error:
            errors.append(field_error_of(error, (key,), value))
    if errors:
        raise field_errors(errors)
    return items


def check_unique(values: Sequence[str], problem: str, fix: str, *, field: str | None = None) -> None:
    """Raise an error for every repeated value, from within a validator of the list.

    ``field`` is the field of the list's items that the values come from; without it the values are the items.
    """
    errors = [
        FieldError((index,) if field is None else (index, field), value, problem, fix)
        for index, value in enumerate(values)
        if value in values[:index]
    ]
    if errors:
        raise field_errors(errors)

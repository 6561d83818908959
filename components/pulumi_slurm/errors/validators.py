"""How validators of fields and models raise what they find, so that it reaches the user as a `FieldError`."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic_core import PydanticCustomError

from pulumi_slurm.errors.field_error import FieldError, Severity
from pulumi_slurm.errors.path import Path
from pulumi_slurm.errors.spec_error import SpecWarning

T = TypeVar("T")


def field_error(problem: str, fix: str) -> PydanticCustomError:
    """Return the error that a field validator raises."""
    # The text goes in as context: braces in it are then not taken for placeholders.
    return PydanticCustomError("slurm", "{problem}. {fix}", {"problem": problem, "fix": fix})


def field_error_of(
    error: PydanticCustomError, path: Path, value: Any, depends_on_fields: tuple[Path, ...] = ()
) -> FieldError:
    """Return what `field_error` said, as the error of a field; for rules that ask what a validator would ask."""
    context = error.context or {}
    return FieldError(path, value, context["problem"], context["fix"], depends_on_fields)


def field_errors(errors: list[FieldError]) -> PydanticCustomError:
    """Return the error that a model validator raises for errors that only show when fields are seen together."""
    text = "; ".join(str(error) for error in errors)
    return PydanticCustomError("slurm_rules", "{text}", {"text": text, "errors": errors})


def raise_errors(found: Iterable[FieldError]) -> None:
    """Raise the errors among what rules found, of a validator; warn of the warnings."""
    errors: list[FieldError] = []
    for each in found:
        if each.severity is Severity.ERROR:
            errors.append(each)
        else:
            warnings.warn(SpecWarning(each), stacklevel=3)
    if errors:
        raise field_errors(errors)


def check_each(items: T, check: Callable[[str], object]) -> T:
    """Return a list or mapping of which every text passes ``check``; raise all errors, each with its place."""
    pairs: Iterable[tuple[str | int, Any]] = ()
    if isinstance(items, Mapping):
        pairs = items.items()
    elif isinstance(items, Sequence):
        pairs = enumerate(items)
    return check_each_pair(items, pairs, lambda _, text: check(text))


def check_each_pair(items: T, pairs: Iterable[tuple[Any, Any]], check: Callable[[Any, Any], object]) -> T:
    """Return ``items`` when every key and value passes ``check``; raise all errors, each with its place."""
    found: list[FieldError] = []
    for key, value in pairs:
        try:
            check(key, value)
        except PydanticCustomError as error:
            found.append(field_error_of(error, (key,), value))
    if found:
        raise field_errors(found)
    return items


def check_unique(values: Sequence[str], problem: str, fix: str, *, field: str | None = None) -> None:
    """Raise an error for every value that stands before already, of a validator of the list that has them.

    ``field`` is the field of the list's items that the values were taken from; without it they are the items.
    """
    found = [
        FieldError((index,) if field is None else (index, field), value, problem, fix)
        for index, value in enumerate(values)
        if value in values[:index]
    ]
    if found:
        raise field_errors(found)

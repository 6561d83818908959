"""What others wrote, and the shape of each part of it that is read.

A part of another shape is found before anything reads it, and is an error with its path and its value.
"""

from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, from_pydantic

Fields = dict[str, Any]
"""A mapping of which only the names are read, or that is read by whoever gets it."""


class Shape(BaseModel):
    """A mapping by the fields that are read of it; others may be there, and anything may be null that has a default."""

    model_config = ConfigDict(alias_generator=to_camel, strict=True)


def shape_errors(shape: type[Shape], value: Any) -> list[FieldError]:
    """Return where a value has another shape; their paths begin in it."""
    try:
        shape.model_validate(value)
    except ValidationError as error:
        pairs = zip(from_pydantic(error, shape), error.errors(include_url=False), strict=True)
        return [_with_number(one, detail["input"]) for one, detail in pairs]
    return []


def _with_number(error: FieldError, value: Any) -> FieldError:
    """Return an error with its value where that is no text: text in place of a mapping could be a secret."""
    return replace(error, value=value) if value is None or isinstance(value, int | float) else error

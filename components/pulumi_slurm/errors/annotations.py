"""The types that fields of models are annotated with."""

import types
import typing
from collections.abc import Awaitable, Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo


def field_of(owner: type[BaseModel], step: object) -> FieldInfo | None:
    """Return a model's field by its name in either spelling."""
    for name, field in owner.model_fields.items():
        if step in (name, field.alias):
            return field
    return None


def unwrapped(annotation: Any) -> Iterator[Any]:
    """Yield the types of which a value may be one, without None."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        for argument in typing.get_args(annotation):
            yield from unwrapped(argument)
    elif annotation is not None and annotation is not type(None):
        yield annotation


def classes_in(annotation: Any) -> Iterator[type]:
    """Yield the classes that an annotation names, at every depth."""
    if isinstance(annotation, type):
        yield annotation
    for argument in typing.get_args(annotation):
        yield from classes_in(argument)


def input_value(annotation: Any) -> Any:
    """Return the T of ``pulumi.Input[T]``, which stands for a T, an awaitable or an Output of one; None for others."""
    awaitable = [item for item in unwrapped(annotation) if typing.get_origin(item) is Awaitable]
    return typing.get_args(awaitable[0])[0] if awaitable else None

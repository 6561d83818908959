"""Answers of data sources in the form in which providers give them: what isn't set is empty, false or zero."""

import typing
from collections.abc import Iterator
from typing import Any

from pulumi import _types

from tests.clouds.simulator.wire import Values

_EMPTY = {str: "", int: 0, float: 0.0, bool: False}


def shaped(state: Values, outputs: type) -> Values:
    """Return what a provider reports with the properties of a resource, in the form of the SDK's type ``outputs``."""
    return {name: _value(state, name, kind) for name, kind in _types.output_type_types(outputs).items()}


def _value(state: Values, name: str, kind: Any) -> Any:
    value = next((state[key] for key in _spellings(name) if state.get(key) is not None), None)
    kind = (
        next((choice for choice in typing.get_args(kind) if choice is not type(None)), kind)
        if _optional(kind)
        else kind
    )
    if typing.get_origin(kind) in {list, typing.get_origin(typing.Sequence[str])}:
        (item,) = typing.get_args(kind)
        values = value if isinstance(value, list) else [] if value is None else [value]
        return [shaped(each, item) if _types.is_output_type(item) else each for each in values]
    if _types.is_output_type(kind):
        return None if value is None else shaped(value, kind)
    if value is None:
        return _EMPTY.get(kind, {} if typing.get_origin(kind) else None)
    return value


def _optional(kind: Any) -> bool:
    return type(None) in typing.get_args(kind)


def _spellings(name: str) -> Iterator[str]:
    """Yield the names that a property may have in the resource: a block of one item is called by the singular there."""
    yield name
    if name.endswith("ies"):
        yield f"{name[:-3]}y"
    if name.endswith("s"):
        yield name[:-1]

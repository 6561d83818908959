"""Reading inputs of resources that anybody may have written: nothing is known of their shape."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any


class _Unknown(Enum):
    """The type of `UNKNOWN`; an enum member, so that it is equal to itself alone."""

    UNKNOWN = "unknown"


UNKNOWN = _Unknown.UNKNOWN
"""A value that is known only after the deployment. A policy says nothing of it."""


def plain(value: Any, unknown: type[Exception]) -> Any:
    """Return inputs as plain mappings and lists; ``unknown`` is what access to a value that isn't known yet raises."""
    if isinstance(value, Mapping):
        return {str(key): _item(value, key, unknown) for key in value}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_item(value, index, unknown) for index in range(len(value))]
    return value


def _item(container: Any, key: Any, unknown: type[Exception]) -> Any:
    try:
        item = container[key]
    except unknown:
        return UNKNOWN
    return plain(item, unknown)


def at(value: Any, *path: str | int) -> Any:
    """Return what stands at a path, None where nothing does, and `UNKNOWN` where it or what holds it isn't known."""
    for key in path:
        if value is UNKNOWN:
            return UNKNOWN
        if isinstance(key, str):
            value = value.get(key) if isinstance(value, Mapping) else None
        else:
            value = value[key] if isinstance(value, list) and key < len(value) else None
    return value


def items_at(value: Any, *path: str | int) -> list[Any]:
    """Return the items of the list at a path; none where there is no list."""
    items = at(value, *path)
    return items if isinstance(items, list) else []


def is_number(value: Any) -> bool:
    """Return whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def number(value: Any) -> Any:
    """Return a number as it was written: the engine hands on floats, in place of integers too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def text_at(value: Any, *path: str | int) -> str:
    """Return the text at a path; empty where there is none."""
    text = at(value, *path)
    return text if isinstance(text, str) else ""


def is_true(value: Any) -> bool:
    """Return whether a value is true, or the word; some fields of clouds are texts."""
    return value is True or (isinstance(value, str) and value.lower() in {"true", "on", "enabled"})


def lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys, in small letters, and values of lines such as "Key=Value" in one of Slurm's files."""
    for line in text.splitlines():
        key, equals, value = line.partition("#")[0].partition("=")
        if equals:
            yield key.strip().lower(), value.strip()

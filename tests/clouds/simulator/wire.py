"""Values in the protocol between the engine and a provider: structs with marks for secrets and unknown values."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from google.protobuf import struct_pb2  # type: ignore[import-untyped]

Place = tuple[str | int, ...]
"""The path of a value."""
Values = dict[str, Any]

_MARK = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"
_OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
_REFERENCE = "5cf8f73096256a8f31e491e813e4eb8e"
_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
_UNKNOWNS = frozenset(
    {
        _UNKNOWN,
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # a boolean
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # a number
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # a list
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # an object
    }
)
"""What the engine writes in place of unknown values; the first one is for any type."""


class Unknown:
    """A value that is unknown in a preview."""

    def __repr__(self) -> str:
        return "<unknown>"

    def __deepcopy__(self, memo: object) -> "Unknown":
        return self


UNKNOWN = Unknown()


def decode(message: struct_pb2.Struct) -> tuple[Values, set[Place]]:
    """Return the values, and the places of those that are secret.

    Names are sorted, since Protobuf's maps have no order.
    """
    secrets: set[Place] = set()
    return {key: _decoded(message.fields[key], (key,), secrets) for key in sorted(message.fields)}, secrets


def encode(values: Mapping[str, Any], secrets: Collection[Place] = ()) -> struct_pb2.Struct:
    """Return the struct; values at these places are marked as secret, if they exist."""
    return struct_pb2.Struct(fields={key: _encoded(value, (key,), secrets) for key, value in values.items()})


def known(value: Any) -> bool:
    """Return whether a value contains nothing unknown."""
    if isinstance(value, Mapping):
        return all(known(item) for item in value.values())
    if isinstance(value, list):
        return all(known(item) for item in value)
    return not isinstance(value, Unknown)


def written(place: Place) -> str:
    """Return a place in Pulumi's notation, e.g. nodeConfig.taints[0].effect."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def pattern(place: Place) -> str:
    """Return a place without list indexes, e.g. nodeConfig.taints.effect."""
    return ".".join(part for part in place if isinstance(part, str))


def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Return every value that isn't a list or a mapping, with its place."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*place, index))
    else:
        yield place, value


def texts_at(value: Any, pattern: str) -> Iterator[str]:
    """Return the texts at a pattern's places."""
    name, _, remainder = pattern.partition(".")
    child = value.get(name) if isinstance(value, dict) else None
    for item in child if isinstance(child, list) else [child]:
        if remainder:
            yield from texts_at(item, remainder)
        elif isinstance(item, str) and item:
            yield item


def _decoded(value: struct_pb2.Value, place: Place, secrets: set[Place]) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "number_value":
        return int(value.number_value) if value.number_value.is_integer() else value.number_value
    if kind == "string_value":
        return UNKNOWN if value.string_value in _UNKNOWNS else value.string_value
    if kind == "bool_value":
        return value.bool_value
    if kind == "list_value":
        return [_decoded(item, (*place, index), secrets) for index, item in enumerate(value.list_value.values)]
    if kind == "struct_value":
        return _decoded_struct(value.struct_value, place, secrets)
    return None


def _decoded_struct(value: struct_pb2.Struct, place: Place, secrets: set[Place]) -> Any:
    mark = value.fields[_MARK].string_value if _MARK in value.fields else None
    if mark == _SECRET or (mark == _OUTPUT and value.fields["secret"].bool_value):
        secrets.add(place)
    if mark in {_SECRET, _OUTPUT}:
        return _decoded(value.fields["value"], place, secrets) if "value" in value.fields else UNKNOWN
    if mark == _REFERENCE:
        return value.fields["id"].string_value or UNKNOWN
    return {key: _decoded(value.fields[key], (*place, key), secrets) for key in sorted(value.fields)}


def _encoded(value: Any, place: Place, secrets: Collection[Place]) -> struct_pb2.Value:
    plain = _encoded_plain(value, place, secrets)
    if place not in secrets or value is None:
        return plain
    mark = struct_pb2.Value(string_value=_SECRET)
    return struct_pb2.Value(struct_value=struct_pb2.Struct(fields={_MARK: mark, "value": plain}))


def _encoded_plain(value: Any, place: Place, secrets: Collection[Place]) -> struct_pb2.Value:
    match value:
        case None:
            fields: dict[str, Any] = {"null_value": struct_pb2.NULL_VALUE}
        case Unknown():
            fields = {"string_value": _UNKNOWN}
        case bool():
            fields = {"bool_value": value}
        case int() | float():
            fields = {"number_value": value}
        case str():
            fields = {"string_value": value}
        case list():
            items = [_encoded(item, (*place, index), secrets) for index, item in enumerate(value)]
            fields = {"list_value": struct_pb2.ListValue(values=items)}
        case _:
            inner = {key: _encoded(item, (*place, key), secrets) for key, item in value.items()}
            fields = {"struct_value": struct_pb2.Struct(fields=inner)}
    return struct_pb2.Value(**fields)

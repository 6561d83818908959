"""Resources according to a cloud's Python SDK: their inputs, types, which inputs are required, and their outputs.

The SDK is generated from the provider's schema, so an input that it doesn't have doesn't exist in the provider either.
Types contain no enums; values are read from docstrings ("Possible values are: ..."), which the real provider's
generator writes for values that it checks itself.
"""

import collections.abc
import importlib
import inspect
import os
import pickle
import re
import sys
import threading
import types
import typing
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pulumi
from pulumi import _types

from tests.clouds.simulator.wire import Place, Unknown

_VALUES = re.compile(r"^\s*Possible values are: ((?:`[^`]+`(?:, | and )?)+)\.?\s*$", re.MULTILINE)
_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number"}


@dataclass(frozen=True)
class Type:
    """The type of a value: string, boolean, integer, number, list, map, object or any."""

    name: str
    items: "Type | None" = None
    fields: Mapping[str, "Field"] = field(default_factory=dict)

    def has(self, pattern: str) -> bool:
        """Return whether there are inputs at a pattern's places, e.g. nodeConfig.taints.effect."""
        if self.items:
            return self.items.has(pattern)
        name, _, remainder = pattern.partition(".")
        found = self.fields.get(name)
        return found is not None and (not remainder or found.type.has(remainder))


@dataclass(frozen=True)
class Field:
    """An input of a resource or of an object."""

    type: Type
    required: bool
    values: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Resource:
    """A kind of resource."""

    inputs: Type
    outputs: frozenset[str]


class UnknownKindError(Exception):
    """The SDK has no such kind of resource."""


_ONE_AT_A_TIME = threading.Lock()


def resource(package: str, token: str, kept_in: Path | None = None) -> Resource:
    """Return a resource such as gcp:container/nodePool:NodePool according to ``package``, e.g. "pulumi_gcp".

    The folder ``kept_in`` is a cache for later processes, which then needn't import the SDK.
    """
    # A second thread would get a module that the first one is still importing.
    with _ONE_AT_A_TIME:
        return _kept(package, token, kept_in) if kept_in else _resource(package, token)


@cache
def _kept(package: str, token: str, folder: Path) -> Resource:
    file = folder / f"{token.replace(':', '-').replace('/', '-')}.pickle"
    if file.exists():
        cached: Resource = pickle.loads(file.read_bytes())
        return cached
    folder.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}")
    temporary.write_bytes(pickle.dumps(_resource(package, token)))
    temporary.rename(file)
    return _resource(package, token)


@cache
def _resource(package: str, token: str) -> Resource:
    _, module, name = token.split(":")
    try:
        with warnings.catch_warnings():
            # Other classes of the module may be deprecated.
            warnings.simplefilter("ignore", DeprecationWarning)
            # As an attribute, because the classes of these packages are loaded when they are first used.
            imported = importlib.import_module(f"{package}.{module.partition('/')[0]}")
            resource_class, args = getattr(imported, name), getattr(imported, f"{name}Args")
    except (ImportError, AttributeError) as error:
        raise UnknownKindError(f"{package} has no {token}") from error
    return Resource(_object(args), frozenset(_types.resource_types(resource_class)))


def problems(value: Any, kind: Type, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Return the errors of a value, with their places."""
    if isinstance(value, Unknown) or value is None or kind.name == "any":
        return
    if kind.name == "object":
        yield from _problems_of_object(value, kind, place)
    elif kind.name in {"list", "map"}:
        if not isinstance(value, list if kind.name == "list" else dict):
            yield place, f"expected a {kind.name}, received {value!r}"
            return
        for key, item in enumerate(value) if isinstance(value, list) else value.items():
            yield from problems(item, kind.items or Type("any"), (*place, key))
    elif not _fits(value, kind.name):
        yield place, f"expected {kind.name}, received {value!r}"


def _problems_of_object(value: Any, kind: Type, place: Place) -> Iterator[tuple[Place, str]]:
    if not isinstance(value, dict):
        yield place, f"expected an object, received {value!r}"
        return
    for name, item in value.items():
        if name == "__defaults":
            continue
        if name not in kind.fields:
            yield (*place, name), f"there is no such input; there are {', '.join(sorted(kind.fields))}"
            continue
        expected = kind.fields[name]
        yield from problems(item, expected.type, (*place, name))
        if expected.values and isinstance(item, str) and item not in expected.values:
            yield (*place, name), f"expected one of {', '.join(sorted(expected.values))}, received {item!r}"
    for name, expected in kind.fields.items():
        if expected.required and value.get(name) is None:
            yield (*place, name), "this is required"


def _fits(value: Any, name: str) -> bool:
    if name == "string":
        return isinstance(value, str)
    if name == "boolean":
        return isinstance(value, bool)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and (name == "number" or float(value).is_integer())


@cache
def _object(args: type) -> Type:
    scope = {**vars(sys.modules["pulumi.output"]), **vars(sys.modules[args.__module__])}
    hints = typing.get_type_hints(args.__init__, scope)  # type: ignore[misc]
    required = {
        name for name, value in _parameters(args) if value.default is value.empty and name not in {"self", "__self__"}
    }
    fields = {
        wire: Field(_type(hints[name]), name in required, _values(args, name))
        for name, wire in _types.input_type_py_to_pulumi_names(args).items()
    }
    return Type("object", fields=fields)


def _parameters(args: type) -> Iterator[tuple[str, Any]]:
    yield from inspect.signature(args.__init__).parameters.items()  # type: ignore[misc]


def _values(args: type, name: str) -> frozenset[str]:
    match = _VALUES.search(getattr(args, name).__doc__ or "")
    return frozenset(re.findall(r"`([^`]+)`", match[1])) if match else frozenset()


def _type(hint: Any) -> Type:
    choices = [choice for choice in _unwrapped(hint) if choice is not type(None)]
    if len(choices) != 1:
        plain = {_PLAIN.get(choice) for choice in choices}
        return Type("string") if plain == {"string"} else Type("any")
    choice = choices[0]
    if choice in _PLAIN:
        return Type(_PLAIN[choice])
    origin, arguments = typing.get_origin(choice), typing.get_args(choice)
    if origin in {list, collections.abc.Sequence}:
        return Type("list", _type(arguments[0]))
    if origin in {dict, collections.abc.Mapping}:
        return Type("map", _type(arguments[1]))
    return _object(choice) if isinstance(choice, type) and _types.is_input_type(choice) else Type("any")


def _unwrapped(hint: Any) -> Iterator[Any]:
    """Return the type in a ``pulumi.Input``, which is a union of T, Awaitable[T] and Output[T]."""
    if typing.get_origin(hint) not in {typing.Union, types.UnionType}:
        yield hint
        return
    for choice in typing.get_args(hint):
        if typing.get_origin(choice) in {collections.abc.Awaitable, pulumi.Output}:
            continue
        yield from _unwrapped(choice)

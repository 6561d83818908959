"""What an engine hands to a component on behalf of another program, as the arguments that it takes in Python.

Every number arrives as a float, and an Output may stand at any depth, or a value that isn't known yet. Where an
argument takes no Output, a known one gives its value; whose resources it comes from is kept, for the component to come
after these. Nothing is given by one whose value isn't known yet, or is a secret, since previews and the state show it.

A null is the same as nothing, since Pulumi's SDK drops those outside of Outputs. In an Output it stands for what
a stack or a resource doesn't have.

Mappings arrive in another order each time, as Go's and protobuf's have none. They are sorted, since some become lists,
such as variables of pods, which would change with every update.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args, get_origin

import pulumi
from pulumi.output import UNKNOWN, Unknown
from pulumi.runtime.rpc import is_rpc_secret, unwrap_rpc_secret
from pydantic import BaseModel

from pulumi_slurm.errors import FieldError, FreeKey, Path
from pulumi_slurm.errors.annotations import field_of, input_value, unwrapped

_UNKNOWN = (
    "its value isn't known before other resources are made, and what is made here depends on it",
    "Write the value itself, or take it from the configuration or from outputs of another stack.",
)
_SECRET = (
    "this is a secret, or has one in it, and what stands here is shown by previews and by the state",
    "Write it without the secret.",
)
_NOT_TEXT = ("its value is not text", "Write text, or take an Output of text.")


@dataclass(frozen=True)
class _Origin:
    """The Outputs that a value was in."""

    resources: frozenset[pulumi.Resource] = frozenset()
    secret_at: Path | None = None
    """Where a secret begins; everything below may be one, since Pulumi says it of the whole."""

    @property
    def is_secret(self) -> bool:
        return self.secret_at is not None


_WRITTEN = _Origin()
"""Of what is no Output."""


@dataclass
class ArgumentReader:
    """Reads the arguments of one component."""

    errors: list[FieldError] = field(default_factory=list)
    """What can't be read."""
    resources: set[pulumi.Resource] = field(default_factory=set)
    """What has to be there first: values come from it that were Outputs and no longer are."""

    async def read(self, value: Any, annotation: Any, path: Path = (), origin: _Origin = _WRITTEN) -> Any:
        """Return a value for a field with this annotation; what has none is no field, and is left as it is."""
        if annotation is None:
            return value
        kind = input_value(annotation)
        if kind is not None:
            return await self._read_input(value, kind, path, origin)
        return await self._read_plain(*await _opened(value, origin, path), annotation, path)

    async def _read_input(self, value: Any, kind: Any, path: Path, origin: _Origin) -> Any:
        """Return a value for a field that takes Outputs; of one in an Output the field's model sees nothing."""
        opened, _ = await _opened(value, origin, path)
        if opened is None:
            return None
        is_written = origin == _WRITTEN and opened is value
        if kind is str and not is_written and not isinstance(opened, str | Unknown):
            return self._refuse(path, _NOT_TEXT)
        return _as_input(value) if origin == _WRITTEN else _from(origin, value)

    async def _read_plain(self, value: Any, origin: _Origin, annotation: Any, path: Path) -> Any:
        self.resources |= origin.resources
        if isinstance(value, Unknown):
            return self._refuse(path, _UNKNOWN)
        if isinstance(value, dict):
            read = {
                key: await self.read(item, _type_of_field(annotation, key), (*path, _step(annotation, key)), origin)
                for key, item in sorted(value.items())
            }
            return {key: item for key, item in read.items() if item is not None}
        if isinstance(value, list):
            kind = _type_of_items(annotation)
            return [await self.read(item, kind, (*path, index), origin) for index, item in enumerate(value)]
        if origin.secret_at is not None:
            return self._refuse(origin.secret_at, _SECRET)
        return _whole(value)

    def _refuse(self, path: Path, sentences: tuple[str, str]) -> None:
        error = FieldError(path, FieldError.ABSENT, *sentences)
        if error not in self.errors:
            self.errors.append(error)


async def _opened(value: Any, origin: _Origin, path: Path) -> tuple[Any, _Origin]:
    """Return the value in an Output; an `Unknown` where there is none yet."""
    while isinstance(value, pulumi.Output) or is_rpc_secret(value):
        if isinstance(value, pulumi.Output):
            resources, is_secret = await value.resources(), await value.is_secret()
            inner = await value.future(with_unknowns=True)
            # One that is known in part has what isn't within it.
            value = inner if await value.is_known() or isinstance(inner, dict | list) else UNKNOWN
        else:
            resources, is_secret, value = set(), True, unwrap_rpc_secret(value)
        origin = replace(origin, resources=origin.resources | resources)
        if is_secret and not origin.is_secret:
            origin = replace(origin, secret_at=path)
    return value, origin


def _as_input(value: Any) -> Any:
    """Return a value for an argument that takes Outputs: what isn't plain in it is one."""
    if isinstance(value, Unknown):
        return pulumi.Output.from_input(value)
    if is_rpc_secret(value):
        return pulumi.Output.secret(_as_input(unwrap_rpc_secret(value)))
    if isinstance(value, dict):
        return {key: _as_input(item) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [_as_input(item) for item in value]
    return _whole(value)


def _from(origin: _Origin, value: Any) -> pulumi.Output[Any]:
    """Return a part of what an Output had as an Output of its own, which depends on the same and is as secret."""

    async def ready(result: Any) -> Any:
        return result

    whole: pulumi.Output[None] = pulumi.Output(
        ready({*origin.resources}), ready(None), ready(True), ready(origin.is_secret)
    )
    return pulumi.Output.all(whole, _as_input(value)).apply(lambda both: both[1])


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _type_of_field(annotation: Any, key: str) -> Any:
    """Return the annotation of a value in a mapping; None if there can be none."""
    if annotation is Any:
        return Any
    for kind in unwrapped(annotation):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            model_field = field_of(kind, key)
            return model_field.annotation if model_field else None
        if isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Mapping):
            return get_args(kind)[1]
    return None


def _step(annotation: Any, key: str) -> str:
    """Return a key as a step of a path: the name of a field, or what a user has chosen."""
    is_field = any(isinstance(kind, type) and issubclass(kind, BaseModel) for kind in unwrapped(annotation))
    return key if is_field else FreeKey(key)


def _type_of_items(annotation: Any) -> Any:
    if annotation is Any:
        return Any
    return next((get_args(kind)[0] for kind in unwrapped(annotation) if get_origin(kind) is list), None)

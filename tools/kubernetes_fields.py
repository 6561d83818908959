"""Write the table of fields of Kubernetes' objects, `model/kubernetes.fields`, from the types of pulumi_kubernetes.

They are made from Kubernetes' own OpenAPI schema, of the release that the package was made for::

    python -m tools.kubernetes_fields
"""

import collections.abc
import sys
import types
from collections.abc import Iterator
from enum import Enum
from importlib.metadata import version
from typing import Any, Literal, Union, get_args, get_origin

import pulumi
from pulumi._types import input_type_types, is_input_type
from pulumi_kubernetes.autoscaling.v2 import HorizontalPodAutoscalerBehaviorArgs
from pulumi_kubernetes.core.v1 import PersistentVolumeClaimArgs, PodSpecArgs, ServiceSpecArgs
from pulumi_kubernetes.networking.v1 import NetworkPolicyPeerArgs

from pulumi_slurm.model import kubernetes_fields

ROOTS = (
    PodSpecArgs,
    PersistentVolumeClaimArgs,
    ServiceSpecArgs,
    HorizontalPodAutoscalerBehaviorArgs,
    NetworkPolicyPeerArgs,
)
"""The types that users write in Kubernetes' own form, with all that they contain."""
_SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean"}
_HEAD = """\
# The fields of Kubernetes' objects. Written by tools/kubernetes_fields.py from pulumi_kubernetes {release}.
# A change here is lost. A line is a type and its fields; [T] is a list of T, {{T}} a mapping of names to T.
"""


def text() -> str:
    """Return the table."""
    rows: dict[str, str] = {}
    pending: list[Any] = list(ROOTS)
    while pending:
        model = pending.pop()
        name = _name(model)
        if name not in rows:
            fields = dict(sorted(input_type_types(model).items()))
            rows[name] = " ".join([name, *(f"{field}:{_kind(of_field)}" for field, of_field in fields.items())])
            pending += [inner for of_field in fields.values() for inner in _models(of_field)]
    return _HEAD.format(release=version("pulumi_kubernetes")) + "".join(f"{rows[name]}\n" for name in sorted(rows))


def _name(model: Any) -> str:
    return str(model.__name__.removesuffix("Args"))


def _inner(annotation: Any) -> list[Any]:
    """Return the types in a type, without None and what stands for a value that is not there yet."""
    if get_origin(annotation) in (Union, types.UnionType):
        inner_types = [inner for one in get_args(annotation) for inner in _inner(one)]
        return list(dict.fromkeys(inner_types))
    if annotation is type(None) or get_origin(annotation) in (collections.abc.Awaitable, pulumi.Output):
        return []
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str]
    return [annotation]


def _kind(annotation: Any) -> str:
    inner = _inner(annotation)
    if len(inner) != 1:
        return "any"
    origin, arguments = get_origin(inner[0]), get_args(inner[0])
    if origin is Literal:
        return _SCALARS[type(arguments[0])]
    if origin in (list, collections.abc.Sequence):
        return f"[{_kind(arguments[0])}]"
    if origin in (dict, collections.abc.Mapping):
        return f"{{{_kind(arguments[1])}}}"
    return _SCALARS.get(inner[0]) or (_name(inner[0]) if is_input_type(inner[0]) else "any")


def _models(annotation: Any) -> Iterator[Any]:
    for inner in _inner(annotation):
        if get_origin(inner):
            for argument in get_args(inner):
                yield from _models(argument)
        elif is_input_type(inner):
            yield inner


if __name__ == "__main__":
    kubernetes_fields.FILE.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{kubernetes_fields.FILE.name} is written.\n")

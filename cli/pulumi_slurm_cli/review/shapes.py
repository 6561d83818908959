"""The shapes of events and of the inputs of resources, as far as they are read.

What isn't known before the update, and what is secret, is a text in place of a value.
"""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.errors import FieldError
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.shapes import Fields, Shape, shape_errors


def event_errors(event: Any) -> Iterator[FieldError]:
    """Yield where an event of the engine has another shape than is read."""
    errors = shape_errors(_Event, event)
    yield from errors
    if errors or not (metadata := (event.get("resourcePreEvent") or {}).get("metadata")):
        return
    for side in ("old", "new"):
        inputs = (metadata.get(side) or {}).get("inputs") or {}
        for error in shape_errors(_shape_of(metadata.get("type", "")), inputs):
            yield error.below("resourcePreEvent", "metadata", side, "inputs")


def _known(value: Any) -> Any:
    """Return a value of an input, None where it isn't known yet or is secret."""
    return None if value in (UNKNOWN, SECRET) else value


_Fields = Annotated[Fields | None, BeforeValidator(_known)]


class _State(Shape):
    inputs: Fields | None = None


class _Metadata(Shape):
    urn: str = Field(pattern=r"^urn:pulumi:[^:]+::[^:]+::.")
    type: str = ""
    op: str = ""
    keys: list[str] | None = None
    old: _State | None = None
    new: _State | None = None


class _ResourcePreEvent(Shape):
    metadata: _Metadata | None = None


class _Event(Shape):
    """What is read of an event; the engine leaves out what is empty."""

    resource_pre_event: _ResourcePreEvent | None = None
    policy_event: Fields | None = None
    summary_event: Fields | None = None
    diagnostic_event: Fields | None = None
    error_event: Fields | None = None


class _KubernetesObject(Shape):
    metadata: _Fields = None


def _shape_of(resource_type: str) -> type[Shape]:
    # Of a node pool any other shape is read as what isn't known.
    return _KubernetesObject if resource_type.startswith("kubernetes:") else Shape

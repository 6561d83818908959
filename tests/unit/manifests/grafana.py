"""Whether JSON is a dashboard, by the types that Grafana Labs generates from Grafana's schemas."""

import json
import typing
from collections.abc import Iterator
from functools import cache
from typing import Any

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard, DataTransformerConfig, Panel
from pydantic import ConfigDict, TypeAdapter, ValidationError

register_default_plugins()


def differences(dashboard: dict[str, Any]) -> list[str]:
    """Return what the types don't have, and values that are of other types."""
    typed = Dashboard.from_json(dashboard)
    panels = [panel for panel in typed.panels or [] if isinstance(panel, Panel)]
    for panel in panels:
        # This list alone is left as it is.
        mappings: Any = panel.transformations or []
        panel.transformations = [DataTransformerConfig.from_json(item) for item in mappings]
    read = json.loads(json.dumps(typed, cls=JSONEncoder))
    unknown = [f"no panel is a {panel.type_val}" for panel in panels if isinstance(panel.options, dict)]
    return [*unknown, *_lost(dashboard, read, "dashboard"), *_wrong(typed, "dashboard")]


def _lost(written: Any, read: Any, at: str) -> Iterator[str]:
    """Yield what is written and isn't read; a type may add its defaults."""
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            yield from _lost(value, read.get(name, "nothing"), f"{at}.{name}")
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for number, (one, other) in enumerate(zip(written, read, strict=True)):
            yield from _lost(one, other, f"{at}[{number}]")
    elif written != read:
        yield f"{at}: {written!r} is read as {read!r}"


def _wrong(typed: Any, at: str) -> Iterator[str]:
    """Yield the fields whose value isn't of their type, in an object and those that it has."""
    if isinstance(typed, list):
        for number, item in enumerate(typed):
            yield from _wrong(item, f"{at}[{number}]")
    if not type(typed).__module__.startswith("grafana_foundation_sdk."):
        return
    kind: Any = type(typed)
    for name, adapter in _adapters(kind).items():
        value = getattr(typed, name)
        try:
            if isinstance(value, str | int):
                # In JSON these may be members of an enumeration.
                adapter.validate_json(json.dumps(value))
            else:
                adapter.validate_python(value)
        except ValidationError as error:
            yield f"{at}.{name}: {error.errors()[0]['msg']}"
        yield from _wrong(value, f"{at}.{name}")


@cache
def _adapters(kind: Any) -> dict[str, TypeAdapter[Any]]:
    hints = typing.get_type_hints(kind)
    config = ConfigDict(arbitrary_types_allowed=True, strict=True)
    return {name: TypeAdapter(hint, config=config) for name, hint in hints.items()}

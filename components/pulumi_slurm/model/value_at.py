"""What stands at a path of mappings whose shape nothing has checked, such as `overrides`."""

from collections.abc import Mapping
from typing import Any


def value_at(data: Any, *path: str) -> Any:
    """Return what stands at a path; None where nothing does."""
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data

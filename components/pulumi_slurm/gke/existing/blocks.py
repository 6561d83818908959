"""Blocks in answers of Google's provider, which reports each as a list."""

from typing import Any


def only(items: Any) -> Any:
    """Return the one item of a block; None if it has none."""
    return items[0] if items else None

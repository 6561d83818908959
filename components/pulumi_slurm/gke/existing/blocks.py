"""Parts of answers of Google's provider, which reports each block as a list."""

from typing import Any


def only(items: Any) -> Any:
    """Return the one item of a block; None if it has none."""
    return items[0] if items else None


def is_windows(nodes: Any) -> bool:
    """Return whether nodes run Windows, by the type of their image: WINDOWS_LTSC_CONTAINERD."""
    return str(nodes.image_type).upper().startswith("WINDOWS")

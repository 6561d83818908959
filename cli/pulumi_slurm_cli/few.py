"""A few of many things, for people."""

from collections.abc import Iterable


def few(items: Iterable[str], limit: int = 6) -> str:
    """Return the first of some texts, and how many more there are."""
    every = [*items]
    return ", ".join(every[:limit]) + (f" and {len(every) - limit} more" if len(every) > limit else "")

"""Spans of time, for people."""

_UNITS = ((86400, "d"), (3600, "h"), (60, "min"))


def span(seconds: int) -> str:
    """Return a span in its largest whole unit, such as "3 h"; what is in the future is none."""
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= size), (1, "s"))
    return f"{max(seconds, 0) // size} {unit}"

"""How deep data is nested: deeper than any specification, Python's own functions end with an error of theirs."""

from typing import Any

MAX_DEPTH = 100


def is_too_deep(data: Any) -> bool:
    """Return whether data has more than `MAX_DEPTH` levels of mappings and lists."""
    level = [data]
    for _ in range(MAX_DEPTH + 1):
        level = [inner for outer in level for inner in _inner(outer)]
        if not level:
            return False
    return True


def _inner(data: Any) -> list[Any]:
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [value for value in values if isinstance(value, dict | list)]

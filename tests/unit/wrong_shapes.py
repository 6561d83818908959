"""Values of wrong shapes, and every place of data at which one can stand."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

Steps = tuple[str | int, ...]
WRONG: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 3, 1.5, "x", "", [], [3], ["x"], [None], [{}], [{"name": [1]}], {}, {"a": 3}, {"name": 3}]
)


def paths(data: Any, steps: Steps = ()) -> Iterator[Steps]:
    """Yield the paths of data itself and of all that is in it."""
    yield steps
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from paths(value, (*steps, key))


def at(data: Any, steps: Steps) -> Any:
    """Return what is at a path; raise LookupError where there is none."""
    for step in steps:
        data = data[step]
    return data


def put(data: Any, steps: Steps, value: Any) -> None:
    """Put a value at a path, with mappings above it where nothing is there.

    A name where a list is stands for that of its first item.
    """
    *above, last = steps
    for step in above:
        holder = _holder(data, step)
        if isinstance(holder, dict) and not isinstance(holder.get(step), dict | list):
            holder[step] = {}
        data = holder[step]
    _holder(data, last)[last] = value


def _holder(data: Any, step: str | int) -> Any:
    return data[0] if isinstance(data, list) and isinstance(step, str) else data

"""Waiting for what comes by itself, such as pods that follow a changed object."""

import time
from collections.abc import Callable, Collection
from typing import TypeVar

T = TypeVar("T")
LONGEST = 60.0


def eventually(what: str, look: Callable[[], T]) -> T:
    """Return the first result that is true; what never comes is an error that names it and the last result."""
    deadline = time.monotonic() + LONGEST
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < deadline, f"this did not come: {what} (last seen: {found!r})"
        time.sleep(0.1)


def eventually_nothing(what: str, look: Callable[[], Collection[object]]) -> None:
    """Wait until there is nothing of it any more; what stays is named in the error."""
    deadline = time.monotonic() + LONGEST
    while found := look():
        assert time.monotonic() < deadline, f"{what}: {sorted(map(str, found))}"
        time.sleep(0.1)

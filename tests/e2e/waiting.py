"""Waiting for what comes by itself, such as pods that follow a changed object."""

import time
from collections.abc import Callable, Collection
from typing import TypeVar

T = TypeVar("T")
LONGEST = 60.0


def eventually(subject: str, check: Callable[[], T], seconds: float = LONGEST) -> T:
    """Return the first result that is true; what never comes is an error that names it and the last result."""
    deadline = time.monotonic() + seconds
    while True:
        result = check()
        if result:
            return result
        assert time.monotonic() < deadline, f"this did not come: {subject} (last seen: {result!r})"
        time.sleep(0.1)


def eventually_nothing(subject: str, check: Callable[[], Collection[object]], seconds: float = LONGEST) -> None:
    """Wait until there is nothing of it any more, for so many seconds; what stays is named in the error."""
    deadline = time.monotonic() + seconds
    while result := check():
        assert time.monotonic() < deadline, f"{subject}: {sorted(map(str, result))}"
        time.sleep(0.1)

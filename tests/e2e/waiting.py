"""Waiting for what comes by itself, such as pods that follow a changed object."""

import time
from collections.abc import Callable, Collection
from typing import TypeVar

T = TypeVar("T")
LONGEST = 150.0
"""Seconds. Where three tiers run at once on two cores, pods of a whole stack have taken more than a minute."""


def eventually(subject: str, check: Callable[[], T], seconds: float = LONGEST, pause: float = 0.1) -> T:
    """Return the first result that is true; what never comes is an error that names it and the last result.

    ``pause`` is how many seconds lie between two looks.
    """
    deadline = time.monotonic() + seconds
    while True:
        result = check()
        if result:
            return result
        assert time.monotonic() < deadline, f"this did not come: {subject} (last seen: {result!r})"
        time.sleep(pause)


def eventually_nothing(subject: str, check: Callable[[], Collection[object]], seconds: float = LONGEST) -> None:
    """Wait until there is nothing of it any more, for so many seconds; what stays is named in the error."""
    deadline = time.monotonic() + seconds
    while result := check():
        assert time.monotonic() < deadline, f"{subject}: {sorted(map(str, result))}"
        time.sleep(0.1)

"""What a step of a proof has come to."""

from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """What a step says."""

    PASS = "PASS"
    SLOW = "SLOW"
    """It works, below what is expected of it."""
    FAIL = "FAIL"
    SKIP = "SKIP"
    """It wasn't tried, and so says nothing."""


BAD = (Verdict.FAIL, Verdict.SLOW)
"""What makes a proof fail."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a step has come to, for one part of the cluster."""

    step: str
    """Its name, such as "nodes"."""
    subject: str
    """What it is about, such as "partition all"."""
    verdict: Verdict
    observed: str
    """What was seen, or why nothing was tried."""
    expected: str = ""
    """What should have been, and whence; "" where it is as expected."""
    fix: str = ""
    """What to do; "" where there is nothing to."""
    jobs: tuple[int, ...] = field(default=())
    """The jobs that it ran."""

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


def judged(
    step: str, subject: str, observed: str, *, wrong: bool, expected: str, fix: str, jobs: tuple[int, ...] = ()
) -> Result:
    """Return that it is as expected, or what was expected and what to do."""
    if not wrong:
        return Result(step=step, subject=subject, verdict=Verdict.PASS, observed=observed, jobs=jobs)
    return Result(
        step=step, subject=subject, verdict=Verdict.FAIL, observed=observed, expected=expected, fix=fix, jobs=jobs
    )


def untried(step: str, subject: str, why: str, jobs: tuple[int, ...] = ()) -> Result:
    """Return that it wasn't tried, or says nothing, and why."""
    return Result(step=step, subject=subject, verdict=Verdict.SKIP, observed=why, jobs=jobs)

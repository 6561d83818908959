"""What is not as the stack's file says."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pulumi_slurm.errors import Path


class Kind(StrEnum):
    """Whose it is, and what becomes of it."""

    DANGEROUS = "dangerous"
    """Somebody has changed it behind the stack: it is lost at the next restart, or undone by the next update."""
    VULNERABLE = "vulnerable"
    """What runs has published vulnerabilities."""
    OURS = "ours"
    """A change of the stack that isn't applied, or was lost."""
    ON_PURPOSE = "on-purpose"
    """Somebody's doing that Slurm keeps, such as a drained node or a reservation."""


APPEND = "-"
"""The last step of a path that appends to a list, as in a JSON pointer (RFC 6901)."""


@dataclass(frozen=True)
class Change:
    """A change of one place in the stack's file."""

    path: Path
    """The path of a field, from `slurm:cluster` on, or of an item in a list; one that ends with "-" appends."""
    value: Any
    """The new value; None to remove what is there."""


Adoption = tuple[Change, ...]
"""Changes of the stack's file by which what is there becomes what is wanted; empty where a file can't say it."""


@dataclass(frozen=True)
class Finding:
    """One thing that is not as the stack's file says."""

    kind: Kind
    subject: str
    """What it is about, such as "partition gpu"."""
    problem: str
    """What is, and what should be."""
    way_back: str
    """A command, or what to do, by which it is as in the file again."""
    adoption: Adoption = ()
    """How the file says it."""

    @property
    def line(self) -> str:
        """All of it, but for the adoption."""
        return f"{self.subject}: {self.problem}. Back: {self.way_back}"


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with the most dangerous first, then by what they are about."""
    return sorted(findings, key=lambda item: ([*Kind].index(item.kind), item.subject, item.problem))


def removals_last(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in the order in which a file adopts them: items of lists go last, and the last of them first."""

    def order(finding: Finding) -> tuple[bool, int]:
        step = finding.adoption[0].path[-1] if finding.adoption else ""
        goes = isinstance(step, int) and finding.adoption[0].value is None
        return goes, -step if goes and isinstance(step, int) else 0

    return sorted(findings, key=order)

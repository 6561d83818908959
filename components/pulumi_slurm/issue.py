"""A problem with something that a user wrote, and its fix."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem and its fix."""

    problem: str
    """What is wrong; without a full stop."""
    fix: str
    """What to write instead; a sentence."""

    def __str__(self) -> str:
        """Return both as sentences."""
        return f"{self.problem}. {self.fix}"


Check = Callable[[str], Issue | None]
"""A function that returns the issue of a secret, or None."""

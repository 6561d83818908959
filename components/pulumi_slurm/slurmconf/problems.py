"""What is wrong with a configuration file, and how it reads."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands."""

    file: str
    """The file's name as it was given, for example "slurm.conf"."""
    line: int
    """The line, counted from 1; of a continued line the first."""

    def __str__(self) -> str:
        """Return the place as compilers write it."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that Slurm would refuse or misread."""

    place: Place
    text: str
    """What stands there: a key, or key=value."""
    problem: str
    """What is wrong; without a full stop."""
    fix: str
    """What to write instead; a sentence."""

    def __str__(self) -> str:
        """Return the problem as one line."""
        return f"{self.place}: {self.text}: {self.problem}. {self.fix}"


class ConfError(ValueError):
    """All problems of the files that were read; ``str(error)`` is the text for people."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

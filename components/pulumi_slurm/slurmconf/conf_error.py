"""What is wrong with a configuration file, and how it reads."""

from collections.abc import Iterable
from dataclasses import dataclass

from pulumi_slurm.issue import Issue

_LONGEST = 200
"""Characters of a line that a message repeats."""


@dataclass(frozen=True, slots=True)
class Location:
    """A line of a file."""

    file: str
    """The file's name as the caller wrote it, for example "slurm.conf"."""
    line: int
    """The line, counted from 1; of a continued line the first."""

    def __str__(self) -> str:
        """Return the location as compilers write it."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class LineError:
    """Something in a line that Slurm would refuse or misread."""

    location: Location
    text: str
    """The text in question: a key, or key=value."""
    issue: Issue

    def __str__(self) -> str:
        """Return the error as one line."""
        text = self.text if len(self.text) <= _LONGEST else f"{self.text[: _LONGEST - 1]}…"
        return f"{self.location}: {text}: {self.issue}"


class ConfError(ValueError):
    """All errors of the files that were read; ``str(error)`` is the text for people."""

    def __init__(self, errors: Iterable[LineError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))

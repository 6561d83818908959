"""What is wrong with a configuration file, and how it reads."""

from collections.abc import Iterable
from dataclasses import dataclass

from pulumi_slurm.issue import Issue
from pulumi_slurm.secrecy import NOT_SHOWN, may_be_secret, without_secrets
from pulumi_slurm.user_error import UserError

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

    def __post_init__(self) -> None:
        """Keep out what looks like a secret, so that neither a message nor who logs the error has it."""
        if may_be_secret(self.text):
            key, equals, _ = self.text.partition("=")
            shown = f"{key}={NOT_SHOWN}" if equals and not may_be_secret(key) else NOT_SHOWN
            object.__setattr__(self, "text", self.text if NOT_SHOWN in self.text else shown)
        issue = Issue(without_secrets(self.issue.problem), without_secrets(self.issue.fix))
        object.__setattr__(self, "issue", issue)

    def __str__(self) -> str:
        """Return the error as one line."""
        text = self.text if len(self.text) <= _LONGEST else f"{self.text[: _LONGEST - 1]}…"
        return f"{self.location}: {text}: {self.issue}"


class ConfError(UserError):
    """All errors of the files that were read; ``str(error)`` is the text for people."""

    def __init__(self, errors: Iterable[LineError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))

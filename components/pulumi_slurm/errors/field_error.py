"""One thing that is wrong in a specification."""

import json
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, ClassVar

from pydantic import BaseModel

from pulumi_slurm.errors.path import Path, format_path


class _Absent(Enum):
    """A value of its own class, so that it stays itself when an error is pickled."""

    ABSENT = "absent"


class Severity(StrEnum):
    """What follows from an error."""

    ERROR = "error"
    """The specification is refused."""
    WARNING = "warning"
    """It is built, and the user is told. `warningsAsErrors` in a stack's configuration refuses it."""


@dataclass(frozen=True)
class FieldError:
    """One thing that a user has to change, or with the severity "warning" should look at."""

    path: Path
    """Where it stands: field names and list positions from the top of the specification."""
    value: Any
    """What was found there; ``ABSENT`` where nothing was."""
    problem: str
    """What is wrong, and what would happen if it were accepted; without a full stop."""
    fix: str
    """What to write instead; a sentence."""
    depends_on_fields: tuple[Path, ...] = ()
    """Other fields without which this would be no error; `load` keeps silent when one of them could not be read."""
    code: str | None = None
    """The name of the rule that found it, "names-are-unique" for example; None for a check of a single field."""
    severity: Severity = Severity.ERROR
    """Whether the specification is refused for it."""

    ABSENT: ClassVar = _Absent.ABSENT

    def __str__(self) -> str:
        """Return the error as one line, without its code."""
        where = format_path(self.path)
        if self.value is not _Absent.ABSENT:
            where += f" = {_short(self.value)}"
        return f"{where}: {self.problem}. {self.fix}"

    @property
    def line(self) -> str:
        """The error as one line that ends with its code, by which the reference describes the rule."""
        return f"{self} [{self.code}]" if self.code else str(self)


def _short(value: Any) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."

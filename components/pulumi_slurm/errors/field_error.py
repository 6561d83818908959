"""A single error in a specification."""

import json
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Any, ClassVar, Self

from pydantic import BaseModel

from pulumi_slurm.errors.path import Path, format_path
from pulumi_slurm.errors.respelling import as_before, respelled
from pulumi_slurm.errors.shown_value import HIDDEN_VALUE, shown_value
from pulumi_slurm.secrecy import without, without_secrets
from pulumi_slurm.spelling import Spelling, current_spelling
from pulumi_slurm.visible import as_line, visible


class _Absent(Enum):
    """The type of `FieldError.ABSENT`; an enum member, so that its identity survives pickling."""

    ABSENT = "absent"


class Severity(StrEnum):
    """The consequence of an error."""

    ERROR = "error"
    """The specification is refused."""
    WARNING = "warning"
    """The specification is accepted with a warning; `warningsAsErrors` in a stack's configuration refuses it."""


@dataclass(frozen=True)
class FieldError:
    """An error in one field that the user has to fix or, with the severity "warning", should review."""

    path: Path
    """The path of the field: field names and list indexes from the root of the specification."""
    value: Any
    """The value of the field; ``ABSENT`` if it has none, or if it may be a secret."""
    problem: str
    """What is wrong with the value, and what would happen if it were accepted; without a full stop."""
    fix: str
    """What to write instead; a sentence."""
    depends_on_fields: tuple[Path, ...] = ()
    """Other fields that the error depends on; `load` drops the error if one of them could not be parsed."""
    code: str | None = None
    """The name of the rule that reported it, for example "names-are-unique"; None for a check of a single field."""
    severity: Severity = Severity.ERROR
    """Whether the specification is refused because of it."""
    spelling: Spelling = field(default_factory=current_spelling, compare=False)
    """How its texts have the names of fields."""

    ABSENT: ClassVar = _Absent.ABSENT

    def __post_init__(self) -> None:
        """Keep out what may be a secret, so that neither a message nor who logs the error has it; spell the fields."""
        value, secrets = shown_value(self.value, self.path)
        object.__setattr__(self, "value", _Absent.ABSENT if value is HIDDEN_VALUE else value)
        for name in ("problem", "fix"):
            text = respelled(getattr(self, name), self.spelling)
            object.__setattr__(self, name, as_before(text, without_secrets(without(text, secrets))))

    def showing(self, value: Any, secrets: Iterable[str]) -> Self:
        """Return the error with another value, and without these texts in its sentences."""
        problem, fix = (as_before(text, without(text, secrets)) for text in (self.problem, self.fix))
        return replace(self, value=_Absent.ABSENT if value is HIDDEN_VALUE else value, problem=problem, fix=fix)

    def below(self, *path: str | int) -> Self:
        """Return the error of a specification as one of the whole that has that specification at ``path``."""
        depends_on_fields = tuple((*path, *other) for other in self.depends_on_fields)
        return replace(self, path=(*path, *self.path), depends_on_fields=depends_on_fields)

    def __str__(self) -> str:
        """Return the error as one line, without its code."""
        return as_line(f"{self.where}: {self.problem}. {self.fix}")

    @property
    def where(self) -> str:
        """The path, with the value where there is one to show: "nodeSets[0].replicas = -1"."""
        text = format_path(self.path, self.spelling)
        return text if self.value is _Absent.ABSENT else f"{text} = {_short(self.value)}"

    @property
    def line(self) -> str:
        """The error as one line that ends with its code, under which the reference documents the rule."""
        return f"{self} [{self.code}]" if self.code else str(self)


def _short(value: Any) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = reprlib.repr(value) if not isinstance(value, int) else f"{hex(value)[:20]}..."
    text = visible(text)
    return text if len(text) <= 80 else text[:77] + "..."

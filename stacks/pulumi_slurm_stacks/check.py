"""All that is wrong with a stack's file, without an engine, a backend, secrets or a network."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pulumi_slurm.engine_yaml import EngineYamlError, Place
from pulumi_slurm.errors import FieldError, format_path
from pulumi_slurm_stacks.config import StackConfig, judge
from pulumi_slurm_stacks.stack_file import StackFile


class Level(StrEnum):
    """What a finding means for the stack."""

    ERROR = "error"
    """It is refused."""
    WARNING = "warning"
    """It is to be reviewed."""
    NOTE = "note"
    """There is nothing to do: it is as wanted, as the file says, or couldn't be judged."""


@dataclass(frozen=True)
class Finding:
    """Something about one field of a stack's file."""

    file: str
    place: Place
    level: Level
    path: str
    """The path of the field, "" for the file as a whole."""
    text: str
    """What is wrong, and what to write instead, on one line; it begins with the path and the value."""
    rule: str | None = None
    """The rule that reported it, under whose name the reference has it; None for a check of a single field."""


def check(text: str, name: str) -> list[Finding]:
    """Return what there is to say of a stack's file, errors first, then in the order of the file."""
    try:
        file = StackFile.of(text)
    except EngineYamlError as error:
        return [unreadable(error, name)]
    return sorted(_findings(file, name), key=lambda finding: (list(Level).index(finding.level), *_order(finding)))


def unreadable(error: EngineYamlError, name: str) -> Finding:
    """Return what there is to say of a file that the engine can't read."""
    message = f"{error.problem}. Pulumi can't read the file: correct what is there."
    return Finding(name, error.place or Place(1, 1), Level.ERROR, "", message)


def finding(file: StackFile, name: str, level: Level, error: FieldError, text: str | None = None) -> Finding:
    """Return what an error says of a file; ``text`` is what to say in place of its own."""
    return Finding(name, file.place(error.path), level, format_path(error.path), text or str(error), error.code)


def configuration(text: str) -> tuple[StackConfig | None, list[FieldError]]:
    """Return what a stack's file comes to, and every error in it; secrets may be missing.

    Raises:
        EngineYamlError: if Pulumi can't read the file.
    """
    judgement = judge(StackFile.of(text), with_secrets=False)
    return judgement.config, judgement.errors


def _order(finding: Finding) -> tuple[int, int]:
    return finding.place.line, finding.place.column


def _findings(file: StackFile, name: str) -> Iterator[Finding]:
    judgement = judge(file)
    levels = [(Level.ERROR, error) for error in judgement.errors]
    levels += [(Level.WARNING, warning) for warning in judgement.warnings]
    levels += [(Level.NOTE, note) for note in judgement.unread]
    for level, error in levels:
        yield finding(file, name, level, error)
    for warning, reason in judgement.accepted:
        yield finding(file, name, Level.NOTE, warning, f"{warning} Accepted: {reason}")

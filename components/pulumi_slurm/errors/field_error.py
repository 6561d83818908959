"""A mistake, how it is raised, and how it reads."""

import difflib
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self, TypeVar

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

Path = tuple[str | int, ...]
T = TypeVar("T")

_ABSENT = object()


@dataclass(frozen=True)
class Mistake:
    """One thing that a user has to change."""

    path: Path
    """Where it stands: field names and list positions from the top of the specification."""
    value: Any
    """What was found there; ``ABSENT`` where nothing was."""
    problem: str
    """What is wrong, and what would happen if it were accepted; without a full stop."""
    remedy: str
    """What to write instead; a sentence."""
    rests_on: tuple[Path, ...] = ()
    """Other fields without which this would be no mistake; `load` keeps silent when one of them could not be read."""

    ABSENT = _ABSENT

    def __str__(self) -> str:
        """Return the mistake as one line."""
        where = format_path(self.path)
        if self.value is not _ABSENT:
            where += f" = {_short(self.value)}"
        return f"{where}: {self.problem}. {self.remedy}"


class SpecError(ValueError):
    """All mistakes of one specification.

    ``str(error)`` is the text for people; ``mistakes`` is for programs. Where Pulumi is loaded it is a
    ``pulumi.RunError`` too, which the engine prints without a traceback.
    """

    def __new__(cls, *_: Any) -> Self:
        """Return an error that Pulumi knows, without loading Pulumi for it."""
        pulumi = sys.modules.get("pulumi")
        if pulumi is None or issubclass(cls, pulumi.RunError):
            return super().__new__(cls)
        return super().__new__(type(cls.__name__, (cls, pulumi.RunError), {"__module__": cls.__module__}))

    def __init__(self, mistakes: Iterable[Mistake], what: str = "The Slurm specification") -> None:
        self.mistakes = list(mistakes)
        count = len(self.mistakes)
        heading = f"{what} has {'a mistake' if count == 1 else f'{count} mistakes'}:"
        super().__init__("\n".join([heading, *(f"  - {mistake}" for mistake in self.mistakes)]))


def wrong(problem: str, remedy: str) -> PydanticCustomError:
    """Return the error that a field validator raises."""
    # The text goes in as context: braces in it are then not taken for placeholders.
    return PydanticCustomError("slurm", "{problem}. {remedy}", {"problem": problem, "remedy": remedy})


def mistake_of(error: PydanticCustomError, path: Path, value: Any, rests_on: tuple[Path, ...] = ()) -> Mistake:
    """Return what `wrong` said, as the mistake of a field; for rules that ask what a validator would ask."""
    context = error.context or {}
    return Mistake(path, value, context["problem"], context["remedy"], rests_on)


def wrong_together(mistakes: list[Mistake]) -> PydanticCustomError:
    """Return the error that a model validator raises for mistakes that only show when fields are seen together."""
    text = "; ".join(str(mistake) for mistake in mistakes)
    return PydanticCustomError("slurm_rules", "{text}", {"text": text, "mistakes": mistakes})


def each(items: T, check: Callable[[str], object]) -> T:
    """Return a list or mapping of which every text passes ``check``; raise all mistakes, each with its place."""
    pairs: Iterable[tuple[str | int, Any]] = ()
    if isinstance(items, Mapping):
        pairs = items.items()
    elif isinstance(items, Sequence):
        pairs = enumerate(items)
    return each_pair(items, pairs, lambda _, text: check(text))


def each_pair(items: T, pairs: Iterable[tuple[Any, Any]], check: Callable[[Any, Any], object]) -> T:
    """Return ``items`` when every key and value passes ``check``; raise all mistakes, each with its place."""
    found: list[Mistake] = []
    for key, value in pairs:
        try:
            check(key, value)
        except PydanticCustomError as error:
            found.append(mistake_of(error, (key,), value))
    if found:
        raise wrong_together(found)
    return items


def format_path(path: Path) -> str:
    """Return ``("node_sets", 0, "name")`` as ``nodeSets[0].name``, the form of Pulumi's property paths."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif re.fullmatch(r"[A-Za-z][\w:]*", step):
            text += ("." if text else "") + field_text(step)
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text or "(the specification)"


def field_text(step: str) -> str:
    """Return a field's name as stack configuration writes it, and keys of other mappings as they are."""
    return to_camel(step) if "_" in step and step.islower() else step


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a sentence that names the known word closest to ``word``, or all of them when none is close."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f'Did you mean "{close[0]}"?'
    if not names:
        return "Nothing is defined there yet."
    return "Write one of: " + ", ".join(names) + "."


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

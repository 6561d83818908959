"""The names of fields in texts, which are written in camelCase here, as a program in Python has them."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from pulumi_slurm.spelling import Spelling, current_spelling, spelled_by_default


class AsWritten(str):
    """A text in which nothing is to be respelled: its words are not ours, as those of Kubernetes, or respelled already.

    In other texts quotations and commands stay as they are.
    """

    __slots__ = ()


def as_before(text: str, changed: str) -> str:
    """Return what has become of a text, as an `AsWritten` if the text was one."""
    return AsWritten(changed) if isinstance(text, AsWritten) else changed


_PARTS = re.compile(
    r"""
    "[^"\n]*"                                      # a quotation
    | `[^`\n]*[^`\n\w.\[\]][^`\n]*`                 # a command, and not the name of a field alone
    | slurm:\S+                                    # a key of a stack's file
    | (?<![\w:/$-])[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+(?![\w/(])
    """,
    re.VERBOSE,
)
"""What stays as it is, and, in the last line, words that may be names of fields."""


def respelled(text: str, spelling: Spelling | None = None) -> str:
    """Return a text with the names of fields, which it has in camelCase, in a spelling: by default in that of here."""
    if (spelling or current_spelling()) is Spelling.CAMEL_CASE or isinstance(text, AsWritten):
        return text
    names = _names()
    return _PARTS.sub(lambda part: names.get(part[0], part[0]), text)


def in_snake_case(name: str) -> str:
    """Return the name in Python of the field with this name in camelCase; another word is returned as it is."""
    return _names().get(name, name) if name != name.lower() else name


def spelled_like(data: Any) -> AbstractContextManager[None]:
    """Let errors within the block spell fields as plain data does, unless who called has said how.

    That is by the first field that is spelled in one way alone. Data without any is taken for that of a file.
    """
    return spelled_by_default(_spelling_of(data))


def _spelling_of(data: Any) -> Spelling:
    in_camel_case = _names()
    in_snake_case = {*in_camel_case.values()}
    level, visited = [data], {id(data)}
    while level:
        for key in (key for item in level if isinstance(item, Mapping) for key in item):
            if key in in_camel_case or key in in_snake_case:
                return Spelling.SNAKE_CASE if key in in_snake_case else Spelling.CAMEL_CASE
        inner = {id(value): value for item in level for value in _values(item)}
        level = [value for identity, value in inner.items() if identity not in visited]
        visited |= inner.keys()
    return Spelling.CAMEL_CASE


def _values(data: Any) -> list[Any]:
    return [*data.values()] if isinstance(data, Mapping) else data if isinstance(data, list) else []


_models: list[type[BaseModel]] = []
"""The models whose fields have both spellings, in the order in which they were defined: those of `model.base`."""


def has_both_spellings(model: type[BaseModel]) -> None:
    """Say once of a model that its fields have a name in Python and one in camelCase."""
    _models.append(model)


def _names() -> Mapping[str, str]:
    return _names_of(len(_models))


@lru_cache(maxsize=1)
def _names_of(count: int) -> Mapping[str, str]:
    """Return the names in Python by those in camelCase, as far as they differ, of so many models."""
    names = {to_camel(name): name for model in _models[:count] for name in model.model_fields}
    return MappingProxyType({alias: name for alias, name in names.items() if alias != name})

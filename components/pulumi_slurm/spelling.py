"""How messages spell the names of fields: as in Python, or as in a stack's file.

What a program in Python is told has the names of its models and arguments. Who reads files for somebody, or makes
components for programs in other languages, says so by `spelled`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum


class Spelling(StrEnum):
    """How the names of fields are written."""

    CAMEL_CASE = "nodeSets"
    """As in stacks' files, and in programs in TypeScript, Go, YAML and other languages of Pulumi."""
    SNAKE_CASE = "node_sets"
    """As in programs in Python."""


_spelling: ContextVar[Spelling | None] = ContextVar("spelling", default=None)


def current_spelling() -> Spelling:
    """Return how fields are spelled here: as in Python, unless something else was said."""
    return _spelling.get() or Spelling.SNAKE_CASE


@contextmanager
def spelled(spelling: Spelling) -> Iterator[None]:
    """Let messages that are made within the block, and in tasks that begin there, spell fields in this way."""
    token = _spelling.set(spelling)
    try:
        yield
    finally:
        _spelling.reset(token)


@contextmanager
def spelled_by_default(spelling: Spelling) -> Iterator[None]:
    """Do the same, unless who called has said how fields are spelled."""
    with spelled(_spelling.get() or spelling):
        yield

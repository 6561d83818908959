"""Suggestions for misspelt names."""

from collections.abc import Iterable
from functools import lru_cache

from pulumi_slurm.choices import closest, listed
from pulumi_slurm.errors.respelling import AsWritten


def nearest(word: str, names: Iterable[str]) -> str:
    """Return a sentence that suggests the name most similar to ``word``, or lists all names if none is similar."""
    return AsWritten(_nearest(word, tuple(sorted(names))))


_LEAST = 0.7
"""How similar a name has to be: with less, "version" would be taken for "region"."""


def letters(name: str) -> str:
    """Return a name by its letters alone, as names are compared."""
    return name.replace("_", "").replace("-", "").lower()


@lru_cache(maxsize=1024)
def _nearest(word: str, choices: tuple[str, ...]) -> str:
    choices_by_letters = {letters(choice): choice for choice in choices}
    if close := closest(letters(word), choices_by_letters, cutoff=_LEAST):
        return f'Did you mean "{choices_by_letters[close]}"?'
    if not choices:
        return "None is defined yet: add it."
    return f"Write one of: {listed(word, choices)}."

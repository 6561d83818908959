"""Suggestions for misspelt names."""

import difflib
from collections.abc import Iterable
from functools import lru_cache


def nearest(word: str, names: Iterable[str]) -> str:
    """Return a sentence that suggests the name most similar to ``word``, or lists all names if none is similar."""
    return _nearest(word, tuple(sorted(names)))


@lru_cache(maxsize=1024)
def _nearest(word: str, choices: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    if close:
        return f'Did you mean "{close[0]}"?'
    if not choices:
        return "Nothing is defined there yet."
    return "Write one of: " + ", ".join(choices) + "."

"""What a user may have meant."""

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a sentence that names the known word closest to ``word``, or all of them when none is close."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f'Did you mean "{close[0]}"?'
    if not names:
        return "Nothing is defined there yet."
    return "Write one of: " + ", ".join(names) + "."

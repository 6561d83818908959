"""What a message offers of several choices: the one that was probably meant, or a list of them."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

_MOST_LISTED = 10
_NEGATION = re.compile("no_?|disable_?", re.IGNORECASE)
_AFFIRMATION = re.compile("^enable_?", re.IGNORECASE)


def listed(word: str, choices: Iterable[str]) -> str:
    """Return the choices for a sentence, in their order: of many, those most like a word, and how many more."""
    texts = tuple(choices)
    more = len(texts) - _MOST_LISTED
    if more <= 0:
        return ", ".join(texts)
    shown = sorted(range(len(texts)), key=lambda index: -likeness(word, texts[index]))[:_MOST_LISTED]
    return ", ".join(texts[index] for index in sorted(shown)) + f", and {more} more"


def closest(word: str, choices: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the choice that is most like a word, or None; never one that says the opposite, such as NO_X for X."""
    wanted = [choice for choice in choices if not _opposite(word, choice)]
    return next(iter(get_close_matches(word, wanted, n=1, cutoff=cutoff)), None)


def _opposite(word: str, choice: str) -> bool:
    """Return whether one is more like the other without the negation that the other begins with."""
    pairs = ((word, choice), (choice, word))
    return any(
        likeness(_AFFIRMATION.sub("", one), other[negation.end() :]) > likeness(one, other)
        for one, other in pairs
        if (negation := _NEGATION.match(other))
    )


def likeness(one: str, other: str) -> float:
    """Return how much two texts are alike in whatever case, from 0 to 1."""
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()

"""Text of users in messages: characters that can't be seen are escaped, so that two names that look alike differ."""

import unicodedata

_SPACES = frozenset(" \n")


def visible(text: str) -> str:
    """Return text with an escape such as ``\\u200b`` in place of each character that can't be seen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        mark if mark in _SPACES or (mark.isprintable() and not _is_mark(mark)) else _escaped(mark) for mark in text
    )


def _is_mark(mark: str) -> bool:
    """Return whether a character is drawn over the one before it."""
    return unicodedata.category(mark) in {"Mn", "Me"}


def _escaped(mark: str) -> str:
    return f"\\u{ord(mark):04x}" if ord(mark) < 2**16 else f"\\U{ord(mark):08x}"

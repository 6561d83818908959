"""Text of users in messages and comments: what can't be seen is escaped, so that two names that look alike differ."""

import unicodedata

_SPACES = frozenset(" \n")


def visible(text: str) -> str:
    """Return text with an escape such as ``\\u200b`` in place of each character that can't be seen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        mark if mark in _SPACES or (mark.isprintable() and not _is_mark(mark)) else escaped(mark) for mark in text
    )


def as_line(text: str) -> str:
    """Return text as one line: ends of lines are escaped too, to whomever they are such."""
    return visible(text).replace("\n", escaped("\n"))


def _is_mark(mark: str) -> bool:
    """Return whether a character is drawn over the one before it."""
    return unicodedata.category(mark) in {"Mn", "Me"}


def escaped(mark: str) -> str:
    """Return the escape of a character, as Python, YAML and, but for those beyond U+FFFF, JSON have it."""
    return f"\\u{ord(mark):04x}" if ord(mark) < 2**16 else f"\\U{ord(mark):08x}"

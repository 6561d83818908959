"""Text of users in what the program prints and writes: it is shown, and does nothing to whoever shows it.

What can't be seen is escaped, so that two names that look alike differ, and no terminal obeys it. What would command
the runner of a workflow is taken apart.
"""

import re
import unicodedata
from collections.abc import Callable

_SPACES = frozenset(" \n")
_AT_THE_BEGINNING = re.compile(r"^( *):(?=:)", re.MULTILINE)
_ANYWHERE = re.compile(r"##(?=\w*\[)")
"""What GitHub's runner obeys: a line that begins with ``::``, leading space apart, and ``##[`` anywhere in one.

With a word in between, the latter is that of Azure Pipelines and of TeamCity. Source: TryParseV2 and TryParse in
src/Runner.Common/ActionCommand.cs of https://github.com/actions/runner; its search passes over characters of no width.
"""


def visible(text: str) -> str:
    """Return text with an escape such as ``\\u200b`` in place of each character that can't be seen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        mark if mark in _SPACES or (mark.isprintable() and not _is_mark(mark)) else _escaped(mark) for mark in text
    )


def as_line(text: str) -> str:
    """Return text as one line for people: ends of lines are escaped too, and it commands nothing."""
    line = visible(text).replace("\n", _escaped("\n"))
    return _ANYWHERE.sub("## ", _AT_THE_BEGINNING.sub("\\1: ", line))


def is_line(text: str) -> bool:
    """Return whether text can be printed as it is, in one line; for what can't be changed, such as commands."""
    return text.isprintable() and not _AT_THE_BEGINNING.search(text) and not _ANYWHERE.search(text)


def visible_json(text: str) -> str:
    """Return a text of JSON with the same data, of which all can be seen and that commands nothing."""
    # Outside of texts, JSON has none of it.
    return _ANYWHERE.sub("#\\\\u0023", _with_escapes(text, _escaped_in_json))


def visible_yaml(text: str) -> str:
    """Return a text of YAML with the same data, of which all can be seen and that commands nothing.

    Lines that `is_line` refuses may be in double quotation marks alone.
    """
    return _ANYWHERE.sub("#\\\\x23", _AT_THE_BEGINNING.sub("\\1\\\\x3a", _with_escapes(text, _escaped)))


def _with_escapes(text: str, escaped: Callable[[str], str]) -> str:
    return "".join(mark if mark.isprintable() or mark == "\n" else escaped(mark) for mark in text)


def _is_mark(mark: str) -> bool:
    """Return whether a character is drawn over the one before it."""
    return unicodedata.category(mark) in {"Mn", "Me"}


def _escaped(mark: str) -> str:
    """Return the escape of a character in Python and YAML."""
    return f"\\u{ord(mark):04x}" if ord(mark) < 2**16 else f"\\U{ord(mark):08x}"


def _escaped_in_json(mark: str) -> str:
    """Return the escape of a character in JSON, which counts in UTF-16."""
    return "".join(f"\\u{unit:04x}" for unit in memoryview(mark.encode("utf-16-le", "surrogatepass")).cast("H"))

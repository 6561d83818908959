"""Texts of somebody who wants more than a text: ends of lines, control characters, and what these could bring.

Names, reasons and comments in Slurm's files, in objects and in file names are theirs.
"""

import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

LINE_BREAKS = ("\x85", "\u2028", "\u2029")
"""What ends a line to YAML 1.1, and to Python and terminals, beside \\n and \\r.

Source: https://yaml.org/spec/1.1/#b-break.
"""
CONTROLS = ("\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b", "\x1c", "\x1e", "\x7f", "\x9b", "\x9d")
"""Characters that YAML doesn't have, that command terminals, or that end lines to some of Python."""
UNSEEN = ("\xa0", "\xad", "\u0300", "\u200b", "\u202e", "\u3000", "\ufeff", "\U000e0001")
"""What can't be seen, or turns around what is seen."""
PIECES = (
    *(
        "environment: [theirs/env]",
        "slurm:rootKey: x",
        "encryptionsalt: x",
        "- x",
        "---",
        "...",
        "? x",
        "#",
        " # x",
        "&a",
    ),
    *("::error::x", "::add-mask::e", " ::stop-commands::x", "##[error]x", "##[add-mask]e", "::", "##["),
    *(
        "[31m",
        "]0;title\x07",
        "a",
        "gpu",
        "'",
        '"',
        "\\",
        "\\n",
        "{",
        "}",
        "|",
        "`",
        "<b>",
        "\t",
        " ",
        "  ",
        "é",
        "漢",
        "%0A",
    ),
)
"""What becomes something where it begins a line, or stands anywhere in one."""


@st.composite
def _hostile(draw: DrawFn, marks: st.SearchStrategy[str]) -> str:
    parts = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4))
    return "".join(f"{draw(marks)}{part}" for part in parts) + draw(marks)


_marks = st.sampled_from((*LINE_BREAKS, *CONTROLS, *UNSEEN, "", " ", "x"))
in_one_line = _hostile(_marks)
"""Without \\n and \\r."""
hostile_texts = _hostile(_marks | st.sampled_from(["\n", "\r", "\r\n"]))
"""With all."""


@st.composite
def inserted(draw: DrawFn, text: str, hostile: st.SearchStrategy[str] = in_one_line) -> str:
    """Draw a text with something hostile anywhere in it."""
    index = draw(st.integers(0, len(text)))
    return text[:index] + draw(hostile) + text[index:]


@st.composite
def in_a_value(draw: DrawFn, conf: str) -> str:
    """Draw one of Slurm's files with something hostile in quotation marks."""
    found = draw(st.sampled_from([*re.finditer(r"(?<==)[^\s\"]+", conf)]))
    word = draw(in_one_line).translate(dict.fromkeys(map(ord, "\"'\\#")))
    return f'{conf[: found.start()]}"{found[0]}{word}"{conf[found.end() :]}'


def conf_texts(conf: str) -> st.SearchStrategy[str]:
    """Draw one of Slurm's files with something hostile anywhere in it."""
    return in_a_value(conf) | inserted(conf)

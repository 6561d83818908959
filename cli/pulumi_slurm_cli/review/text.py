"""Text of users in Markdown: names of jobs, comments and values are theirs, and may be anything."""

import re
from html import escape

from pulumi_slurm.visible import as_line

LONGEST = 60
"""Characters of a name or value that are shown."""
_MARKDOWN = re.compile(r"([\\`*_\[\]|~$])|^([-+#=]|\d+(?=[.)](?:\s|\Z)))")
"""Characters of Markdown's syntax within a line, and at its beginning; a ``>`` there is HTML's ``&gt;`` by then."""
_LINKS = re.compile(
    r"([@#]|!(?=\d)|[%$~](?=[\w\"])|&amp;(?=\d)|:(?=//)|\*(?=iteration:)|\[(?=\w+:)"
    r"|(?i:\bwww|(?<![^\W_])g[hl]-(?=\d))|(?<![^\W_])[A-Z][A-Z\d\\_]+-(?=\d))"
)
"""What forges take for a mention, an issue, a request, a milestone, a snippet, a label, an epic, an iteration, or an
address. Capital letters before a number are an issue of a tracker beside the forge.

Sources: https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
and https://docs.gitlab.com/user/markdown/#gitlab-specific-references.
"""
_COMMIT = re.compile(r"(?<![^\W_])[0-9a-f]{7,40}(?![^\W_])", re.IGNORECASE)
_SHORTER_THAN_A_COMMIT = 6
"""Digits; forges make links of seven and more to the commit that begins so."""


def one_line(value: object, longest: int) -> str:
    """Return a value as one line that can be printed, cut where it is longer."""
    text = " ".join(str(value).split())
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def plain(value: object, longest: int = LONGEST) -> str:
    """Return a value as text that Markdown shows as it is: no mention, link, HTML, fold or end of a table's cell."""
    shown = escape(one_line(value, longest), quote=False)
    escaped = _MARKDOWN.sub(lambda match: f"\\{match[0]}" if not match[0][0].isdigit() else f"{match[0]}\u200b", shown)
    return _COMMIT.sub(_in_pieces, _LINKS.sub("\\1\u200b", escaped))


def _in_pieces(digits: re.Match[str]) -> str:
    starts = range(0, len(digits[0]), _SHORTER_THAN_A_COMMIT)
    return "\u200b".join(digits[0][start : start + _SHORTER_THAN_A_COMMIT] for start in starts)


def fenced(text: str, language: str = "") -> str:
    """Return a block of code, with a fence longer than any in the text, in which each line is shown as it is."""
    text = "\n".join(map(as_line, text.expandtabs().split("\n")))
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def folded(title: str, body: str) -> str:
    """Return a fold; the empty lines let Markdown be read in it."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table of cells that are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

"""Text of users in Markdown: names of jobs, comments and values are theirs, and may be anything."""

import re
from html import escape

from pulumi_slurm.visible import as_line

LONGEST = 60
"""Characters of a name or value that are shown."""
_MARKDOWN = re.compile(r"([\\`*_\[\]|~$])|^([-+>#=]|\d+(?=[.)](?:\s|\Z)))")
"""Characters of Markdown's syntax within a line, and at its beginning."""
_LINKS = re.compile(r"([@#]|://|\bwww)", re.IGNORECASE)
"""What forges take for a mention, an issue or an address."""


def one_line(value: object, longest: int) -> str:
    """Return a value as one line that can be printed, cut where it is longer."""
    text = " ".join(str(value).split())
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def plain(value: object, longest: int = LONGEST) -> str:
    """Return a value as text that Markdown shows as it is: no mention, link, HTML, fold or end of a table's cell."""
    shown = one_line(value, longest)
    escaped = _MARKDOWN.sub(lambda match: f"\\{match[0]}" if not match[0][0].isdigit() else f"{match[0]}\u200b", shown)
    return _LINKS.sub("\\1\u200b", escape(escaped, quote=False))


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

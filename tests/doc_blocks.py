"""The fenced blocks of README.md, CONTRIBUTING.md and docs/, and what each says of itself.

A block is checked by what stands in an HTML comment before it, which no reader of the page sees:

    <!-- check: cluster -->
    ```yaml
"""

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from devcluster.folders import CHECKOUT
from tests import shipped_stacks

CHECKS = {
    "config": "yaml",
    "cluster": "yaml",
    "gke": "yaml",
    "ack": "yaml",
    "ack-slurm-operator": "yaml",
    "ack-colocated": "yaml",
    "wrong": "yaml",
    "message": "text",
    "slurm.conf": "ini",
    "imported": "ini",
    "old": "ini",
    "new": "ini",
    "differences": "text",
    "operated": "ini",
    "outside": "ini",
    "copilot-files": "ini",
    "chart-values": "text",
    "session": "console",
    "first-jobs": "console",
    "bridged": "yaml",
    "bridged-session": "console",
    "program": "python",
    "example": "python",
    "fields": "yaml",
    "stacks": "python",
    "on-top": "python",
    "calculation": "python",
    "commands": "sh",
    "elsewhere": "sh",
    "reservations": "sh",
    "own-environment": "sh",
    "outputs": "json",
    "folders": "text",
    "drained": "text",
    "no-answer": "text",
    "name-refused": "text",
    "name-mismatch": "text",
    "pod": "yaml",
    "places": "text",
    "host-names": "text",
    "checked-file": "yaml",
    "findings": "text",
    "rehearsed": "text",
    "proof": "text",
    "status": "text",
    "accepted": "yaml",
    "review": "markdown",
    "rendered-difference": "text",
    "workflow": "yaml",
    "pre-commit": "yaml",
    "drift-command": "sh",
    "drift-file": "yaml",
    "drift-findings": "text",
    "drift-adopted": "yaml",
    "drift-state": "sh",
    "drift-unapplied": "text",
    "review-commands": "sh",
    "review-embedded": "sh",
    "review-rights": "yaml",
    "policies": "json",
    "violation": "text",
    "yaml-program": "yaml",
    "typescript": "typescript",
    "refusal": "text",
}
"""What a block can say, and the language that it then is in."""

PARTS_OF = ("gke", "ack", "ack-slurm-operator", "ack-colocated")
"""Checks of parts that belong to the shipped stack of that name; those of all others belong to the local one."""

_FENCE = re.compile(r"^(?:<!-- check: (?P<check>[\w.-]+) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    file: Path
    line: int
    check: str
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(CHECKOUT)}:{self.line}"


def written_pages() -> list[Path]:
    """Return the pages that are written by hand."""
    top = [CHECKOUT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
    return [*top, *sorted((CHECKOUT / "docs").glob("*.md"))]


def all_pages() -> list[Path]:
    """Return every page."""
    return [*written_pages(), *sorted((CHECKOUT / "docs" / "reference").glob("*.md"))]


def blocks(check: str | None = None) -> list[Block]:
    """Return all blocks, or those of one check."""
    found = [block for page in all_pages() for block in blocks_of(page)]
    return [block for block in found if check in (None, block.check)]


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page in their order."""
    text = page.read_text()
    return [
        Block(page, text[: found.start("text")].count("\n"), found["check"] or "", found["language"], found["text"])
        for found in _FENCE.finditer(text)
    ]


def commands(check: str = "commands") -> Iterator[tuple[Block, str]]:
    """Yield every command line of a check, with continued lines joined and comments left out.

    Those of "commands" are run on the embedded cluster, or looked up there; those of "elsewhere" speak of another one.
    """
    for block in blocks(check):
        for line in block.text.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith("#"):
                yield block, re.sub(r"\s{2,}#.*", "", line).strip()


def pulumi_commands() -> Iterator[tuple[Block, str]]:
    """Yield every pulumi command without its first word, those within `make pulumi ARGS='…'` too."""
    for block, line in commands():
        words = shlex.split(line)
        if words[0] == "pulumi":
            yield block, line.removeprefix("pulumi").strip()
        elif words[:2] == ["make", "pulumi"]:
            yield from ((block, word.removeprefix("ARGS=")) for word in words if word.startswith("ARGS="))


def expanded(command: str) -> list[str]:
    """Return the words of a command as a shell passes them on."""
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, text=True, check=True)
    return done.stdout.split("\0")[:-1]


def settings(block: Block) -> dict[str, Any]:
    """Return the keys of a whole stack configuration; a part takes its place in one that the repository ships."""
    written: dict[str, Any] = yaml.safe_load(block.text)["config"]
    if block.check == "config":
        return written
    name = block.check if block.check in PARTS_OF else "local"
    shipped = shipped_stacks.shipped(name)
    if name == "local":
        # Its gres.conf names the device files of its own nodes alone.
        shipped["slurm:cluster"]["configFiles"]["gres.conf"] += "AutoDetect=nvidia\n"
    whole = {**shipped, **{key: _in_place(shipped.get(key), value) for key, value in written.items()}}
    for part in ("slurm:cluster", "slurm:gke", "slurm:ack"):
        if part in shipped:
            fields = written.get(part, {}).items()
            whole[part] = {**shipped[part], **{key: _in_place(shipped[part].get(key), value) for key, value in fields}}
    return whole


def _in_place(shipped: Any, written: Any) -> Any:
    """Return what is written; in a list of things with names, only those of the same names are replaced."""
    if isinstance(shipped, list) and isinstance(written, list):
        return list({item["name"]: item for item in [*shipped, *written]}.values())
    return written


def each(*checks: str) -> pytest.MarkDecorator:
    """Return the mark that runs a test with each block that is checked so."""
    return pytest.mark.parametrize("block", [b for check in checks for b in blocks(check)], ids=str)


class ChartValues(NamedTuple):
    """A row of docs/chart-values.md."""

    patterns: list[str]
    """Values of the chart, in which `*` stands for anything."""
    path: str
    """Where they are in a specification; "-" and what to do instead where they are not."""


def chart_value_rows() -> list[ChartValues]:
    """Return the rows of docs/chart-values.md."""
    (block,) = blocks("chart-values")
    cells = (re.split(r"(?<!,)\s{2,}", line, maxsplit=1) for line in block.text.splitlines())
    return [ChartValues(patterns.split(", "), path) for patterns, path in cells]


def rows(page: str, check: str) -> list[list[str]]:
    """Return the cells of the tables that follow such a comment."""
    _, *texts = (CHECKOUT / "docs" / page).read_text().split(f"<!-- check: {check} -->\n")
    assert texts
    lines = [line for text in texts for line in text.split("\n\n")[0].splitlines()[2:]]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]

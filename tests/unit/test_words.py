"""Names and docstrings use the words of docs/glossary.md, where the glossary names one that new code avoids."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT, SOURCES
from tests.doc_blocks import rows
from tests.generated import generated

FILES = sorted(file for folder in SOURCES for file in (CHECKOUT / folder).rglob("*.py"))
AVOIDED = {
    # "Make Pulumi refuse" is another meaning.
    r"^Make (a|an|the|it|objects)\b": "Create",
    r"\bwhere it is there already\b": "if it exists already",
    r"\bremedy\b": "fix",
    r"\brests on\b": "depends on",
}
FOLDERS = (*SOURCES, "policy", "devcluster", "provider", "tools")
# Fields that users or files name so, and `left` as a side of a picture.
REMAINING = {
    "cli/pulumi_slurm_cli/drift/report.py": 1,
    "cli/pulumi_slurm_cli/live/look.py": 1,
    "cli/pulumi_slurm_cli/review/partition_sizes.py": 2,
    "cli/pulumi_slurm_cli/review/picture.py": 2,
    "cli/pulumi_slurm_cli/review/report.py": 2,
    "components/pulumi_slurm/ack_slurm/model/options.py": 1,
    "components/pulumi_slurm/slurmconf/catalogue/key.py": 1,
}
"""How many of the names that the glossary avoids a file still has."""


def docstrings(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def names(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


@pytest.mark.parametrize("avoided", AVOIDED)
def test_docstrings_have_the_glossary_s_words(avoided: str) -> None:
    errors = [
        f"{file.relative_to(CHECKOUT)}:{line}: write {AVOIDED[avoided]!r}"
        for file in FILES
        for line, text in docstrings(file)
        if re.search(avoided, text)
    ]
    assert not errors


def test_the_glossary_has_the_words_that_docstrings_avoid() -> None:
    words = {
        pattern: word
        for phrase, word in rows("glossary.md", "docstrings")
        for pattern in AVOIDED
        if re.search(pattern, phrase)
    }
    assert words == AVOIDED


def test_names_say_what_they_hold() -> None:
    avoided = {name for cell, _ in rows("glossary.md", "names") for name in re.findall(r"`(\w+)`", cell)}
    assert "found" in avoided
    files = {file for folder in FOLDERS for file in (CHECKOUT / folder).rglob("*.py")}
    places = {
        str(file.relative_to(CHECKOUT)): [f"{name} in line {line}" for line, name in names(file) if name in avoided]
        for file in files - generated(files)
    }
    errors = [
        f"{path}: {', '.join(places[path])}: docs/glossary.md has better names"
        for path in places
        if len(places[path]) > REMAINING.get(path, 0)
    ]
    errors += [
        f"{path}: write {len(places.get(path, ()))} in REMAINING, or leave it out if that is 0"
        for path, count in REMAINING.items()
        if len(places.get(path, ())) < count
    ]
    assert not errors

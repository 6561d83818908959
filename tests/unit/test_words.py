"""Docstrings use the words of docs/glossary.md, where the glossary names one that new code avoids."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT, SOURCES

FILES = sorted(file for folder in SOURCES for file in (CHECKOUT / folder).rglob("*.py"))
AVOIDED = {
    # "Make Pulumi refuse" is another meaning.
    r"^Make (a|an|the|it|objects)\b": "Create",
    r"\bwhere it is there already\b": "if it exists already",
    r"\bremedy\b": "fix",
    r"\brests on\b": "depends on",
}


def docstrings(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


@pytest.mark.parametrize("avoided", AVOIDED)
def test_docstrings_have_the_glossary_s_words(avoided: str) -> None:
    found = [
        f"{file.relative_to(CHECKOUT)}:{line}: write {AVOIDED[avoided]!r}"
        for file in FILES
        for line, text in docstrings(file)
        if re.search(avoided, text)
    ]
    assert not found

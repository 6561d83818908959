"""What `make test` leaves out, as it only shows again what another test shows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT


def markers() -> Iterator[tuple[str, str]]:
    """Yield each use of the marker: its file, and what it names."""
    for file in sorted((CHECKOUT / "tests").rglob("test_*.py")):
        for named in re.findall(r"""mark\.repeats\(\s*"([^"]+)""", file.read_text(encoding="utf-8")):
            yield str(file.relative_to(CHECKOUT)), named


@pytest.mark.parametrize(("file", "named"), list(markers()))
def test_what_repeats_names_the_file_of_what_shows_it_first(file: str, named: str) -> None:
    shown_by = re.split(r"[ ,]", named)[0]
    assert (CHECKOUT / shown_by).is_file(), f"{file}: {named}"
    assert shown_by != file or any(run_always(CHECKOUT / file)), f"{file} has no other test"


def run_always(file: Path) -> Iterator[str]:
    """Yield the tests of a file that `make test` runs, with some of their parameters at least."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    marks = {ast.unparse(item.targets[0]) for item in body if isinstance(item, ast.Assign) and repeats(item.value)}
    tests = [item for item in body if isinstance(item, ast.FunctionDef) and item.name.startswith("test_")]
    for test in tests:
        if not any(repeats(mark) or ast.unparse(mark) in marks for mark in test.decorator_list):
            yield test.name


def repeats(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.repeats"

"""The shell scripts of the repository, by shellcheck."""

import re
import subprocess
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from tests.shellcheck import findings


def _scripts() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    # Those below tests/unit/importing are of other people's clusters.
    files = [CHECKOUT / name for name in listed.stdout.splitlines() if not name.startswith("tests/unit/importing/")]
    return [file for file in files if file.is_file() and file.suffix in {".sh", ""} and _is_shell(file)]


def _is_shell(file: Path) -> bool:
    return file.suffix == ".sh" or bool(re.match(rb"#!.*\b(ba)?sh\b", file.read_bytes()[:40]))


@pytest.mark.parametrize("file", _scripts(), ids=lambda file: str(file.relative_to(CHECKOUT)))
def test_a_script_of_the_repository(file: Path) -> None:
    script = file.read_text()
    # One without a first line that names its shell is started as `sh file`.
    assert findings(script, dialect=None if script.startswith("#!") else "sh") == []


def test_what_shellcheck_finds_is_told() -> None:
    (found,) = findings("#!/bin/sh\nrm $1\n")
    assert found.startswith("'rm $1': SC2086 ")

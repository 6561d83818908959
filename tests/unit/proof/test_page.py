"""docs/prove.md, and the workflows that it names."""

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.__main__ import _parser
from tests.doc_blocks import blocks_of

PAGE = CHECKOUT / "docs" / "prove.md"
WORKFLOWS = CHECKOUT / "examples" / "workflows"


def script(name: str) -> str:
    """Return the script of a workflow that proves."""
    file: dict[str, Any] = yaml.safe_load((WORKFLOWS / name).read_text())
    if "jobs" not in file:
        return "\n".join(line for line in file["prove"]["script"] if not line.startswith("pip "))
    (step,) = (step for step in file["jobs"]["prove"]["steps"] if step.get("name") == "prove")
    return str(step["run"])


def test_the_page_has_every_step() -> None:
    told = re.findall(r"^\| (\w+) \| ", PAGE.read_text(), re.MULTILINE)
    higher = {"gpus", "nccl", "rates", "requeue"}
    tried = {
        line.split()[1].rstrip(",") for block in blocks_of(PAGE) if block.check == "proof" for line in steps(block.text)
    }
    # Jobs of that stack need no account.
    assert {*told} - {"Step"} == tried | {"accounts"} | higher


def steps(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line[0].isdigit()]


@pytest.mark.parametrize("name", ["prove.yaml", "prove.gitlab-ci.yaml"])
@pytest.mark.parametrize("code", [0, 1, 2])
def test_a_workflow_ends_as_the_proof_and_shows_it(name: str, code: int, tmp_path: Path) -> None:
    program, summary = tmp_path / "pulumi-slurm", tmp_path / "summary.md"
    program.write_text(f'#!/bin/sh\necho "$*"; echo told >&2; exit {code}\n')
    program.chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)}
    command = ["bash", "-e", "-o", "pipefail", "-c", script(name)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    (line,) = re.findall(r"^prove .*$", done.stdout, re.MULTILINE)
    assert _parser().parse_args(shlex.split(line)).command == "prove"
    if name == "prove.yaml":
        assert "    told\n" in summary.read_text()

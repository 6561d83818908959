"""docs/drift.md, and the workflow that it names."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.__main__ import _parser
from pulumi_slurm_cli.drift import in_order, of_slurm
from pulumi_slurm_cli.drift.adopt import changed
from tests.doc_blocks import blocks_of
from tests.unit.drift.worlds import DAY, look, node, partition, stated

WORKFLOW = CHECKOUT / "examples" / "workflows" / "drift.yaml"


def block(name: str) -> str:
    (found,) = (block.text for block in blocks_of(CHECKOUT / "docs" / "drift.md") if block.check == name)
    return found


def test_the_findings_are_those_of_the_file() -> None:
    file = block("drift-file")
    plain = {"features": ("cpu",), "active_features": ("cpu",)}
    drained = {"states": ("IDLE", "DRAIN"), "reason": "new disk", "reason_by": "alice", "reason_at": 1795680000}
    seen = look(
        partitions=(partition("day", max_time=7 * DAY, flags=("DEFAULT",)),),
        nodes=(node("cpu-0", **plain, **drained), node("cpu-1", **plain)),
    )
    findings = of_slurm(*stated(file), seen)
    assert [f"{item.kind}: {item.line}" for item in findings] == block("drift-findings").splitlines()
    assert findings == in_order(findings)
    (change,) = findings[0].adoption
    assert [line for line in changed(file, [change]).splitlines() if line not in file.splitlines()] == block(
        "drift-adopted"
    ).splitlines()


def test_the_command_is_one() -> None:
    for line in block("drift-command").splitlines():
        program, *words = shlex.split(line)
        assert program == "pulumi-slurm"
        assert _parser().parse_args(words).command == "drift"


@pytest.mark.parametrize(
    ("code", "title"), [(0, "Nothing has changed"), (1, "Not as in Pulumi.hpc.yaml"), (2, "couldn't be looked at")]
)
def test_the_workflow_tells_findings_from_a_look_that_failed(tmp_path: Path, code: int, title: str) -> None:
    (job,) = yaml.safe_load(WORKFLOW.read_text())["jobs"].values()
    (step,) = (step for step in job["steps"] if step.get("name") == "look")
    program, summary = tmp_path / "pulumi-slurm", tmp_path / "summary.md"
    program.write_text(f'#!/bin/sh\necho "$*"; echo told >&2; exit {code}\n')
    program.chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)}
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=tmp_path, env=env, check=False)
    assert done.returncode == code
    assert title in summary.read_text().splitlines()[0]
    assert "    drift Pulumi.hpc.yaml\n    told\n" in summary.read_text()
    assert _parser().parse_args(["drift", "Pulumi.hpc.yaml"]).command == "drift"

"""docs/drift.md, and the workflow that it names."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm_cli.__main__ import _parser
from pulumi_slurm_cli.commands import drift
from pulumi_slurm_cli.drift import COMPARED, in_order, of_slurm
from pulumi_slurm_cli.drift.adopt import changed
from pulumi_slurm_cli.kubectl import Kubectl
from tests.doc_blocks import blocks_of
from tests.unit.drift.test_state import state
from tests.unit.drift.worlds import DAY, look, node, partition, stated
from tests.unit.importing.command_line import run

PLAIN = {"features": ("cpu",), "active_features": ("cpu",)}
WITH_DAY = look(
    partitions=(partition("day", max_time=DAY, flags=("DEFAULT",)),),
    nodes=(node("cpu-0", **PLAIN), node("cpu-1", **PLAIN)),
)
"""The cluster as the page's file has it."""
WORKFLOW = CHECKOUT / "examples" / "workflows" / "drift.yaml"


def block(name: str) -> str:
    pages = [CHECKOUT / "docs" / page for page in ("drift.md", "unapplied-changes.md")]
    (text,) = (block.text for page in pages for block in blocks_of(page) if block.check == name)
    return text


def test_the_findings_are_those_of_the_file() -> None:
    file = block("drift-file")
    drained = {"states": ("IDLE", "DRAIN"), "reason": "new disk", "reason_by": "alice", "reason_at": 1795680000}
    seen = look(
        partitions=(partition("day", max_time=7 * DAY, flags=("DEFAULT",)),),
        nodes=(node("cpu-0", **PLAIN, **drained), node("cpu-1", **PLAIN)),
    )
    findings = of_slurm(*stated(file), seen)
    assert [f"{item.kind}: {item.line}" for item in findings] == block("drift-findings").splitlines()
    assert findings == in_order(findings)
    (change,) = findings[0].adoption
    assert [line for line in changed(file, [change]).splitlines() if line not in file.splitlines()] == block(
        "drift-adopted"
    ).splitlines()


@pytest.mark.parametrize("name", ["drift-command", "drift-state"])
def test_the_command_is_one(name: str) -> None:
    for line in block(name).splitlines():
        program, *words = shlex.split(line)
        if program == "pulumi":
            # As tests/jobs/test_changes.py exports it.
            assert words[:2] == ["stack", "export"]
            continue
        assert program == "pulumi-slurm"
        assert _parser().parse_args(words).command == "drift"


def test_a_change_that_waits_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drift, "look_at_all", lambda *_, **__: (WITH_DAY, None))
    objects = [item for item in render(*stated(block("drift-file"))) if item["kind"] in COMPARED]
    monkeypatch.setattr(Kubectl, "objects", lambda *_: objects)
    file, exported = tmp_path / "Pulumi.hpc.yaml", tmp_path / "state.json"
    file.write_text(block("drift-file").replace("maxTime: 1-00:00:00", 'maxTime: "12:00:00"'))
    exported.write_text(state(block("drift-file")))
    assert run("drift", file, "--state", exported).stdout == block("drift-unapplied")


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

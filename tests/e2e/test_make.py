"""The targets of the Makefile, as a person runs them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from devcluster.toolchain import Toolchain
from tests.commands import PULUMI_SLURM, program
from tests.doc_blocks import blocks


def git_status() -> str:
    return subprocess.run(
        ["git", "status", "--porcelain"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.repeats("tests/jobs/own_cluster/test_readme.py, with simulated nodes")
def test_up_preview_down_leave_the_checkout_clean_and_no_process_behind(tools: Toolchain, tmp_path: Path) -> None:
    assert tools.path("charts").exists()
    state = tmp_path / "state"
    # Those with real nodes are in tests/jobs/own_cluster/test_readme.py.
    env = {**os.environ, "PULUMI_SLURM_STATE": str(state), "NODES": "simulated"}
    before = git_status()

    def make(*words: str) -> str:
        done = subprocess.run(["make", *words], cwd=CHECKOUT, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    try:
        output = make("up")
        assert "Nodes: simulated" in output
        assert "pods run nothing" in output
        for line in (
            "NodeSet      slurm-worker-gpu                 1/1 ready",
            "LoginSet     slurm-login-login",
            "make down",
        ):
            assert line in output, output
        assert "57 unchanged" in make("preview")
        assert "### slurm/local: no change" in reviewed_as_on_the_page(tmp_path, env)
        assert '"restUrl": "http://slurm-slurmrestd.slurm:6820"' in make("pulumi", "ARGS=stack output --json")
        pids = [json.loads(file.read_text())["pid"] for file in (state / "cluster" / "run").glob("*.json")]
        assert len(pids) == 8
        assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    finally:
        removed = make("down")
    assert "Removed." in removed
    assert not state.exists()
    # A pid may have been given to another program by now, which then has nothing to do with this folder.
    assert not any(str(state) in command_line(pid) for pid in pids)
    assert git_status() == before
    assert "Nothing to remove" in make("down")


def reviewed_as_on_the_page(folder: Path, env: Mapping[str, str]) -> str:
    """Run the commands of docs/reviews.md after `make up`, the change on a copy of the file, and return the review."""
    (block,) = blocks("review-embedded")
    lines = block.text.replace("/tmp/", f"{folder}/").splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["make", "sed"]
    copy = folder / "Pulumi.local.yaml"
    copy.write_text((CHECKOUT / copy.name).read_text())
    subprocess.run(lines[1], shell=True, cwd=folder, check=True)
    assert copy.read_text() != (CHECKOUT / copy.name).read_text()
    commands = "\n".join(lines[2:])
    program(folder / "bin", "pulumi-slurm", PULUMI_SLURM)
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), env["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", commands],
        cwd=CHECKOUT,
        env={**env, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except FileNotFoundError:
        return ""

"""The script with which Jobs wait for slurmdbd, with a sacctmgr that says what the real one says.

What the real one says is tested in tests/slurmd/test_slurmdbd_wait.py.
"""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from pulumi_slurm.configuration.slurmdbd_wait import SECONDS, WAIT_SCRIPT
from pulumi_slurm.manifests.objects import Manifest
from tests.unit.manifests.rendered import WHOLE, rendered

REFUSED = "sacctmgr: error: Sending PersistInit msg: Connection refused"
WRONG_KEY = "sacctmgr: error: Sending PersistInit msg: Protocol authentication error"
NO_SUCH_PLUGIN = "sacctmgr: fatal: failed to initialize auth plugin"
BROUGHT = {
    # Answers when it was asked often enough.
    "sacctmgr": 'echo >>asked; if [ "$(wc -l <asked)" -le "$FAILURES" ]; then echo "$ERROR" >&2; exit 1; fi; echo hpc',
    # Time goes on by sleeping alone.
    "date": "cat now 2>/dev/null || echo 1000",
    "sleep": "now=$(date); echo $((now + $1)) >now",
}


class Ran:
    """What the script has done."""

    def __init__(self, folder: Path, error: str, failures: int) -> None:
        for name, text in BROUGHT.items():
            program = folder / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        env = {"PATH": f"{folder}/bin:/usr/bin:/bin", "ERROR": error, "FAILURES": str(failures)}
        done = subprocess.run(
            ["sh", "-c", WAIT_SCRIPT], cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        self.code, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        self.asked = len((folder / "asked").read_text().splitlines())
        now = folder / "now"
        self.slept = int(now.read_text()) - 1000 if now.exists() else 0


def test_it_ends_at_once_where_slurmdbd_answers(tmp_path: Path) -> None:
    ran = Ran(tmp_path, REFUSED, 0)
    assert (ran.code, ran.stdout, ran.stderr, ran.asked, ran.slept) == (0, "", "", 1, 0)


def test_it_waits_until_slurmdbd_answers_and_says_so_once(tmp_path: Path) -> None:
    ran = Ran(tmp_path, REFUSED, 20)
    assert (ran.code, ran.stdout, ran.stderr) == (0, "Waiting for slurmdbd.\n", "")
    assert ran.asked == 21


def test_it_gives_up_with_the_last_words_of_sacctmgr(tmp_path: Path) -> None:
    ran = Ran(tmp_path, REFUSED, 10_000)
    assert ran.code == 1
    assert ran.slept == SECONDS
    # Kubernetes keeps the end of the log, which Pulumi shows.
    assert ran.stderr.splitlines() == [REFUSED, "sacctmgr did not reach slurmdbd."]


@pytest.mark.parametrize("error", [WRONG_KEY, NO_SUCH_PLUGIN])
def test_it_does_not_wait_for_what_waiting_does_not_mend(tmp_path: Path, error: str) -> None:
    ran = Ran(tmp_path, error, 10_000)
    assert (ran.code, ran.stdout, ran.asked, ran.slept) == (1, "", 1, 0)
    assert ran.stderr.splitlines() == [error, "sacctmgr did not reach slurmdbd."]


def job(role: str, **fields: Any) -> tuple[Manifest, dict[str, str]]:
    """Return the Job of a role and its files."""
    objects = {(item["kind"], item["metadata"]["name"]): item for item in rendered(**{**WHOLE, **fields})}
    name = f"hpc-{role}-job"
    return objects["Job", name], objects["ConfigMap", name]["data"]


@pytest.mark.parametrize("role", ["qos", "accounts"])
def test_both_jobs_with_sacctmgr_wait_before_they_begin(role: str) -> None:
    manifest, files = job(role, accounting={"qos": [{"name": "night", "priority": 1}]})
    (container,) = manifest["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["sh", "/etc/slurm/commands.sh"]
    assert files["commands.sh"].splitlines()[1:] == [
        "set -e",
        "sh /etc/slurm/wait-for-slurmdbd.sh",
        "sh /etc/slurm/sacctmgr.sh",
    ]
    assert files["wait-for-slurmdbd.sh"] == WAIT_SCRIPT
    assert "night" in files["sacctmgr.sh"]


def test_the_job_of_slurmctld_does_not_wait_for_slurmdbd() -> None:
    _, files = job("drain")
    assert "wait-for-slurmdbd.sh" not in files

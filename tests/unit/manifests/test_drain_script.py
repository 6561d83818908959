"""How long the script that drains waits, with a slurmctld that says what the real one says, or nothing for a while.

What the real one says is tested in tests/slurmd/test_drain.py.
"""

import subprocess
from pathlib import Path

import pytest

from pulumi_slurm.configuration.drain import (
    DRAIN_SCRIPT,
    LAST_PARTS_FILE,
    NO_JOBS_FILE,
    PARTS_FILE,
    SECONDS_FOR_JOBS,
    SECONDS_FOR_SLURMCTLD,
    UP_FILE,
)

AWAY = (
    "slurm_load_partitions error: Unable to contact slurm controller (connect failure)",
    "slurm_load_partitions error: Slurm backup controller in standby mode",
    "slurm_load_jobs error: Socket timed out on send/recv operation",
    "slurm_load_jobs error: Zero Bytes were transmitted or received",
)
REFUSED = "slurm_load_partitions error: Protocol authentication error"
START = 1000
PARTITION = "PartitionName=gpu AllowGroups=ALL State=UP TotalNodes=1"
NODE = "NodeName=gpu-0 Arch=x86_64 AvailableFeatures=gpu ActiveFeatures=gpu State=MIXED Reason=none"
CLIENT = """\
now=$(date)
if [ "$now" -lt "$BACK_AT" ] || [ "$now" -ge "$AWAY_AGAIN_AT" ]; then
  echo "$ERROR" >&2
  exit 1
fi
"""
BROUGHT = {
    "scontrol": CLIENT + f'case $* in *partitions*) echo "{PARTITION}" ;; *nodes*) echo "{NODE}" ;; esac',
    "squeue": CLIENT + 'case $* in *--partition*) echo "12 RUNNING gpu" ;; esac',
    # Time goes on by sleeping alone.
    "date": f"cat now 2>/dev/null || echo {START}",
    "sleep": "now=$(date); echo $((now + $1)) >now",
}
NEVER = 10**6


class Ran:
    """What the script has done, of an update that takes the partition and the node set gpu away."""

    def __init__(
        self,
        folder: Path,
        error: str,
        *,
        back_after: int = NEVER,
        away_again_after: int = NEVER,
        assume_no_jobs: bool = False,
        leaving: str = "partition gpu\nnodeSet gpu\n",
    ) -> None:
        files = {"parts": "partition all\n", "up": "all\n", "last": f"partition all\n{leaving}"}
        script = DRAIN_SCRIPT
        paths = {"parts": PARTS_FILE, "up": UP_FILE, "last": LAST_PARTS_FILE, "no-jobs": NO_JOBS_FILE}
        for name, path in paths.items():
            assert path in script
            script = script.replace(f"{path} ", f"{folder / name} ").replace(f"{path})", f"{folder / name})")
        assert "/etc/" not in script
        for name, text in {**files, **({"no-jobs": ""} if assume_no_jobs else {})}.items():
            (folder / name).write_text(text)
        for name, text in BROUGHT.items():
            program = folder / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        env = {
            "PATH": f"{folder}/bin:/usr/bin:/bin",
            "ERROR": error,
            "BACK_AT": str(START + back_after),
            "AWAY_AGAIN_AT": str(START + away_again_after),
        }
        done = subprocess.run(["sh", "-c", script], cwd=folder, env=env, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        self.code, self.said = done.returncode, done.stdout
        now = folder / "now"
        self.slept = int(now.read_text()) - START if now.exists() else 0


@pytest.mark.parametrize("error", AWAY)
def test_it_waits_minutes_for_a_slurmctld_that_is_away_and_then_fails(tmp_path: Path, error: str) -> None:
    ran = Ran(tmp_path, error)
    assert (ran.code, ran.slept) == (1, SECONDS_FOR_SLURMCTLD)
    assert error in ran.said
    assert "partition gpu, node set gpu\n" in ran.said
    assert "controller.assumeNoJobs" in ran.said


def test_it_does_not_wait_as_long_for_what_waiting_does_not_mend(tmp_path: Path) -> None:
    ran = Ran(tmp_path, REFUSED)
    assert (ran.code, ran.slept) == (1, SECONDS_FOR_JOBS)
    assert "Rotate keys" in ran.said


def test_once_slurmctld_is_back_jobs_get_their_time(tmp_path: Path) -> None:
    ran = Ran(tmp_path, AWAY[0], back_after=SECONDS_FOR_SLURMCTLD - 4)
    assert (ran.code, ran.slept) == (1, SECONDS_FOR_SLURMCTLD - 4 + SECONDS_FOR_JOBS)
    assert ran.said.startswith("partition gpu: job 12, RUNNING\n")


@pytest.mark.parametrize("error", [AWAY[0], REFUSED])
def test_the_option_lets_things_go_without_an_answer(tmp_path: Path, error: str) -> None:
    ran = Ran(tmp_path, error, assume_no_jobs=True)
    assert (ran.code, ran.slept) == (0, SECONDS_FOR_JOBS)
    assert error in ran.said


def test_the_option_does_not_hold_against_jobs_that_were_seen(tmp_path: Path) -> None:
    ran = Ran(tmp_path, AWAY[0], back_after=0, away_again_after=4, assume_no_jobs=True)
    assert (ran.code, ran.slept) == (1, SECONDS_FOR_SLURMCTLD)
    answers = Ran(tmp_path, AWAY[0], back_after=0, assume_no_jobs=True)
    assert "partition gpu: job 12, RUNNING" in answers.said
    assert answers.code == 1


def test_where_nothing_leaves_it_waits_for_nobody(tmp_path: Path) -> None:
    """So an update that mends slurmctld isn't held up."""
    ran = Ran(tmp_path, AWAY[0], leaving="")
    assert (ran.code, ran.slept) == (0, 0)


def test_all_of_it_is_over_before_pulumi_gives_up() -> None:
    """Pulumi waits ten minutes for a Job, and the image has to be pulled before."""
    assert SECONDS_FOR_JOBS + SECONDS_FOR_SLURMCTLD < 300

"""What becomes of slurmctld with given files: whether it starts, takes a reconfigure and answers `sinfo`."""

import subprocess
import time
from collections.abc import Sequence

from tests.slurmd.controller import Controller, Files
from tests.slurmd.host import Host

PATIENCE = 180.0
"""Seconds for slurmctld to listen, and for each client to end."""
WORKS = ""


def outcome(controller: Controller, files: Files) -> str:
    """Start slurmctld with these files; return `WORKS`, or what went wrong with its last complaints."""
    daemon = controller.launch(files)
    try:
        daemon.wait_until(lambda: controller.host.listens(6817), "listening", PATIENCE)
        for command in (["scontrol", "reconfigure"], ["sinfo"]):
            process = _answered(controller.host, command)
            if process.returncode:
                reason = process.stderr.strip().replace("\n", " | ")
                return f"{' '.join(command)} fails: {reason}; {' | '.join(daemon.complaints[-4:])}"
    except AssertionError as error:
        return str(error)
    return WORKS if daemon.running else f"slurmctld has ended: {' | '.join(daemon.complaints[-4:])}"


def _answered(host: Host, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a client, again where a slow machine takes longer than clients wait, MessageTimeout of slurm.conf(5)."""
    deadline = time.monotonic() + PATIENCE
    while True:
        process = host.attempt(command, seconds=PATIENCE)
        if "Socket timed out" not in process.stderr or time.monotonic() > deadline:
            return process

"""What becomes of slurmctld with given files: whether it starts, takes a reconfigure and answers `sinfo`."""

import subprocess
from collections.abc import Sequence

from tests.slurmd.controller import Controller, Files
from tests.slurmd.host import Host
from tests.waiting import eventually, has

WORKS = ""


def outcome(controller: Controller, files: Files) -> str:
    """Start slurmctld with these files; return `WORKS`, or what went wrong with its last complaints."""
    daemon = controller.launch(files)
    try:
        daemon.eventually("listening", controller.host.ports, has(6817))
        for command in (["scontrol", "reconfigure"], ["sinfo"]):
            process = answered(controller.host, command)
            if process.returncode:
                reason = process.stderr.strip().replace("\n", " | ")
                return f"{' '.join(command)} fails: {reason}; {' | '.join(daemon.complaints[-4:])}"
    except AssertionError as error:
        return str(error)
    return WORKS if daemon.running else f"slurmctld has ended: {' | '.join(daemon.complaints[-4:])}"


def answered(host: Host, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a client, again where a slow machine takes longer than clients wait, MessageTimeout of slurm.conf(5)."""
    return eventually(
        f"an answer to {command}", lambda: host.attempt(command), lambda done: "Socket timed out" not in done.stderr
    )

"""What becomes of slurmctld with given files: whether it starts, takes a reconfigure and answers `sinfo`."""

from tests.slurmd.controller import Controller, Files

PATIENCE = 180.0
"""Seconds for slurmctld to listen, and for each client to end."""
WORKS = ""


def outcome(controller: Controller, files: Files) -> str:
    """Start slurmctld with these files; return `WORKS`, or what went wrong with its last complaints."""
    daemon = controller.launch(files)
    try:
        daemon.wait_until(lambda: controller.host.listens(6817), "listening", PATIENCE)
        for command in (["scontrol", "reconfigure"], ["sinfo"]):
            process = controller.host.attempt(command, seconds=PATIENCE)
            if process.returncode:
                reason = process.stderr.strip().replace("\n", " | ")
                return f"{' '.join(command)} fails: {reason}; {' | '.join(daemon.complaints[-4:])}"
    except AssertionError as error:
        return str(error)
    return WORKS if daemon.running else f"slurmctld has ended: {' | '.join(daemon.complaints[-4:])}"

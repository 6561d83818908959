"""Daemons outside of Kubernetes, with what the output `outside` has for them and what their owner adds."""

import shlex

from tests.slurmd.controller import KEYS
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import Host
from tests.slurmd.operator_files import SLURMDBD_CONF

OWN_LINES = "SlurmUser=slurm\nStateSaveLocation=/var/spool/site\nSlurmdSpoolDir=/var/spool/slurmd\n"
"""What a slurm.conf outside has beside the lines that pods rely on."""


def slurmdbd_conf(lines: str) -> str:
    """Return a slurmdbd.conf with these lines, and those of its own for host and database."""
    keys = {line.partition("=")[0] for line in lines.splitlines()}
    own = [line for line in SLURMDBD_CONF.splitlines(keepends=True) if line.partition("=")[0] not in keys]
    return "".join([lines, *own])


def start_as_told(host: Host, command: str, key: str | bytes = KEYS["slurm.key"]) -> Daemon:
    """Start slurmd or sackd by a command of the output, in the foreground, with Slurm's key where it looks for it."""
    host.write("/etc/slurm/slurm.key", key, mode=0o600)
    program, *words = shlex.split(command)
    return host.start([program, "-D", *words])

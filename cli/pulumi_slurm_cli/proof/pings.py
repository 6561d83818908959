"""Daemons that were asked whether they are there, as `scontrol ping` and `sacctmgr ping` tell."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Ping:
    """A daemon that was asked whether it is there."""

    role: str
    """Such as "primary" or "backup"."""
    host: str
    answers: bool


def pings_in(text: str, daemon: str) -> tuple[Ping, ...]:
    """Return what a text says of a daemon, such as "slurmctld"."""
    lines = re.finditer(rf"^{daemon}\((?P<role>[^)]*)\) at (?P<host>\S+) is (?P<state>\w+)", text, re.M | re.I)
    return tuple(Ping(line["role"], line["host"], line["state"].upper() == "UP") for line in lines)

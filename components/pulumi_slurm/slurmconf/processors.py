"""Sockets, cores and CPUs of a node: what Slurm infers where a line leaves some of them out, and what it corrects.

Follows the handler _parse_nodename of Slurm's src/common/read_config.c.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pulumi_slurm.slurmconf.values import Value

KEYS = frozenset({"Boards", "CoresPerSocket", "CPUs", "Sockets", "SocketsPerBoard", "ThreadsPerCore"})
"""Keys of a NodeName line that say how many there are."""


@dataclass(frozen=True, slots=True)
class Processors:
    """What a node has, as slurmctld counts it."""

    boards: int
    sockets: int
    """On all boards together."""
    cores_per_socket: int
    threads_per_core: int
    cpus: int

    @classmethod
    def of(cls, options: Mapping[str, Value]) -> "Processors":
        """Return what the options of a NodeName line come to."""
        # A zero is corrected to one.
        boards, cores, threads = (_number(options, key) or 1 for key in ("Boards", "CoresPerSocket", "ThreadsPerCore"))
        cpus = _number(options, "CPUs")
        cpus = 1 if cpus == 0 else cpus
        sockets = _sockets(options, boards, cpus, cores * threads)
        every_cpu = sockets * cores * threads
        fits = cpus in (sockets, sockets * cores, every_cpu)
        return cls(boards if sockets >= boards else 1, sockets, cores, threads, cpus if cpus and fits else every_cpu)

    @property
    def cores(self) -> int:
        """The cores of all sockets; Slurm ends the jobs of a node when this changes."""
        return self.sockets * self.cores_per_socket


def _sockets(options: Mapping[str, Value], boards: int, cpus: int | None, cpus_per_socket: int) -> int:
    per_board = _number(options, "SocketsPerBoard")
    if per_board is not None:
        return boards * (per_board or 1)
    sockets = _number(options, "Sockets")
    if sockets is not None:
        return sockets or 1
    return cpus // cpus_per_socket if cpus and cpus % cpus_per_socket == 0 else boards


def _number(options: Mapping[str, Value], key: str) -> int | None:
    value = options.get(key)
    return value if isinstance(value, int) else None

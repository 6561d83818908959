"""Sockets, cores and CPUs of a node: what Slurm infers where a line leaves some of them out.

Follows the handler _parse_nodename of Slurm's src/common/read_config.c.
"""

from collections.abc import Mapping

from pulumi_slurm.slurmconf.values import Value

KEYS = frozenset({"Boards", "CoresPerSocket", "CPUs", "Sockets", "SocketsPerBoard", "ThreadsPerCore"})
"""Keys of a NodeName line that say how many there are."""


def cpus(options: Mapping[str, Value]) -> int:
    """Return how many CPUs a node has."""
    return _number(options, "CPUs") or cores(options) * (_number(options, "ThreadsPerCore") or 1)


def cores(options: Mapping[str, Value]) -> int:
    """Return how many cores a node has; Slurm ends the jobs of a node when this changes."""
    return _sockets(options) * (_number(options, "CoresPerSocket") or 1)


def _sockets(options: Mapping[str, Value]) -> int:
    boards = _number(options, "Boards") or 1
    if sockets := _number(options, "Sockets"):
        return sockets
    if per_board := _number(options, "SocketsPerBoard"):
        return boards * per_board
    cpus_per_socket = (_number(options, "CoresPerSocket") or 1) * (_number(options, "ThreadsPerCore") or 1)
    cpus_option = _number(options, "CPUs") or 0
    return cpus_option // cpus_per_socket if cpus_option and cpus_option % cpus_per_socket == 0 else boards


def _number(options: Mapping[str, Value], key: str) -> int | None:
    value = options.get(key)
    return value if isinstance(value, int) else None

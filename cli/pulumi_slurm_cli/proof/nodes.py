"""Nodes as slurmctld has them, as `sinfo` shows them."""

from collections.abc import Iterable
from dataclasses import dataclass

QUERY = "sinfo --noheader --Node --all --format='%N|%T|%c|%m|%G|%f|%R|%E'"
_COLUMNS = 8
_MARKS = "$@+-*~#!%^"
_NOT_NOW = frozenset("~#!%^@$")
"""Marks of power saving, of a reboot that is to come, and of a reservation for maintenance.

Source: node_state_string in src/common/slurm_protocol_defs.c of SchedMD/slurm, which appends them to a state; "-" is of
a node that the backfill scheduler has planned for a job, "*" of one without an answer.
"""
_WORKING = frozenset(
    (
        "idle",
        "mixed",
        "allocated",
        "completing",
        "reserved",
        "planned",
        "maint",
        "powering_up",
        "powered_down",
        "blocked",
    )
)
_AWAY = frozenset(("powering_up", "powering_down", "powered_down", "power_up", "power_down", "reboot", "rebooting"))


@dataclass(frozen=True)
class SeenNode:
    """A node as slurmctld has it."""

    name: str
    state: str
    """Such as "idle", "mixed", "drained", with a mark such as "*" for a node that doesn't answer."""
    cpus: int
    memory: int
    """In MiB."""
    gres: str
    features: tuple[str, ...]
    partitions: tuple[str, ...]
    reason: str

    @property
    def _base(self) -> str:
        return self.state.rstrip(_MARKS)

    @property
    def is_away(self) -> bool:
        """Whether it isn't there now, and that is no defect: it is off, starts, or is to start anew."""
        return self._base in _AWAY or bool(_NOT_NOW & {*self.state.removeprefix(self._base)})

    @property
    def is_idle(self) -> bool:
        """Whether it has no job, and can start one at once."""
        return self._base == "idle" and not self.is_away and not self.state.endswith("*")

    @property
    def works(self) -> bool:
        """Whether jobs run there, or could."""
        return self._base in _WORKING and not self.state.endswith("*")


def nodes_in(lines: Iterable[str]) -> list[SeenNode]:
    """Return the nodes that `QUERY` has printed: a line for each partition of each."""
    nodes: dict[str, SeenNode] = {}
    for line in lines:
        columns = line.split("|", _COLUMNS - 1)
        if len(columns) < _COLUMNS or not (columns[2].isdecimal() and columns[3].isdecimal()):
            continue
        name, state, cpus, memory, gres, features, partition, reason = columns
        before = nodes[name].partitions if name in nodes else ()
        nodes[name] = SeenNode(
            name=name,
            state=state.lower(),
            cpus=int(cpus),
            memory=int(memory),
            gres="" if gres == "(null)" else gres,
            features=tuple(features.split(",")),
            partitions=(*before, partition),
            reason="" if reason == "none" else reason,
        )
    return list(nodes.values())

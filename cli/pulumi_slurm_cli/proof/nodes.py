"""Nodes as slurmctld has them, as `sinfo` shows them."""

from collections.abc import Iterable
from dataclasses import dataclass

from pulumi_slurm_cli.proof.node_states import WithState

QUERY = "sinfo --noheader --Node --all --format='%N|%T|%c|%m|%G|%f|%R|%E'"
_COLUMNS = 8


@dataclass(frozen=True, kw_only=True)
class SeenNode(WithState):
    """A node as slurmctld has it."""

    name: str
    cpus: int
    memory: int
    """In MiB."""
    gres: str
    features: tuple[str, ...]
    partitions: tuple[str, ...]
    reason: str


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

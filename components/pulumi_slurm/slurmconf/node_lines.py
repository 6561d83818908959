"""NodeName lines: the nodes that each is about, and what it says of all of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.conf import Conf, Entry, entries_in_full
from pulumi_slurm.slurmconf.implied import in_full
from pulumi_slurm.slurmconf.values import Value

KEYWORD = "NodeName"


@dataclass(frozen=True, slots=True)
class NodeLine:
    """A line for one node or many, with DEFAULT lines resolved."""

    entry: Entry
    hosts: list[str]
    """In the order of the line, which is that of their addresses."""
    options: Mapping[str, Value]
    """What Slurm reads of each node; addresses are hostlists of all of them."""


def node_lines(conf: Conf) -> Iterator[NodeLine]:
    """Yield the lines of nodes in the order of the file; unlike records, which are one for each node."""
    for entry in entries_in_full(conf, KEYWORD):
        yield NodeLine(entry, hostlist.expand(entry.name), in_full(conf.file, entry))

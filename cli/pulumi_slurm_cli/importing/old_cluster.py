"""The nodes and partitions of the old cluster, with DEFAULT lines resolved."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pulumi_slurm.slurmconf.conf import Conf, Entry, entries_in_full
from pulumi_slurm.slurmconf.implied import in_full
from pulumi_slurm.slurmconf.node_lines import NodeLine, node_lines
from pulumi_slurm.slurmconf.partition_nodes import Nodes
from pulumi_slurm.slurmconf.values import Value


@dataclass(frozen=True)
class Partition:
    """A partition, and the nodes that it has."""

    entry: Entry
    options: Mapping[str, Value]
    members: frozenset[str]
    """Names of nodes; and "ALL" or "Feature=..." where nodes may register that have no line."""


@dataclass(frozen=True)
class OldCluster:
    """What slurm.conf says of nodes and partitions."""

    conf: Conf

    @cached_property
    def node_lines(self) -> list[NodeLine]:
        """The lines of nodes, in the order of the file."""
        return list(node_lines(self.conf))

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The names of all nodes that have a line."""
        return frozenset(host for line in self.node_lines for host in line.hosts)

    @cached_property
    def partitions(self) -> list[Partition]:
        """The lines of partitions, in the order of the file."""
        nodes = Nodes(self.conf, self.node_lines)
        lines = [(entry, in_full(self.conf.file, entry)) for entry in entries_in_full(self.conf, "PartitionName")]
        return [Partition(entry, options, nodes.of(options.get("Nodes"))) for entry, options in lines]

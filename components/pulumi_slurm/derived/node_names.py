"""The names of a node set's nodes."""

from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.slurmconf import hostlist


def node_names(node_set: NodeSetSpec) -> str:
    """Return the names of all nodes that a node set can have, as a hostlist; empty if their number is not known."""
    count = node_set.max_replicas or 0
    width = node_set.ordinal_padding
    return hostlist.compress(f"{node_set.host_name}{number:0{width}}" for number in range(count))

"""Rules on the node sets of partitions."""

from collections.abc import Iterator

from pulumi_slurm.derived.bridge_nodes import bridge_nodes
from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns


def partitions_refer_to_node_sets(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse partitions of node sets that don't exist, and two partitions with the same name."""
    names = _names(spec)
    node_set_by_partition = {node_set.slurm_name: node_set.name for node_set in spec.node_sets if node_set.partition}
    for index, partition in enumerate(spec.partitions):
        for position, name in enumerate(partition.node_sets):
            at: Path = ("partitions", index, "node_sets", position)
            if name in partition.node_sets[:position]:
                yield FieldError(
                    at, name, "this is in the list twice, and slurmctld would not start", "Keep one of them."
                )
            elif name == ALL_NODE_SETS and len(partition.node_sets) > 1:
                problem = "ALL is every node set, and slurmctld would not start with others beside it"
                yield FieldError(at, name, problem, "Keep ALL or the others.")
            elif name not in names and name != ALL_NODE_SETS:
                fix = 'Write "ALL".' if name.upper() == ALL_NODE_SETS else nearest(name, names)
                yield FieldError(at, name, "there is no such node set, and slurmctld would not start", fix)
        if partition.name in node_set_by_partition:
            yield FieldError(
                ("partitions", index, "name"),
                partition.name,
                f'the node set "{node_set_by_partition[partition.name]}" makes a partition of this name',
                "Choose another name, or take the partition out of the node set.",
            )


@warns
def node_sets_are_in_partitions(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of node sets and external nodes that are in no partition: Slurm gives jobs nodes of partitions alone.

    No other line makes one, except where slurmctld is outside: that slurm.conf is somebody else's. A partition of a
    node set that doesn't exist may mean any of those that do.
    """
    named = {name for partition in spec.partitions for name in partition.node_sets}
    if spec.controller.external or named - _names(spec) - {ALL_NODE_SETS}:
        return
    for index, node_set in enumerate(spec.node_sets):
        if not partitions_of(spec, node_set):
            yield FieldError(
                ("node_sets", index, "name"),
                node_set.name,
                "this node set is in no partition, so no job can run on its nodes",
                "Add it to nodeSets of a partition, or give it one of its own: partition: {}.",
                depends_on_fields=(("partitions",), ("node_sets", index, "partition")),
            )
    for index, nodes in enumerate(spec.external_nodes):
        if named.isdisjoint({nodes.name, ALL_NODE_SETS}):
            yield FieldError(
                ("external_nodes", index, "name"),
                nodes.name,
                "these nodes are in no partition, so no job can run on them",
                "Add it to nodeSets of a partition.",
                depends_on_fields=(("partitions",),),
            )


def _names(spec: SlurmSpec) -> set[str]:
    """Return what a partition can have in its nodeSets, besides ALL."""
    names = {node_set.name for node_set in spec.node_sets} | {nodes.name for nodes in spec.external_nodes}
    return names | bridge_nodes(spec).keys()


RULES: tuple[Rule, ...] = (partitions_refer_to_node_sets, node_sets_are_in_partitions)

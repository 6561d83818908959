"""Rules on the node sets of partitions."""

from collections.abc import Iterator

from pulumi_slurm.derived.bridge_nodes import bridge_nodes
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def partitions_refer_to_node_sets(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse partitions of node sets that don't exist, and two partitions with the same name."""
    names = {node_set.name for node_set in spec.node_sets} | {nodes.name for nodes in spec.external_nodes}
    names |= bridge_nodes(spec).keys()
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


RULES: tuple[Rule, ...] = (partitions_refer_to_node_sets,)

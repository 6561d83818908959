"""The partitions of a specification, with those that node sets make."""

from collections.abc import Iterator

from pulumi_slurm.errors import Path
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptionsSpec
from pulumi_slurm.model.slurm import SlurmSpec


def partitions_of(spec: SlurmSpec, node_set: NodeSetSpec) -> list[str]:
    """Return the names of the partitions that contain a node set."""
    names = [node_set.slurm_name] if node_set.partition else []
    return names + [p.name for p in spec.partitions if node_set.name in p.node_sets or ALL_NODE_SETS in p.node_sets]


def all_partitions(spec: SlurmSpec) -> Iterator[tuple[Path, str, PartitionOptionsSpec]]:
    """Yield path, name and options of every partition, including those of node sets."""
    for index, partition in enumerate(spec.partitions):
        yield ("partitions", index), partition.name, partition
    for index, node_set in enumerate(spec.node_sets):
        if node_set.partition:
            yield ("node_sets", index, "partition"), node_set.slurm_name, node_set.partition

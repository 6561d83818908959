"""Rules on partitions from which pods get nodes.

Pods can only run on Slurm nodes that are Kubernetes nodes: the bridge's external nodes, and those of node sets that are
bridged. Source: "Partitions" in docs/config.md of https://github.com/SlinkyProject/slurm-bridge at v1.2.1.
"""

from collections.abc import Iterator

from pulumi_slurm.derived.bridge_nodes import bridge_nodes
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule

_PARTITION: Path = ("bridge", "partition")


def bridge_partition_exists(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a partition that isn't there, in which every pod's job would be refused."""
    if spec.bridge is None or spec.controller.external:
        return
    names = [name for _, name, _ in all_partitions(spec)]
    if spec.bridge.partition not in names:
        yield FieldError(
            _PARTITION,
            spec.bridge.partition,
            "there is no such partition, and Slurm would refuse the jobs of all pods",
            nearest(spec.bridge.partition, names),
            (("partitions",), ("node_sets",)),
        )


def partitions_of_namespaces_exist(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse partitions that a namespace's workloads may name and that aren't there."""
    if spec.bridge is None or spec.controller.external:
        return
    names = [name for _, name, _ in all_partitions(spec)]
    for at, name in _partitions_of_namespaces(spec):
        if name not in names:
            problem = "there is no such partition, and Slurm would refuse the jobs of pods that name it"
            yield FieldError(at, name, problem, nearest(name, names), (("partitions",), ("node_sets",)))


def pods_get_nodes_of_kubernetes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse Slurm nodes that are no Kubernetes nodes, as the bridge knows them, in partitions for pods."""
    if spec.bridge is None:
        return
    others = {node_set.name for node_set in spec.node_sets if not node_set.bridged}
    others |= {nodes.name for nodes in spec.external_nodes}
    paths = {name: at for at, name in reversed([(_PARTITION, spec.bridge.partition), *_partitions_of_namespaces(spec)])}
    for index, partition in enumerate(spec.partitions):
        if partition.name not in paths and not _bridge_nodes_in(spec, partition):
            continue
        for position, name in enumerate(partition.node_sets):
            other = name if name in others else min(others, default=None) if name == ALL_NODE_SETS else None
            if other:
                at = ("partitions", index, "node_sets", position)
                yield _no_node_of_kubernetes(at, name, other, _way_out(spec, partition, other))
    for node_set in spec.node_sets:
        if node_set.partition and node_set.slurm_name in paths and not node_set.bridged:
            fix = f'Write bridged: true in the node set "{node_set.name}", or name another partition here.'
            yield _no_node_of_kubernetes(paths[node_set.slurm_name], node_set.slurm_name, node_set.name, fix)


def all_includes_a_node_set(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse ALL where there are only the bridge's external nodes, which it leaves out."""
    of_bridge = bridge_nodes(spec)
    if of_bridge and not spec.node_sets and not spec.external_nodes:
        for index, partition in enumerate(spec.partitions):
            if ALL_NODE_SETS in partition.node_sets:
                at: Path = ("partitions", index, "node_sets", 0)
                problem = "ALL leaves out the bridge's external nodes, and there are no others"
                fix = f"Write {', '.join(of_bridge)}."
                yield FieldError(at, ALL_NODE_SETS, problem, fix, (("node_sets",), ("external_nodes",)))


def features_of_bridge_nodes_are_their_own(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse partitions of external nodes whose name is a feature of other nodes.

    The name of its partition is all that tells such a node from others: see `partitions_of_bridge_nodes`.
    """
    owners: dict[str, str] = {}
    for nodes in spec.external_nodes:
        owners |= dict.fromkeys((nodes.name, *nodes.features), nodes.name)
    for node_set in spec.node_sets:
        owners |= dict.fromkeys((node_set.slurm_name, *node_set.features), node_set.name)
    for index, partition in enumerate(spec.partitions):
        owner = owners.get(partition.name)
        if owner and _bridge_nodes_in(spec, partition):
            yield FieldError(
                ("partitions", index, "name"),
                partition.name,
                f'the bridge\'s external nodes here get this name as a feature, which nodes of "{owner}" have too, so '
                "Slurm would mix the two",
                "Choose another name.",
                (("node_sets",), ("external_nodes",)),
            )


def jobs_have_a_default_partition_of_their_own(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a default partition of external nodes alone: Slurm keeps its own jobs off them, so none would start.

    Source: external_node_bitmap in src/slurmctld/node_scheduler.c of SchedMD/slurm, since 25.11.
    """
    for index, partition in enumerate(spec.partitions):
        if partition.default and len(_bridge_nodes_in(spec, partition)) == len(partition.node_sets):
            yield FieldError(
                ("partitions", index, "default"),
                True,
                "Slurm gives the bridge's external nodes to pods alone, so jobs without a partition would never start",
                "Leave it to a partition with a node set.",
                (("partitions", index, "node_sets"),),
            )


def changed_partitions_take_effect(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse KeepPartInfo, which upstream's documentation of the bridge has: slurmctld 26.05.5 then ignores changed
    partitions, at a reconfigure and at a restart, and external nodes stay without it (tests/slurmd/test_bridge.py)."""
    for key, value in spec.slurm_conf.extra.items() if spec.bridge else ():
        if key.lower() == "reconfigflags" and "keeppartinfo" in value.lower():
            yield FieldError(
                ("slurm_conf", "extra", key),
                value,
                "with KeepPartInfo slurmctld ignores what changes in partitions",
                "Leave it out: external nodes and their jobs outlive a reconfigure without it.",
                (("bridge",),),
            )


def _partitions_of_namespaces(spec: SlurmSpec) -> Iterator[tuple[Path, str]]:
    """Yield path and name of each partition that a namespace of the bridge lists."""
    for index, namespace in enumerate(spec.bridge.namespaces if spec.bridge else ()):
        for position, name in enumerate(namespace.partitions):
            yield ("bridge", "namespaces", index, "partitions", position), name


def _bridge_nodes_in(spec: SlurmSpec, partition: PartitionSpec) -> list[str]:
    return [name for name in partition.node_sets if name in bridge_nodes(spec)]


def _way_out(spec: SlurmSpec, partition: PartitionSpec, other: str) -> str:
    alone = len(partition.node_sets) == 1
    if other not in {node_set.name for node_set in spec.node_sets}:
        return "Name another partition for pods." if alone else f'Give "{other}" a partition of its own.'
    apart = "name another partition for pods" if alone else f'give "{other}" a partition of its own'
    return f'Write bridged: true in the node set "{other}", or {apart}.'


def _no_node_of_kubernetes(at: Path, value: str, other: str, fix: str) -> FieldError:
    problem = f'Slurm would give pods nodes of "{other}", which the bridge can\'t match with Kubernetes nodes'
    return FieldError(at, value, problem, fix, (("node_sets",), ("bridge",)))


RULES: tuple[Rule, ...] = (
    bridge_partition_exists,
    partitions_of_namespaces_exist,
    pods_get_nodes_of_kubernetes,
    all_includes_a_node_set,
    features_of_bridge_nodes_are_their_own,
    jobs_have_a_default_partition_of_their_own,
    changed_partitions_take_effect,
)

"""How large partitions are: nodes, CPUs, GPUs and memory, the least and the most that there can be."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pulumi_slurm.derived.machines import machine_of, memory_for_jobs
from pulumi_slurm.model import NodeSetSpec, SlurmSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm_cli.review.cluster_side import ClusterSide


@dataclass(frozen=True)
class Amount:
    """How much there is: ``least`` always, ``most`` with an autoscaler at its bound; None where nobody can tell."""

    least: int | None = 0
    most: int | None = 0

    def __add__(self, other: "Amount") -> "Amount":
        """Return both together."""
        return Amount(_sum(self.least, other.least), _sum(self.most, other.most))

    def times(self, count: "Amount") -> "Amount":
        """Return the total of this many nodes."""
        return Amount(_product(self.least, count.least), _product(self.most, count.most))


@dataclass(frozen=True)
class Size:
    """What some nodes have together."""

    nodes: Amount = Amount()
    cpus: Amount = Amount()
    memory_mib: Amount = Amount()
    """What jobs can have of it."""
    gpus: Mapping[str, Amount] = field(default_factory=dict)
    """By their type in Slurm; "gpu" for those without one."""

    def __add__(self, other: "Size") -> "Size":
        """Return both together."""
        types = dict.fromkeys([*self.gpus, *other.gpus])
        return Size(
            self.nodes + other.nodes,
            self.cpus + other.cpus,
            self.memory_mib + other.memory_mib,
            {name: self.gpus.get(name, Amount()) + other.gpus.get(name, Amount()) for name in types},
        )


def partition_sizes(side: ClusterSide | None) -> dict[str, Size]:
    """Return the size of each partition; external nodes count as far as the specification knows them."""
    if side is None:
        return {}
    spec, sizes = side.spec, node_set_sizes(side)
    of_node_sets = {item.slurm_name: sizes[item.name] for item in spec.node_sets if item.partition}
    return of_node_sets | {
        partition.name: _together(_sizes_in(spec, partition.node_sets, sizes)) for partition in spec.partitions
    }


def node_set_sizes(side: ClusterSide | None) -> dict[str, Size]:
    """Return the size of each node set."""
    return {item.name: _of_node_set(item, side) for item in side.spec.node_sets} if side else {}


def cluster_size(side: ClusterSide | None) -> Size:
    """Return the size of a whole cluster, each node once."""
    if side is None:
        return Size()
    return _together(_sizes_in(side.spec, [ALL_NODE_SETS], node_set_sizes(side)))


def _sizes_in(spec: SlurmSpec, names: Iterable[str], sizes: Mapping[str, Size]) -> list[Size]:
    external = {
        group.name: Size(Amount(0, group.node_count), _of_external(group.cpus, group.node_count), Amount(0, None))
        for group in spec.external_nodes
    }
    by_name = {**sizes, **external}
    wanted = set(by_name) if ALL_NODE_SETS in names else set(names)
    return [size for name, size in by_name.items() if name in wanted]


def _of_external(cpus: int | None, nodes: int) -> Amount:
    return Amount(0, None if cpus is None else cpus * nodes)


def _of_node_set(node_set: NodeSetSpec, side: ClusterSide) -> Size:
    nodes = Amount(*side.node_counts(node_set))
    machine = machine_of(node_set, side.pools)
    if machine is None:
        return Size(nodes, Amount(None, None).times(nodes), Amount(None, None).times(nodes))
    memory = memory_for_jobs(machine)
    gpus = {machine.gpus.type or "gpu": Amount(machine.gpus.count, machine.gpus.count)} if machine.gpus else {}
    return Size(
        nodes,
        Amount(machine.cpus, machine.cpus).times(nodes),
        Amount(memory, memory).times(nodes),
        {name: count.times(nodes) for name, count in gpus.items()},
    )


def _together(sizes: Iterable[Size]) -> Size:
    return sum(sizes, Size())


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _product(one: int | None, other: int | None) -> int | None:
    if one == 0 or other == 0:
        return 0
    return None if one is None or other is None else one * other

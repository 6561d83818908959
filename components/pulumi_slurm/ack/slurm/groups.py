"""Worker groups: what a node set is to ack-slurm-operator, and the nodes that it can have.

A node's name is fixed by the operator, `<cluster>-worker-<group>-<number>`, and the group is the node set's name.
Groups that Slurm scales are named in slurm.conf beforehand; all others register as they come.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.model import MachineSpec, NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm.model.names import node_set_object
from pulumi_slurm.rules import machine_of
from pulumi_slurm.slurmconf import hostlist

CLOUD = "cloud"
"""The feature that all nodes have which come and go."""


@dataclass(frozen=True)
class Group:
    """A node set as a worker group."""

    cluster: str
    node_set: NodeSetSpec
    machine: MachineSpec | None
    """What each slurmd gets; None without a pool or machine, which is refused elsewhere."""
    most: int
    """The most nodes that it can have."""
    fewest: int
    """The nodes that are always there."""
    elastic: bool
    """Whether Slurm scales it."""

    @property
    def name(self) -> str:
        """The group's name."""
        return self.node_set.name

    def nodes(self, count: int) -> str:
        """Return the names of the first nodes, as a hostlist."""
        head = node_set_object(self.cluster, self.name)
        return hostlist.compress(f"{head}-{number}" for number in range(count))

    @property
    def options(self) -> dict[str, str | int | None]:
        """What slurm.conf says of each node: sizes, features, GRES and weight, as keys of a NodeName line."""
        machine = self.machine
        sizes = {"CPUs": machine.cpus, "RealMemory": machine.memory_mib} if machine else {}
        features = [self.node_set.slurm_name, *self.node_set.features, *([CLOUD] if self.elastic else [])]
        return {**sizes, **node_options(self.node_set, machine), "Features": ",".join(features)}


def groups_of(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> list[Group]:
    """Return the cluster's worker groups, in the order of its node sets."""
    return [_group(spec, node_set, machine_of(node_set, pools), ack) for node_set in spec.node_sets]


def is_elastic(node_set: NodeSetSpec, ack: AckSlurmSpec) -> bool:
    """Whether Slurm scales a node set."""
    return node_set.autoscaling is not None or node_set.name in ack.power_saving.groups


def _group(spec: SlurmSpec, node_set: NodeSetSpec, machine: MachineSpec | None, ack: AckSlurmSpec) -> Group:
    scaling, limit = node_set.autoscaling, ack.power_saving.groups.get(node_set.name)
    if limit is not None:
        most, fewest = limit, scaling.min_replicas if scaling else node_set.replicas or 0
    elif scaling:
        most, fewest = scaling.max_replicas, scaling.min_replicas
    else:
        most = fewest = 1 if node_set.replicas is None else node_set.replicas
    return Group(spec.name, node_set, machine, most, fewest, is_elastic(node_set, ack))

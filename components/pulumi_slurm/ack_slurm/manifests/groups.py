"""Worker groups, as which ack-slurm-operator runs node sets.

The operator names nodes `<cluster>-worker-<group>-<number>`, and a group has the name of its node set. slurm.conf lists
the nodes of groups that Slurm scales, and with colocation those of all groups; other nodes register dynamically.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.model import MachineSpec, NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm.model.names import node_set_object
from pulumi_slurm.slurmconf import hostlist

CLOUD = "cloud"
"""The feature of all nodes that Slurm scales."""


@dataclass(frozen=True)
class Group:
    """A node set as a worker group."""

    cluster: str
    node_set: NodeSetSpec
    machine: MachineSpec | None
    """The resources of each slurmd; None without a pool or machine, which another rule refuses."""
    max_nodes: int
    """The maximum number of nodes."""
    min_nodes: int
    """The number of nodes that are always running."""
    elastic: bool
    """Whether Slurm scales it."""
    colocated: bool
    """Whether the copilot manages its nodes. These have no features: node_features/k8s_resources declares every feature
    changeable and slurmd reports only its own, so slurmctld would set nodes with any other feature INVAL
    (_valid_reported_active_features in src/slurmctld/node_mgr.c of Slurm)."""
    listed: bool
    """Whether slurm.conf lists its nodes. Without features that is the only way into a partition, and slurmctld exits
    if a partition has a node that isn't listed. Workers of the chart start by the operator's script, as dynamic nodes,
    which slurm.conf must not list."""

    @property
    def name(self) -> str:
        """The group's name."""
        return self.node_set.name

    def nodes(self, count: int) -> str:
        """Return the names of the first ``count`` nodes, as a hostlist."""
        prefix = node_set_object(self.cluster, self.name)
        return hostlist.compress(f"{prefix}-{number}" for number in range(count))

    @property
    def options(self) -> dict[str, str | int | None]:
        """The options of each node: sizes, features, GRES and weight."""
        machine = self.machine
        sizes = {"CPUs": machine.cpus, "RealMemory": machine.memory_mib} if machine else {}
        features = [self.node_set.slurm_name, *self.node_set.features, *([CLOUD] if self.elastic else [])]
        options = {**sizes, **node_options(self.node_set, machine), "Features": ",".join(features)}
        return {key: value for key, value in options.items() if not (self.colocated and key == "Features")}


def groups_of(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> list[Group]:
    """Return the cluster's worker groups, in the order of its node sets."""
    return [_group(spec, node_set, machine_of(node_set, pools), ack) for node_set in spec.node_sets]


def is_elastic(node_set: NodeSetSpec, ack: AckSlurmSpec) -> bool:
    """Whether Slurm scales a node set."""
    return node_set.autoscaling is not None or node_set.name in ack.power_saving.groups


def _group(spec: SlurmSpec, node_set: NodeSetSpec, machine: MachineSpec | None, ack: AckSlurmSpec) -> Group:
    autoscaling, limit = node_set.autoscaling, ack.power_saving.groups.get(node_set.name)
    if limit is not None:
        max_nodes, min_nodes = limit, autoscaling.min_replicas if autoscaling else node_set.replicas or 0
    elif autoscaling:
        max_nodes, min_nodes = autoscaling.max_replicas, autoscaling.min_replicas
    else:
        max_nodes = min_nodes = node_set.fixed_replicas
    elastic, colocated = is_elastic(node_set, ack), ack.copilot is not None
    return Group(
        cluster=spec.name,
        node_set=node_set,
        machine=machine,
        max_nodes=max_nodes,
        min_nodes=min_nodes,
        elastic=elastic,
        colocated=colocated,
        listed=elastic or (colocated and ack.cluster_chart is None),
    )

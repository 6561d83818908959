"""The bridge's external nodes: Kubernetes nodes without slurmd, which Slurm gives to pods alone."""

from collections.abc import Sequence

from pulumi_slurm.model.bridge import BridgeNodesSpec
from pulumi_slurm.model.slurm import SlurmSpec


def bridge_node_groups(spec: SlurmSpec) -> Sequence[BridgeNodesSpec]:
    """Return the groups of the bridge's external nodes, in the order of the specification."""
    return spec.bridge.external_nodes if spec.bridge else ()


def bridge_nodes(spec: SlurmSpec) -> dict[str, BridgeNodesSpec]:
    """Return the bridge's external nodes by name."""
    return {nodes.name: nodes for nodes in bridge_node_groups(spec)}


def partitions_of_bridge_nodes(spec: SlurmSpec, nodes: BridgeNodesSpec) -> list[str]:
    """Return the names of the partitions that contain these nodes: the value of their annotation
    `scheduler.slinky.slurm.net/external-node-partitions`, and their features in Slurm."""
    return [partition.name for partition in spec.partitions if nodes.name in partition.node_sets]

"""NodeTopology: what tells Slurm where nodes are."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.objects import ClusterRef, by_kind
from pulumi_slurm.manifests.topology import node_topology
from pulumi_slurm.model import TopologySpec


class NodeTopologyArgs(Args):
    """Arguments of `NodeTopology`."""

    cluster: ClusterRef
    """The cluster."""
    topologies: list[TopologySpec]
    """Its topologies."""
    selectors: list[dict[str, str]] = [{}]
    """Labels of the Kubernetes nodes that it annotates: each entry is one choice of nodes, and an empty one is all."""


class NodeTopology(Component[NodeTopologyArgs]):
    """A Deployment that annotates Kubernetes nodes with their place in the topologies, for slurm-operator."""

    def __init__(self, resource_name: str, args: NodeTopologyArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        args = self._args
        objects = self.create_in_turn(by_kind("", node_topology(args.cluster, args.topologies, args.selectors)))
        self.finish(objects[-1])

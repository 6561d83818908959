"""NodeTopology: what tells Slurm where nodes are."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.node_topology import NodeTopologyPart


class NodeTopologyArgs(NodeTopologyPart, Args):
    """Arguments of `NodeTopology`."""


class NodeTopology(Component[NodeTopologyArgs]):
    """A Deployment that annotates Kubernetes nodes with their place in the topologies, for slurm-operator."""

    def __init__(self, resource_name: str, args: NodeTopologyArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        objects = self.create_in_turn(self._args.manifests())
        self.finish(objects[-1])

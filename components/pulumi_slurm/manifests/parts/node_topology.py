"""The Deployment by which Slurm learns the places of nodes."""

from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.topology import node_topology
from pulumi_slurm.model import TopologySpec


class NodeTopologyPart(Part):
    """The Deployment by which Slurm learns the places of nodes."""

    topologies: list[TopologySpec]
    """The cluster's topologies."""
    selectors: list[dict[str, str]] = [{}]
    """Labels of the Kubernetes nodes that it annotates: each entry is one choice of nodes, and an empty one is all."""

    def manifests(self) -> Manifests:
        """Return the Deployment that annotates nodes, and what it may do."""
        return by_kind("", node_topology(self.cluster, self.topologies, self.selectors))

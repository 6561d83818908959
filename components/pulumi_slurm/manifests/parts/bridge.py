"""Slurm Bridge, and the namespaces whose pods Slurm schedules."""

from pulumi_slurm.manifests.bridge import objects
from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model import BridgeSpec, NodePoolSpec


class BridgePart(Part):
    """Slurm Bridge."""

    bridge: BridgeSpec
    """The bridge, the namespaces that it manages, and the nodes that it registers."""
    pools: list[NodePoolSpec] = []
    """The node pools that its external nodes name; the labels of the nodes are taken over."""
    partitions: dict[str, list[str]] = {}
    """The partitions that contain external nodes, by the name of these nodes. In slurm.conf each such partition has a
    NodeSet with its own name as Feature."""

    def before_programs(self) -> Manifests:
        """Return what the programs read."""
        return objects.before_programs(self.cluster, self.bridge, self.pools, self.partitions)

    def programs(self) -> Manifests:
        """Return the programs, which start side by side."""
        return objects.programs(self.cluster, self.bridge, self.pools, self.partitions)

    def webhooks(self) -> Manifests:
        """Return the webhooks, which one of the programs answers."""
        return objects.webhooks(self.cluster, self.bridge)

    def namespaces(self) -> list[Manifests]:
        """Return the objects of each managed namespace."""
        return list(objects.namespaces(self.cluster, self.bridge))

    def manifests(self) -> Manifests:
        """Return all of it."""
        all_objects = {**self.before_programs(), **self.programs(), **self.webhooks()}
        for namespace in self.namespaces():
            all_objects |= namespace
        return all_objects

"""The topologies of topology.yaml."""

from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.topology import TopologyKind, TopologySpec
from pulumi_slurm.slurmconf.topology import Block, Blocks, Switch, Topology, Tree

FLAT = "default"
"""The topology of partitions that name none, where no other is: all nodes are equally far from each other."""
ROOT = "root"
"""The one switch of a tree that is there from the beginning."""


def slurm_topologies(spec: SlurmSpec) -> list[Topology]:
    """Return the topologies as in topology.yaml. Nodes come into them when they register."""
    topologies = [topology_of(topology) for topology in spec.topologies]
    if topologies and not any(topology.cluster_default for topology in topologies):
        return [Topology(topology=FLAT, cluster_default=True, flat=True), *topologies]
    return topologies


def topology_of(spec: TopologySpec) -> Topology:
    """Return one topology as in topology.yaml."""
    topology = Topology(topology=spec.name, cluster_default=spec.default)
    if spec.kind is TopologyKind.FLAT:
        return topology.model_copy(update={"flat": True})
    if spec.kind is TopologyKind.TREE:
        return topology.model_copy(update={"tree": Tree(switches=[Switch(switch=ROOT)])})
    block = Blocks(block_sizes=spec.block_sizes, blocks=[Block(block=block) for block in spec.blocks])
    return topology.model_copy(update={"block": block})

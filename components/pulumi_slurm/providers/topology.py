"""The network of a provider as the topology of partitions whose nodes have a place in it."""

from collections.abc import Set

from pulumi_slurm.model import PartitionOptionsSpec, SlurmSpec, TopologySpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules import checked


def with_places(slurm: SlurmSpec, network: TopologySpec, placed: Set[str]) -> SlurmSpec:
    """Return the cluster with a network as the topology of the partitions whose node sets are all ``placed``, by name.

    It is returned unchanged if there is no such partition, if it has a topology already, if slurmctld is external, and
    if Slurm or the operator is too old.
    """
    partitions = _partitions_of(slurm, placed)
    if not partitions or not _accepts_topology(slurm):
        return slurm

    def in_it(options: PartitionOptionsSpec) -> PartitionOptionsSpec:
        return options if options.topology else with_fields(options, topology=network.name)

    return checked(
        with_fields(
            slurm,
            topologies=[network],
            partitions=[
                in_it(partition) if partition.name in partitions else partition for partition in slurm.partitions
            ],
            node_sets=[
                with_fields(node_set, partition=in_it(node_set.partition))
                if node_set.partition and node_set.slurm_name in partitions
                else node_set
                for node_set in slurm.node_sets
            ],
        )
    )


def _partitions_of(slurm: SlurmSpec, placed: Set[str]) -> set[str]:
    """Return the names of the partitions whose node sets are all placed."""
    bridged = slurm.bridge.external_nodes if slurm.bridge else []
    all_node_sets = {one.name for one in slurm.node_sets}
    all_node_sets |= {one.name for one in slurm.external_nodes} | {one.name for one in bridged}
    names = {node_set.slurm_name for node_set in slurm.node_sets if node_set.partition and node_set.name in placed}
    for partition in slurm.partitions:
        node_sets = all_node_sets if ALL_NODE_SETS in partition.node_sets else set(partition.node_sets)
        if node_sets and node_sets <= placed:
            names.add(partition.name)
    return names


def _accepts_topology(slurm: SlurmSpec) -> bool:
    options = {key.lower() for key in slurm.slurm_conf.extra} & {"topologyplugin", "topologyparam"}
    files = slurm.config_files.keys() & {"topology.yaml", "topology.conf"}
    is_configured = slurm.topologies or options or files or slurm.controller.external
    return slurm.operator.passes_on_topology and not is_configured

"""The position of nodes in Google's network, as a topology of Slurm.

GKE labels nodes with their block and subblock
(https://cloud.google.com/ai-hypercomputer/docs/workloads/schedule-gke-workloads-tas). The blocks are unknown until
there are nodes, so they are a tree, whose switches slurmctld makes as nodes come. Partitions whose nodes are all on
such pools use the tree; the others are unaffected. According to Google's pages, A4 and A3 Ultra nodes have the labels.
"""

from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.model import PartitionOptionsSpec, SlurmSpec, TopologyKind, TopologySpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules import checked

NETWORK = TopologySpec(
    name="gke",
    kind=TopologyKind.TREE,
    node_labels=["cloud.google.com/gce-topology-block", "cloud.google.com/gce-topology-subblock"],
)
"""Google's network."""


def with_topology(plan: GkePlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster with Google's network as the topology of its partitions.

    ``slurm`` has node sets on planned pools, as `expand_priorities` returns it. It is returned unchanged if no
    partition needs a topology, if it has a topology already, if slurmctld is external, and if Slurm or the operator is
    too old.
    """
    partitions = _partitions_with_topology(plan, slurm)
    if not partitions or not _accepts_topology(slurm):
        return slurm
    return checked(
        with_fields(
            slurm,
            topologies=[NETWORK],
            partitions=[
                _in_the_tree(partition) if partition.name in partitions else partition for partition in slurm.partitions
            ],
            node_sets=[
                with_fields(node_set, partition=_in_the_tree(node_set.partition))
                if node_set.partition and node_set.slurm_name in partitions
                else node_set
                for node_set in slurm.node_sets
            ],
        )
    )


def _partitions_with_topology(plan: GkePlan, slurm: SlurmSpec) -> set[str]:
    """Return the names of the partitions whose node sets are all on pools with compact placement or a fast network."""
    pools = {planned.name for planned in plan.pools if planned.is_compact or uses_fabric(planned)}
    placed = {node_set.name for node_set in slurm.node_sets if node_set.pool in pools}
    all_node_sets = {node_set.name for node_set in slurm.node_sets}
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


def _in_the_tree(options: PartitionOptionsSpec) -> PartitionOptionsSpec:
    return options if options.topology else with_fields(options, topology=NETWORK.name)

"""The position of nodes in Google's network, as a topology of Slurm.

The blocks are unknown until there are nodes, so they are a tree, whose switches slurmctld makes as nodes come.
Partitions whose nodes are all on such pools use the tree; the others are unaffected. According to Google's pages, A4
and A3 Ultra nodes have the labels.
"""

from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.providers.provider import GKE_NETWORK
from pulumi_slurm.providers.topology import with_places


def with_topology(plan: GkePlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster with Google's network as the topology of its partitions, where they need one.

    ``slurm`` has node sets on planned pools, as `expand_priorities` returns it. Their nodes have positions if they are
    placed compactly or have a fast network.
    """
    pools = {planned.name for planned in plan.pools if planned.is_compact or uses_fabric(planned)}
    return with_places(slurm, GKE_NETWORK, {node_set.name for node_set in slurm.node_sets if node_set.pool in pools})

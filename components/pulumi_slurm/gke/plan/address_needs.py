"""How many addresses nodes, pods and services take at their most.

Sources: addresses of a node's pods, https://cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr; of
Managed Lustre, https://cloud.google.com/managed-lustre/docs/vpc. Filestore and Cloud SQL are taken to need a /24 each;
see docs/verification.md.
"""

from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool

MOST_NODES = 15_000
"""How many nodes GKE manages in one cluster: https://cloud.google.com/kubernetes-engine/quotas."""
RESERVED = 4
"""Addresses of every subnet that Google keeps."""

_BALANCERS = 16
"""Internal load balancers, such as those of login sets, take their addresses from the nodes' range."""
_SYSTEM_PODS = 110
"""GKE's default number of pods on a node, which the system pool keeps."""
_FIRST_NODES = 4
"""Nodes of the pool with which a cluster is born: one in each zone of the region; the pool is removed then."""


def uses_private_services(plan: GkePlan) -> bool:
    """Return whether something is reached by private services access."""
    return private_addresses(plan) > 0


def pod_block(max_pods: int) -> int:
    """Return how many addresses GKE gives a node for its pods: twice their number, up to a power of two."""
    return 1 << (2 * max_pods - 1).bit_length()


def node_addresses(plan: GkePlan) -> int:
    """Return how many addresses the nodes' range has to have, Google's own ones included."""
    return _system_nodes(plan) + _FIRST_NODES + sum(map(peak, plan.pools)) + _BALANCERS + RESERVED


def pod_addresses(plan: GkePlan) -> int:
    """Return how many addresses the pods' range has to have."""
    workers = sum(peak(planned) * pod_block(planned.pool.max_pods_per_node) for planned in plan.pools)
    return workers + (_system_nodes(plan) + _FIRST_NODES) * pod_block(_SYSTEM_PODS)


def private_addresses(plan: GkePlan) -> int:
    """Return how many addresses the range of private services has to have; 0 where there are none of these."""
    lustres = sum(each.lustre is not None for each in plan.spec.storage)
    filestores = sum(each.filestore is not None for each in plan.spec.storage)
    return 512 * lustres + 256 * filestores + 256 * (plan.spec.database is not None)


def peak(planned: GkePlannedPool) -> int:
    """Return how many nodes a pool has while it is being upgraded: one more in each zone."""
    return planned.capacity_option.most_nodes + len(planned.zones)


def _system_nodes(plan: GkePlan) -> int:
    return plan.spec.system_pool.max_nodes + len(plan.spec.system_pool.zones or plan.spec.zones)

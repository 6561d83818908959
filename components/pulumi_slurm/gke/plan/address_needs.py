"""The maximum number of addresses that nodes, pods and services need.

Sources: addresses of a node's pods, https://cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr; of
Managed Lustre, https://cloud.google.com/managed-lustre/docs/vpc. Filestore and Cloud SQL are assumed to need a /24
each.
"""

from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool

MAX_NODES = 15_000
"""How many nodes GKE manages in one cluster: https://cloud.google.com/kubernetes-engine/quotas."""
RESERVED = 4
"""Addresses that Google reserves in every subnet."""

_BALANCERS = 16
"""Internal load balancers, such as those of login sets, get addresses from the nodes' range."""
_SYSTEM_PODS = 110
"""The maximum number of pods on nodes of the system pool: GKE's default."""


def uses_private_services(plan: GkePlan) -> bool:
    """Return whether any service is reached by private services access."""
    return private_addresses(plan) > 0


def pod_block(max_pods: int) -> int:
    """Return how many addresses GKE assigns to a node for its pods: twice their number, up to a power of two."""
    return 1 << (2 * max_pods - 1).bit_length()


def node_addresses(plan: GkePlan) -> int:
    """Return how many addresses the nodes' range needs, including those that Google reserves."""
    # What others need in a VPC that exists isn't known.
    others = _BALANCERS + RESERVED if plan.makes_network else RESERVED
    return max(_first_nodes(plan), _system_nodes(plan) + sum(map(peak, plan.new_pools))) + others


def pod_addresses(plan: GkePlan) -> int:
    """Return how many addresses the pods' range needs."""
    workers = sum(peak(planned) * pod_block(planned.pool.max_pods_per_node) for planned in plan.new_pools)
    return max(_first_nodes(plan) * pod_block(_SYSTEM_PODS), workers + _system_nodes(plan) * pod_block(_SYSTEM_PODS))


def private_addresses(plan: GkePlan) -> int:
    """Return how many addresses the range of private services needs; 0 if no such service is used."""
    lustres = sum(storage.lustre is not None for storage in plan.spec.storage)
    filestores = sum(storage.filestore is not None for storage in plan.spec.storage)
    return 512 * lustres + 256 * filestores + 256 * (plan.spec.database is not None)


def peak(planned: GkePlannedPool) -> int:
    """Return the maximum number of nodes of a pool during an upgrade: one more in each zone."""
    return planned.capacity_option.most_nodes + len(planned.zones)


def _first_nodes(plan: GkePlan) -> int:
    """Return how many nodes a new cluster begins with, one in each zone; they go before there are others."""
    return len(plan.spec.zones) if plan.spec.existing_cluster is None else 0


def _system_nodes(plan: GkePlan) -> int:
    if not plan.makes_system_pool:
        return 0
    return plan.spec.system_pool.max_nodes + len(plan.spec.system_pool.zones or plan.spec.zones)

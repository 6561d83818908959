"""How many addresses nodes and pods need at most.

Sources: the addresses that Alibaba Cloud reserves, https://www.alibabacloud.com/help/en/vpc/product-overview/limits;
the others, https://www.alibabacloud.com/help/en/doc-detail/86500.htm.
"""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool, all_zones
from pulumi_slurm.machines.ack import terway_pods

RESERVED_ADDRESSES = 4
"""Addresses of every vSwitch that Alibaba Cloud reserves: the first one and the last three."""

_ADDRESSES_OF_SERVICES = 32
"""Load balancers, the database, mount targets and the control plane's interfaces, in the vSwitch of nodes."""
_PODS_OF_A_DEDICATED_NODE = 32
"""Addresses of a node that only runs Slurm: a worker pod, DaemonSets, and those that Terway keeps ready."""
_DEFAULT_PODS = 253
"""Addresses of a node if the catalogue doesn't have the network interfaces of its instance type."""


def pod_zones(plan: AckPlan) -> list[str]:
    """Return the zones that have a vSwitch of pods: all with Terway, none with Flannel."""
    return all_zones(plan.spec) if plan.spec.control_plane.cni is Cni.TERWAY else []


def node_addresses(plan: AckPlan, zone: str) -> int:
    """Return how many addresses the vSwitch of nodes in a zone needs, including those that Alibaba Cloud reserves."""
    # What others need in a VPC that exists isn't known.
    others = _ADDRESSES_OF_SERVICES if plan.makes_network else 0
    return sum(nodes for nodes, _ in _nodes_and_pods(plan, zone)) + others + RESERVED_ADDRESSES


def pod_addresses(plan: AckPlan, zone: str) -> int:
    """Return how many addresses Terway's vSwitch of a zone needs, including those that Alibaba Cloud reserves."""
    return sum(nodes * pods for nodes, pods in _nodes_and_pods(plan, zone)) + RESERVED_ADDRESSES


def flannel_addresses(plan: AckPlan) -> int:
    """Return how many addresses Flannel's range needs."""
    return max_nodes(plan) * plan.spec.network.pods_per_node


def max_nodes(plan: AckPlan) -> int:
    """Return the maximum number of nodes of the cluster."""
    of_system_pool = plan.spec.system_pool.max_nodes if plan.makes_system_pool else 0
    return of_system_pool + sum(planned.pool.most_nodes for planned in plan.pools)


def _nodes_and_pods(plan: AckPlan, zone: str) -> Iterator[tuple[int, int]]:
    """Yield for each new pool in a zone how many nodes it has there at most, and how many pod addresses each needs.

    ACK spreads a pool evenly over its zones as far as they have machines, so up to half as many again can be in one.
    """
    zones = plan.spec.system_pool.zones or plan.spec.zones
    if zone in zones and plan.makes_system_pool:
        yield _max_nodes_in_a_zone(plan.spec.system_pool.max_nodes, len(zones)), _pods_of_system_node(plan)
    for planned in plan.new_pools:
        if zone in planned.zones:
            yield _max_nodes_in_a_zone(planned.pool.most_nodes, len(planned.zones)), _pods_of_node(planned)


def _max_nodes_in_a_zone(nodes: int, zones: int) -> int:
    return nodes if zones == 1 else min(nodes, -(-nodes * 3 // (2 * zones)) + 1)


def _pods_of_node(planned: AckPlannedPool) -> int:
    pods = max(terway_pods(machine_type) or _DEFAULT_PODS for machine_type in planned.machine_types)
    return min(pods, _PODS_OF_A_DEDICATED_NODE) if planned.pool.dedicated else pods


def _pods_of_system_node(plan: AckPlan) -> int:
    return max(_pods_of_instance_type(plan, name) for name in plan.spec.system_pool.instance_types)


def _pods_of_instance_type(plan: AckPlan, name: str) -> int:
    try:
        return terway_pods(plan.spec.catalogue.find(name)) or _DEFAULT_PODS
    except PydanticCustomError:
        return _DEFAULT_PODS

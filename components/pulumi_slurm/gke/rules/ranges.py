"""Address ranges that the user states: private, apart from each other, and large enough.

Source of the ranges that a VPC takes: https://cloud.google.com/vpc/docs/subnets#valid-ranges.
"""

from collections.abc import Iterator
from ipaddress import IPv4Network

from pydantic.alias_generators import to_camel

from pulumi_slurm.clouds.address_ranges import prefix_length_for
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.plan.address_needs import (
    MOST_NODES,
    node_addresses,
    pod_addresses,
    private_addresses,
    uses_private_services,
)
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.range_placement import place

_PRIVATE = tuple(
    map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15", "240.0.0.0/4"))
)
_SERVICES = (16, 27)
"""The largest and the smallest range of Services: https://cloud.google.com/kubernetes-engine/docs/concepts/alias-ips."""


def cluster_is_not_too_large(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse more nodes in all than GKE manages."""
    most = _nodes(plan)
    if most > MOST_NODES:
        yield FieldError(
            ("pools",),
            FieldError.ABSENT,
            f"with the system pool these are up to {most} nodes, and GKE manages {MOST_NODES} in a cluster",
            "Write fewer nodes in some of them.",
        )


def ranges_are_apart(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse ranges that overlap, or that a VPC doesn't take."""
    ranges = list(_stated(plan))
    for position, (field, stated) in enumerate(ranges):
        network = IPv4Network(stated)
        if not any(network.subnet_of(space) for space in _PRIVATE):
            yield FieldError(
                ("network", field),
                stated,
                "this range is not private, so nodes would no longer reach its owners on the Internet",
                "Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.",
            )
        for other, before in ranges[:position]:
            if network.overlaps(IPv4Network(before)):
                yield FieldError(
                    ("network", field),
                    stated,
                    f"it overlaps with {to_camel(other)}, {before}",
                    "Write a range that is apart from it.",
                    depends_on_fields=(("network", other),),
                )


def ranges_are_large_enough(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse ranges that don't hold the most nodes and pods that there can be, and a lack of room for the others."""
    network = plan.spec.network
    if IPv4Network(network.control_plane_range).prefixlen != 28:
        yield FieldError(
            ("network", "control_plane_range"),
            network.control_plane_range,
            "GKE takes a /28 for the control plane, no more and no less",
            'Write for example "172.16.0.32/28".',
        )
    largest, smallest = _SERVICES
    if network.services_range and not largest <= IPv4Network(network.services_range).prefixlen <= smallest:
        yield FieldError(
            ("network", "services_range"),
            network.services_range,
            f"GKE takes from a /{smallest} to a /{largest} for Services",
            "Write a /20.",
        )
    if _nodes(plan) > MOST_NODES:
        return  # No range would be large enough, and `cluster_is_not_too_large` says why.
    needs = {
        "nodes_range": (node_addresses(plan), "nodes of all pools at their most, with upgrades and load balancers,"),
        "pods_range": (pod_addresses(plan), "pods of all nodes at their most, by maxPodsPerNode,"),
        "private_services_range": (private_addresses(plan), "Filestore, Lustre and Cloud SQL"),
    }
    for field, (needed, what) in needs.items():
        stated = getattr(network, field)
        if stated and IPv4Network(stated).num_addresses < needed:
            yield FieldError(
                ("network", field),
                stated,
                f"{what} take {needed} addresses, and this has {IPv4Network(stated).num_addresses}",
                f"Write a /{prefix_length_for(needed)} or larger, or leave it out.",
                depends_on_fields=(("pools",), ("system_pool",), ("storage",), ("database",)),
            )
    yield from place(plan)[1]


def _nodes(plan: GkePlan) -> int:
    return plan.spec.system_pool.max_nodes + sum(planned.capacity_option.most_nodes for planned in plan.pools)


def _stated(plan: GkePlan) -> Iterator[tuple[str, str]]:
    """Yield field and range of all that will be used."""
    network = plan.spec.network
    fields = ["nodes_range", "pods_range", "services_range"]
    if uses_private_services(plan):
        fields.append("private_services_range")
    fields.append("control_plane_range")
    if any(map(uses_fabric, plan.pools)):
        fields.append("fabric_range")
    for field in fields:
        if stated := getattr(network, field):
            yield field, stated

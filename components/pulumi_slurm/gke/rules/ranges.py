"""Address ranges that users configure: private, without overlaps, and large enough.

Source of the ranges that a VPC supports: https://cloud.google.com/vpc/docs/subnets#valid-ranges.
"""

from collections.abc import Iterator
from ipaddress import IPv4Network

from pydantic.alias_generators import to_camel

from pulumi_slurm.clouds.address_ranges import prefix_length_for
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.plan.address_needs import (
    MAX_NODES,
    node_addresses,
    pod_addresses,
    private_addresses,
    uses_private_services,
)
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.range_placement import place_ranges
from pulumi_slurm.rules.run import Rule

_PRIVATE = tuple(
    map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15", "240.0.0.0/4"))
)
_SERVICES = (16, 27)
"""The largest and the smallest range of Services: https://cloud.google.com/kubernetes-engine/docs/concepts/alias-ips."""


def cluster_is_not_too_large(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse more nodes than GKE manages in a cluster."""
    nodes = _max_nodes(plan)
    if nodes > MAX_NODES:
        yield FieldError(
            ("pools",),
            FieldError.ABSENT,
            f"with the system pool these are up to {nodes} nodes, and GKE manages {MAX_NODES} in a cluster",
            "Write fewer nodes in some of them.",
        )


def ranges_are_apart(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse ranges that overlap, or that a VPC doesn't support."""
    ranges = list(_configured_ranges(plan))
    for position, (field, cidr) in enumerate(ranges):
        network = IPv4Network(cidr)
        if not any(network.subnet_of(space) for space in _PRIVATE):
            yield FieldError(
                ("network", field),
                cidr,
                "this range is not private, so nodes would no longer reach its owners on the Internet",
                "Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.",
            )
        for other_field, other_cidr in ranges[:position]:
            if network.overlaps(IPv4Network(other_cidr)):
                yield FieldError(
                    ("network", field),
                    cidr,
                    f"it overlaps with {to_camel(other_field)}, {other_cidr}",
                    "Write a range that doesn't overlap with it.",
                    depends_on_fields=(("network", other_field),),
                )


def ranges_are_large_enough(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse ranges that are too small for the maximum number of nodes and pods, and report a lack of free ranges."""
    network = plan.spec.network
    if IPv4Network(network.control_plane_range).prefixlen != 28:
        yield FieldError(
            ("network", "control_plane_range"),
            network.control_plane_range,
            "GKE needs exactly a /28 for the control plane",
            'Write for example "172.16.0.32/28".',
        )
    largest, smallest = _SERVICES
    if network.services_range and not largest <= IPv4Network(network.services_range).prefixlen <= smallest:
        yield FieldError(
            ("network", "services_range"),
            network.services_range,
            f"GKE needs a range from a /{smallest} to a /{largest} for Services",
            "Write a /20.",
        )
    if _max_nodes(plan) > MAX_NODES:
        return  # No range would be large enough, and `cluster_is_not_too_large` reports why.
    needs = {
        "nodes_range": (node_addresses(plan), "the maximum number of nodes, with upgrades and load balancers, takes"),
        "pods_range": (pod_addresses(plan), "the maximum number of pods, by maxPodsPerNode, takes"),
        "private_services_range": (private_addresses(plan), "Filestore, Lustre and Cloud SQL take"),
    }
    for field, (addresses, users_take) in needs.items():
        cidr = getattr(network, field)
        if cidr and IPv4Network(cidr).num_addresses < addresses:
            yield FieldError(
                ("network", field),
                cidr,
                f"{users_take} {addresses} addresses, and this has {IPv4Network(cidr).num_addresses}",
                f"Write a /{prefix_length_for(addresses)} or larger, or leave it out.",
                depends_on_fields=(("pools",), ("system_pool",), ("storage",), ("database",)),
            )
    yield from place_ranges(plan)[1]


def _max_nodes(plan: GkePlan) -> int:
    system_nodes = plan.spec.system_pool.max_nodes if plan.makes_system_pool else 0
    return system_nodes + sum(planned.capacity_option.most_nodes for planned in plan.pools)


def _configured_ranges(plan: GkePlan) -> Iterator[tuple[str, str]]:
    """Yield field and value of the configured ranges that will be used."""
    network = plan.spec.network
    fields = ["nodes_range", "pods_range", "services_range"]
    if uses_private_services(plan):
        fields.append("private_services_range")
    # That of a cluster that exists isn't known before Google is asked.
    if plan.spec.existing_cluster is None or network.existing:
        fields.append("control_plane_range")
    if any(map(uses_fabric, plan.new_pools)):
        fields.append("fabric_range")
    for field in fields:
        if cidr := getattr(network, field):
            yield field, cidr


RULES: tuple[Rule, ...] = (
    cluster_is_not_too_large,
    ranges_are_apart,
    ranges_are_large_enough,
)

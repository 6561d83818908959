"""Address ranges that the user states: private, apart from each other, and large enough.

Sources: https://www.alibabacloud.com/help/en/vpc/product-overview/limits, the provider's description of alicloud_vpc
and alicloud_vswitch, https://www.alibabacloud.com/help/en/doc-detail/86500.htm.
"""

from collections.abc import Iterator
from ipaddress import IPv4Network

from pydantic.alias_generators import to_camel

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import (
    LARGEST,
    MOST_IN_A_VSWITCH,
    RESERVED,
    SMALLEST,
    flannel_addresses,
    most_nodes,
    node_addresses,
    place,
    pod_addresses,
    pod_zones,
    stated_ranges,
)
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.clouds.address_ranges import is_private, prefix_length_for
from pulumi_slurm.errors import FieldError, Path, format_path

MOST_NODES = 15_000
"""How many nodes ACK manages in a Pro cluster."""
_VPC = (8, 28)
"""The prefixes that a VPC can have."""
_AT_MOST: tuple[Path, ...] = (("pools",), ("system_pool",))


def cluster_is_not_too_large(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse more nodes in all than ACK manages."""
    most = most_nodes(plan)
    if most > MOST_NODES:
        yield FieldError(
            ("pools",),
            FieldError.ABSENT,
            f"with the system pool these are up to {most} nodes, and ACK manages {MOST_NODES} in a cluster",
            "Write fewer nodes in some of them.",
        )


def pods_have_one_network(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse ranges of the network plugin that isn't used."""
    network, cni = plan.spec.network, plan.spec.control_plane.cni
    depends_on_fields = (("control_plane", "cni"),)
    others = ("pod_ranges",) if cni is Cni.FLANNEL else ("pods_range", "pods_per_node")
    where = "from a range behind the nodes, podsRange" if cni is Cni.FLANNEL else "from vSwitches, podRanges"
    other = Cni.TERWAY if cni is Cni.FLANNEL else Cni.FLANNEL
    for field in others:
        if field in network.model_fields_set and getattr(network, field):
            yield FieldError(
                ("network", field),
                getattr(network, field),
                f"with {cni} pods get their addresses {where}, and a cluster takes one or the other",
                f'Leave it out, or write cluster.cni "{other}".',
                depends_on_fields,
            )


def ranges_have_zones(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse vSwitches in zones without nodes."""
    zones = all_zones(plan.spec)
    for field, what in (("node_ranges", "a vSwitch of nodes"), ("pod_ranges", "a vSwitch of pods")):
        for zone, stated in getattr(plan.spec.network, field).items():
            if zone not in zones:
                yield FieldError(
                    ("network", field, zone),
                    stated,
                    f"no pool has nodes in this zone, so nothing would use {what} there",
                    f"Write one of: {', '.join(zones)}; or add the zone to zones.",
                    depends_on_fields=(("zones",), ("pools",), ("system_pool",)),
                )


def vswitches_can_be_made(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a VPC, vSwitches and ranges that Alibaba Cloud doesn't take."""
    vpc = IPv4Network(plan.spec.network.vpc_range)
    largest, smallest = _VPC
    if not largest <= vpc.prefixlen <= smallest:
        yield FieldError(
            ("network", "vpc_range"), str(vpc), f"a VPC has a /{largest} to a /{smallest}", 'Write "10.0.0.0/8".'
        )
    elif not is_private(vpc):
        yield _not_private(("network", "vpc_range"), vpc)
    for path, stated in stated_ranges(plan):
        if path[1] in ("pods_range", "services_range"):
            if not is_private(stated):
                yield _not_private(path, stated)
            continue
        if not LARGEST <= stated.prefixlen <= SMALLEST:
            nearest = IPv4Network((stated.network_address, min(max(stated.prefixlen, LARGEST), SMALLEST)), strict=False)
            yield FieldError(
                path, str(stated), f"a vSwitch has a /{LARGEST} to a /{SMALLEST}", f'Write for example "{nearest}".'
            )
        if not stated.subnet_of(vpc):
            yield FieldError(
                path,
                str(stated),
                f"a vSwitch lies within its VPC, {vpc}",
                "Write a part of vpcRange, or another vpcRange.",
                depends_on_fields=(("network", "vpc_range"),),
            )


def ranges_are_apart(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse ranges that overlap."""
    before: list[tuple[Path, IPv4Network]] = [(("network", "vpc_range"), IPv4Network(plan.spec.network.vpc_range))]
    for path, stated in stated_ranges(plan):
        outside = path[1] in ("pods_range", "services_range")
        for other, range_ in before:
            if other[1] == "vpc_range" and not outside:
                continue
            if stated.overlaps(range_):
                yield FieldError(
                    path,
                    str(stated),
                    f"it overlaps with {_name(other)}, {range_}, so packets would go astray",
                    "Write a range that is apart from it.",
                    depends_on_fields=(other,),
                )
        before.append((path, stated))


def ranges_are_large_enough(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse ranges that don't hold the most nodes and pods that there can be, and a lack of room for the others."""
    if most_nodes(plan) > MOST_NODES or IPv4Network(plan.spec.network.vpc_range).prefixlen > _VPC[1]:
        return  # No range would be large enough, and other rules say why.
    network = plan.spec.network
    too_many = False
    for zone in all_zones(plan.spec):
        for field, needs, what in (
            ("node_ranges", node_addresses, "nodes of all pools at their most, with load balancers,"),
            ("pod_ranges", pod_addresses, "pods of all nodes at their most"),
        ):
            if field == "pod_ranges" and zone not in pod_zones(plan):
                continue
            needed, stated = needs(plan, zone), getattr(network, field).get(zone)
            if needed - RESERVED > MOST_IN_A_VSWITCH:
                too_many = True
                yield FieldError(
                    ("network", field, zone),
                    stated or FieldError.ABSENT,
                    f"{what} take {needed} addresses in this zone, and the largest vSwitch has {MOST_IN_A_VSWITCH}",
                    "Spread the pools over more zones, or write fewer nodes.",
                    depends_on_fields=_AT_MOST,
                )
            elif stated and IPv4Network(stated).num_addresses < needed:
                yield _too_small(("network", field, zone), IPv4Network(stated), needed, f"{what} in this zone")
    if network.pods_range and plan.spec.control_plane.cni is Cni.FLANNEL:
        needed, flannel = flannel_addresses(plan), IPv4Network(network.pods_range)
        if flannel.num_addresses < needed:
            yield _too_small(("network", "pods_range"), flannel, needed, "podsPerNode on all nodes at their most")
    if not too_many:
        yield from place(plan)[1]


def _too_small(path: Path, stated: IPv4Network, needed: int, what: str) -> FieldError:
    return FieldError(
        path,
        str(stated),
        f"{what} take {needed} addresses, and this has {stated.num_addresses}",
        f"Write a /{prefix_length_for(needed)} or larger, or leave it out.",
        depends_on_fields=_AT_MOST,
    )


def _not_private(path: Path, stated: IPv4Network) -> FieldError:
    return FieldError(
        path,
        str(stated),
        "this range is not private, so nodes would no longer reach its owners on the Internet",
        "Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.",
    )


def _name(path: Path) -> str:
    return to_camel(str(path[1])) if len(path) == 2 else format_path(path[1:])

"""Address ranges for fields of the network that aren't set; `addresses` documents their defaults."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.address_needs import (
    RESERVED_ADDRESSES,
    flannel_addresses,
    node_addresses,
    pod_addresses,
    pod_zones,
)
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.clouds.address_ranges import DOCKER_RANGE, PRIVATE_RANGES, find_free_range, prefix_length_for
from pulumi_slurm.errors import FieldError, Path

MIN_PREFIX, MAX_PREFIX = 16, 29
"""The shortest and the longest prefix of a vSwitch: https://www.alibabacloud.com/help/en/vpc/product-overview/limits."""
MAX_PREFIX_OF_PODS = 25
"""The longest prefix of a vSwitch of Terway's pods:
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/create-an-ack-managed-cluster-2."""
MAX_ADDRESSES = (1 << (32 - MIN_PREFIX)) - RESERVED_ADDRESSES
"""How many addresses of the largest vSwitch can be used."""

_SERVICES_RANGE = IPv4Network("172.16.0.0/20")
_FLANNEL_RANGE = IPv4Network("172.20.0.0/16")
_NO_ROOM_IN_THE_VPC = (
    "the VPC has no room left that is large enough for it",
    "Write a larger vpcRange, or smaller ranges for the others.",
)
_NO_ROOM_OUTSIDE_OF_THE_VPC = (
    "the private ranges outside of the VPC are too small for it",
    "Write a smaller vpcRange, or set this range.",
)

Candidate = tuple[Path, IPv4Network, list[int]]
"""The path of a range's field, its preferred range, and the prefixes to try in this order."""


def place_ranges(plan: AckPlan) -> tuple[dict[Path, IPv4Network], list[FieldError]]:
    """Return all ranges by the paths of their fields, and the errors of those for which there is no room.

    Of a VPC that exists the ranges outside of it alone; of a cluster that exists none.
    """
    if plan.spec.existing_cluster:
        return {}, []
    ranges = dict(configured_ranges(plan))
    errors: list[FieldError] = []
    vpc = IPv4Network(plan.spec.network.vpc_range)
    # Ranges in the VPC and ranges outside of it can't overlap.
    for path, preferred, prefixes in _ranges_in_the_vpc(plan, vpc) if plan.makes_network else ():
        if path not in ranges:
            if free_range := find_free_range(preferred, prefixes, (vpc,), list(ranges.values())):
                ranges[path] = free_range
            else:
                errors.append(_no_room(path, *_NO_ROOM_IN_THE_VPC))
    for path, preferred, prefixes in _ranges_outside_of_the_vpc(plan):
        if path not in ranges:
            used = [*ranges.values(), *_vpc_ranges(plan), DOCKER_RANGE]
            if free_range := find_free_range(preferred, prefixes, PRIVATE_RANGES, used):
                ranges[path] = free_range
            else:
                errors.append(_no_room(path, *_NO_ROOM_OUTSIDE_OF_THE_VPC))
    return ranges, errors


def configured_ranges(plan: AckPlan) -> Iterator[tuple[Path, IPv4Network]]:
    """Yield path and range of all ranges that the user has set and that are in use."""
    network = plan.spec.network
    for zone in all_zones(plan.spec):
        if zone in network.node_ranges:
            yield ("network", "node_ranges", zone), IPv4Network(network.node_ranges[zone])
    for zone in pod_zones(plan):
        if zone in network.pod_ranges:
            yield ("network", "pod_ranges", zone), IPv4Network(network.pod_ranges[zone])
    if network.pods_range and plan.spec.control_plane.cni is Cni.FLANNEL:
        yield ("network", "pods_range"), IPv4Network(network.pods_range)
    if network.services_range:
        yield ("network", "services_range"), IPv4Network(network.services_range)


def _vpc_ranges(plan: AckPlan) -> list[IPv4Network]:
    """Return the ranges of the VPC; none of one that exists and that nobody has read."""
    if plan.makes_network:
        return [IPv4Network(plan.spec.network.vpc_range)]
    network = plan.found_network
    return list(map(IPv4Network, network.vpc_ranges)) if network and network.is_read else []


def _no_room(path: Path, problem: str, fix: str) -> FieldError:
    return FieldError(path, FieldError.ABSENT, problem, fix, depends_on_fields=(("network",), ("pools",)))


def _ranges_in_the_vpc(plan: AckPlan, vpc: IPv4Network) -> Iterator[Candidate]:
    """Yield the vSwitches of nodes from the first half of the VPC, and those of pods from the second half."""
    part_prefix = min(max(MIN_PREFIX, vpc.prefixlen + 4), 32)
    parts_in_a_half = 1 << (part_prefix - vpc.prefixlen) >> 1
    for field, needed_addresses, zones, first_part, default_prefix, max_prefix in (
        ("node_ranges", node_addresses, all_zones(plan.spec), 0, part_prefix + 2, MAX_PREFIX),
        ("pod_ranges", pod_addresses, pod_zones(plan), parts_in_a_half, part_prefix, MAX_PREFIX_OF_PODS),
    ):
        for zone in zones:
            part = first_part + (ord(zone[-1]) - ord("a")) % parts_in_a_half
            start = int(vpc.network_address) + (part << (32 - part_prefix))
            # No vSwitch is larger than that; `ranges_are_large_enough` reports pools that need more.
            needed_prefix = min(max(prefix_length_for(needed_addresses(plan, zone)), MIN_PREFIX), max_prefix)
            preferred_prefix = min(default_prefix, needed_prefix)
            preferred = IPv4Network((IPv4Address(start), part_prefix))
            yield ("network", field, zone), preferred, list(range(preferred_prefix, needed_prefix + 1))


def _ranges_outside_of_the_vpc(plan: AckPlan) -> Iterator[Candidate]:
    yield ("network", "services_range"), _SERVICES_RANGE, [_SERVICES_RANGE.prefixlen]
    if plan.spec.control_plane.cni is Cni.FLANNEL:
        prefix = min(_FLANNEL_RANGE.prefixlen, prefix_length_for(flannel_addresses(plan)))
        yield ("network", "pods_range"), _FLANNEL_RANGE, [prefix]

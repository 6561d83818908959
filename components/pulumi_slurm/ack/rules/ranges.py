"""Address ranges that the user sets, which have to be private, separate from each other, and large enough.

Sources: https://www.alibabacloud.com/help/en/vpc/product-overview/limits, the provider's description of alicloud_vpc
and alicloud_vswitch, https://www.alibabacloud.com/help/en/doc-detail/86500.htm.
"""

from collections.abc import Iterator
from ipaddress import IPv4Network

from pydantic.alias_generators import to_camel

from pulumi_slurm.ack.model.control_plane import AckEdition, Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.address_needs import (
    RESERVED_ADDRESSES,
    flannel_addresses,
    max_nodes,
    node_addresses,
    pod_addresses,
    pod_zones,
)
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.ack.plan.range_placement import (
    MAX_ADDRESSES,
    MAX_PREFIX,
    MAX_PREFIX_OF_PODS,
    MIN_PREFIX,
    configured_ranges,
    place_ranges,
)
from pulumi_slurm.clouds.address_ranges import is_private, prefix_length_for
from pulumi_slurm.errors import FieldError, Path, format_path
from pulumi_slurm.rules.run import Rule

MAX_NODES = 15_000
"""How many nodes ACK manages in a Pro cluster."""
MAX_NODES_OF_BASIC = 10
"""How many nodes ACK manages in a Basic cluster:
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/node-pool-overview."""
_SERVICES_PREFIXES = (16, 24)
"""The shortest and the longest prefix of the range of Services:
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/create-an-ack-managed-cluster-2."""
_MIN_VPC_PREFIX, _MAX_VPC_PREFIX = 8, 28
"""The shortest and the longest prefix of a VPC."""
_FIELDS_WITH_NODES: tuple[Path, ...] = (("pools",), ("system_pool",))


def cluster_is_not_too_large(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse more nodes in total than ACK manages."""
    nodes = max_nodes(plan)
    edition = plan.spec.control_plane.edition
    basic = edition is AckEdition.STANDARD
    limit = MAX_NODES_OF_BASIC if basic else MAX_NODES
    if nodes > limit:
        yield FieldError(
            ("pools",),
            FieldError.ABSENT,
            f"with the system pool these are up to {nodes} nodes, and ACK manages {limit} in a cluster of {edition}",
            "Write fewer nodes in some of them" + (f', or controlPlane.edition "{AckEdition.PRO}".' if basic else "."),
            depends_on_fields=(("control_plane", "edition"),) if basic else (),
        )


def pods_have_one_network(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse ranges of the network plugin that isn't used."""
    network, cni = plan.spec.network, plan.spec.control_plane.cni
    terway_fields, flannel_fields = ("pod_ranges",), ("pods_range", "pods_per_node")
    if cni is Cni.FLANNEL:
        source, other_cni = "from a separate range, podsRange", Cni.TERWAY
    else:
        source, other_cni = "from vSwitches, podRanges", Cni.FLANNEL
    for field in terway_fields if cni is Cni.FLANNEL else flannel_fields:
        if field in network.model_fields_set and getattr(network, field):
            yield FieldError(
                ("network", field),
                getattr(network, field),
                f"with {cni} pods get their addresses {source}, and a cluster has one or the other",
                f'Leave it out, or write controlPlane.cni "{other_cni}".',
                (("control_plane", "cni"),),
            )


def ranges_have_zones(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse vSwitches in zones without nodes."""
    zones = all_zones(plan.spec)
    for field, vswitch in (("node_ranges", "a vSwitch of nodes"), ("pod_ranges", "a vSwitch of pods")):
        for zone, address_range in getattr(plan.spec.network, field).items():
            if zone not in zones:
                yield FieldError(
                    ("network", field, zone),
                    address_range,
                    f"no pool has nodes in this zone, so nothing would use {vswitch} there",
                    f"Write one of: {', '.join(zones)}; or add the zone to zones.",
                    depends_on_fields=(("zones",), ("pools",), ("system_pool",)),
                )


def vswitches_can_be_created(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a VPC, vSwitches and ranges that Alibaba Cloud doesn't accept."""
    vpc = IPv4Network(plan.spec.network.vpc_range)
    if not _MIN_VPC_PREFIX <= vpc.prefixlen <= _MAX_VPC_PREFIX:
        problem = f"a VPC has a /{_MIN_VPC_PREFIX} to a /{_MAX_VPC_PREFIX}"
        yield FieldError(("network", "vpc_range"), str(vpc), problem, 'Write "10.0.0.0/8".')
    elif not is_private(vpc):
        yield _not_private(("network", "vpc_range"), vpc)
    for path, address_range in configured_ranges(plan):
        if _is_outside_of_the_vpc(path):
            if not is_private(address_range):
                yield _not_private(path, address_range)
            elif path[1] == "services_range":
                yield from _wrong_size(path, address_range, "the range of Services", *_SERVICES_PREFIXES)
            continue
        if path[1] == "pod_ranges":
            yield from _wrong_size(path, address_range, "a vSwitch of pods", MIN_PREFIX, MAX_PREFIX_OF_PODS)
        else:
            yield from _wrong_size(path, address_range, "a vSwitch", MIN_PREFIX, MAX_PREFIX)
        if not address_range.subnet_of(vpc):
            yield FieldError(
                path,
                str(address_range),
                f"a vSwitch has to be within its VPC, {vpc}",
                "Write a part of vpcRange, or another vpcRange.",
                depends_on_fields=(("network", "vpc_range"),),
            )


def ranges_are_apart(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse ranges that overlap."""
    earlier: list[tuple[Path, IPv4Network]] = []
    if plan.makes_network:
        earlier.append((("network", "vpc_range"), IPv4Network(plan.spec.network.vpc_range)))
    for path, address_range in configured_ranges(plan):
        for earlier_path, earlier_range in earlier:
            if earlier_path[1] == "vpc_range" and not _is_outside_of_the_vpc(path):
                continue
            if address_range.overlaps(earlier_range):
                yield FieldError(
                    path,
                    str(address_range),
                    f"it overlaps with {_name(earlier_path)}, {earlier_range}, so packets would be misrouted",
                    "Write a range that doesn't overlap with it.",
                    depends_on_fields=(earlier_path,),
                )
        earlier.append((path, address_range))


def ranges_are_large_enough(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse ranges that are too small for the maximum number of nodes and pods, and a lack of room for the others."""
    if max_nodes(plan) > MAX_NODES or IPv4Network(plan.spec.network.vpc_range).prefixlen > _MAX_VPC_PREFIX:
        return  # No range would be large enough, and other rules report the reason.
    network = plan.spec.network
    exceeds_largest_vswitch = False
    for zone in all_zones(plan.spec) if plan.makes_network else ():
        for field, needed_addresses, users in (
            ("node_ranges", node_addresses, "the nodes of all pools at their maximum size, with load balancers,"),
            ("pod_ranges", pod_addresses, "the pods of all pools at their maximum size"),
        ):
            if field == "pod_ranges" and zone not in pod_zones(plan):
                continue
            needed, value = needed_addresses(plan, zone), getattr(network, field).get(zone)
            if needed - RESERVED_ADDRESSES > MAX_ADDRESSES:
                exceeds_largest_vswitch = True
                yield FieldError(
                    ("network", field, zone),
                    value or FieldError.ABSENT,
                    f"{users} need {needed} addresses in this zone, and the largest vSwitch has {MAX_ADDRESSES}",
                    "Spread the pools over more zones, or write fewer nodes.",
                    depends_on_fields=_FIELDS_WITH_NODES,
                )
            elif value and IPv4Network(value).num_addresses < needed:
                yield _too_small(("network", field, zone), IPv4Network(value), needed, f"{users} in this zone")
    if network.pods_range and plan.spec.control_plane.cni is Cni.FLANNEL:
        needed, pods_range = flannel_addresses(plan), IPv4Network(network.pods_range)
        if pods_range.num_addresses < needed:
            users = "the pods of all pools at their maximum size, by podsPerNode,"
            yield _too_small(("network", "pods_range"), pods_range, needed, users)
    if not exceeds_largest_vswitch:
        yield from place_ranges(plan)[1]


def _wrong_size(
    path: Path, address_range: IPv4Network, owner: str, shortest: int, longest: int
) -> Iterator[FieldError]:
    if not shortest <= address_range.prefixlen <= longest:
        prefix = min(max(address_range.prefixlen, shortest), longest)
        example = IPv4Network((address_range.network_address, prefix), strict=False)
        problem = f"{owner} has a /{shortest} to a /{longest}"
        yield FieldError(path, str(address_range), problem, f'Write for example "{example}".')


def _is_outside_of_the_vpc(path: Path) -> bool:
    return path[1] in ("pods_range", "services_range")


def _too_small(path: Path, address_range: IPv4Network, needed: int, users: str) -> FieldError:
    return FieldError(
        path,
        str(address_range),
        f"{users} need {needed} addresses, and this has {address_range.num_addresses}",
        f"Write a /{prefix_length_for(needed)} or larger, or leave it out.",
        depends_on_fields=_FIELDS_WITH_NODES,
    )


def _not_private(path: Path, address_range: IPv4Network) -> FieldError:
    return FieldError(
        path,
        str(address_range),
        "this range is not private, so nodes would no longer reach its owners on the Internet",
        "Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.",
    )


def _name(path: Path) -> str:
    return to_camel(str(path[1])) if len(path) == 2 else format_path(path[1:])


RULES: tuple[Rule, ...] = (
    cluster_is_not_too_large,
    pods_have_one_network,
    ranges_have_zones,
    vswitches_can_be_created,
    ranges_are_apart,
    ranges_are_large_enough,
)

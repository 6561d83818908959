"""Address ranges: of the VPC, of its vSwitches, of pods and of Services.

Ranges that a user states are kept. The others lie at fixed places, so that neither a further pool nor a further zone
moves anything; only where a stated range is in the way do they go elsewhere. The VPC is cut into parts of a /16, or
into sixteen where it is smaller than a /12, and the letter of a zone says which of them are its. With the default VPC:

    nodes      10.0.0.0/18 in zone a, 10.1.0.0/18 in zone b, ...  16,380 addresses, up to a /16 if the pools need more
    pods       10.128.0.0/16 in zone a, 10.129.0.0/16, ...        with Terway, whose pods have addresses of the VPC
    pods       172.20.0.0/16                                      with Flannel; outside of the VPC
    Services   172.16.0.0/20                                      outside of the VPC

In a VPC smaller than a /10, letters eight or sixteen apart have the same place, and the zone that is stated first gets
it. A vSwitch, and the pods' and the Services' range, can't be changed in place: who expects more than that states the
range from the beginning.

Sources: ranges of a VPC and vSwitch, and the addresses that are kept back, https://www.alibabacloud.com/help/en/vpc/product-overview/limits;
the rest, https://www.alibabacloud.com/help/en/doc-detail/86500.htm. See docs/verification.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool, all_zones
from pulumi_slurm.clouds.address_ranges import DOCKER_RANGE, PRIVATE_RANGES, find_free_range, prefix_length_for
from pulumi_slurm.errors import FieldError, Path, SpecError
from pulumi_slurm.machines.ack import terway_pods

RESERVED = 4
"""Addresses of every vSwitch that Alibaba Cloud keeps: the first one and the last three."""
LARGEST, SMALLEST = 16, 29
"""The prefixes that a vSwitch can have."""
MOST_IN_A_VSWITCH = (1 << (32 - LARGEST)) - RESERVED
"""How many addresses the largest vSwitch has for us."""

_BESIDE_NODES = 32
"""Load balancers, the database, mount targets and the control plane's own interfaces, in the nodes' vSwitch."""
_PODS_OF_A_WORKER = 32
"""Addresses of a node that is Slurm's alone: a worker pod, DaemonSets, and what Terway keeps ready."""
_PODS_IF_UNKNOWN = 253
"""Addresses of a node whose interfaces the catalogue doesn't know."""
_OUTSIDE = {"services_range": IPv4Network("172.16.0.0/20"), "pods_range": IPv4Network("172.20.0.0/16")}


@dataclass(frozen=True)
class AckAddresses:
    """All ranges, in CIDR form."""

    vpc: str
    """The VPC."""
    nodes: dict[str, str]
    """By zone: the vSwitch of nodes."""
    pods: dict[str, str]
    """By zone: the vSwitch of pods; empty with Flannel."""
    flannel_pods: str | None
    """The range of pods with Flannel, else None."""
    services: str
    """The range of Kubernetes Services."""

    @property
    def clients(self) -> list[str]:
        """Where packets of nodes and pods come from."""
        outside = [self.flannel_pods] if self.flannel_pods else []
        return [*self.nodes.values(), *self.pods.values(), *outside]


def plan_addresses(plan: AckPlan) -> AckAddresses:
    """Return the ranges of everything.

    Raises:
        SpecError: when there is no room for one of them; `check_ack` tells the same.
    """
    placed, missing = place(plan)
    if missing:
        raise SpecError(missing, "The ACK specification")
    pods = placed.get(("network", "pods_range"))
    return AckAddresses(
        vpc=plan.spec.network.vpc_range,
        nodes={zone: str(placed["network", "node_ranges", zone]) for zone in all_zones(plan.spec)},
        pods={zone: str(placed["network", "pod_ranges", zone]) for zone in pod_zones(plan)},
        flannel_pods=str(pods) if pods else None,
        services=str(placed["network", "services_range"]),
    )


def pod_zones(plan: AckPlan) -> list[str]:
    """Return the zones that have a vSwitch of pods: all with Terway, none with Flannel."""
    return all_zones(plan.spec) if plan.spec.control_plane.cni is Cni.TERWAY else []


def node_addresses(plan: AckPlan, zone: str) -> int:
    """Return how many addresses the nodes' vSwitch of a zone has to have, Alibaba Cloud's own ones included."""
    return sum(nodes for nodes, _ in _nodes_in(plan, zone)) + _BESIDE_NODES + RESERVED


def pod_addresses(plan: AckPlan, zone: str) -> int:
    """Return how many addresses Terway's vSwitch of a zone has to have, Alibaba Cloud's own ones included."""
    return sum(nodes * pods for nodes, pods in _nodes_in(plan, zone)) + RESERVED


def flannel_addresses(plan: AckPlan) -> int:
    """Return how many addresses Flannel's range has to have."""
    return most_nodes(plan) * plan.spec.network.pods_per_node


def most_nodes(plan: AckPlan) -> int:
    """Return how many nodes the cluster can have."""
    return plan.spec.system_pool.max_nodes + sum(planned.pool.most_nodes for planned in plan.pools)


def place(plan: AckPlan) -> tuple[dict[Path, IPv4Network], list[FieldError]]:
    """Return all ranges by the paths of their fields, and the errors of those for which there is no room."""
    placed = dict(stated_ranges(plan))
    vpc = IPv4Network(plan.spec.network.vpc_range)
    missing: list[FieldError] = []
    # Those within the VPC and those outside of it can't be in each other's way.
    for path, preferred, prefixes in _wanted_inside(plan, vpc):
        if path not in placed:
            _put(
                path,
                find_free_range(preferred, prefixes, (vpc,), list(placed.values())),
                placed,
                missing,
                _NO_ROOM_INSIDE,
            )
    for path, preferred, prefixes in _wanted_outside(plan):
        if path not in placed:
            taken = [*placed.values(), vpc, DOCKER_RANGE]
            _put(path, find_free_range(preferred, prefixes, PRIVATE_RANGES, taken), placed, missing, _NO_ROOM_OUTSIDE)
    return placed, missing


def stated_ranges(plan: AckPlan) -> Iterator[tuple[Path, IPv4Network]]:
    """Yield path and range of all that the user states and that will be used."""
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


_NO_ROOM_INSIDE = (
    "the VPC has no room left that is large enough for it",
    "Write a larger vpcRange, or smaller ranges for the others.",
)
_NO_ROOM_OUTSIDE = (
    "the private ranges outside of the VPC are too small for it",
    "Write a smaller vpcRange, or state this one.",
)


def _put(
    path: Path,
    found: IPv4Network | None,
    placed: dict[Path, IPv4Network],
    missing: list[FieldError],
    no_room: tuple[str, str],
) -> None:
    if found:
        placed[path] = found
    else:
        missing.append(FieldError(path, FieldError.ABSENT, *no_room, depends_on_fields=(("network",), ("pools",))))


def _wanted_inside(plan: AckPlan, vpc: IPv4Network) -> Iterator[tuple[Path, IPv4Network, list[int]]]:
    """Yield path, preferred place and the prefixes to try of each vSwitch."""
    part = min(max(LARGEST, vpc.prefixlen + 4), 32)
    half = 1 << (part - vpc.prefixlen) >> 1
    for field, needs, zones, first, own in (
        ("node_ranges", node_addresses, all_zones(plan.spec), 0, 2),
        ("pod_ranges", pod_addresses, pod_zones(plan), half, 0),
    ):
        for zone in zones:
            position = first + (ord(zone[-1]) - ord("a")) % half
            start = int(vpc.network_address) + (position << (32 - part))
            needed = prefix_length_for(needs(plan, zone))
            needed = max(needed, LARGEST)  # `ranges_are_large_enough` says that no vSwitch is larger.
            wanted = min(part + own, SMALLEST)
            prefixes = [wanted] if needed >= wanted else [needed]
            preferred = IPv4Network((IPv4Address(start), part))
            yield ("network", field, zone), preferred, [*prefixes, *range(prefixes[0] + 1, needed + 1)]


def _wanted_outside(plan: AckPlan) -> Iterator[tuple[Path, IPv4Network, list[int]]]:
    services = _OUTSIDE["services_range"]
    yield ("network", "services_range"), services, [services.prefixlen]
    if plan.spec.control_plane.cni is Cni.FLANNEL:
        pods = _OUTSIDE["pods_range"]
        yield ("network", "pods_range"), pods, [min(pods.prefixlen, prefix_length_for(flannel_addresses(plan)))]


def _nodes_in(plan: AckPlan, zone: str) -> Iterator[tuple[int, int]]:
    """Yield how many nodes each pool has in a zone at most, and how many addresses each of them takes for pods.

    ACK spreads a pool evenly over its zones as far as these have machines, so that half as many again can land in one.
    """
    zones = plan.spec.system_pool.zones or plan.spec.zones
    if zone in zones:
        yield _share(plan.spec.system_pool.max_nodes, len(zones)), _system_pods(plan)
    for planned in plan.pools:
        if zone in planned.zones:
            yield _share(planned.pool.most_nodes, len(planned.zones)), _pods_of(planned)


def _share(nodes: int, zones: int) -> int:
    return nodes if zones == 1 else min(nodes, -(-nodes * 3 // (2 * zones)) + 1)


def _pods_of(planned: AckPlannedPool) -> int:
    most = max(terway_pods(kind) or _PODS_IF_UNKNOWN for kind in planned.machine_types)
    return min(most, _PODS_OF_A_WORKER) if planned.pool.dedicated else most


def _system_pods(plan: AckPlan) -> int:
    found = []
    for name in plan.spec.system_pool.instance_types:
        try:
            found.append(terway_pods(plan.spec.catalogue.find(name)) or _PODS_IF_UNKNOWN)
        except PydanticCustomError:
            found.append(_PODS_IF_UNKNOWN)
    return max(found)

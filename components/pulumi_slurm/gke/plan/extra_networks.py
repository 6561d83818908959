"""The further VPCs of fast networks: GPUDirect and RDMA.

Source of their form: https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx and the GKE
blueprints of Google's Cluster Toolkit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from typing import NamedTuple

from pulumi_slurm.gke.plan.address_needs import peak
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import DeviceMode, ExtraVpcs, GkeFabric, extra_vpcs

FABRIC_PARTS = 32
"""Into how many subnets `network.fabricRange` is cut."""

# Fixed places: a pool with another fabric moves nothing.
_FIRST_PART = {GkeFabric.TCPX: 0, GkeFabric.TCPXO: 4, GkeFabric.FALCON: 12, GkeFabric.ROCE: 13}

MOST_INTERFACES = FABRIC_PARTS - _FIRST_PART[GkeFabric.ROCE]
"""How many interfaces of RoCE there is room for; the other fabrics have a fixed number."""


class ExtraSubnet(NamedTuple):
    """A subnet of a further VPC: one interface of each node."""

    name: str
    """Its name; also that of the pods' network in the cluster."""
    range: str
    """Its addresses in CIDR form."""


@dataclass(frozen=True)
class ExtraNetwork:
    """A further VPC. All pools with the same fabric share it, within a zone where the fabric is bound to one."""

    name: str
    """Its name: <cluster>-<fabric>-<number>, or <cluster>-<fabric>-<end of the zone's name>."""
    fabric: GkeFabric
    """The fabric that it belongs to."""
    zone: str | None
    """The zone that it is bound to, or None.

    VPCs of one fabric in two zones have the same ranges: no node is in both, and nothing routes between them.
    """
    mtu: int | None
    """Its MTU in bytes, or None where its profile or Google's default decides."""
    profile: str | None
    """The full name of its network profile, "us-central1-a-vpc-roce", or None."""
    device_mode: DeviceMode
    """How pods get its interfaces."""
    subnets: tuple[ExtraSubnet, ...]
    """Its subnets, in the order of interfaces."""


def uses_fabric(planned: GkePlannedPool) -> bool:
    """Return whether a pool's nodes have interfaces in further VPCs."""
    return planned.pool.fabric and planned.machine_type.fabric is not GkeFabric.NONE


def fabric_nodes(plan: GkePlan) -> int:
    """Return the most nodes that one subnet of the further VPCs has to hold; 0 where there are none."""
    nodes: dict[GkeFabric, int] = {}
    for planned in plan.pools:
        if uses_fabric(planned):
            nodes[planned.machine_type.fabric] = nodes.get(planned.machine_type.fabric, 0) + peak(planned)
    return max(nodes.values(), default=0)


def extra_networks(plan: GkePlan) -> Iterator[ExtraNetwork]:
    """Yield the VPCs that the pools need beside the cluster's own, in the order of interfaces within each fabric."""
    pools = [planned for planned in plan.pools if uses_fabric(planned)]
    for fabric, first in _FIRST_PART.items():
        using = [planned for planned in pools if planned.machine_type.fabric is fabric]
        if using:
            zones = sorted({zone for planned in using for zone in planned.zones})
            # Machines with more GPUs have more interfaces: the VPCs are those of the one that has the most.
            kinds = [extra_vpcs(planned.machine_type) for planned in using]
            yield from _of_fabric(plan, fabric, max(kinds, key=_interfaces), zones, first)


def _interfaces(extras: tuple[ExtraVpcs, ...]) -> int:
    return sum(extra.vpcs * extra.subnets for extra in extras)


def _of_fabric(
    plan: GkePlan, fabric: GkeFabric, extras: tuple[ExtraVpcs, ...], zones: list[str], first: int
) -> Iterator[ExtraNetwork]:
    whole = IPv4Network(plan.spec.network.fabric_range)
    size = whole.num_addresses // FABRIC_PARTS
    start = int(whole.network_address) + first * size
    number = 0
    for extra in extras:
        for _ in range(extra.vpcs):
            number += 1
            ranges = [
                str(IPv4Network((IPv4Address(start + position * size), whole.prefixlen + 5)))
                for position in range(extra.subnets)
            ]
            start += extra.subnets * size
            for zone in zones if extra.profile else [None]:
                end = zone.rpartition("-")[2] if zone else str(number)
                name = f"{plan.spec.cluster_name}-{fabric.lower()}-{end}"
                names = [name] if len(ranges) == 1 else [f"{name}-{place}" for place in range(1, len(ranges) + 1)]
                yield ExtraNetwork(
                    name=name,
                    fabric=fabric,
                    zone=zone,
                    mtu=extra.mtu,
                    profile=f"{zone}-{extra.profile}" if zone else None,
                    device_mode=extra.device_mode,
                    subnets=tuple(map(ExtraSubnet, names, ranges)),
                )

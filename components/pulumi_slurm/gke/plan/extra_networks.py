"""The additional VPCs of fast networks: GPUDirect and RDMA.

Source of their form: https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx and the GKE
blueprints of Google's Cluster Toolkit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.gke.plan.address_needs import peak
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import DeviceMode, ExtraVpcs, GkeFabric, extra_vpcs

FABRIC_PARTS = 32
"""Into how many subnets `network.fabricRange` is divided."""

# Fixed parts, so that adding a pool with another fabric moves no subnet.
_FIRST_PART = MappingProxyType({GkeFabric.TCPX: 0, GkeFabric.TCPXO: 4, GkeFabric.FALCON: 12, GkeFabric.ROCE: 13})

# Parts that no fabric has in its first zone: 13 to 21 are for RoCE with eight GPUs.
_FURTHER_ZONES: Mapping[GkeFabric, tuple[int, ...]] = MappingProxyType(
    {GkeFabric.FALCON: (22, 23), GkeFabric.ROCE: (24,)}
)
"""The first part of each further zone of a fabric that is bound to one. Networks of pods in one cluster can't overlap:
https://cloud.google.com/kubernetes-engine/docs/how-to/setup-multinetwork-support-for-pods#general_limitations."""
MAX_INTERFACES_IN_FURTHER_ZONES = 8
"""How many interfaces bound to a zone fit into what is left there."""
MAX_INTERFACES = FABRIC_PARTS - _FIRST_PART[GkeFabric.ROCE]
"""How many interfaces of RoCE fit into `network.fabricRange`; the other fabrics have a fixed number."""


class ExtraSubnet(NamedTuple):
    """A subnet of an additional VPC: one interface of each node."""

    name: str
    """Its name; also that of the pods' network in the cluster."""
    range: str
    """Its addresses in CIDR form."""


@dataclass(frozen=True)
class ExtraNetwork:
    """An additional VPC. All pools with the same fabric share it, or those in one zone if the fabric is bound to it."""

    name: str
    """Its name: <cluster>-<fabric>-<number>, or <cluster>-<fabric>-<end of the zone's name>."""
    fabric: GkeFabric
    """The fabric that it belongs to."""
    zone: str | None
    """The zone that it is bound to, or None."""
    mtu: int | None
    """Its MTU in bytes, or None to use that of its profile or Google's default."""
    profile: str | None
    """The full name of its network profile, "us-central1-a-vpc-roce", or None."""
    device_mode: DeviceMode
    """How pods get its interfaces."""
    subnets: tuple[ExtraSubnet, ...]
    """Its subnets, in the order of interfaces."""


def uses_fabric(planned: GkePlannedPool) -> bool:
    """Return whether a pool's nodes have interfaces in additional VPCs."""
    return planned.pool.fabric and planned.machine_type.fabric is not GkeFabric.NONE


def fabric_nodes(plan: GkePlan) -> int:
    """Return the maximum number of nodes in a subnet of the additional VPCs; 0 if there are none."""
    nodes: dict[GkeFabric, int] = {}
    for planned in plan.new_pools:
        if uses_fabric(planned):
            nodes[planned.machine_type.fabric] = nodes.get(planned.machine_type.fabric, 0) + peak(planned)
    return max(nodes.values(), default=0)


def extra_networks(plan: GkePlan) -> Iterator[ExtraNetwork]:
    """Yield the additional VPCs that the pools need, in the order of interfaces within each fabric."""
    for fabric, first_part in _FIRST_PART.items():
        if pools := _pools_of(plan, fabric):
            zones = zones_of_fabric(plan, fabric)
            # Machines with more GPUs have more interfaces, so the machine type with the most determines the VPCs.
            extras = max((extra_vpcs(planned.machine_type) for planned in pools), key=_interfaces)
            yield from _networks_of_fabric(plan, fabric, extras, zones, first_part)


def zones_of_fabric(plan: GkePlan, fabric: GkeFabric) -> list[str]:
    """Return the zones of a fabric's pools in their order: a pool that is added behind them moves no network."""
    return [*dict.fromkeys(zone for planned in _pools_of(plan, fabric) for zone in planned.zones)]


def _pools_of(plan: GkePlan, fabric: GkeFabric) -> list[GkePlannedPool]:
    return [planned for planned in plan.new_pools if uses_fabric(planned) and planned.machine_type.fabric is fabric]


def max_zones(fabric: GkeFabric) -> int:
    """Return in how many zones pools of a fabric that is bound to one can be."""
    return 1 + len(_FURTHER_ZONES[fabric])


def _interfaces(extras: tuple[ExtraVpcs, ...]) -> int:
    return sum(extra.vpcs * extra.subnets for extra in extras)


def _networks_of_fabric(
    plan: GkePlan, fabric: GkeFabric, extras: tuple[ExtraVpcs, ...], zones: list[str], first_part: int
) -> Iterator[ExtraNetwork]:
    fabric_range = IPv4Network(plan.spec.network.fabric_range)
    size = fabric_range.num_addresses // FABRIC_PARTS
    start = int(fabric_range.network_address) + first_part * size
    number = 0
    for extra in extras:
        for _ in range(extra.vpcs):
            number += 1
            starts = [start]
            if extra.profile:
                further = _FURTHER_ZONES.get(fabric, ())
                starts += [int(fabric_range.network_address) + part * size for part in further]
            start += extra.subnets * size
            for zone, first in zip(zones if extra.profile else [None], starts, strict=False):
                ranges = [
                    str(IPv4Network((IPv4Address(first + index * size), fabric_range.prefixlen + 5)))
                    for index in range(extra.subnets)
                ]
                suffix = zone.rpartition("-")[2] if zone else str(number)
                name = f"{plan.spec.cluster_name}-{fabric.lower()}-{suffix}"
                names = [name] if len(ranges) == 1 else [f"{name}-{index}" for index in range(1, len(ranges) + 1)]
                yield ExtraNetwork(
                    name=name,
                    fabric=fabric,
                    zone=zone,
                    mtu=extra.mtu,
                    profile=f"{zone}-{extra.profile}" if zone else None,
                    device_mode=extra.device_mode,
                    subnets=tuple(map(ExtraSubnet, names, ranges)),
                )

"""Fast networks: one zone where they are bound to one, room for their interfaces, and what is not made of them."""

from collections.abc import Iterator
from ipaddress import IPv4Network

from pulumi_slurm.clouds.address_ranges import prefix_length_for
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.plan.address_needs import RESERVED
from pulumi_slurm.gke.plan.extra_networks import (
    FABRIC_PARTS,
    MAX_INTERFACES,
    MAX_INTERFACES_IN_FURTHER_ZONES,
    fabric_nodes,
    max_zones,
    uses_fabric,
    zones_of_fabric,
)
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.configured_pools import configured_pools
from pulumi_slurm.machines.gke import extra_vpcs
from pulumi_slurm.rules.run import Rule, warns

_NVLINK_DOMAINS = "nvidia-gb200"
"""GPUs that reach those of other machines by NVLink."""
_MAX_PREFIX_LENGTH = 24
"""A 32nd of a /24 is a /29, the smallest subnet in Google Cloud."""


def fabrics_can_be_built(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse pools whose fast network can't be created with their fields."""
    fast_pools = [(at, planned) for at, planned in configured_pools(plan) if uses_fabric(planned)]
    for at, planned in fast_pools:
        machine_type, extras = planned.machine_type, extra_vpcs(planned.machine_type)
        depends_on_fields: tuple[Path, ...] = ((*at, "machine_type"), (*at, "fabric"), ("zones",))
        if any(extra.profile for extra in extras) and len(planned.zones) > 1:
            yield FieldError(
                (*at, "zones"),
                planned.pool.zones or FieldError.ABSENT,
                f"a network of {machine_type.fabric} is bound to a zone, and the nodes are in "
                f"{', '.join(planned.zones)}",
                "Write one zone here and add a pool for each of the others, or write fabric: false.",
                depends_on_fields=depends_on_fields,
            )
        interfaces = sum(extra.vpcs * extra.subnets for extra in extras)
        if interfaces > MAX_INTERFACES:
            yield FieldError(
                (*at, "fabric"),
                planned.pool.fabric,
                f"{machine_type.name} would need {interfaces} interfaces, and there is room for {MAX_INTERFACES}",
                "Write false.",
                depends_on_fields=depends_on_fields,
            )
    if fast_pools:
        yield from _parts_are_large_enough(plan)


def fabrics_are_in_few_zones(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse more networks that are bound to a zone than have ranges of their own; see `extra_networks`."""
    for at, planned in configured_pools(plan):
        fabric, extras = planned.machine_type.fabric, extra_vpcs(planned.machine_type)
        bound = [extra.vpcs * extra.subnets for extra in extras if extra.profile]
        if not (uses_fabric(planned) and bound):
            continue
        zones = zones_of_fabric(plan, fabric)
        fits = max_zones(fabric) if max(bound) <= MAX_INTERFACES_IN_FURTHER_ZONES else 1
        beyond = [zone for zone in planned.zones if zones.index(zone) >= fits]
        if beyond:
            yield FieldError(
                (*at, "zones"),
                planned.pool.zones or FieldError.ABSENT,
                f"its network of {fabric} would be the one of zone {zones.index(beyond[0]) + 1} in this cluster, whose "
                f"fabricRange has parts for {fits}: networks of pods can't overlap",
                f"Write one of: {', '.join(zones[:fits])}. Or write fabric: false, or make another cluster.",
                depends_on_fields=((*at, "machine_type"), (*at, "fabric"), ("zones",), ("pools",)),
            )


@warns
def nvlink_domains_are_not_made(plan: GkePlan) -> Iterator[FieldError]:
    """Warn of machines whose NVLink between machines stays unused.

    What it takes is in examples/gke-a4x of https://github.com/GoogleCloudPlatform/cluster-toolkit, commit 1047080:
    pools of 18 nodes with a workload policy of topology 1x72, NVIDIA's DRA driver, ComputeDomains with a claim of each
    pod, and NCCL's plugin for Arm.
    """
    for at, planned in configured_pools(plan):
        gpus = planned.machine_type.gpus
        if uses_fabric(planned) and gpus and gpus.google_type == _NVLINK_DOMAINS:
            yield FieldError(
                (*at, "machine_type"),
                planned.pool.machine_type,
                "its machines get interfaces for RDMA alone: NVLink domains, with their drivers, claims and plugin of "
                "NCCL, are not made here, so GPUs of different machines don't reach each other by NVLink",
                "Write fabric: false to do without all of that or to make it yourself, or choose a4-highgpu-8g.",
                depends_on_fields=((*at, "fabric"),),
            )


def _parts_are_large_enough(plan: GkePlan) -> Iterator[FieldError]:
    fabric_range = IPv4Network(plan.spec.network.fabric_range)
    nodes = fabric_nodes(plan)
    prefix_length = min(prefix_length_for(FABRIC_PARTS * (nodes + RESERVED)), _MAX_PREFIX_LENGTH)
    if fabric_range.prefixlen > prefix_length:
        addresses = max(fabric_range.num_addresses // FABRIC_PARTS - RESERVED, 0)
        yield FieldError(
            ("network", "fabric_range"),
            plan.spec.network.fabric_range,
            f"its {FABRIC_PARTS} parts have {addresses} addresses each, and {nodes} nodes need as many",
            f"Write a /{prefix_length} or larger.",
            depends_on_fields=(("pools",),),
        )


RULES: tuple[Rule, ...] = (
    fabrics_can_be_built,
    fabrics_are_in_few_zones,
    nvlink_domains_are_not_made,
)

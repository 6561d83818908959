"""Address ranges: of the cluster's VPC, of the Google services in it, and of the additional VPCs of fast networks.

Ranges that users configure are kept. The others have fixed defaults, so that adding or enlarging a pool doesn't move an
existing range. Only if a configured range overlaps with a default, another range is used instead of the default:

    nodes             10.0.0.0/18      16,380 addresses: more than the nodes that GKE manages
    services          10.1.0.0/20
    private services  10.2.0.0/16      from which Google takes a /23 or /24 for each service
    pods              10.64.0.0/12     16,384 nodes of 32 pods, or 4,096 of 110
    control plane     172.16.0.32/28
    fast networks     192.168.0.0/16   in 32 parts of 2,044 nodes

Only the range of pods grows with the pools, beyond its /12. Pulumi would then change the subnet's secondary range in
place, and Google would refuse that while the cluster uses it: if you expect more pods than that, set
`network.podsRange` from the beginning.
"""

from dataclasses import dataclass, replace

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.plan.address_needs import uses_private_services
from pulumi_slurm.gke.plan.extra_networks import ExtraNetwork, extra_networks, uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.plan.range_placement import place_ranges
from pulumi_slurm.machines.gke import extra_vpcs


@dataclass(frozen=True)
class GkeAddresses:
    """All ranges of what is made, in CIDR form; those of a VPC that exists are None."""

    nodes: str | None
    """The primary range of the cluster's subnet."""
    pods: str | None
    """The secondary range of pods."""
    services: str | None
    """The secondary range of Kubernetes Services."""
    control_plane: str
    """The control plane's /28."""
    private_services: str | None
    """The range of Cloud SQL, Filestore and Lustre, for private services access; None if none of them is used, or if
    the VPC has its own."""
    fabric: tuple[ExtraNetwork, ...]
    """The additional VPCs, in the order of interfaces within each fabric."""


def plan_addresses(plan: GkePlan) -> GkeAddresses:
    """Return all ranges.

    Raises:
        SpecError: if no free private range is large enough; `check_gke` reports the same.
    """
    ranges, errors = place_ranges(plan)
    if errors:
        raise SpecError(errors, "The GKE specification")
    placed = {field: str(network) for field, network in ranges.items()}
    return GkeAddresses(
        nodes=placed.get("nodes_range"),
        pods=placed.get("pods_range"),
        services=placed.get("services_range"),
        control_plane=plan.spec.network.control_plane_range,
        private_services=placed.get("private_services_range") if uses_private_services(plan) else None,
        fabric=tuple(extra_networks(plan)),
    )


def networks_of(planned: GkePlannedPool, addresses: GkeAddresses) -> list[ExtraNetwork]:
    """Return the additional VPCs of a pool's nodes; none for a pool without a fast network.

    Their subnets, in this order, are the additional interfaces of its nodes. A VPC that is shared with machines with
    more GPUs is returned with only the subnets that this pool uses.
    """
    if not uses_fabric(planned):
        return []
    fabric, zone = planned.machine_type.fabric, planned.zones[0]
    networks = [network for network in addresses.fabric if network.fabric is fabric and network.zone in (None, zone)]
    subnet_counts = [extra.subnets for extra in extra_vpcs(planned.machine_type) for _ in range(extra.vpcs)]
    return [
        replace(network, subnets=network.subnets[:count])
        for count, network in zip(subnet_counts, networks, strict=True)
    ]

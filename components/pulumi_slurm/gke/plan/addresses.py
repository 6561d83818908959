"""Address ranges: of the cluster's VPC, of Google's services beside it, and of the further VPCs of fast networks.

Ranges that a user states are kept. The others lie at fixed places, so that neither a further pool nor a larger one
moves what is there already; only where a stated range is in the way do they go elsewhere:

    nodes             10.0.0.0/18      16,380 addresses: more than the nodes that GKE manages
    services          10.1.0.0/20
    private services  10.2.0.0/16      from which Google takes a /23 or /24 for each service
    pods              10.64.0.0/12     16,384 nodes of 32 pods, or 4,096 of 110
    control plane     172.16.0.32/28
    fast networks     192.168.0.0/16   in 32 parts of 2,044 nodes

Only the range of pods grows with the pools, beyond its /12. Pulumi would then change the subnet's secondary range in
place, and Google would refuse that as long as the cluster uses it: who expects more pods than that states
`network.podsRange` from the beginning. See docs/verification.md.
"""

from dataclasses import dataclass, replace

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.plan.address_needs import uses_private_services
from pulumi_slurm.gke.plan.extra_networks import ExtraNetwork, extra_networks, uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.plan.range_placement import place
from pulumi_slurm.machines.gke import extra_vpcs


@dataclass(frozen=True)
class GkeAddresses:
    """All ranges, in CIDR form."""

    nodes: str
    """The primary range of the cluster's subnet."""
    pods: str
    """The secondary range of pods."""
    services: str
    """The secondary range of Kubernetes Services."""
    control_plane: str
    """The control plane's /28."""
    private_services: str | None
    """What Cloud SQL, Filestore and Lustre get by private services access; None where none of them is used."""
    fabric: tuple[ExtraNetwork, ...]
    """The further VPCs, in the order of interfaces within each fabric."""


def plan_addresses(plan: GkePlan) -> GkeAddresses:
    """Return the ranges of everything.

    Raises:
        SpecError: when no private range is left that is large enough; `check_gke` tells the same.
    """
    placed, missing = place(plan)
    if missing:
        raise SpecError(missing, "The GKE specification")
    return GkeAddresses(
        nodes=str(placed["nodes_range"]),
        pods=str(placed["pods_range"]),
        services=str(placed["services_range"]),
        control_plane=plan.spec.network.control_plane_range,
        private_services=str(placed["private_services_range"]) if uses_private_services(plan) else None,
        fabric=tuple(extra_networks(plan)),
    )


def networks_of(planned: GkePlannedPool, addresses: GkeAddresses) -> list[ExtraNetwork]:
    """Return the further VPCs of a pool's nodes; none where it has no fast network.

    Their subnets, one after the other, are the interfaces of its nodes beside the first one. A VPC that machines with
    more GPUs share comes with those of its subnets that this pool uses.
    """
    if not uses_fabric(planned):
        return []
    fabric, zone = planned.machine_type.fabric, planned.zones[0]
    networks = [each for each in addresses.fabric if each.fabric is fabric and each.zone in (None, zone)]
    wanted = [extra.subnets for extra in extra_vpcs(planned.machine_type) for _ in range(extra.vpcs)]
    return [
        replace(network, subnets=network.subnets[:subnets]) for subnets, network in zip(wanted, networks, strict=True)
    ]

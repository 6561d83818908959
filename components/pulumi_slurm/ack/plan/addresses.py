"""Address ranges: of the VPC, of its vSwitches, of pods and of Services.

Ranges that a user sets are used as they are. The others have fixed positions, so that an additional pool or zone moves
no other range; only if a user's range is already there are they placed elsewhere. The VPC is divided into parts of a
/16, or into sixteen parts if it is smaller than a /12, and the letter of a zone selects its parts. With the default
VPC:

    nodes      10.0.0.0/18 in zone a, 10.1.0.0/18 in zone b, ...  16,380 addresses, up to a /16 if the pools need more
    pods       10.128.0.0/16 in zone a, 10.129.0.0/16, ...        with Terway, whose pods have addresses of the VPC
    pods       172.20.0.0/16                                      with Flannel; outside of the VPC
    Services   172.16.0.0/20                                      outside of the VPC

In a VPC smaller than a /10, letters that are eight or sixteen apart have the same position, and the first of these
zones in the configuration gets it. A vSwitch and the ranges of pods and Services can't be changed in place: if you
expect to need larger ones, set them from the beginning.

Sources: ranges of a VPC and vSwitch, https://www.alibabacloud.com/help/en/vpc/product-overview/limits; the others,
https://www.alibabacloud.com/help/en/doc-detail/86500.htm.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network

from pulumi_slurm.ack.model.existing import AckFoundNetwork
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.address_needs import pod_zones
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.ack.plan.range_placement import place_ranges
from pulumi_slurm.errors import Path, SpecError


@dataclass(frozen=True)
class AckAddresses:
    """All ranges, in CIDR notation."""

    vpc: str
    """The range of the VPC."""
    nodes: dict[str, str]
    """By zone: the range of the vSwitch of nodes. Nodes and pods of a cluster that exists may be anywhere in its VPC,
    whose ranges are here then."""
    pods: dict[str, str]
    """By zone: the range of the vSwitch of pods; empty with Flannel."""
    flannel_pods: str | None
    """The range of pods with Flannel; None with Terway."""
    services: str
    """The range of Kubernetes Services; empty of a cluster that exists."""

    @property
    def clients(self) -> list[str]:
        """The ranges from which nodes and pods connect to other services."""
        flannel_ranges = [self.flannel_pods] if self.flannel_pods else []
        return [*self.nodes.values(), *self.pods.values(), *flannel_ranges]


def plan_addresses(plan: AckPlan) -> AckAddresses:
    """Return all ranges of a cluster.

    Raises:
        SpecError: if there is no room for one of them; `check_ack` reports the same errors.
    """
    ranges, errors = place_ranges(plan)
    if errors:
        raise SpecError(errors, "The ACK specification")
    flannel_range = ranges.get(("network", "pods_range"))
    if network := plan.found_network:
        return _existing_addresses(plan, network, ranges)
    return AckAddresses(
        vpc=plan.spec.network.vpc_range,
        nodes={zone: str(ranges["network", "node_ranges", zone]) for zone in all_zones(plan.spec)},
        pods={zone: str(ranges["network", "pod_ranges", zone]) for zone in pod_zones(plan)},
        flannel_pods=str(flannel_range) if flannel_range else None,
        services=str(ranges["network", "services_range"]),
    )


def _existing_addresses(plan: AckPlan, network: AckFoundNetwork, ranges: Mapping[Path, IPv4Network]) -> AckAddresses:
    vpc_range, *more = network.vpc_ranges
    if plan.spec.existing_cluster:
        of_nodes = {"vpc": vpc_range} | {f"vpc-{number}": one for number, one in enumerate(more, 1)}
        return AckAddresses(vpc_range, of_nodes, {}, plan.spec.network.pods_range, "")
    flannel_range = ranges.get(("network", "pods_range"))
    return AckAddresses(
        vpc=vpc_range,
        nodes=dict(network.node_ranges),
        pods=dict(network.pod_ranges),
        flannel_pods=str(flannel_range) if flannel_range else None,
        services=str(ranges["network", "services_range"]),
    )

"""The cluster's VPC and those of its fast networks, as `GkeNetwork` creates them."""

from pydantic import field_validator

from pulumi_slurm.clouds.address_ranges import ipv4_range
from pulumi_slurm.gke.model import GkeNetworkSpec
from pulumi_slurm.gke.plan.addresses import GkeAddresses
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.machines.gke import primary_mtu
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.with_fields import with_fields


class GkeFabricSubnetworkSpec(Model):
    """A subnetwork of a fast network: one interface of each node."""

    name: str
    """Its name."""
    ip_cidr_range: str
    """Its addresses in CIDR form."""

    @field_validator("ip_cidr_range")
    @classmethod
    def _is_a_network(cls, value: str) -> str:
        return ipv4_range(value, "192.168.0.0/21")


class GkeFabricNetworkSpec(Model):
    """A VPC of a fast network (GPUDirect, RDMA)."""

    name: str
    """Its name."""
    mtu: int | None = None
    """Its MTU in bytes; by default that of its profile, or Google's default."""
    network_profile: str | None = None
    """The name of its network profile, e.g. "us-central1-a-vpc-roce", for RDMA."""
    subnetworks: list[GkeFabricSubnetworkSpec]
    """Its subnetworks, in the order of interfaces."""


def planned_network(plan: GkePlan, addresses: GkeAddresses) -> GkeNetworkSpec:
    """Return the VPC with all its ranges, and with the configured MTU or that of the pools' fastest network.

    One that exists is returned as it is written.
    """
    if not plan.makes_network:
        return plan.spec.network
    mtus = [primary_mtu(pool.machine_type) for pool in plan.new_pools if uses_fabric(pool)]
    return with_fields(
        plan.spec.network,
        nodes_range=addresses.nodes,
        pods_range=addresses.pods,
        services_range=addresses.services,
        private_services_range=addresses.private_services,
        mtu=plan.spec.network.mtu or max((mtu for mtu in mtus if mtu), default=None),
    )


def fabric_networks(addresses: GkeAddresses) -> list[GkeFabricNetworkSpec]:
    """Return the VPCs of fast networks."""
    return [
        GkeFabricNetworkSpec(
            name=extra.name,
            mtu=extra.mtu,
            network_profile=extra.profile,
            subnetworks=[
                GkeFabricSubnetworkSpec(name=subnet.name, ip_cidr_range=subnet.range) for subnet in extra.subnets
            ],
        )
        for extra in addresses.fabric
    ]

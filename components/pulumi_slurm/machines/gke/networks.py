"""VPCs and network profiles that the fast networks need in addition to the cluster's own VPC.

Sources: https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx, the GKE blueprints of
Google's Cluster Toolkit (gke-a3-highgpu, gke-a3-megagpu, gke-a3-ultragpu, gke-h4d). An A4X has one subnet for each GPU
here, as A3 Ultra and A4 have.
"""

from dataclasses import dataclass
from enum import StrEnum

from pulumi_slurm.machines.gke.machine_type import GkeFabric, GkeMachineTypeSpec


class DeviceMode(StrEnum):
    """How a pod gets the interface: `deviceMode` of GKE's GKENetworkParamSet."""

    NET_DEVICE = "NetDevice"
    RDMA = "RDMA"


@dataclass(frozen=True)
class ExtraVpcs:
    """Further VPCs of one kind."""

    vpcs: int
    """How many of them."""
    subnets: int
    """How many subnets each has; every subnet is one interface of the node."""
    device_mode: DeviceMode
    """How pods get these interfaces."""
    mtu: int | None = None
    """Their MTU in bytes, or none where the network profile sets it."""
    profile: str | None = None
    """The part of a network profile's name after the zone: "vpc-roce" for us-central1-a-vpc-roce."""


def extra_vpcs(machine_type: GkeMachineTypeSpec) -> tuple[ExtraVpcs, ...]:
    """Return the VPCs that a pool needs in addition to the cluster's own, in the order of the node's interfaces."""
    match machine_type.fabric:
        case GkeFabric.NONE:
            return ()
        case GkeFabric.TCPX:
            return (ExtraVpcs(4, 1, DeviceMode.NET_DEVICE, mtu=8244),)
        case GkeFabric.TCPXO:
            return (ExtraVpcs(8, 1, DeviceMode.NET_DEVICE, mtu=8244),)
        case GkeFabric.ROCE:
            interfaces = machine_type.gpus.count if machine_type.gpus else 1
            return (
                ExtraVpcs(1, 1, DeviceMode.NET_DEVICE, mtu=8896),
                ExtraVpcs(1, interfaces, DeviceMode.RDMA, mtu=8896, profile="vpc-roce"),
            )
        case GkeFabric.FALCON:
            return (ExtraVpcs(1, 1, DeviceMode.RDMA, profile="vpc-falcon"),)


def primary_mtu(machine_type: GkeMachineTypeSpec) -> int | None:
    """Return the MTU that the cluster's own VPC should have, or None where its default will do."""
    return {GkeFabric.TCPX: 8244, GkeFabric.TCPXO: 8244, GkeFabric.ROCE: 8896}.get(machine_type.fabric)

"""The machine types of GKE: what they have, what GKE leaves of it for pods, what they need and cost."""

from pulumi_slurm.machines.allocatable import Allocatable
from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.machines.gke.allocatable import allocatable, machine
from pulumi_slurm.machines.gke.catalogue import Catalogue
from pulumi_slurm.machines.gke.machine_type import Accelerators, Fabric, LocalSsd, MachineType, Price
from pulumi_slurm.machines.gke.networks import DeviceMode, ExtraVpcs, extra_vpcs, primary_mtu

__all__ = [
    "Accelerators",
    "Allocatable",
    "Architecture",
    "Catalogue",
    "DeviceMode",
    "ExtraVpcs",
    "Fabric",
    "LocalSsd",
    "MachineType",
    "Price",
    "allocatable",
    "extra_vpcs",
    "machine",
    "primary_mtu",
]

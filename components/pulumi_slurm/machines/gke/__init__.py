"""The machine types of GKE: what they have, what GKE leaves of it for pods, what they need and cost."""

from pulumi_slurm.machines.allocatable import Allocatable
from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.machines.gke.allocatable import allocatable, machine
from pulumi_slurm.machines.gke.catalogue import GkeCatalogueSpec
from pulumi_slurm.machines.gke.machine_type import (
    GkeFabric,
    GkeGpuSpec,
    GkeMachineLocalSsdSpec,
    GkeMachineTypeSpec,
    GkePriceSpec,
)
from pulumi_slurm.machines.gke.networks import DeviceMode, ExtraVpcs, extra_vpcs, primary_mtu

__all__ = [
    "Allocatable",
    "Architecture",
    "DeviceMode",
    "ExtraVpcs",
    "GkeCatalogueSpec",
    "GkeFabric",
    "GkeGpuSpec",
    "GkeMachineLocalSsdSpec",
    "GkeMachineTypeSpec",
    "GkePriceSpec",
    "allocatable",
    "extra_vpcs",
    "machine",
    "primary_mtu",
]

"""The machine types of GKE: what they have, what GKE leaves of it for pods, what they need and cost."""

from ..allocatable import Allocatable
from ..architecture import Architecture
from .allocatable import allocatable, machine
from .catalogue import Catalogue
from .machine_type import Accelerators, Fabric, LocalSsd, MachineType, Price
from .networks import DeviceMode, ExtraVpcs, extra_vpcs, primary_mtu

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

"""The instance types of ACK: what they have, what ACK leaves of it for pods, what they need and cost."""

from ..allocatable import Allocatable
from ..architecture import Architecture
from .allocatable import allocatable, machine
from .catalogue import Catalogue
from .drivers import DRIVER_LABEL, check_driver
from .machine_type import Accelerators, Enis, Fabric, LocalDisks, MachineType, Price
from .pods import check_terway, max_pods, terway_pods

__all__ = [
    "DRIVER_LABEL",
    "Accelerators",
    "Allocatable",
    "Architecture",
    "Catalogue",
    "Enis",
    "Fabric",
    "LocalDisks",
    "MachineType",
    "Price",
    "allocatable",
    "check_driver",
    "check_terway",
    "machine",
    "max_pods",
    "terway_pods",
]

"""The instance types of ACK: what they have, what ACK leaves of it for pods, what they need and cost."""

from pulumi_slurm.machines.ack.allocatable import allocatable, machine
from pulumi_slurm.machines.ack.catalogue import AckCatalogueSpec
from pulumi_slurm.machines.ack.drivers import DRIVER_LABEL, check_driver
from pulumi_slurm.machines.ack.machine_type import (
    AckEnisSpec,
    AckFabric,
    AckGpuSpec,
    AckLocalDisksSpec,
    AckMachineTypeSpec,
    AckPriceSpec,
)
from pulumi_slurm.machines.ack.pods import check_terway, max_pods, terway_pods
from pulumi_slurm.machines.allocatable import Allocatable
from pulumi_slurm.machines.architecture import Architecture

__all__ = [
    "DRIVER_LABEL",
    "AckCatalogueSpec",
    "AckEnisSpec",
    "AckFabric",
    "AckGpuSpec",
    "AckLocalDisksSpec",
    "AckMachineTypeSpec",
    "AckPriceSpec",
    "Allocatable",
    "Architecture",
    "allocatable",
    "check_driver",
    "check_terway",
    "machine",
    "max_pods",
    "terway_pods",
]

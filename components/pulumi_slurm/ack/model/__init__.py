"""What a user states of an ACK cluster and what Alibaba Cloud runs beside it; free of Pulumi and of Alibaba's SDK."""

from pulumi_slurm.ack.model.ack_slurm import AckSlurm
from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.control_plane import Addon, Cni, ControlPlane, Edition, LogComponent
from pulumi_slurm.ack.model.database import Rds
from pulumi_slurm.ack.model.disk import DataDisk, Disk, Performance
from pulumi_slurm.ack.model.maintenance import Day, MaintenanceWindow, UpgradeChannel
from pulumi_slurm.ack.model.network import Network, SecurityGroupType
from pulumi_slurm.ack.model.pool import Capacity, ImageType, Pool, SystemPool
from pulumi_slurm.ack.model.runtime import Runtime
from pulumi_slurm.ack.model.storage import FileSystemType, Nas, Storage

__all__ = [
    "AckSlurm",
    "AckSpec",
    "Addon",
    "Capacity",
    "Cni",
    "ControlPlane",
    "DataDisk",
    "Day",
    "Disk",
    "Edition",
    "FileSystemType",
    "ImageType",
    "LogComponent",
    "MaintenanceWindow",
    "Nas",
    "Network",
    "Performance",
    "Pool",
    "Rds",
    "Runtime",
    "SecurityGroupType",
    "Storage",
    "SystemPool",
    "UpgradeChannel",
]

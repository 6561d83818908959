"""What a user states of an ACK cluster and what Alibaba Cloud runs beside it; free of Pulumi and of Alibaba's SDK."""

from .ack_slurm import AckSlurm
from .cluster import AckSpec
from .control_plane import Addon, Cni, ControlPlane, Edition, LogComponent
from .database import Rds
from .disk import DataDisk, Disk, Performance
from .maintenance import Day, MaintenanceWindow, UpgradeChannel
from .network import Network, SecurityGroupType
from .planned_pool import PlannedPool, all_zones, planned_pools
from .pool import Capacity, ImageType, Pool, SystemPool
from .runtime import Runtime
from .storage import FileSystemType, Nas, Storage

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
    "PlannedPool",
    "Pool",
    "Rds",
    "Runtime",
    "SecurityGroupType",
    "Storage",
    "SystemPool",
    "UpgradeChannel",
    "all_zones",
    "planned_pools",
]

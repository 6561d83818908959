"""What a user states of a GKE cluster and what Google runs beside it; free of Pulumi and of Google's SDK."""

from .cluster import GkeSpec
from .control_plane import AuthorizedNetwork, ControlPlane, ReleaseChannel
from .database import CloudSql
from .maintenance import MaintenanceExclusion, MaintenanceWindow
from .nccl import Nccl
from .network import Network
from .operator import Operator
from .planned_pool import PlannedPool, planned_pools
from .pool import Capacity, Disk, Driver, ImageType, LocalSsdUse, Pool, Rung, SystemPool
from .registry import Registry
from .storage import Bucket, Filestore, Lustre, Storage

__all__ = [
    "AuthorizedNetwork",
    "Bucket",
    "Capacity",
    "CloudSql",
    "ControlPlane",
    "Disk",
    "Driver",
    "Filestore",
    "GkeSpec",
    "ImageType",
    "LocalSsdUse",
    "Lustre",
    "MaintenanceExclusion",
    "MaintenanceWindow",
    "Nccl",
    "Network",
    "Operator",
    "PlannedPool",
    "Pool",
    "Registry",
    "ReleaseChannel",
    "Rung",
    "Storage",
    "SystemPool",
    "planned_pools",
]

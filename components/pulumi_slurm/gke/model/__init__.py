"""What a user states of a GKE cluster and what Google runs beside it; free of Pulumi and of Google's SDK."""

from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.control_plane import AuthorizedNetwork, ControlPlane, ReleaseChannel
from pulumi_slurm.gke.model.database import CloudSql
from pulumi_slurm.gke.model.maintenance import MaintenanceExclusion, MaintenanceWindow
from pulumi_slurm.gke.model.nccl import Nccl
from pulumi_slurm.gke.model.network import Network
from pulumi_slurm.gke.model.operator import Operator
from pulumi_slurm.gke.model.pool import Capacity, Disk, Driver, ImageType, LocalSsdUse, Pool, Rung, SystemPool
from pulumi_slurm.gke.model.registry import Registry
from pulumi_slurm.gke.model.storage import Bucket, Filestore, Lustre, Storage

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
    "Pool",
    "Registry",
    "ReleaseChannel",
    "Rung",
    "Storage",
    "SystemPool",
]

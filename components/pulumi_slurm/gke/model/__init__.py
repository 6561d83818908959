"""The specification of a GKE cluster and its Google services. These models import neither Pulumi nor Google's SDK."""

from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.control_plane import AuthorizedNetworkSpec, GkeControlPlaneSpec, ReleaseChannel
from pulumi_slurm.gke.model.database import CloudSqlSpec
from pulumi_slurm.gke.model.existing import (
    GkeExistingClusterSpec,
    GkeExistingNetworkSpec,
    GkeExistingPoolSpec,
    GkeManageSpec,
)
from pulumi_slurm.gke.model.maintenance import GkeMaintenanceExclusionSpec, GkeMaintenanceWindowSpec
from pulumi_slurm.gke.model.nccl import NcclSpec
from pulumi_slurm.gke.model.network import GkeNetworkSpec
from pulumi_slurm.gke.model.new_project import GkeNewProjectSpec, ProjectDeletionPolicy
from pulumi_slurm.gke.model.pool import (
    GkeCapacity,
    GkeCapacityOptionSpec,
    GkeDiskSpec,
    GkeDriver,
    GkeImageType,
    GkePoolSpec,
    GkeSystemPoolSpec,
    LocalSsdUse,
)
from pulumi_slurm.gke.model.registry import GkeRegistrySpec
from pulumi_slurm.gke.model.slurm_operator import GkeOperator
from pulumi_slurm.gke.model.storage import BucketSpec, FilestoreSpec, GkeStorageSpec, LustreSpec

__all__ = [
    "AuthorizedNetworkSpec",
    "BucketSpec",
    "CloudSqlSpec",
    "FilestoreSpec",
    "GkeCapacity",
    "GkeCapacityOptionSpec",
    "GkeControlPlaneSpec",
    "GkeDiskSpec",
    "GkeDriver",
    "GkeExistingClusterSpec",
    "GkeExistingNetworkSpec",
    "GkeExistingPoolSpec",
    "GkeImageType",
    "GkeMaintenanceExclusionSpec",
    "GkeMaintenanceWindowSpec",
    "GkeManageSpec",
    "GkeNetworkSpec",
    "GkeNewProjectSpec",
    "GkeOperator",
    "GkePoolSpec",
    "GkeRegistrySpec",
    "GkeSpec",
    "GkeStorageSpec",
    "GkeSystemPoolSpec",
    "LocalSsdUse",
    "LustreSpec",
    "NcclSpec",
    "ProjectDeletionPolicy",
    "ReleaseChannel",
]

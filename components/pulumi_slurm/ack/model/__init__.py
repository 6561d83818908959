"""The specification of an ACK cluster and of its services in Alibaba Cloud, without Pulumi or Alibaba's SDK."""

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.control_plane import (
    AckControlPlaneSpec,
    AckEdition,
    AddonSpec,
    Cni,
    LogComponent,
    ProxyMode,
)
from pulumi_slurm.ack.model.database import RdsSpec
from pulumi_slurm.ack.model.disk import AckDataDiskSpec, AckDiskSpec, Performance
from pulumi_slurm.ack.model.existing import (
    AckExistingClusterSpec,
    AckExistingNetworkSpec,
    AckExistingPoolSpec,
    AckFoundNetwork,
)
from pulumi_slurm.ack.model.maintenance import AckMaintenanceWindowSpec, UpgradeChannel
from pulumi_slurm.ack.model.network import AckNetworkSpec, SecurityGroupType
from pulumi_slurm.ack.model.pool import AckCapacity, AckImageType, AckPoolSpec, AckSystemPoolSpec
from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.model.storage import AckStorageSpec, FileSystemType, NasSpec

__all__ = [
    "AckCapacity",
    "AckControlPlaneSpec",
    "AckDataDiskSpec",
    "AckDiskSpec",
    "AckEdition",
    "AckExistingClusterSpec",
    "AckExistingNetworkSpec",
    "AckExistingPoolSpec",
    "AckFoundNetwork",
    "AckImageType",
    "AckMaintenanceWindowSpec",
    "AckNetworkSpec",
    "AckOperator",
    "AckPoolSpec",
    "AckSpec",
    "AckStorageSpec",
    "AckSystemPoolSpec",
    "AddonSpec",
    "Cni",
    "FileSystemType",
    "LogComponent",
    "NasSpec",
    "Performance",
    "ProxyMode",
    "RdsSpec",
    "SecurityGroupType",
    "UpgradeChannel",
]

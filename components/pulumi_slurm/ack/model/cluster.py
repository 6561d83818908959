"""The specification of an ACK cluster with its network, node pools, storage and database."""

from typing import ClassVar

from pydantic import Field, field_validator

from pulumi_slurm.ack.model import names
from pulumi_slurm.ack.model.control_plane import AckControlPlaneSpec
from pulumi_slurm.ack.model.database import RdsSpec
from pulumi_slurm.ack.model.disk import AckDiskClassSpec
from pulumi_slurm.ack.model.existing import AckExistingClusterSpec, AckExistingPoolSpec
from pulumi_slurm.ack.model.network import AckNetworkSpec
from pulumi_slurm.ack.model.pool import AckPoolSpec, AckSystemPoolSpec
from pulumi_slurm.ack.model.registry_mirrors import checked_mirrors
from pulumi_slurm.ack.model.service_roles import role_names
from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.model.storage import AckStorageSpec
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.machines.ack import AckCatalogueSpec
from pulumi_slurm.model.one_of import OneOf


class AckSpec(CloudSpec):
    """An ACK cluster for Slurm, and its services in Alibaba Cloud."""

    _max_name_length: ClassVar = names.MAX_ACK_CLUSTER_NAME

    region: str
    """The region of all resources, e.g. "cn-hangzhou"."""
    zones: list[str] = Field(min_length=1)
    """The zones of nodes, up to five, e.g. ["cn-hangzhou-i", "cn-hangzhou-j"]; a pool can have other zones. The NAT
    gateway, storage and the database are in the first one. Another first zone replaces NAS and RDS, and with
    `database.highAvailability` another second one replaces RDS: they are empty then."""
    pools: list[AckPoolSpec] = []
    """The node pools that node sets run on."""
    system_pool: AckSystemPoolSpec = AckSystemPoolSpec()
    """The node pool for Slurm's control plane and for ACK's own pods."""
    existing_cluster: AckExistingClusterSpec | None = None
    """An ACK cluster that exists, in place of one that is made. Then there is a system pool only if `systemPool` is
    written, and VPC, vSwitches and security group are the cluster's."""
    existing_pools: list[AckExistingPoolSpec] = []
    """Node pools of the existing cluster that node sets run on, besides those of `pools`."""
    network: AckNetworkSpec = AckNetworkSpec()
    """The VPC."""
    control_plane: AckControlPlaneSpec = AckControlPlaneSpec()
    """ACK's control plane."""
    create_service_roles: bool = False
    """Create the RAM roles that ACK assumes, which a new account doesn't have, and those for keys of KMS that are named
    here. They stay in the account."""
    existing_service_roles: list[str] = []
    """With createServiceRoles: roles that the account has already, e.g. ["AliyunCSDefaultRole"]."""
    preflight: bool = False
    """Ask at each preview whether the account has the roles that ACK assumes, and warn of instance types that no zone
    of their pool has in stock. It needs the rights ram:ListRoles, ram:GetRole, ecs:DescribeAvailableResource and
    ecs:DescribeInstanceTypes. Not compared are quotas, and whether services are activated, as Alibaba Cloud's provider
    doesn't tell; nor whether roles that are to be made exist already, as this stack may have made them."""
    slurm_operator: OneOf[AckOperator] = AckOperator.SLINKY
    """The operator that runs Slurm: "slinky" is Slinky's slurm-operator, "ack-slurm-operator" is Alibaba Cloud's own,
    which can share nodes between Slurm and Kubernetes."""
    slurm: AckSlurmSpec = AckSlurmSpec()
    """Options of ack-slurm-operator."""
    registry_mirrors: dict[str, list[str]] = {}
    """By registry: where nodes pull its images in its place, the first that answers, for example {"docker.io":
    ["https://mirror.example.com"]}. With "&override_path" after an address that has a path of its own."""
    storage: list[AckStorageSpec] = []
    """Storage that login and worker pods share; every entry becomes a shared volume of the Slurm cluster."""
    disk_class: AckDiskClassSpec = AckDiskClassSpec()
    """The StorageClass for encrypted disks, which is called "slurm-disk" by default; claims refer to it."""
    database: RdsSpec | None = None
    """An RDS instance for slurmdbd; without it, `cluster.accounting.database` configures the database."""
    catalogue: AckCatalogueSpec = Field(default_factory=AckCatalogueSpec)
    """Instance types, prices and zones that differ from the built-in catalogue."""
    tags: dict[str, str] = {}
    """Tags of all resources that support tags, for example for billing."""

    _region = field_validator("region")(names.region)
    _zones = field_validator("zones")(names.zone_names)
    _existing_service_roles = field_validator("existing_service_roles")(role_names)
    _registry_mirrors = field_validator("registry_mirrors")(checked_mirrors)
    _tags = field_validator("tags")(names.tags)

    @property
    def other_release(self) -> str | None:
        """The release of Slurm that ack-slurm-operator runs; None with slurm-operator."""
        return None if self.slurm_operator is AckOperator.SLINKY else self.slurm.slurm_version

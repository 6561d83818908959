"""The whole of it: an ACK cluster with its network, node pools, storage and database."""

from typing import ClassVar

from pydantic import Field, field_validator

from pulumi_slurm.ack.model import names
from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.model.control_plane import AckControlPlaneSpec
from pulumi_slurm.ack.model.database import RdsSpec
from pulumi_slurm.ack.model.network import AckNetworkSpec
from pulumi_slurm.ack.model.pool import AckPoolSpec, AckSystemPoolSpec
from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.model.storage import AckStorageSpec
from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.machines.ack import AckCatalogueSpec


class AckSpec(CloudSpec):
    """An ACK cluster for Slurm, and what Alibaba Cloud runs beside it."""

    _max_name_length: ClassVar = names.LONGEST_CLUSTER_NAME
    _renamed_fields: ClassVar = {"cluster": "controlPlane", "runtime": "slurmOperator"}

    region: str
    """The region of everything, e.g. "cn-hangzhou"."""
    zones: list[str] = Field(min_length=1)
    """The zones of nodes, e.g. ["cn-hangzhou-i", "cn-hangzhou-j"]; pools may have zones of their own. The first one
    has the NAT gateway, storage and the database."""
    pools: list[AckPoolSpec] = []
    """The node pools that node sets run on."""
    system_pool: AckSystemPoolSpec = AckSystemPoolSpec()
    """The node pool of the control plane of Slurm and of ACK's own pods."""
    network: AckNetworkSpec = AckNetworkSpec()
    """The VPC."""
    control_plane: AckControlPlaneSpec = AckControlPlaneSpec()
    """ACK's control plane."""
    slurm_operator: AckOperator = AckOperator.SLINKY
    """Who runs Slurm: "slinky" installs slurm-operator, "ack-slurm-operator" Alibaba Cloud's own, which can share nodes
    between Slurm and Kubernetes."""
    slurm: AckSlurmSpec = AckSlurmSpec()
    """Options of ack-slurm-operator."""
    storage: list[AckStorageSpec] = []
    """Storage that login and worker pods share; each becomes one of the Slurm cluster's shared volumes."""
    database: RdsSpec | None = None
    """RDS for slurmdbd; without it, `cluster.accounting.database` says where the database is."""
    catalogue: AckCatalogueSpec = Field(default_factory=AckCatalogueSpec)
    """Instance types, prices and zones that differ from those that we know."""
    tags: dict[str, str] = {}
    """Tags of every resource that can have some, for example for billing."""

    _region = field_validator("region")(names.region)
    _zones = field_validator("zones")(names.zone_names)
    _tags = field_validator("tags")(names.tags)

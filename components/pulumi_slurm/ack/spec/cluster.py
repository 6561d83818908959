"""The whole of it: an ACK cluster with its network, node pools, storage and database."""

from typing import Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from ...machines.ack import Catalogue
from ...spec.cluster import WITHOUT_RULES
from ...spec.mistakes import wrong_together
from ...spec.model import Model
from ...spec.names import dns_label
from . import names
from .ack_slurm import AckSlurm
from .control_plane import ControlPlane
from .database import Rds
from .network import Network
from .pool import Pool, SystemPool
from .rules import check_ack
from .runtime import Runtime
from .storage import Storage


class AckSpec(Model):
    """An ACK cluster for Slurm, and what Alibaba Cloud runs beside it."""

    region: str
    """The region of everything, e.g. "cn-hangzhou"."""
    zones: list[str] = Field(min_length=1)
    """The zones of nodes, e.g. ["cn-hangzhou-i", "cn-hangzhou-j"]; pools may have zones of their own. The first one
    has the NAT gateway, storage and the database."""
    name: str | None = None
    """The name of the ACK cluster and the beginning of the names of all else; the Slurm cluster's by default."""
    pools: list[Pool] = []
    """The node pools that node sets run on."""
    system_pool: SystemPool = SystemPool()
    """The node pool of the control plane of Slurm and of ACK's own pods."""
    network: Network = Network()
    """The VPC."""
    cluster: ControlPlane = ControlPlane()
    """ACK's control plane."""
    runtime: Runtime = Runtime.SLINKY
    """"slinky" runs Slurm by slurm-operator of SchedMD; "ack-slurm-operator" by Alibaba Cloud's, which can share nodes
    between Slurm and Kubernetes."""
    slurm: AckSlurm = AckSlurm()
    """Options of ack-slurm-operator."""
    storage: list[Storage] = []
    """Storage that login and worker pods share; each becomes one of the Slurm cluster's shared volumes."""
    database: Rds | None = None
    """RDS for slurmdbd; without it, `cluster.accounting.database` says where the database is."""
    catalogue: Catalogue = Field(default_factory=Catalogue)
    """Instance types, prices and zones that differ from those that we know."""
    deletion_protection: bool = True
    """Let `pulumi destroy` refuse to delete the cluster, storage and the database. Write false and run `pulumi up`
    before a destroy."""
    tags: dict[str, str] = {}
    """Tags of every resource that can have some, for example for billing."""

    _region = field_validator("region")(names.region)
    _zones = field_validator("zones")(names.zone_names)
    _tags = field_validator("tags")(names.tags)

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str | None) -> str | None:
        return value if value is None else dns_label(value, names.LONGEST_CLUSTER_NAME)

    @model_validator(mode="after")
    def _rules_hold(self, info: ValidationInfo) -> Self:
        if not (info.context or {}).get(WITHOUT_RULES):
            mistakes = list(check_ack(self))
            if mistakes:
                raise wrong_together(mistakes)
        return self

"""What exists already and is used as it is: a VPC, an ACK cluster, node pools. Nothing of it is changed or deleted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import Field, PrivateAttr, field_validator

from pulumi_slurm.ack.model.pool import AckPoolSpec
from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.errors import optional
from pulumi_slurm.model.alibaba_ids import id_of_cluster, id_of_group, id_of_pool, id_of_vpc, ids_of_vswitches
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.units import bytes_or_zero

MAX_EXISTING_NAME_LENGTH = 63
"""How many characters node sets can write to name a pool that exists."""


@dataclass(frozen=True)
class AckFoundNetwork:
    """What Alibaba Cloud says of a VPC that exists."""

    vpc_ranges: tuple[str, ...]
    """All its address ranges."""
    node_vswitches: Mapping[str, str]
    """By zone: the id of the vSwitch of new nodes."""
    node_ranges: Mapping[str, str]
    """By zone: the range of this vSwitch."""
    pod_vswitches: Mapping[str, str] = field(default_factory=dict)
    """By zone: the id of the vSwitch of a new cluster's pods, with Terway."""
    pod_ranges: Mapping[str, str] = field(default_factory=dict)
    """By zone: the range of this vSwitch."""

    @classmethod
    def unread(cls, zones: Iterable[str]) -> "AckFoundNetwork":
        """Return what stands for a VPC that nobody has read, with vSwitches in some zones."""
        unknown = dict.fromkeys(zones, UNKNOWN)
        return cls((UNKNOWN,), unknown, unknown, unknown, unknown)

    @property
    def is_read(self) -> bool:
        """Whether it is known."""
        return UNKNOWN not in self.vpc_ranges


class AckExistingNetworkSpec(Model):
    """A VPC that exists, with vSwitches for nodes and pods, and a security group for nodes.

    The group has to let nodes and pods of the VPC reach each other, let Alibaba Cloud's services in, 100.64.0.0/10,
    and let nodes out.
    """

    vpc_id: str
    """The VPC's id, "vpc-bp1example"."""
    vswitches: list[str] = Field(min_length=1)
    """The ids of vSwitches of nodes and load balancers, one in each zone with new nodes: ["vsw-bp1example"]."""
    pod_vswitches: list[str] = []
    """With Terway: the ids of vSwitches of pods, one in each zone with new nodes."""
    security_group_id: str
    """The id of the nodes' security group, "sg-bp1example"."""

    _found: AckFoundNetwork | None = PrivateAttr(default=None)

    _vpc_id = field_validator("vpc_id")(id_of_vpc)
    _vswitches = field_validator("vswitches", "pod_vswitches")(ids_of_vswitches)
    _security_group_id = field_validator("security_group_id")(id_of_group)

    @property
    def found(self) -> AckFoundNetwork | None:
        """What Alibaba Cloud says of it; None until the program has read it."""
        return self._found

    def with_found(self, network: AckFoundNetwork) -> "AckExistingNetworkSpec":
        """Return the same with what was read."""
        copy = self.model_copy()
        copy._found = network
        return copy


class AckExistingClusterSpec(Model):
    """An ACK cluster that exists, in the region. Pools are added to it, and it is never changed or deleted."""

    id: str
    """Its id, "c82e6987e2961451182edacd74faf1234"."""

    _id = field_validator("id")(id_of_cluster)


class AckExistingPoolSpec(Model):
    """A node pool that exists in the existing cluster.

    Its instance types, GPUs, numbers of nodes, labels and taints are read from ACK. Node sets name it like any other
    pool, and what schedules their pods there follows from what was read. It is never changed or deleted.
    """

    name: str
    """The name by which node sets refer to it; without `id` its name in ACK."""
    id: str | None = None
    """Its id in ACK, "np0123456789abcdef0123456789abcdef", where its name there is another, or is that of several
    pools."""
    reserved_cpus: int = Field(default=1, ge=0)
    """CPUs of each node that are left to DaemonSets, in addition to what ACK reserves for itself."""
    reserved_memory: str = "2Gi"
    """Memory of each node that is left to DaemonSets, in addition to what ACK reserves for itself."""

    _found: AckPoolSpec | None = PrivateAttr(default=None)
    _found_id: str | None = PrivateAttr(default=None)

    _id = field_validator("id")(optional(id_of_pool))
    _reserved_memory = field_validator("reserved_memory", mode="before")(bytes_or_zero)

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value, MAX_EXISTING_NAME_LENGTH)

    @property
    def found(self) -> AckPoolSpec | None:
        """The pool as it would be written if it were ours; None until the program has read it."""
        return self._found

    @property
    def found_id(self) -> str | None:
        """Its id in ACK; None until the program has read it."""
        return self._found_id

    def with_found(self, pool: AckPoolSpec, pool_id: str) -> "AckExistingPoolSpec":
        """Return the same with what was read."""
        copy = self.model_copy()
        copy._found, copy._found_id = pool, pool_id
        return copy

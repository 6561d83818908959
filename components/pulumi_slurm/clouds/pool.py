"""The base of the node pools of all clouds: how users describe one, and how it is planned."""

from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from pydantic import Field, field_validator

from pulumi_slurm.errors import Path, optional
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.machine import GpuSpec, MachineSpec, NodePoolSpec, TaintSpec
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.units import bytes_or_zero, duration


class CloudPoolSpec(Model):
    """The base of a node pool. Node sets name it, and their CPUs, memory, GPUs, selectors and tolerations follow."""

    name: str
    """The pool's name, to which node sets refer."""
    zones: list[str] = []
    """The zones of its nodes; those of the cluster by default."""
    dedicated: bool = True
    """Keep other pods off these nodes by a taint."""
    node_labels: dict[str, str] = {}
    """Additional labels of the nodes."""
    taints: list[TaintSpec] = []
    """Additional taints of the nodes."""
    reserved_cpus: int = Field(default=1, ge=0)
    """CPUs of each node that are left to DaemonSets, in addition to what the cloud reserves for itself."""
    reserved_memory: str = "2Gi"
    """Memory of each node that is left to DaemonSets, in addition to what the cloud reserves for itself."""

    ready_within: str | None = "30m"
    """How long the first worker of a node set may take here until it is ready, with the start of its node, drivers and
    images: so long `pulumi up` waits for it. With null it doesn't wait, nor for capacity that nobody promises, such as
    spot, unless this is written."""

    _max_name_length: ClassVar[int]
    """The maximum number of characters in its name."""

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value, cls._max_name_length)

    _labels = field_validator("node_labels")(kubernetes_names.labels)
    _ready_within = field_validator("ready_within")(optional(duration))
    _reserved_memory = field_validator("reserved_memory", mode="before")(bytes_or_zero)

    def awaited_within(self, *, is_promised: bool) -> str | None:
        """Return how long an update waits for a first worker; None where it doesn't wait."""
        return self.ready_within if is_promised or "ready_within" in self.model_fields_set else None


class CloudSystemPoolSpec(Model):
    """The base of the node pool for Slurm's own daemons, login pods and the cloud's pods; its nodes carry no taint."""

    min_nodes: int = Field(default=2, ge=1, le=1000)
    """The minimum number of nodes in all zones together."""
    max_nodes: int = Field(default=4, ge=1, le=1000)
    """The maximum number of nodes in all zones together."""
    zones: list[str] = []
    """The zones of its nodes; those of the cluster by default."""


P = TypeVar("P", bound=CloudPoolSpec)


def unread_pool(name: str, label: str) -> NodePoolSpec:
    """Return what stands for a pool that nobody could read: it has room for every node set."""
    return NodePoolSpec(name=name, machine=_WITH_ROOM_FOR_ALL, node_labels={label: name})


def is_unread(pool: NodePoolSpec) -> bool:
    """Return whether it stands for a pool that nobody could read."""
    return pool.machine == _WITH_ROOM_FOR_ALL


_WITH_ROOM_FOR_ALL = MachineSpec(cpus=4096, memory="1Pi", gpus=GpuSpec(count=64))


@dataclass(frozen=True, kw_only=True)
class PlannedPool(Generic[P]):
    """The base of a node pool as it is created in the cloud."""

    name: str
    """Its name in the cloud, which is also the name of the Slurm specification's node pool."""
    pool: P
    """The pool in the specification."""
    zones: tuple[str, ...]
    """The zones of its nodes."""
    at: Path
    """Its path in the specification: ("pools", 0)."""

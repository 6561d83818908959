"""Machines and node pools: what there is to run on.

A cloud's package fills these in from its catalogue; on an existing cluster the user states them once per pool.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label, slurm_name
from pulumi_slurm.model.units import quantity, quantity_or_zero, quantity_text

LEAST_MEMORY_MIB = 64
"""No slurmd starts in less."""


def slurmd_fits(cpus: float, memory_mib: float | Fraction) -> bool:
    """Return whether slurmd starts on what is left of a machine."""
    return cpus >= 1 and memory_mib >= LEAST_MEMORY_MIB


class GpuSpec(Model):
    """The GPUs of one machine, all of one type."""

    count: int = Field(ge=1, le=64)
    """How many GPUs each machine has."""
    type: str | None = None
    """Slurm's GRES type, for example "h100"; jobs may then ask for `--gres=gpu:h100:2`."""
    resource: str = "nvidia.com/gpu"
    """The extended resource that the device plugin offers on the Kubernetes node."""

    @field_validator("type")
    @classmethod
    def _type_is_a_slurm_word(cls, value: str | None) -> str | None:
        return value if value is None else slurm_name(value)

    _resource = field_validator("resource")(kubernetes_names.label_key)

    @property
    def gres(self) -> str:
        """The GPUs as Slurm writes them: ``gpu:h100:8``."""
        return ":".join(["gpu", *([self.type] if self.type else []), str(self.count)])


class MachineSpec(Model):
    """What one machine offers to pods: the node's allocatable amounts, not its nameplate."""

    cpus: int = Field(ge=1, le=4096)
    """Allocatable CPUs, rounded down."""
    memory: str
    """Allocatable memory as a Kubernetes quantity, for example "120Gi"."""
    gpus: GpuSpec | None = None
    """The machine's GPUs, if it has any."""

    @field_validator("memory", mode="before")
    @classmethod
    def _memory_is_a_quantity(cls, value: Any) -> str:
        text = quantity_text(value)
        if quantity(text) < LEAST_MEMORY_MIB * 1024**2:
            raise field_error(
                f"no slurmd starts in less than {LEAST_MEMORY_MIB} MiB", 'Write a unit, for example "120Gi".'
            )
        return text

    @property
    def memory_mib(self) -> int:
        """The memory in MiB, rounded down."""
        return int(quantity(self.memory) / Fraction(1024**2))


class TaintEffect(StrEnum):
    """What a taint does to pods that don't tolerate it."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


class TaintSpec(Model):
    """A taint on the nodes of a pool; node sets on that pool tolerate it without being told to."""

    key: str
    """The taint's key."""
    value: str | None = None
    """The taint's value, if it has one."""
    effect: TaintEffect = TaintEffect.NO_SCHEDULE
    """The taint's effect."""

    _key = field_validator("key")(kubernetes_names.label_key)
    _value = field_validator("value")(kubernetes_names.label_value)


def taint_identity(taint: TaintSpec) -> tuple[str, str]:
    """Return what Kubernetes knows a taint by: it refuses a second one of the same key and effect."""
    return taint.key, taint.effect.value


def each_taint_once(taints: Sequence[TaintSpec]) -> list[TaintSpec]:
    """Return the taints in their order, of several with one identity the first."""
    return list({taint_identity(taint): taint for taint in reversed(taints)}.values())[::-1]


class NodePoolSpec(Model):
    """Kubernetes nodes of one kind, on which node sets are placed by name."""

    name: str
    """The name by which node sets refer to the pool."""
    machine: MachineSpec
    """What each node of the pool offers."""
    node_labels: dict[str, str] = Field(min_length=1)
    """Labels that only this pool's nodes carry; they become the node selector of the pool's node sets."""
    taints: list[TaintSpec] = []
    """Taints on the pool's nodes."""
    max_nodes: int | None = Field(default=None, ge=0)
    """How many nodes the pool can have; node sets that need more are refused."""
    reserved_cpus: int = Field(default=1, ge=0)
    """CPUs of each node left to Kubernetes' own daemons."""
    reserved_memory: str = "2Gi"
    """Memory of each node left to Kubernetes' own daemons."""

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value)

    _labels = field_validator("node_labels")(kubernetes_names.labels)
    _reserved_memory = field_validator("reserved_memory", mode="before")(quantity_or_zero)

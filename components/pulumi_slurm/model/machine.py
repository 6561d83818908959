"""Machines and node pools, on which workers run.

The packages of clouds create these models from their catalogues; on an existing Kubernetes cluster the user does.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import check_each_pair, field_error, optional
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label, slurm_name
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.units import bytes_or_zero, duration, quantity, quantity_text

MIN_MEMORY_MIB = 64
"""slurmd does not start with less memory."""


def slurmd_fits(cpus: float, memory_mib: float | Fraction) -> bool:
    """Return whether slurmd starts with these amounts."""
    return cpus >= 1 and memory_mib >= MIN_MEMORY_MIB


NVIDIA_GPU = "nvidia.com/gpu"
"""The resource of NVIDIA's device plugin for whole GPUs."""
_RDMA = re.compile(r"rdma|^vpc\.amazonaws\.com/efa\Z")
"""Resources of RDMA by their names: rdma/hca, aliyun/erdma, nvidia.com/sriov-rdma-vf; EFA has a name of its own."""


class GpuSpec(Model):
    """The GPUs of one machine, all of the same type."""

    count: int = Field(ge=1, le=64)
    """Number of GPUs in each machine."""
    type: str | None = None
    """The GRES type in Slurm, for example "h100"; jobs can then request `--gres=gpu:h100:2`."""
    resource: str = NVIDIA_GPU
    """The extended resource that the device plugin advertises on the Kubernetes node."""

    _type_is_a_slurm_word = field_validator("type")(optional(slurm_name))

    _resource = field_validator("resource")(kubernetes_names.label_key)

    @property
    def gres(self) -> str:
        """The GPUs as a GRES, for example ``gpu:h100:8``."""
        return ":".join(["gpu", *([self.type] if self.type else []), str(self.count)])


class MachineSpec(Model):
    """The allocatable resources of a node, that is, those available to pods, not the machine's whole capacity."""

    cpus: int = Field(ge=1, le=4096)
    """Allocatable CPUs, rounded down. Where cores have two threads, jobs can't use the last of an odd number: the start
    script of Slinky's image turns CPUs into whole cores."""
    memory: str
    """Allocatable memory as a Kubernetes quantity, for example "120Gi"."""
    gpus: GpuSpec | None = None
    """The machine's GPUs, if any."""
    resources: dict[str, str] = {}
    """Other resources that each slurmd gets, by their names in Kubernetes: {"rdma/hca": "8"}, or "hugepages-2Mi" and
    "ephemeral-storage"."""
    rdma: bool | None = None
    """Whether network cards read and write the memory of jobs by themselves, as those of InfiniBand, RoCE and EFA do;
    by default whether `resources` has one, such as rdma/hca or vpc.amazonaws.com/efa. Jobs then may lock as much memory
    as they want, without which NCCL, UCX and libfabric fail for users, or fall back to TCP without a word."""

    @field_validator("memory", mode="before")
    @classmethod
    def _memory_is_a_quantity(cls, value: Any) -> str:
        text = quantity_text(value)
        if quantity(text) < MIN_MEMORY_MIB * 1024**2:
            raise field_error(
                f"no slurmd starts in less than {MIN_MEMORY_MIB} MiB", 'Write a unit, for example "120Gi".'
            )
        return text

    @field_validator("resources", mode="before")
    @classmethod
    def _numbers_as_text(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: item if isinstance(item, dict | list) else str(item) for key, item in value.items()}

    @field_validator("resources")
    @classmethod
    def _resources_are_others(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _check_resource)

    @property
    def devices(self) -> dict[str, str]:
        """Resources that Kubernetes gives out as a whole, by name: GPUs and `resources`."""
        gpus = {self.gpus.resource: str(self.gpus.count)} if self.gpus else {}
        return {**self.resources, **gpus}

    @property
    def has_rdma(self) -> bool:
        """Whether jobs need locked memory for the network."""
        of_resources = any(_RDMA.search(name) for name in self.resources)
        return of_resources if self.rdma is None else self.rdma

    @property
    def memory_mib(self) -> int:
        """The memory in MiB, rounded down."""
        return int(quantity(self.memory) / Fraction(1024**2))


def _check_resource(name: str, amount: str) -> None:
    instead = {"cpu": "cpus", "memory": "memory"}.get(name)
    if instead:
        raise field_error("this has a field of its own", f"Set machine.{instead} instead.")
    is_native = name == "ephemeral-storage" or name.startswith("hugepages-")
    if not is_native and "/" not in name:
        raise field_error(
            "this is not a resource of Kubernetes",
            'Write for example "rdma/hca", "hugepages-2Mi" or "ephemeral-storage".',
        )
    kubernetes_names.label_key(name)
    quantity_text(amount)
    if not is_native and not re.fullmatch("[1-9][0-9]*", amount):
        raise field_error("Kubernetes gives out such a resource only whole", 'Write a whole number, for example "1".')


class TaintEffect(StrEnum):
    """The effect of a taint on pods that don't tolerate it."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


class TaintSpec(Model):
    """A taint on the nodes of a pool; node sets on that pool tolerate it automatically."""

    key: str
    """The taint's key."""
    value: str | None = None
    """The taint's value, if any."""
    effect: OneOf[TaintEffect] = TaintEffect.NO_SCHEDULE
    """The taint's effect."""

    _key = field_validator("key")(kubernetes_names.label_key)
    _value = field_validator("value")(kubernetes_names.label_value)


def taint_identity(taint: TaintSpec) -> tuple[str, str]:
    """Return key and effect, which identify a taint: Kubernetes refuses two taints that have both in common."""
    return taint.key, str(taint.effect)


def unique_taints(taints: Sequence[TaintSpec]) -> list[TaintSpec]:
    """Return the taints in order, without those that repeat key and effect of an earlier one."""
    return list({taint_identity(taint): taint for taint in reversed(taints)}.values())[::-1]


READY_WITHIN = "20m"
"""How long a first worker may take where nothing is known of its nodes."""


class NodePoolSpec(Model):
    """A pool of identical Kubernetes nodes, to which node sets refer by name."""

    name: str
    """The name by which node sets refer to the pool."""
    machine: MachineSpec
    """The allocatable resources of each node in the pool."""
    node_labels: dict[str, str] = Field(min_length=1)
    """Labels that only this pool's nodes have; they become the node selector of the pool's node sets."""
    taints: list[TaintSpec] = []
    """Taints on the pool's nodes."""
    max_nodes: int | None = Field(default=None, ge=0)
    """Maximum number of nodes in the pool; node sets that need more are refused."""
    min_nodes: int | None = Field(default=None, ge=0)
    """Minimum number of nodes in the pool, if an autoscaler adds and removes them. Slurm Bridge needs nodes that are
    there before pods need them."""
    ready_within: str | None = READY_WITHIN
    """How long the first worker of a node set may take here until it is ready, with the start of its node, drivers and
    images: so long `pulumi up` waits for it. Write null where nobody knows when a node comes: then it doesn't wait."""
    reserved_cpus: int = Field(default=1, ge=0)
    """CPUs of each node reserved for Kubernetes' own daemons."""
    reserved_memory: str = "2Gi"
    """Memory of each node reserved for Kubernetes' own daemons."""

    _name_is_a_label = field_validator("name")(dns_label)

    _labels = field_validator("node_labels")(kubernetes_names.labels)
    _ready_within = field_validator("ready_within")(optional(duration))
    _reserved_memory = field_validator("reserved_memory", mode="before")(bytes_or_zero)

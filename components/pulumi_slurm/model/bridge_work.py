"""Annotations by which a workload of Kubernetes describes its Slurm job to Slurm Bridge.

Source: internal/wellknown/annotations.go and `parseAnnotations` in internal/utils/slurmjobir/slurmjobir.go of
https://github.com/SlinkyProject/slurm-bridge, v1.1.2 and v1.2.1.
"""

import re
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from pydantic import Field, ValidationInfo, field_validator

from pulumi_slurm.errors import field_error, optional
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import slurm_name
from pulumi_slurm.model.releases.bridge_version import bridge_version, newest_bridge
from pulumi_slurm.model.releases.operator_version import DEFAULT_OPERATOR
from pulumi_slurm.model.units import bytes_text, quantity, time_seconds

WORK_PREFIX = "slurmjob.slinky.slurm.net/"
"""The prefix of a Slurm job's annotations."""
OLD_WORK_PREFIX = "slinky.slurm.net/"
"""Their prefix before 1.0; no supported release reads these."""
SUFFIXES = MappingProxyType(
    {
        "account": "account",
        "constraints": "constraints",
        "cpus_per_task": "cpu-per-task",
        "exclusive": "exclusive",
        "gres": "gres",
        "group_id": "group-id",
        "job_name": "job-name",
        "licenses": "licenses",
        "max_nodes": "max-nodes",
        "min_nodes": "min-nodes",
        "mem_per_node": "mem-per-node",
        "partition": "partition",
        "priority": "priority",
        "qos": "qos",
        "reservation": "reservation",
        "time_limit": "timelimit",
        "user_id": "user-id",
        "wckey": "wckey",
    }
)
"""The suffix of each field's annotation."""

DEVICE_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"
"""The prefix of resources that containers get by DRA."""

DEFAULT_BRIDGE = newest_bridge(DEFAULT_OPERATOR.rpartition(".")[0]) or ""
"""The release of the bridge that belongs to the default release of the operator."""
MAX_INT32 = 2**31 - 1
"""The bridge reads numbers of nodes, minutes and priorities into 32 bits with a sign."""
MAX_CPUS = 2**16 - 3
"""Slurm keeps CPUs per task in 16 bits; the two numbers above it mean "not set" and "no limit"."""

_GRES = re.compile(
    r"(?:gres[/:])?(?P<name>[A-Za-z][\w.-]*)(?::(?P<type>(?=[\w.-]*[A-Za-z_.-])[\w.-]+))?(?:[:=](?P<count>[1-9]\d{0,8}))?",
    re.ASCII,
)
_ONE_WORD = re.compile(r"[!-~]+", re.ASCII)


class GpuResource(StrEnum):
    """Extended resources that the bridge takes for GPUs."""

    NVIDIA = "nvidia.com/gpu"
    AMD = "amd.com/gpu"


DEVICE_CLASSES = ("gpu.nvidia.com", "gpu.example.com")
"""The classes of GPUs that the bridge knows: internal/nodeinfo/nodeinfo.go of slurm-bridge, v1.1.2 and v1.2.1."""


class BridgedGpusSpec(Model):
    """GPUs of every pod, which its first container gets."""

    count: int = Field(ge=1)
    """Number of GPUs."""
    resource: GpuResource = GpuResource.NVIDIA
    """The extended resource of a device plugin. On external nodes there is none: name a device class."""
    device_class: str | None = None
    """The DeviceClass, where GPUs are given by DRA: gpu.nvidia.com or gpu.example.com. Slurm is asked for GRES of type
    gpu with this name."""

    @field_validator("device_class")
    @classmethod
    def _bridge_knows_the_class(cls, value: str | None) -> str | None:
        if value is not None and value not in DEVICE_CLASSES:
            raise field_error(
                "the bridge registers no devices of this class in Slurm", f"Write one of: {', '.join(DEVICE_CLASSES)}."
            )
        return value

    @property
    def key(self) -> str:
        """The name in a container's limits."""
        return f"{DEVICE_CLASS_PREFIX}{self.device_class}" if self.device_class else self.resource.value


class BridgedWorkSpec(Model):
    """A workload's job, as Slurm sees it. The bridge derives CPUs, memory and GRES from the pods' requests."""

    account: str | None = None
    """The account that pays; by default that of the user."""
    constraints: str | None = None
    """Features of nodes, as in `sbatch --constraint`."""
    cpus_per_task: int | None = Field(default=None, ge=1, le=MAX_CPUS)
    """CPUs of each pod's node."""
    exclusive: bool | None = None
    """Write false to share nodes with other jobs; by default each pod has a whole node."""
    gres: str | None = None
    """GRES of each node, such as "gpu:a100:2". It takes the place of what the pods' limits say."""
    group_id: str | None = None
    """The group, by name or number."""
    job_name: str | None = None
    """The job's name."""
    licenses: str | None = None
    """Licenses, as in `sbatch --licenses`."""
    max_nodes: int | None = Field(default=None, ge=1, le=MAX_INT32)
    """The largest number of nodes."""
    min_nodes: int | None = Field(default=None, ge=1, le=MAX_INT32)
    """The smallest number of nodes."""
    mem_per_node: str | None = None
    """Memory of each node, as a Kubernetes quantity such as "16Gi"; it is rounded up to MiB."""
    partition: str | None = None
    """The partition, or several with commas between; by default that of the bridge."""
    priority: int | None = Field(default=None, ge=0, le=MAX_INT32)
    """The job's priority, in place of the computed one, where bridge 1.2 or newer runs; 0 holds the job."""
    qos: str | None = None
    """The QoS."""
    reservation: str | None = None
    """The reservation."""
    time_limit: str | None = None
    """The time limit in one of Slurm's forms, such as "90" (minutes) or "1-12:00:00"; seconds are rounded up."""
    user_id: str | None = None
    """Whose job it is, by name or number; by default SlurmUser's. What runs in the pods is not changed by it."""
    wckey: str | None = None
    """The workload characterization key."""

    @field_validator("user_id", "group_id", mode="before")
    @classmethod
    def _number_as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    _one_name = field_validator("account", "user_id", "group_id")(optional(slurm_name))

    @field_validator("partition", "qos", "reservation")
    @classmethod
    def _names_with_commas(cls, value: str | None) -> str | None:
        return value if value is None else ",".join(slurm_name(name) for name in value.split(","))

    @field_validator("constraints", "licenses", "wckey")
    @classmethod
    def _one_word(cls, value: str | None) -> str | None:
        if value is not None and not _ONE_WORD.fullmatch(value):
            raise field_error("Slurm would not read this as one word", "Write it without spaces.")
        return value

    @field_validator("job_name")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        if value is not None and (not value.strip() or not value.isprintable()):
            raise field_error("this is no name that squeue could show", "Write one line of text.")
        return value

    @field_validator("gres")
    @classmethod
    def _gres_as_slurm_stores_it(cls, value: str | None) -> str | None:
        return value if value is None else ",".join(map(_gres, value.split(",")))

    @field_validator("min_nodes")
    @classmethod
    def _no_more_than_max_nodes(cls, value: int | None, info: ValidationInfo) -> int | None:
        max_nodes = info.data.get("max_nodes")
        if value is not None and max_nodes is not None and value > max_nodes:
            raise field_error(f"this is more than maxNodes, which is {max_nodes}", f"Write {max_nodes} or less.")
        return value

    @field_validator("mem_per_node", mode="before")
    @classmethod
    def _memory_in_mib(cls, value: Any) -> Any:
        if value is None:
            return value
        mib = -(-quantity(bytes_text(value)) // 1024**2)
        if mib >= 2**43:
            raise field_error("no number of bytes in 64 bits is as large", 'Write for example "64Gi".')
        return f"{mib}Mi"

    @field_validator("time_limit", mode="before")
    @classmethod
    def _whole_minutes(cls, value: Any) -> Any:
        if value is None or isinstance(value, bool) or not isinstance(value, int | str):
            return value
        seconds = time_seconds(str(value).strip())
        if seconds is None:
            raise field_error(
                "the bridge reads minutes alone", "Leave it out, for the partition's limit, or write a time."
            )
        if seconds == 0:
            raise field_error("no job ends before it begins", 'Write for example "1:00:00".')
        return str(-(-seconds // 60))

    def annotations(self) -> dict[str, str]:
        """Return the annotations."""
        values = self.model_dump(exclude_none=True)
        return {WORK_PREFIX + SUFFIXES[name]: _text(value) for name, value in values.items()}


def check_priority(priority: object, version: str) -> None:
    """Raise a field error for a priority where the release of the bridge would ignore it."""
    if priority is not None and not bridge_version(version).has_priority:
        raise field_error(
            f"bridge {version} ignores the annotation priority", 'Leave it out, or write version "1.2.0" or later.'
        )


def _text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _gres(text: str) -> str:
    """Return one GRES as slurmctld reads it in ``tres_per_node``: what has no "gres" before its name is left out there.

    Source: `slurm_get_next_tres` in src/common/slurm_protocol_defs.c of https://github.com/SchedMD/slurm, 26.05.3.
    """
    match = _GRES.fullmatch(text)
    if not match:
        raise field_error("Slurm would not read this as GRES", 'Write for example "gpu:2" or "gpu:a100:2".')
    name = f"{match['name']}:{match['type']}" if match["type"] else match["name"]
    return f"gres/{name}={match['count'] or 1}"

"""Disks of nodes.

Source of types and sizes: the provider's description of system_disk_* and data_disks of
alicloud_cs_kubernetes_node_pool.
"""

from enum import StrEnum
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors, nearest
from pulumi_slurm.model.base import Model

DISK_TYPES = ("cloud_essd", "cloud_auto", "cloud_essd_entry", "cloud_ssd", "cloud_efficiency")
"""The types of disks."""

ESSD = "cloud_essd"


class Performance(StrEnum):
    """How fast an ESSD is."""

    PL0 = "PL0"
    PL1 = "PL1"
    PL2 = "PL2"
    PL3 = "PL3"


_LEAST_GIB = {Performance.PL2: 461, Performance.PL3: 1261}
_LARGEST_GIB = 2048
_LARGEST_DATA_GIB = 32768


def _disk_type(value: str) -> str:
    if value not in DISK_TYPES:
        raise field_error("there is no such disk", nearest(value, DISK_TYPES))
    return value


class AckDiskSpec(Model):
    """The system disk of a node."""

    type: str = ESSD
    """cloud_essd, cloud_auto, cloud_essd_entry, cloud_ssd or cloud_efficiency."""
    performance: Performance | None = None
    """With cloud_essd: PL0, PL1 (the default), PL2 from 461 GiB, PL3 from 1,261 GiB."""
    size_gib: int = Field(default=120, ge=40)
    """Its size in GiB, 2,048 at most; images of slurmd with CUDA take 20 to 30."""

    _type = field_validator("type")(_disk_type)

    @model_validator(mode="after")
    def _can_be_had(self) -> Self:
        found = _errors(self, _LARGEST_GIB)
        if found:
            raise field_errors(found)
        return self

    @property
    def performance_level(self) -> Performance | None:
        """The performance level that Alibaba Cloud is told; only ESSDs have one."""
        return (self.performance or Performance.PL1) if self.type == ESSD else None


class AckDataDiskSpec(Model):
    """A further disk of each node, formatted and mounted. What is on it goes with the node."""

    mount_path: str = Field(pattern=r"^/[^/].*")
    """Where the node mounts it, e.g. "/var/lib/containerd" for images, or "/mnt/scratch" for hostPath volumes."""
    type: str = ESSD
    """cloud_essd, cloud_auto, cloud_essd_entry, cloud_ssd or cloud_efficiency."""
    performance: Performance | None = None
    """With cloud_essd: PL0, PL1 (the default), PL2 from 461 GiB, PL3 from 1,261 GiB."""
    size_gib: int = Field(default=200, ge=40)
    """Its size in GiB, 32,768 at most."""

    _type = field_validator("type")(_disk_type)

    @model_validator(mode="after")
    def _can_be_had(self) -> Self:
        found = _errors(self, _LARGEST_DATA_GIB)
        if found:
            raise field_errors(found)
        return self

    @property
    def performance_level(self) -> Performance | None:
        """The performance level that Alibaba Cloud is told; only ESSDs have one."""
        return (self.performance or Performance.PL1) if self.type == ESSD else None


def _errors(disk: AckDiskSpec | AckDataDiskSpec, largest: int) -> list[FieldError]:
    found: list[FieldError] = []
    least = _LEAST_GIB.get(disk.performance, 0) if disk.performance else 0
    if disk.performance and disk.type != ESSD:
        found.append(
            FieldError(
                ("performance",),
                disk.performance,
                f"only {ESSD} comes in performance levels, and this is {disk.type}",
                f"Leave it out, or write type {ESSD}.",
                depends_on_fields=(("type",),),
            )
        )
    elif disk.size_gib < least:
        found.append(
            FieldError(
                ("size_gib",),
                disk.size_gib if "size_gib" in disk.model_fields_set else FieldError.ABSENT,
                f"a disk of {disk.performance} has {least} GiB or more, and this has {disk.size_gib}",
                f"Write {least} or more, or a lower performance level.",
                depends_on_fields=(("performance",),),
            )
        )
    if disk.size_gib > largest:
        found.append(
            FieldError(
                ("size_gib",), disk.size_gib, f"the largest has {largest}", f"Write {largest} or less.", (("type",),)
            )
        )
    return found

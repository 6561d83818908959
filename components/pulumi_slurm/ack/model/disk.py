"""Disks of nodes.

Source for types and sizes: the provider's description of system_disk_* and data_disks of
alicloud_cs_kubernetes_node_pool.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, nearest, optional, raise_errors
from pulumi_slurm.model.alibaba_ids import id_of_key
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_names import object_name
from pulumi_slurm.model.one_of import OneOf

DISK_TYPES = ("cloud_essd", "cloud_auto", "cloud_essd_entry", "cloud_ssd", "cloud_efficiency")
"""The disk types."""

ESSD = "cloud_essd"


class Performance(StrEnum):
    """The performance level of an ESSD."""

    PL0 = "PL0"
    PL1 = "PL1"
    PL2 = "PL2"
    PL3 = "PL3"


_MIN_GIB: Mapping[str, int] = MappingProxyType({Performance.PL2: 461, Performance.PL3: 1261})
_MAX_GIB = 2048
_MAX_DATA_GIB = 32767


def _check_type(value: str) -> str:
    if value not in DISK_TYPES:
        raise field_error("there is no such disk", nearest(value, DISK_TYPES))
    return value


class AckDiskSpec(Model):
    """The system disk of a node."""

    type: str = ESSD
    """cloud_essd, cloud_auto, cloud_essd_entry, cloud_ssd or cloud_efficiency."""
    performance: OneOf[Performance] | None = None
    """With cloud_essd: PL0, PL1 (the default), PL2 from 461 GiB, PL3 from 1,261 GiB."""
    size_gib: int = Field(default=120, ge=40)
    """Its size in GiB, at most 2,048; images of slurmd with CUDA take 20 to 30."""
    encrypted: bool = True
    """Encrypt an ESSD or an AutoPL disk by the free key that ECS keeps in KMS, which the account has to have
    activated."""

    _type = field_validator("type")(_check_type)

    @model_validator(mode="after")
    def _is_offered(self) -> Self:
        raise_errors(_size_errors(self, _MAX_GIB))
        return self

    @property
    def performance_level(self) -> Performance | None:
        """The performance level; None for disks other than ESSDs."""
        return Performance(self.performance or Performance.PL1) if self.type == ESSD else None

    @property
    def is_encrypted(self) -> bool:
        """Whether it is encrypted, which system disks of older types can't be."""
        return self.encrypted and (self.type.startswith(ESSD) or self.type == "cloud_auto")


class AckDataDiskSpec(Model):
    """An additional disk of each node, formatted and mounted. Its data is deleted with the node."""

    mount_path: str = Field(pattern=r"^/[^/].*")
    """Where the node mounts it, e.g. "/var/lib/containerd" for images, or "/mnt/scratch" for hostPath volumes."""
    type: str = ESSD
    """cloud_essd, cloud_auto, cloud_essd_entry, cloud_ssd or cloud_efficiency."""
    performance: OneOf[Performance] | None = None
    """With cloud_essd: PL0, PL1 (the default), PL2 from 461 GiB, PL3 from 1,261 GiB."""
    size_gib: int = Field(default=200, ge=40)
    """Its size in GiB, at most 32,767."""
    encrypted: bool = True
    """Encrypt it by the free key that ECS keeps in KMS, which the account has to have activated."""

    _type = field_validator("type")(_check_type)

    @model_validator(mode="after")
    def _is_offered(self) -> Self:
        raise_errors(_size_errors(self, _MAX_DATA_GIB))
        return self

    @property
    def performance_level(self) -> Performance | None:
        """The performance level; None for disks other than ESSDs."""
        return Performance(self.performance or Performance.PL1) if self.type == ESSD else None


class AckDiskClassSpec(Model):
    """A StorageClass for encrypted disks, which claims refer to by its name."""

    name: str = "slurm-disk"
    """Its name."""
    encrypted: bool = True
    """Encrypt the disks, for which the account has to have activated KMS. A class can't be changed once it is made."""
    encryption_key: str | None = None
    """The id of the key of KMS that encrypts the disks; by default one that ECS manages. The account has to have the
    role AliyunECSDiskEncryptDefaultRole then."""

    _name = field_validator("name")(object_name)
    _encryption_key = field_validator("encryption_key")(optional(id_of_key))

    @model_validator(mode="after")
    def _has_a_key_for_something(self) -> Self:
        if self.encryption_key and not self.encrypted:
            raise_errors(
                [
                    FieldError(
                        ("encryption_key",),
                        self.encryption_key,
                        "the disks aren't encrypted, so it would have no effect",
                        "Leave it out, or write encrypted: true.",
                        depends_on_fields=(("encrypted",),),
                    )
                ]
            )
        return self


def _size_errors(disk: AckDiskSpec | AckDataDiskSpec, max_gib: int) -> Iterator[FieldError]:
    min_gib = _MIN_GIB.get(disk.performance, 0) if disk.performance else 0
    if disk.performance and disk.type != ESSD:
        yield FieldError(
            ("performance",),
            disk.performance,
            f"only {ESSD} comes in performance levels, and this is {disk.type}",
            f"Leave it out, or write type {ESSD}.",
            depends_on_fields=(("type",),),
        )
    elif disk.size_gib < min_gib:
        yield FieldError(
            ("size_gib",),
            disk.size_gib if "size_gib" in disk.model_fields_set else FieldError.ABSENT,
            f"a disk of {disk.performance} has {min_gib} GiB or more, and this has {disk.size_gib}",
            f"Write {min_gib} or more, or a lower performance level.",
            depends_on_fields=(("performance",),),
        )
    if disk.size_gib > max_gib:
        yield FieldError(
            ("size_gib",), disk.size_gib, f"the largest has {max_gib}", f"Write {max_gib} or less.", (("type",),)
        )

"""Storage that pods share: NAS.

Source of types: the provider's description of alicloud_nas_file_system; of the path of Extreme NAS and of NFS versions:
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/nas-volume-overview.
See docs/verification.md for what was checked.
"""

import re
from enum import StrEnum
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.ack.model.names import zone_name
from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.storage import check_mount_path

EXTREME_ROOT = "/share"
"""What an Extreme NAS shows; general-purpose ones show "/"."""

_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.nas\.aliyuncs\.com")
_PATH = re.compile(r"/|(/[^/\s]+)+")


class FileSystemType(StrEnum):
    """Alibaba Cloud's kinds of NAS."""

    STANDARD = "standard"
    EXTREME = "extreme"


class NfsVersion(StrEnum):
    """Versions of NFS."""

    V3 = "3"
    V4 = "4.0"


_STORAGE_TYPES = {
    FileSystemType.STANDARD: ("Performance", "Capacity", "Premium"),
    FileSystemType.EXTREME: ("standard", "advance"),
}


class NasSpec(Model):
    """A NAS file system."""

    file_system_type: FileSystemType = FileSystemType.STANDARD
    """"standard" grows by itself; "extreme" has less latency and a fixed size."""
    storage_type: str | None = None
    """Of standard: Performance, Capacity or Premium; of extreme: standard or advance; the first one by default."""
    capacity_gib: int | None = Field(default=None, ge=100, le=32768)
    """The size of an extreme one in GiB."""
    path: str | None = None
    """The folder that pods see as the root; all of it by default, which for an extreme one is /share. The CSI driver
    makes it if it isn't there."""
    nfs: NfsVersion = NfsVersion.V3
    """The version of NFS: Alibaba Cloud advises 3, whose file locks count within a node only; 4.0 has locks that all
    nodes see."""
    zone: str | None = None
    """Its zone; the first zone of the cluster by default. Nodes of all zones mount it."""
    encrypted: bool = True
    """Encrypt what is stored, by a key of NAS."""
    existing: str | None = None
    """The mount target of a file system that exists already, e.g. "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com". It
    has to lie in the same VPC, and its access rule may not squash root."""

    @field_validator("path")
    @classmethod
    def _is_a_path(cls, value: str | None) -> str | None:
        if value is not None and (not _PATH.fullmatch(value) or ".." in value.split("/")):
            raise field_error("this is not a plain path", 'Write for example "/home".')
        return value

    @field_validator("zone")
    @classmethod
    def _is_a_zone(cls, value: str | None) -> str | None:
        return value if value is None else zone_name(value)

    @field_validator("existing")
    @classmethod
    def _is_a_mount_target(cls, value: str | None) -> str | None:
        if value is not None and not _DOMAIN.fullmatch(value):
            raise field_error(
                "this is not the domain of a mount target",
                'Write for example "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com".',
            )
        return value

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        found = [*_type_errors(self), *_extreme_errors(self), *_existing_errors(self)]
        if found:
            raise field_errors(found)
        return self

    @property
    def is_extreme(self) -> bool:
        """Whether it is an Extreme NAS."""
        return self.file_system_type is FileSystemType.EXTREME

    @property
    def kind(self) -> str:
        """The storage type that Alibaba Cloud is told."""
        return self.storage_type or _STORAGE_TYPES[self.file_system_type][0]

    @property
    def root(self) -> str:
        """The folder that pods see as the root."""
        return self.path or (EXTREME_ROOT if self.is_extreme else "/")


def _type_errors(nas: NasSpec) -> list[FieldError]:
    known = _STORAGE_TYPES[nas.file_system_type]
    if nas.storage_type is None or nas.storage_type in known:
        return []
    return [
        FieldError(
            ("storage_type",),
            nas.storage_type,
            f'a file system of type "{nas.file_system_type}" has no such storage type',
            f"Write one of: {', '.join(known)}.",
            depends_on_fields=(("file_system_type",),),
        )
    ]


def _extreme_errors(nas: NasSpec) -> list[FieldError]:
    depends_on_fields = (("file_system_type",),)
    found: list[FieldError] = []
    if not nas.is_extreme:
        if nas.capacity_gib is not None:
            found.append(
                FieldError(
                    ("capacity_gib",),
                    nas.capacity_gib,
                    "a standard file system has no size of its own: it grows with what is in it",
                    'Leave it out, or write fileSystemType "extreme".',
                    depends_on_fields,
                )
            )
        return found
    if nas.capacity_gib is None and not nas.existing:
        found.append(
            FieldError(
                ("capacity_gib",),
                FieldError.ABSENT,
                "an extreme file system has a fixed size, and nothing says which",
                "Add capacityGib, for example 512.",
                (*depends_on_fields, ("existing",)),
            )
        )
    if nas.path is not None and f"{nas.path}/".startswith(f"{EXTREME_ROOT}/") is False:
        found.append(
            FieldError(
                ("path",),
                nas.path,
                f"an extreme file system has nothing outside of {EXTREME_ROOT}, so no pod could mount it",
                f'Write "{EXTREME_ROOT}{nas.path.rstrip("/")}".',
                depends_on_fields,
            )
        )
    if nas.nfs is not NfsVersion.V3:
        found.append(
            FieldError(
                ("nfs",), nas.nfs, "an extreme file system speaks NFS 3 alone", "Leave it out.", depends_on_fields
            )
        )
    return found


def _existing_errors(nas: NasSpec) -> list[FieldError]:
    if not nas.existing:
        return []
    return [
        FieldError(
            (field,),
            getattr(nas, field),
            f'"{nas.existing}" exists already, and this can\'t be changed any more',
            "Leave it out; or leave existing out, and one is made.",
            depends_on_fields=(("existing",),),
        )
        for field in ("storage_type", "capacity_gib", "zone", "encrypted")
        if field in nas.model_fields_set and getattr(nas, field) is not None
    ]


class AckStorageSpec(Model):
    """Storage that every login and worker pod mounts."""

    name: str
    """Its name; also that of the shared volume."""
    mount_path: str = Field(pattern=r"^/.+")
    """Where pods see it."""
    nas: NasSpec = NasSpec()
    """The file system; {} takes all defaults."""

    _mount_path = field_validator("mount_path")(check_mount_path)

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value, 16)

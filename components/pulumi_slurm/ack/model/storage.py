"""Storage in NAS that pods share.

Sources: for types, the provider's description of alicloud_nas_file_system; for the path of Extreme NAS and NFS
versions, https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/nas-volume-overview.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.ack.model.names import zone_name
from pulumi_slurm.errors import FieldError, Path, field_error, optional, raise_errors
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_names import object_name
from pulumi_slurm.model.names import dns_label_of
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.storage import check_mount_path

EXTREME_ROOT = "/share"
"""The root of an Extreme NAS; that of a general-purpose NAS is "/"."""

_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.nas\.aliyuncs\.com")
_PATH = re.compile(r"/|(/[^/\s]+)+")


class FileSystemType(StrEnum):
    """Alibaba Cloud's types of NAS."""

    STANDARD = "standard"
    EXTREME = "extreme"


class NfsVersion(StrEnum):
    """Supported versions of NFS."""

    V3 = "3"
    V4 = "4.0"


_STORAGE_TYPES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        FileSystemType.STANDARD: ("Performance", "Capacity", "Premium"),
        FileSystemType.EXTREME: ("standard", "advance"),
    }
)
_FILE_SYSTEM_TYPE: tuple[Path, ...] = (("file_system_type",),)


class NasSpec(Model):
    """A NAS file system."""

    file_system_type: OneOf[FileSystemType] = FileSystemType.STANDARD
    """"standard" grows automatically; "extreme" has less latency and a fixed size. A change replaces the file system,
    which is empty then."""
    storage_type: str | None = None
    """For a standard one Performance (the default), Capacity or Premium; for an extreme one standard (the default) or
    advance. A change replaces the file system, which is empty then."""
    capacity_gib: int | None = Field(default=None, ge=100, le=32768)
    """The size of an extreme one in GiB."""
    path: str | None = None
    """The folder that pods mount; the root by default, which is /share for an extreme one. The CSI driver creates the
    folder if it doesn't exist."""
    nfs: OneOf[NfsVersion] = NfsVersion.V3
    """The version of NFS. Alibaba Cloud recommends 3, whose file locks only apply within a node; those of 4.0 apply on
    all nodes."""
    zone: str | None = None
    """Its zone; the first zone of the cluster by default. Nodes in all zones can mount it. A change replaces the file
    system, which is empty then."""
    encrypted: bool = True
    """Encrypt its data with a key that NAS manages. A change replaces the file system, which is empty then."""
    existing: str | None = None
    """The mount target of an existing file system, e.g. "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com". It has to be
    in the same VPC, and its access rule must not squash root."""

    @field_validator("path")
    @classmethod
    def _is_a_path(cls, value: str | None) -> str | None:
        if value is not None and (not _PATH.fullmatch(value) or ".." in value.split("/")):
            raise field_error("this is not a plain path", 'Write for example "/home".')
        return value

    _is_a_zone = field_validator("zone")(optional(zone_name))

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
    def _is_consistent(self) -> Self:
        type_errors = _extreme_errors(self) if self.is_extreme else _standard_errors(self)
        raise_errors([*_storage_type_errors(self), *type_errors, *_existing_errors(self)])
        return self

    @property
    def is_extreme(self) -> bool:
        """Whether it is an Extreme NAS."""
        return self.file_system_type is FileSystemType.EXTREME

    @property
    def kind(self) -> str:
        """The configured storage type, or the default one."""
        return self.storage_type or _STORAGE_TYPES[self.file_system_type][0]

    @property
    def root(self) -> str:
        """The folder that pods mount."""
        return self.path or (EXTREME_ROOT if self.is_extreme else "/")


def _storage_type_errors(nas: NasSpec) -> Iterator[FieldError]:
    storage_types = _STORAGE_TYPES[nas.file_system_type]
    if nas.storage_type is not None and nas.storage_type not in storage_types:
        yield FieldError(
            ("storage_type",),
            nas.storage_type,
            f'a file system of type "{nas.file_system_type}" has no such storage type',
            f"Write one of: {', '.join(storage_types)}.",
            depends_on_fields=_FILE_SYSTEM_TYPE,
        )


def _standard_errors(nas: NasSpec) -> Iterator[FieldError]:
    if nas.capacity_gib is not None:
        yield FieldError(
            ("capacity_gib",),
            nas.capacity_gib,
            "a standard file system has no fixed size: it grows with its data",
            'Leave it out, or write fileSystemType "extreme".',
            _FILE_SYSTEM_TYPE,
        )


def _extreme_errors(nas: NasSpec) -> Iterator[FieldError]:
    if nas.capacity_gib is None and not nas.existing:
        yield FieldError(
            ("capacity_gib",),
            FieldError.ABSENT,
            "an extreme file system needs a fixed size",
            "Add capacityGib, for example 512.",
            (*_FILE_SYSTEM_TYPE, ("existing",)),
        )
    if nas.path is not None and not f"{nas.path}/".startswith(f"{EXTREME_ROOT}/"):
        yield FieldError(
            ("path",),
            nas.path,
            f"an extreme file system has nothing outside of {EXTREME_ROOT}, so no pod could mount it",
            f'Write "{EXTREME_ROOT}{nas.path.rstrip("/")}".',
            _FILE_SYSTEM_TYPE,
        )
    if nas.nfs is not NfsVersion.V3:
        yield FieldError(
            ("nfs",), nas.nfs, "an extreme file system supports only NFS 3", "Leave it out.", _FILE_SYSTEM_TYPE
        )


def _existing_errors(nas: NasSpec) -> Iterator[FieldError]:
    if not nas.existing:
        return
    for field in ("storage_type", "capacity_gib", "zone", "encrypted"):
        if field in nas.model_fields_set and getattr(nas, field) is not None:
            yield FieldError(
                (field,),
                getattr(nas, field),
                f'"{nas.existing}" exists already, and this can\'t be changed any more',
                "Leave it out; or leave existing out, and a file system is created.",
                depends_on_fields=(("existing",),),
            )


class AckStorageSpec(Model):
    """Storage that every login and worker pod mounts."""

    name: str
    """Its name, which is also the name of the shared volume."""
    mount_path: str = Field(pattern=r"^/.+")
    """The path at which pods mount it."""
    nas: NasSpec = NasSpec()
    """The file system; {} takes all defaults."""
    storage_class: str | None = None
    """The name of a StorageClass to create, whose volumes are folders of the file system: for claims that several pods
    write to, such as the state of several controllers."""

    _mount_path = field_validator("mount_path")(check_mount_path)
    _storage_class = field_validator("storage_class")(object_name)

    _name_is_a_label = field_validator("name")(dns_label_of(16))

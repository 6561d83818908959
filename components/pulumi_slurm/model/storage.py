"""Volumes: those that login and worker pods share, those of single daemons, and directories of nodes."""

from enum import StrEnum
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import MAX_PART_NAME, dns_label_of
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.references import host
from pulumi_slurm.model.units import bytes_text


class AccessMode(StrEnum):
    """How a volume can be mounted, as in Kubernetes."""

    READ_WRITE_ONCE = "ReadWriteOnce"
    READ_WRITE_ONCE_POD = "ReadWriteOncePod"
    READ_WRITE_MANY = "ReadWriteMany"
    READ_ONLY_MANY = "ReadOnlyMany"


SHARED_ACCESS_MODES = frozenset({AccessMode.READ_WRITE_MANY, AccessMode.READ_ONLY_MANY})


_RESERVED_TREES = (
    "/etc/slurm",
    "/etc/ssh",
    "/etc/sssd",
    "/mnt/etc",
    "/mnt/slurm",
    "/proc",
    "/run/slurm",
    "/run/slurmctld",
    "/sys",
    "/var/log/slurm",
    "/var/spool/slurmd",
)
_RESERVED_PATHS = (
    "",
    "/bin",
    "/dev",
    "/etc",
    "/lib",
    "/lib64",
    "/run",
    "/sbin",
    "/usr",
    "/var",
    "/var/log",
    "/var/spool",
    "/mnt",
)


def check_mount_path(value: str) -> str:
    """Return the path if a volume can be mounted there in Slurm's pods; otherwise raise a field error."""
    path = value.rstrip("/")
    if "//" in value or ":" in value or ".." in value.split("/"):
        raise field_error("this is not a plain path", 'Write for example "/home".')
    if path in _RESERVED_PATHS or any(path == tree or path.startswith(tree + "/") for tree in _RESERVED_TREES):
        raise field_error("the daemons' own files live there", 'Mount it elsewhere, for example "/home" or "/shared".')
    return value


class NfsSpec(Model):
    """An NFS export."""

    server: str
    """The server's host name or address."""
    path: str = Field(pattern=r"^/")
    """The exported path."""
    mount_options: list[str] = ["vers=4.1", "hard", "noresvport"]
    """Mount options."""

    _server = field_validator("server")(host)


class CsiSpec(Model):
    """An existing volume of a CSI driver."""

    _with_line_breaks = frozenset({"attributes"})

    driver: str = Field(min_length=1)
    """The driver's name, for example "filestore.csi.storage.gke.io"."""
    volume_handle: str = Field(min_length=1)
    """The volume's ID for the driver (volumeHandle)."""
    attributes: dict[str, str] = {}
    """The driver's volumeAttributes."""
    mount_options: list[str] = []
    """Mount options."""
    secret: str | None = None
    """An existing Secret in the cluster's namespace, with what the driver needs to mount it (nodePublishSecretRef)."""

    _secret = field_validator("secret")(kubernetes_names.object_name)


class SharedVolumeSpec(Model):
    """A volume that all login and worker pods mount, for example /home."""

    name: str
    """The volume's name, which is also the suffix of its claim's name."""
    mount_path: str = Field(pattern=r"^/.+")
    """The path at which login and worker pods mount it."""
    existing_claim: str | None = None
    """An existing PersistentVolumeClaim in the cluster's namespace."""
    storage_class: str | None = None
    """A StorageClass that provisions volumes with ReadWriteMany."""
    nfs: NfsSpec | None = None
    """An NFS export."""
    csi: CsiSpec | None = None
    """An existing volume of a CSI driver."""
    size: str = "100Gi"
    """The requested size; file systems such as NFS don't enforce it."""
    access_mode: OneOf[AccessMode] = AccessMode.READ_WRITE_MANY
    """The access mode: ReadWriteMany or ReadOnlyMany, because many pods share the volume."""
    sub_path: str | None = None
    """A directory within the volume to mount."""
    retain: bool = True
    """Keep the claim and its data when the cluster is destroyed."""

    @property
    def volume_name(self) -> str:
        """The name of the volume in pods."""
        return f"shared-{self.name}"

    _name_is_a_label = field_validator("name")(dns_label_of(MAX_PART_NAME))

    _size_is_a_quantity = field_validator("size", mode="before")(bytes_text)

    @field_validator("access_mode")
    @classmethod
    def _many_pods_mount_it(cls, value: AccessMode) -> AccessMode:
        if value not in SHARED_ACCESS_MODES:
            raise field_error(
                "one pod would mount it and all others would stay Pending", "Write ReadWriteMany or ReadOnlyMany."
            )
        return value

    _mount_path = field_validator("mount_path")(check_mount_path)
    _names = field_validator("existing_claim", "storage_class")(kubernetes_names.object_name)

    @field_validator("sub_path")
    @classmethod
    def _stays_inside(cls, value: str | None) -> str | None:
        if value is not None and (not value or value.startswith("/") or ".." in value.split("/")):
            raise field_error("this is not a folder within the volume", 'Write a relative path, for example "home".')
        return value

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        sources = {
            "existingClaim": self.existing_claim,
            "storageClass": self.storage_class,
            "nfs": self.nfs,
            "csi": self.csi,
        }
        names = [name for name, value in sources.items() if value]
        if len(names) != 1:
            problem = "it has no source" if not names else f"it has {len(names)} sources, {' and '.join(names)}"
            raise field_errors(
                [
                    FieldError(
                        (),
                        FieldError.ABSENT,
                        problem,
                        "Give exactly one of existingClaim, storageClass, nfs and csi.",
                        depends_on_fields=(("existing_claim",), ("storage_class",), ("nfs",), ("csi",)),
                    )
                ]
            )
        return self


class ClaimSpec(Model):
    """A volume for a single daemon."""

    size: str = "10Gi"
    """The requested size."""
    storage_class: str | None = None
    """The StorageClass; by default the cluster's default class."""
    access_mode: OneOf[AccessMode] = AccessMode.READ_WRITE_ONCE
    """The access mode."""

    _size_is_a_quantity = field_validator("size", mode="before")(bytes_text)

    _storage_class = field_validator("storage_class")(kubernetes_names.object_name)

    @field_validator("access_mode")
    @classmethod
    def _the_daemon_writes(cls, value: AccessMode) -> AccessMode:
        if value is AccessMode.READ_ONLY_MANY:
            raise field_error("the daemon writes to this volume", "Write ReadWriteOnce.")
        return value


class VolumeClaimTemplateSpec(ClaimSpec):
    """A PersistentVolumeClaim that is created for every pod of a node set, for example for local scratch space."""

    name: str
    """The claim's name."""
    mount_path: str = Field(pattern=r"^/.+")
    """The path at which slurmd and its jobs see the volume."""

    _name_is_a_label = field_validator("name")(dns_label_of(MAX_PART_NAME))

    _mount_path = field_validator("mount_path")(check_mount_path)


class HostPathType(StrEnum):
    """What has to exist at a path of the node; otherwise the pod doesn't start."""

    DIRECTORY = "Directory"
    DIRECTORY_OR_CREATE = "DirectoryOrCreate"
    FILE = "File"
    FILE_OR_CREATE = "FileOrCreate"
    SOCKET = "Socket"
    CHAR_DEVICE = "CharDevice"
    BLOCK_DEVICE = "BlockDevice"


class HostPathSpec(Model):
    """A directory or file of the node that its pods can access, for example a local disk."""

    name: str
    """The name of the volume in the pod."""
    path: str
    """The path on the node."""
    mount_path: str = Field(pattern=r"^/.+")
    """The path at which slurmd and its jobs see it."""
    type: OneOf[HostPathType] = HostPathType.DIRECTORY
    """What has to exist at the path; DirectoryOrCreate and FileOrCreate create it, accessible to root only."""
    read_only: bool = False
    """Mount it read-only."""

    _name_is_a_label = field_validator("name")(dns_label_of(MAX_PART_NAME))

    @field_validator("path")
    @classmethod
    def _path_is_absolute(cls, value: str) -> str:
        if not value.startswith("/") or ".." in value.split("/"):
            raise field_error(
                'Kubernetes takes only absolute paths without ".."', 'Write for example "/mnt/disks/ssd0".'
            )
        return value

    _mount_path = field_validator("mount_path")(check_mount_path)

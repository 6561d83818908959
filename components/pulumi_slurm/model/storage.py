"""Volumes: what login and worker pods share, what each daemon keeps for itself, and folders of nodes."""

from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.units import quantity_text


class AccessMode(StrEnum):
    """Who may mount a volume."""

    READ_WRITE_ONCE = "ReadWriteOnce"
    READ_WRITE_ONCE_POD = "ReadWriteOncePod"
    READ_WRITE_MANY = "ReadWriteMany"
    READ_ONLY_MANY = "ReadOnlyMany"


SHAREABLE = {AccessMode.READ_WRITE_MANY, AccessMode.READ_ONLY_MANY}


_TAKEN_WITH_ALL_BELOW = (
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
_TAKEN = (
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


def free_path(value: str) -> str:
    """Return a path at which a volume may be mounted in Slurm's pods."""
    path = value.rstrip("/")
    if "//" in value or ":" in value or ".." in value.split("/"):
        raise field_error("this is not a plain path", 'Write for example "/home".')
    if path in _TAKEN or any(path == taken or path.startswith(taken + "/") for taken in _TAKEN_WITH_ALL_BELOW):
        raise field_error("the daemons' own files live there", 'Mount it elsewhere, for example "/home" or "/shared".')
    return value


class NfsSpec(Model):
    """An NFS export."""

    server: str = Field(min_length=1)
    """Host name or address of the server."""
    path: str = Field(pattern=r"^/")
    """The exported path."""
    mount_options: list[str] = ["vers=4.1", "hard", "noresvport"]
    """Options for mount."""


class CsiSpec(Model):
    """A volume that exists already behind a CSI driver."""

    driver: str = Field(min_length=1)
    """The driver's name, for example "filestore.csi.storage.gke.io"."""
    volume_handle: str = Field(min_length=1)
    """How the driver names the volume."""
    attributes: dict[str, str] = {}
    """The driver's volumeAttributes."""


class SharedVolumeSpec(Model):
    """A volume that every login pod and worker pod mounts, such as /home."""

    name: str
    """The volume's name; also the ending of its claim's name."""
    mount_path: str = Field(pattern=r"^/.+")
    """Where it is mounted in login and worker pods."""
    existing_claim: str | None = None
    """A PersistentVolumeClaim that exists already in the cluster's namespace."""
    storage_class: str | None = None
    """A StorageClass that makes volumes with ReadWriteMany."""
    nfs: NfsSpec | None = None
    """An NFS export."""
    csi: CsiSpec | None = None
    """A volume that exists already behind a CSI driver."""
    size: str = "100Gi"
    """The size that is claimed; file systems such as NFS don't enforce it."""
    access_mode: AccessMode = AccessMode.READ_WRITE_MANY
    """How it is mounted; many pods share it, so ReadWriteMany or ReadOnlyMany."""
    sub_path: str | None = None
    """A folder within the volume."""
    retain: bool = True
    """Keep the claim and its data when the cluster is destroyed."""

    @property
    def volume(self) -> str:
        """The name of the pods' volume for it."""
        return f"shared-{self.name}"

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value, 40)

    @field_validator("size", mode="before")
    @classmethod
    def _size_is_a_quantity(cls, value: Any) -> str:
        return quantity_text(value)

    @field_validator("access_mode")
    @classmethod
    def _many_pods_mount_it(cls, value: AccessMode) -> AccessMode:
        if value not in SHAREABLE:
            raise field_error(
                "one pod would mount it and all others would stay Pending", "Write ReadWriteMany or ReadOnlyMany."
            )
        return value

    _mount_path = field_validator("mount_path")(free_path)
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
        given = [name for name, value in sources.items() if value]
        if len(given) != 1:
            problem = "it has no source" if not given else f"it has {len(given)} sources, {' and '.join(given)}"
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
    """A volume that one daemon keeps for itself."""

    size: str = "10Gi"
    """The size to claim."""
    storage_class: str | None = None
    """The StorageClass; by default the cluster's default class."""
    access_mode: AccessMode = AccessMode.READ_WRITE_ONCE
    """How it is mounted."""

    @field_validator("size", mode="before")
    @classmethod
    def _size_is_a_quantity(cls, value: Any) -> str:
        return quantity_text(value)

    _storage_class = field_validator("storage_class")(kubernetes_names.object_name)

    @field_validator("access_mode")
    @classmethod
    def _the_daemon_writes(cls, value: AccessMode) -> AccessMode:
        if value is AccessMode.READ_ONLY_MANY:
            raise field_error("the daemon writes to this volume", "Write ReadWriteOnce.")
        return value


class VolumeClaimTemplateSpec(ClaimSpec):
    """A claim that every pod of a node set gets for itself, for example local scratch space."""

    name: str
    """The claim's name."""
    mount_path: str = Field(pattern=r"^/.+")
    """Where slurmd and its jobs see it."""

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value, 40)

    _mount_path = field_validator("mount_path")(free_path)


class HostPathType(StrEnum):
    """What has to be at a path of the node before a pod starts; anything else keeps the pod waiting."""

    DIRECTORY = "Directory"
    DIRECTORY_OR_CREATE = "DirectoryOrCreate"
    FILE = "File"
    FILE_OR_CREATE = "FileOrCreate"
    SOCKET = "Socket"
    CHAR_DEVICE = "CharDevice"
    BLOCK_DEVICE = "BlockDevice"


class HostPathSpec(Model):
    """A folder or file of the node that pods on it see, for example its local disks."""

    name: str
    """The name of the volume in the pod."""
    path: str
    """Where it is on the node."""
    mount_path: str = Field(pattern=r"^/.+")
    """Where slurmd and its jobs see it."""
    type: HostPathType = HostPathType.DIRECTORY
    """What has to be there; with DirectoryOrCreate and FileOrCreate it is made, for root alone."""
    read_only: bool = False
    """Let nobody in the pod change it."""

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value, 40)

    @field_validator("path")
    @classmethod
    def _path_is_absolute(cls, value: str) -> str:
        if not value.startswith("/") or ".." in value.split("/"):
            raise field_error("Kubernetes takes absolute paths alone", 'Write for example "/mnt/disks/ssd0".')
        return value

    _mount_path = field_validator("mount_path")(free_path)

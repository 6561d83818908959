"""Managed storage of a cloud as a shared volume of the Slurm cluster."""

from typing import Protocol

from pulumi_slurm.model.names import shared_volume_claim
from pulumi_slurm.model.storage import AccessMode, SharedVolumeSpec


class MountedStorage(Protocol):
    """Managed storage that becomes a shared volume of the Slurm cluster."""

    @property
    def name(self) -> str:
        """The name of the shared volume."""

    @property
    def mount_path(self) -> str:
        """The path at which pods mount it."""


def cloud_volume(cluster: str, storage: MountedStorage, access_mode: AccessMode) -> SharedVolumeSpec:
    """Return the shared volume for a Slurm cluster; a component of the cloud creates its PersistentVolumeClaim."""
    return SharedVolumeSpec(
        name=storage.name,
        mount_path=storage.mount_path,
        existing_claim=shared_volume_claim(cluster, storage.name),
        access_mode=access_mode,
    )

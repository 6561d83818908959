"""Volumes and claims in the Slurm cluster's namespace for NAS file systems."""

from typing import Any

from pulumi_slurm.ack.model import AckStorageSpec
from pulumi_slurm.ack.model.storage import NasSpec, NfsVersion
from pulumi_slurm.manifests.objects import ClusterRef, Manifest
from pulumi_slurm.manifests.storage import shared_volume
from pulumi_slurm.model import SharedVolumeSpec
from pulumi_slurm.model.storage import CsiSpec

DRIVER = "nasplugin.csi.alibabacloud.com"

_MOUNT_OPTIONS = ["proto=tcp", "rsize=1048576", "wsize=1048576", "hard", "timeo=600", "retrans=2", "noresvport"]
"""What Alibaba Cloud advises: https://www.alibabacloud.com/help/en/nas/user-guide/mount-an-nfs-file-system-on-a-linux-ecs-instance."""
_SIZE_GIB = 1024
"""A file system of the standard kind has no size, but Kubernetes wants one, and nothing reads it."""


def volume_and_claim(ref: ClusterRef, storage: AckStorageSpec, server: Any) -> list[Manifest]:
    """Return the PersistentVolume and the claim bound to it; deleting them leaves the file system as it is.

    ``server`` is the domain of a mount target; it may be an Output. The forms are those of examples/nas/pv.yaml in
    https://github.com/kubernetes-sigs/alibaba-cloud-csi-driver, where the handle has to be the volume's name.
    """
    nas = storage.nas
    persistent, claim = shared_volume(
        ref,
        SharedVolumeSpec(
            name=storage.name,
            mount_path=storage.mount_path,
            csi=CsiSpec(driver=DRIVER, volume_handle="the volume's name"),
            size=f"{nas.capacity_gib or _SIZE_GIB}Gi",
        ),
    )
    persistent["spec"]["csi"] = {
        "driver": DRIVER,
        "volumeHandle": persistent["metadata"]["name"],
        # The server may be an Output, which a specification can't hold.
        "volumeAttributes": {"server": server, "path": nas.root},
    }
    persistent["spec"]["mountOptions"] = mount_options(nas)
    return [persistent, claim]


def mount_options(nas: NasSpec) -> list[str]:
    """Return how nodes mount the file system. With NFS 3, NAS has no locks between nodes: each node keeps its own."""
    if nas.nfs is NfsVersion.V3:
        return ["vers=3", "nolock", *_MOUNT_OPTIONS]
    return ["vers=4", "minorversion=0", *_MOUNT_OPTIONS]

"""Volumes and claims in the Slurm cluster's namespace for NAS file systems."""

from typing import Any

from pulumi_slurm.ack.model import AckStorageSpec
from pulumi_slurm.ack.model.storage import NasSpec, NfsVersion
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.storage import shared_volume
from pulumi_slurm.model import SharedVolumeSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.storage import CsiSpec

DRIVER = "nasplugin.csi.alibabacloud.com"

_MOUNT_OPTIONS = (
    "proto=tcp",
    "rsize=1048576",
    "wsize=1048576",
    "hard",
    "timeo=600",
    "retrans=2",
    "noresvport",
)
"""Alibaba Cloud's recommendation: https://www.alibabacloud.com/help/en/nas/user-guide/mount-an-nfs-file-system-on-a-linux-ecs-instance."""
_SIZE_GIB = 1024
"""Kubernetes requires a size, which a standard file system doesn't have; nothing reads this one."""


def volume_and_claim(ref: ClusterRef, storage: AckStorageSpec, server: Any) -> list[Manifest]:
    """Return the PersistentVolume and the claim bound to it; deleting them doesn't affect the file system.

    ``server`` is the domain of a mount target; it may be an Output. Their fields are those of examples/nas/pv.yaml in
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
        # The server may be an Output, which a specification can't contain.
        "volumeAttributes": {"server": server, "path": nas.root},
    }
    persistent["spec"]["mountOptions"] = mount_options(nas)
    return [persistent, claim]


def mount_options(nas: NasSpec) -> list[str]:
    """Return the mount options of the file system. With NFS 3, locks are local to a node."""
    if nas.nfs is NfsVersion.V3:
        return ["vers=3", "nolock", *_MOUNT_OPTIONS]
    return ["vers=4", "minorversion=0", *_MOUNT_OPTIONS]

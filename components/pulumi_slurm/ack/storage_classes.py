"""StorageClasses for encrypted disks, and for folders of a NAS file system.

Sources: examples/disk and examples/nas/dynamic in https://github.com/kubernetes-sigs/alibaba-cloud-csi-driver.
"""

from typing import Any

from pulumi_slurm.ack.model.disk import AckDiskClassSpec
from pulumi_slurm.ack.model.storage import NasSpec
from pulumi_slurm.ack.volumes import DRIVER, mount_options
from pulumi_slurm.manifests.objects import Manifest, pruned


def disk_class(spec: AckDiskClassSpec) -> Manifest:
    """Return the class of encrypted disks, each of which is made in the zone of the first pod that mounts it."""
    parameters = {
        # The first type that the node and its zone offer.
        "type": "cloud_auto,cloud_essd",
        "fsType": "ext4",
        "encrypted": str(spec.encrypted).lower(),
        "kmsKeyId": spec.encryption_key,
    }
    return {
        **_class(spec.name, "diskplugin.csi.alibabacloud.com", pruned(parameters)),
        "reclaimPolicy": "Delete",
        "volumeBindingMode": "WaitForFirstConsumer",
        "allowVolumeExpansion": True,
    }


def nas_class(name: str, nas: NasSpec, folder: Any) -> Manifest:
    """Return the class of volumes that are below a folder of a file system, such as "a.nas.aliyuncs.com:/home/".

    What is in a volume stays when its claim is deleted. ``folder`` may be an Output.
    """
    return {
        **_class(name, DRIVER, {"volumeAs": "subpath", "server": folder}),
        "mountOptions": mount_options(nas),
        "reclaimPolicy": "Retain",
    }


def _class(name: str, driver: str, parameters: Manifest) -> Manifest:
    labels = {"app.kubernetes.io/managed-by": "pulumi-slurm"}
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name, "labels": labels},
        "provisioner": driver,
        "parameters": parameters,
    }

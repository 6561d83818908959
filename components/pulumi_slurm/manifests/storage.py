"""PersistentVolumes and PersistentVolumeClaims of shared volumes."""

from pulumi_slurm.manifests.objects import Manifest, manifest, pruned
from pulumi_slurm.manifests.pods import claim_name
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model import SharedVolumeSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def shared_volume(ref: ClusterRef, volume: SharedVolumeSpec) -> list[Manifest]:
    """Return the claim, and the PersistentVolume if no StorageClass provisions it; nothing for an existing claim."""
    if volume.existing_claim:
        return []
    name = claim_name(ref, volume)
    claim = manifest("v1", "PersistentVolumeClaim", ref, name)
    # If the StorageClass binds late, the claim stays Pending until a pod uses it, and pods are created after claims.
    claim["metadata"]["annotations"] = dict(SKIP_WAIT)
    claim["spec"] = {
        "accessModes": [str(volume.access_mode)],
        "resources": {"requests": {"storage": volume.size}},
    }
    if volume.storage_class:
        claim["spec"]["storageClassName"] = volume.storage_class
        return [claim]
    # The claim is bound to this volume by name; the empty class prevents a default class from provisioning another.
    volume_name = f"{ref.namespace}-{name}"
    claim["spec"] |= {"storageClassName": "", "volumeName": volume_name}
    persistent_volume = manifest("v1", "PersistentVolume", ref, volume_name)
    del persistent_volume["metadata"]["namespace"]
    persistent_volume["metadata"]["annotations"] = dict(SKIP_WAIT)
    persistent_volume["spec"] = pruned(
        {
            "accessModes": [str(volume.access_mode)],
            "capacity": {"storage": volume.size},
            "claimRef": {"namespace": ref.namespace, "name": name},
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "",
            "mountOptions": _mount_options(volume),
            "nfs": {"server": volume.nfs.server, "path": volume.nfs.path} if volume.nfs else None,
            "csi": pruned(
                {
                    "driver": volume.csi.driver,
                    "volumeHandle": volume.csi.volume_handle,
                    "volumeAttributes": volume.csi.attributes,
                    "nodePublishSecretRef": {"name": volume.csi.secret, "namespace": ref.namespace}
                    if volume.csi.secret
                    else None,
                }
            )
            if volume.csi
            else None,
        }
    )
    return [persistent_volume, claim]


def _mount_options(volume: SharedVolumeSpec) -> list[str] | None:
    if volume.nfs:
        return volume.nfs.mount_options
    return volume.csi.mount_options or None if volume.csi else None

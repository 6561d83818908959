"""Claims and volumes behind shared volumes."""

from pulumi_slurm.manifests.objects import ClusterRef, Manifest, manifest, pruned
from pulumi_slurm.manifests.pods import claim_name
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model import SharedVolumeSpec


def shared_volume(ref: ClusterRef, volume: SharedVolumeSpec) -> list[Manifest]:
    """Return the PersistentVolume, if it is ours to make, and the claim; nothing for a claim that exists already."""
    if volume.existing_claim:
        return []
    name = claim_name(ref, volume)
    claim = manifest("v1", "PersistentVolumeClaim", ref, name)
    # A class that binds late leaves the claim Pending until a pod uses it, and pods come after claims.
    claim["metadata"]["annotations"] = dict(SKIP_WAIT)
    claim["spec"] = {
        "accessModes": [volume.access_mode.value],
        "resources": {"requests": {"storage": volume.size}},
    }
    if volume.storage_class:
        claim["spec"]["storageClassName"] = volume.storage_class
        return [claim]
    # A volume made by hand is bound to its claim by name; the empty class keeps a default class from stepping in.
    volume_name = f"{ref.namespace}-{name}"
    claim["spec"] |= {"storageClassName": "", "volumeName": volume_name}
    persistent = manifest("v1", "PersistentVolume", ref, volume_name)
    del persistent["metadata"]["namespace"]
    persistent["metadata"]["annotations"] = dict(SKIP_WAIT)
    persistent["spec"] = pruned(
        {
            "accessModes": [volume.access_mode.value],
            "capacity": {"storage": volume.size},
            "claimRef": {"namespace": ref.namespace, "name": name},
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "",
            "mountOptions": volume.nfs.mount_options if volume.nfs else None,
            "nfs": {"server": volume.nfs.server, "path": volume.nfs.path} if volume.nfs else None,
            "csi": pruned(
                {
                    "driver": volume.csi.driver,
                    "volumeHandle": volume.csi.volume_handle,
                    "volumeAttributes": volume.csi.attributes,
                }
            )
            if volume.csi
            else None,
        }
    )
    return [persistent, claim]

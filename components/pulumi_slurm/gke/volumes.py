"""Volumes and claims in the Slurm cluster's namespace for Google's storage services."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pulumi

from pulumi_slurm.gke.bucket_options import bucket_options
from pulumi_slurm.gke.model import BucketSpec, GkeStorageSpec
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.storage import shared_volume
from pulumi_slurm.model import SharedVolumeSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.storage import AccessMode, CsiSpec


@dataclass(frozen=True)
class Source:
    """The parameters with which a CSI driver mounts existing storage."""

    driver: str
    handle: pulumi.Input[str]
    size_gib: int
    attributes: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)
    mount_options: tuple[str, ...] = ()
    read_only: bool = False


def filestore(
    location: pulumi.Input[str],
    instance: pulumi.Input[str],
    share: str,
    protocol: str,
    address: pulumi.Input[str],
    size_gib: int,
) -> Source:
    """Return the source of a Filestore instance.

    Its CSI driver mounts it, as in Google's guide for existing instances, rather than the kubelet's NFS client, which
    would have to support NFS 4.1 on Container-Optimized OS. For handle and attributes see
    https://cloud.google.com/filestore/docs/csi-driver.
    """
    return Source(
        driver="filestore.csi.storage.gke.io",
        handle=pulumi.Output.concat("modeInstance/", location, "/", instance, "/", share),
        size_gib=size_gib,
        attributes={"ip": address, "volume": share, _protocol_key(protocol): protocol},
    )


def _protocol_key(protocol: str) -> str:
    """Return the attribute that holds the protocol.

    The driver reads fileProtocol (pkg/csi_driver/controller.go and node.go in
    https://github.com/kubernetes-sigs/gcp-filestore-csi-driver), and takes NFS 3 for granted without it. Volumes of
    NFS 3 keep the attribute that they always had, which it doesn't read: a volume's source can't be changed, so another
    attribute would replace the volume and its claim, and their deletion waits for all pods that mount them.
    """
    return "protocol" if protocol == "NFS_V3" else "fileProtocol"


def lustre(
    project: pulumi.Input[str],
    zone: pulumi.Input[str],
    instance: pulumi.Input[str],
    filesystem: str,
    address: pulumi.Input[str],
    size_gib: int,
) -> Source:
    """Return the source of a Managed Lustre instance.

    For handle and attributes see examples/pre-prov in https://github.com/GoogleCloudPlatform/lustre-csi-driver.
    """
    return Source(
        driver="lustre.csi.storage.gke.io",
        handle=pulumi.Output.concat(project, "/", zone, "/", instance),
        size_gib=size_gib,
        attributes={"ip": address, "filesystem": filesystem},
    )


def bucket(name: pulumi.Input[str], spec: BucketSpec) -> Source:
    """Return the source of a bucket.

    For the parameters see docs/usage.md in https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver.
    """
    return Source(
        driver="gcsfuse.csi.storage.gke.io",
        handle=name,
        # A bucket has no size, but Kubernetes requires one.
        size_gib=1024,
        mount_options=bucket_options(spec),
        read_only=spec.read_only,
    )


def volume_and_claim(ref: ClusterRef, storage: GkeStorageSpec, source: Source) -> tuple[Manifest, Manifest]:
    """Return the PersistentVolume and the claim bound to it; deleting them leaves the storage as it is."""
    volume, claim = shared_volume(
        ref,
        SharedVolumeSpec(
            name=storage.name,
            mount_path=storage.mount_path,
            # The handle may be an Output, which a specification can't contain; it is set below.
            csi=CsiSpec(driver=source.driver, volume_handle="set below"),
            size=f"{source.size_gib}Gi",
            access_mode=AccessMode.READ_ONLY_MANY if source.read_only else AccessMode.READ_WRITE_MANY,
        ),
    )
    csi: Manifest = {"driver": source.driver, "volumeHandle": source.handle}
    if source.attributes:
        csi["volumeAttributes"] = dict(source.attributes)
    if source.read_only:
        csi["readOnly"] = True
    volume["spec"]["csi"] = csi
    if source.mount_options:
        volume["spec"]["mountOptions"] = list(source.mount_options)
    return volume, claim

"""How Cloud Storage FUSE mounts a bucket, as mount options.

Options with a colon are fields of gcsfuse's configuration, https://cloud.google.com/storage/docs/cloud-storage-fuse/config-file.
A profile is written out: the driver takes the option ``profile`` from its own StorageClasses alone, which need GKE
1.35.1-gke.1616000 and further roles, and which would fill the memory of nodes, where Slurm runs jobs. The values are
those of cfg/params.yaml in https://github.com/GoogleCloudPlatform/gcsfuse, commit 7b39292, and of the StorageClasses in
deploy/base/setup/storageclass.yaml of https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver, commit 5fcdc04.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.gke.model import BucketSpec
from pulumi_slurm.gke.model.storage import BucketProfile

_METADATA_STAYS = (
    "metadata-cache:ttl-secs:-1",
    "metadata-cache:stat-cache-max-size-mb:-1",
    # Of what isn't there: a file that another node makes is seen.
    "metadata-cache:negative-ttl-secs:0",
)
_PROFILES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        BucketProfile.TRAINING: _METADATA_STAYS,
        BucketProfile.CHECKPOINTING: (
            *_METADATA_STAYS,
            "file-cache:cache-file-for-range-read:true",
            "file-system:rename-dir-limit:200000",
            "read_ahead_kb=1024",
        ),
        BucketProfile.SERVING: (
            *_METADATA_STAYS,
            "file-cache:cache-file-for-range-read:true",
            "file-system:kernel-list-cache-ttl-secs:-1",
            "read_ahead_kb=131072",
        ),
    }
)


def bucket_options(bucket: BucketSpec) -> tuple[str, ...]:
    """Return the mount options of a bucket.

    Cloud Storage has neither owners nor modes: with Cloud Storage FUSE all files belong to one user, so everyone on the
    cluster may read all files, and write them unless the bucket is mounted read-only. Folders that exist only as a
    prefix of objects' names are visible as well.
    """
    modes = ("file-mode=555", "dir-mode=555", "ro") if bucket.read_only else ("file-mode=777", "dir-mode=777")
    profile = _PROFILES[bucket.profile] if bucket.profile else ()
    return ("implicit-dirs", "uid=0", "gid=0", *modes, *profile, *_file_cache(bucket))


def _file_cache(bucket: BucketSpec) -> Iterator[str]:
    """Yield the options of the cache of files.

    The driver switches it on by its size, in an emptyDir of the pod, which is on local SSDs where the kubelet's own
    files are: pkg/sidecar_mounter/sidecar_mounter_config.go. Parallel downloads need it:
    https://cloud.google.com/kubernetes-engine/docs/how-to/cloud-storage-fuse-csi-driver-perf#parallel-download.
    """
    if bucket.file_cache_gib:
        yield f"file-cache:max-size-mb:{bucket.file_cache_gib * 1024}"
        yield "file-cache:enable-parallel-downloads:true"

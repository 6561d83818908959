"""The caches of buckets' files on nodes' disks."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.pool import LocalSsdUse
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.rules.configured_pools import configured_pools
from pulumi_slurm.rules.run import Rule, warns

_SHARE_OF_BOOT_DISK = 0.5
"""What of a boot disk caches may take beside images, logs and /tmp of jobs."""
_SHARE_OF_LOCAL_SSDS = 0.85
"""As fuseEphemeralStorageAllocatableFactor in deploy/base/setup/storageclass.yaml of
https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver."""


@warns
def file_caches_fit_on_disks(plan: GkePlan) -> Iterator[FieldError]:
    """Warn of caches that can fill the disk of a node: the kubelet then evicts its pods, and jobs end with them.

    All workers and login pods mount the buckets, so the disks of all pools count. Login pods run on the system pool.
    """
    caches = [storage.bucket.file_cache_gib or 0 for storage in plan.spec.storage if storage.bucket]
    cached = sum(caches)
    for at, planned in configured_pools(plan):
        ssd_gib = _local_ssd_gib(planned)
        room = ssd_gib * _SHARE_OF_LOCAL_SSDS if ssd_gib else planned.pool.disk.size_gib * _SHARE_OF_BOOT_DISK
        if cached > room:
            on = f"{ssd_gib} GiB of local SSDs" if ssd_gib else f"the boot disk of {planned.pool.disk.size_gib} GiB"
            yield _error((*at, "local_ssd") if ssd_gib else (*at, "disk", "size_gib"), cached, on)
    pool = plan.spec.system_pool
    if plan.makes_system_pool and cached > pool.disk.size_gib * _SHARE_OF_BOOT_DISK:
        on = f"the boot disk of {pool.disk.size_gib} GiB, of login pods"
        yield _error(("system_pool", "disk", "size_gib"), cached, on)


def _error(at: Path, cached: int, on: str) -> FieldError:
    return FieldError(
        at,
        FieldError.ABSENT,
        f"fileCacheGib of buckets lets {cached} GiB of files be kept on {on}, beside images and what jobs write to "
        "/tmp; on a full disk pods are evicted with their jobs",
        "Give it more, or write a smaller fileCacheGib.",
        depends_on_fields=(("storage",),),
    )


def _local_ssd_gib(planned: GkePlannedPool) -> int:
    """Return the size of the local SSDs on which pods' own files are, which is 0 where they are on the boot disk."""
    if planned.pool.local_ssd.use is not LocalSsdUse.EPHEMERAL:
        return 0
    return planned.local_ssds * planned.machine_type.local_ssd.gib_each


RULES: tuple[Rule, ...] = (file_caches_fit_on_disks,)

"""Features that need a minimum version of GKE; checked if `controlPlane.version` is set.

Sources: https://cloud.google.com/kubernetes-engine/docs/concepts/slurm-operator (the add-on), .../persistent-volumes/
lustre-csi-driver-new-volume (Lustre), .../concepts/dws (flex-start), https://cloud.google.com/filestore/docs/csi-driver
(Filestore's tiers with NFS 4.1), docs/releases.md of https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver (the
kernel's read-ahead and parallel downloads, for buckets). Machines and their networks: `machine_versions`.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.slurm_operator import GkeOperator
from pulumi_slurm.gke.model.storage import FilestoreTier
from pulumi_slurm.gke.model.versions import is_before
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.machine_versions import H4D_THAT_COME_AND_GO, min_machine_version
from pulumi_slurm.machines.gke import Architecture
from pulumi_slurm.rules.run import Rule

ADD_ON = "1.35.2-gke.1842000"
FLEX_START = "1.32.2-gke.1652000"
FILESTORE_NFS_4 = "1.33"
FILESTORE_REGIONAL = "1.33.4-gke.1172000"
READ_AHEAD = "1.32.2-gke.1297001"
PARALLEL_DOWNLOADS = "1.30.2-gke.1394000"
LUSTRE = "1.33.2-gke.1111000"
LUSTRE_ON_ARM = "1.34.1-gke.2541000"


def version_is_new_enough(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a version that is too old for a feature in use; of a cluster that exists the program asks Google."""
    version = plan.spec.control_plane.version
    if version is None:
        return
    for min_version, feature, path in min_versions(plan):
        if is_before(version, min_version):
            yield FieldError(
                ("control_plane", "version"),
                version,
                f"{feature} needs {min_version}",
                f'Write "{min_version}" or a later one.',
                depends_on_fields=(path,),
            )


def min_versions(plan: GkePlan) -> Iterator[tuple[str, str, Path]]:
    """Yield the minimum version of every feature in use, the feature, and the field that turns it on."""
    if plan.spec.slurm_operator is GkeOperator.GKE_ADDON:
        yield ADD_ON, "slurmOperator gke-addon", ("slurm_operator",)
    flex_start = next((pool for pool in plan.pools if pool.capacity_option.is_flex_start), None)
    if flex_start:
        yield FLEX_START, f"capacity {flex_start.capacity_option.capacity}", (*flex_start.at, "capacity")
    yield from _of_machines(plan)
    for index, storage in enumerate(plan.spec.storage):
        tier = storage.filestore.tier if storage.filestore else None
        path: Path = ("storage", index, "filestore", "tier")
        if tier is FilestoreTier.REGIONAL:
            yield FILESTORE_REGIONAL, f"Filestore of tier {tier}", path
        elif tier is FilestoreTier.ZONAL:
            yield FILESTORE_NFS_4, f"Filestore of tier {tier}", path
        if storage.bucket and storage.bucket.profile:
            yield READ_AHEAD, f"profile {storage.bucket.profile} of buckets", ("storage", index, "bucket", "profile")
        if storage.bucket and storage.bucket.file_cache_gib:
            yield PARALLEL_DOWNLOADS, "fileCacheGib of buckets", ("storage", index, "bucket", "file_cache_gib")
    if any(storage.lustre for storage in plan.spec.storage):
        arm_pool = next((pool for pool in plan.pools if pool.machine_type.architecture is Architecture.ARM64), None)
        if arm_pool:
            yield LUSTRE_ON_ARM, f'Lustre on the Arm machines of "{arm_pool.pool.name}"', ("storage",)
        else:
            yield LUSTRE, "Lustre", ("storage",)


def _of_machines(plan: GkePlan) -> Iterator[tuple[str, str, Path]]:
    for planned in plan.new_pools:
        if version := min_machine_version(planned):
            name, fabric = planned.machine_type.name, planned.machine_type.fabric
            feature = f"{name} with its network of {fabric}" if uses_fabric(planned) else name
            if version == H4D_THAT_COME_AND_GO:
                feature = f"{name} in other numbers than a fixed one, nodes,"
            yield version, f'{feature} in "{planned.name}"', (*planned.at[:2], "machine_type")


RULES: tuple[Rule, ...] = (version_is_new_enough,)

"""Claims of disks of Alibaba Cloud, which one node alone can mount.

Its driver refuses to make a file system on a disk for writers on several nodes: validateCapabilities in
pkg/disk/utils.go of https://github.com/kubernetes-sigs/alibaba-cloud-csi-driver at 8aacf90.
"""

from collections.abc import Iterator

from pulumi_slurm.derived.claims import all_claims
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.storage import AccessMode

_CLASSES_OF_ACK = "alicloud-disk-"
"""Where the names of ACK's own classes of disks begin: deploy/charts/alibaba-cloud-csi-driver/templates/
storage-class.yaml there."""


def claims_of_disks_for_many(slurm: SlurmSpec, own_class: str | None = None) -> Iterator[FieldError]:
    """Yield an error for each claim of a disk that is ReadWriteMany.

    ``own_class`` is a class of disks other than ACK's own.
    """
    claims = [(at, claim.storage_class, claim.access_mode) for at, claim in all_claims(slurm)]
    for index, volume in enumerate(slurm.shared_volumes):
        claims.append((("shared_volumes", index), volume.storage_class, volume.access_mode))
    for at, storage_class, access_mode in claims:
        is_disk = storage_class is not None and (
            storage_class == own_class or storage_class.startswith(_CLASSES_OF_ACK)
        )
        if is_disk and access_mode is AccessMode.READ_WRITE_MANY:
            yield FieldError(
                (*at, "storage_class"),
                storage_class,
                "it makes disks, which one node alone can mount, and accessMode is ReadWriteMany",
                "Write a StorageClass of NAS.",
                depends_on_fields=((*at, "access_mode"),),
            )

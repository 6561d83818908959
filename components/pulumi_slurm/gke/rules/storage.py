"""Storage, and keys of Cloud KMS."""

from collections.abc import Iterator

from pulumi_slurm.clouds.rules import services as cloud_services
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.storage import FilestoreTier
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.rules.run import Rule


def storage_names_and_paths_are_unique(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse two entries of storage with the same name or mount path."""
    return cloud_services.storage_names_and_paths_are_unique(plan.spec.storage)


def buckets_are_mounted_once(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a bucket in two entries of storage.

    The kubelet identifies volumes by their handle, which is the bucket's name, and pods with both would wait for the
    second one forever: https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver/issues/48.
    """
    storage_by_bucket: dict[str, str] = {}
    for index, storage in enumerate(plan.spec.storage):
        bucket = storage.bucket.name if storage.bucket else None
        if bucket in storage_by_bucket:
            yield FieldError(
                ("storage", index, "bucket", "name"),
                bucket,
                f'the storage "{storage_by_bucket[bucket]}" is this bucket too, and pods with both would never start',
                "Mount it once, and use folders in it.",
            )
        elif bucket:
            storage_by_bucket[bucket] = storage.name


def keys_are_in_the_region(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse keys in another region than what they encrypt.

    Sources: https://cloud.google.com/kubernetes-engine/docs/how-to/encrypting-secrets; buckets,
    https://cloud.google.com/storage/docs/encryption/customer-managed-keys; Filestore's tiers,
    https://cloud.google.com/filestore/docs/cmek-organization-policy.
    """
    spec, region = plan.spec, plan.spec.region
    keys: dict[Path, str | None] = {
        ("control_plane", "secrets_encryption_key"): spec.control_plane.secrets_encryption_key,
        ("encryption_key",): spec.encryption_key,
    }
    for at, key in keys.items():
        if key and key.split("/")[3] != region:
            encrypted = "the control plane" if len(at) > 1 else "all that it encrypts"
            yield FieldError(
                at,
                key,
                f"the key has to be where {encrypted} is, in {region}",
                f"Write a key of locations/{region}.",
                depends_on_fields=(("region",),),
            )
    for index, storage in enumerate(spec.storage):
        tier = storage.filestore.tier if storage.filestore else None
        if spec.encryption_key and tier in (FilestoreTier.BASIC_HDD, FilestoreTier.BASIC_SSD):
            yield FieldError(
                ("storage", index, "filestore", "tier"),
                tier,
                "encryptionKey encrypts Filestore too, and its basic tiers take no key",
                f'Write "{FilestoreTier.ZONAL}" or "{FilestoreTier.REGIONAL}".',
                depends_on_fields=(("encryption_key",),),
            )
        location = storage.bucket.location if storage.bucket else None
        if spec.encryption_key and location and location.lower() != spec.encryption_key.split("/")[3]:
            yield FieldError(
                ("storage", index, "bucket", "location"),
                location,
                "encryptionKey encrypts new buckets too, and Google takes keys of a bucket's own location alone",
                "Leave it out, or make the bucket elsewhere and write its name.",
                depends_on_fields=(("encryption_key",),),
            )


RULES: tuple[Rule, ...] = (
    storage_names_and_paths_are_unique,
    buckets_are_mounted_once,
    keys_are_in_the_region,
)

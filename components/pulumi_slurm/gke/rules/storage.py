"""Storage, and keys of Cloud KMS."""

from collections.abc import Iterator

from pulumi_slurm.clouds.rules import services as cloud_services
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.plan.gke_plan import GkePlan


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
    """Refuse a key for Secrets in another region: https://cloud.google.com/kubernetes-engine/docs/how-to/encrypting-secrets."""
    key = plan.spec.control_plane.secrets_encryption_key
    if key and key.split("/")[3] != plan.spec.region:
        yield FieldError(
            ("control_plane", "secrets_encryption_key"),
            key,
            f"the key has to be where the control plane is, in {plan.spec.region}",
            f"Write a key of locations/{plan.spec.region}.",
            depends_on_fields=(("region",),),
        )

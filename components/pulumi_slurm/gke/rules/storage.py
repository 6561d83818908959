"""Storage and keys that lie beside the cluster."""

from collections.abc import Iterator

from pulumi_slurm.clouds.rules import services as cloud_services
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.plan.gke_plan import GkePlan


def storage_has_places_of_its_own(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse two storages of one name or at one path."""
    return cloud_services.storage_has_places_of_its_own(plan.spec.storage)


def buckets_are_mounted_once(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a bucket in two storages.

    The kubelet tells volumes apart by their handle, which is the bucket's name, and pods with both would wait for the
    second for ever: https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver/issues/48.
    """
    mounted: dict[str, str] = {}
    for index, storage in enumerate(plan.spec.storage):
        bucket = storage.bucket.name if storage.bucket else None
        if bucket in mounted:
            yield FieldError(
                ("storage", index, "bucket", "name"),
                bucket,
                f'this bucket is the storage "{mounted[bucket]}" already, and pods with both would never start',
                "Mount it once, and reach its parts by folders.",
            )
        elif bucket:
            mounted[bucket] = storage.name


def keys_lie_in_the_region(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a key for Secrets that lies elsewhere: https://cloud.google.com/kubernetes-engine/docs/how-to/encrypting-secrets."""
    key = plan.spec.control_plane.secrets_encryption_key
    if key and key.split("/")[3] != plan.spec.region:
        yield FieldError(
            ("control_plane", "secrets_encryption_key"),
            key,
            f"the key has to lie where the control plane does, in {plan.spec.region}",
            f"Write a key of locations/{plan.spec.region}.",
            depends_on_fields=(("region",),),
        )

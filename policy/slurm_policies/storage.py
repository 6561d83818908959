"""Policies on databases, file systems, disks and buckets: what loses accounting data and files."""

from collections.abc import Iterator
from typing import Any

from pulumi_slurm.ack import resources as alibaba
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke import resources as google
from slurm_policies.clouds import BUCKETS, DATABASES, FILE_SYSTEMS, is_protected_by_default
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy, whole_number
from slurm_policies.reading import UNKNOWN, at, is_number, items_at, number, text_at
from slurm_policies.types import DEPLOYMENT, MARIADB, PERSISTENT_VOLUME, STATEFUL_SET, STORAGE_CLASS


@policy(*DATABASES, level=Level.MANDATORY, severity=Severity.CRITICAL)
def databases_are_protected_from_deletion(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A mistake doesn't delete the accounting database.

    Source: `deletionProtection` in
    https://www.pulumi.com/registry/packages/gcp/api-docs/sql/databaseinstance/, where it is on by default, and in
    https://www.pulumi.com/registry/packages/alicloud/api-docs/rds/instance/, where it is off.
    """
    protection = at(resource.inputs, "deletionProtection")
    unprotected = protection is False or (protection is None and not is_protected_by_default(resource.type))
    if unprotected and not resource.protected:
        yield FieldError(
            ("deletionProtection",),
            FieldError.ABSENT if protection is None else protection,
            "accounts, limits and the history of all jobs may be deleted by one change",
            "Write true, or give the resource the option protect.",
        )


@policy(
    google.CLOUD_SQL,
    alibaba.RDS_BACKUPS,
    level=Level.MANDATORY,
    severity=Severity.HIGH,
    leastDays=whole_number(7, "how long backups of RDS have to be kept", minimum=1),
)
def databases_have_backups(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """There are backups of the accounting database.

    Sources: backups of Cloud SQL are off unless they are asked for,
    https://cloud.google.com/sql/docs/mysql/backup-recovery/backups; RDS keeps its own for 7 days,
    https://www.alibabacloud.com/help/en/rds/apsaradb-rds-for-mysql/automatic-backup.
    """
    if resource.type == google.CLOUD_SQL:
        path = ("settings", "backupConfiguration", "enabled")
        # A replica has those of its primary, and a clone its settings.
        is_own = at(resource.inputs, "masterInstanceName") is None and at(resource.inputs, "clone") is None
        value = at(resource.inputs, *path)
        if is_own and value in (False, None):
            yield FieldError(
                path,
                FieldError.ABSENT if value is None else value,
                "what is lost of it is lost for good",
                "Write true.",
            )
        return
    days = at(resource.inputs, "backupRetentionPeriod")
    if is_number(days) and days < settings["leastDays"]:
        yield FieldError(
            ("backupRetentionPeriod",),
            number(days),
            "an error that is found later than this can't be undone",
            f"Write {number(settings['leastDays'])} or more.",
        )


_DATABASES = ("mariadb", "mysql", "percona")


@policy(STATEFUL_SET, DEPLOYMENT, MARIADB, level=Level.MANDATORY, severity=Severity.CRITICAL)
def databases_in_pods_are_on_volumes(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A database in a pod keeps its data when the pod goes.

    Source: `storage.ephemeral` in api/v1alpha1/mariadb_types.go of
    https://github.com/mariadb-operator/mariadb-operator; https://kubernetes.io/docs/concepts/storage/volumes/#emptydir.
    """
    if text_at(resource.inputs, "kind") == "MariaDB" or resource.type.endswith(":MariaDB"):
        if at(resource.inputs, "spec", "storage", "ephemeral") is True:
            yield FieldError(
                ("spec", "storage", "ephemeral"), True, _GONE_WITH_THE_POD, "Leave it out, and write size."
            )
        return
    spec = at(resource.inputs, "spec")
    image = text_at(spec, "template", "spec", "containers", 0, "image")
    name = image.partition("@")[0].rpartition("/")[2].partition(":")[0]
    volumes = at(spec, "template", "spec", "volumes")
    kept = at(spec, "volumeClaimTemplates") or volumes is UNKNOWN or any(map(_is_kept, items_at(volumes)))
    if name in _DATABASES and not kept:
        yield FieldError(
            ("spec", "template", "spec", "volumes"),
            FieldError.ABSENT,
            _GONE_WITH_THE_POD,
            "Write volumeClaimTemplates, or mount a persistentVolumeClaim.",
        )


_GONE_WITH_THE_POD = "accounts, limits and the history of all jobs are gone with the pod"


def _is_kept(volume: Any) -> bool:
    kinds = ("persistentVolumeClaim", "nfs", "csi", "hostPath")
    return volume is UNKNOWN or any(at(volume, kind) is not None for kind in kinds)


@policy(*FILE_SYSTEMS, level=Level.MANDATORY, severity=Severity.HIGH)
def files_are_protected_from_deletion(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A mistake doesn't delete shared files or disks.

    Sources: `deletionProtectionEnabled` in
    https://www.pulumi.com/registry/packages/gcp/api-docs/filestore/instance/; `deletionPolicy` there, for disks and
    Lustre; the other clouds' resources have nothing like it but Pulumi's own protection.
    """
    is_filestore = resource.type == google.FILESTORE
    deletion_protected = is_filestore and at(resource.inputs, "deletionProtectionEnabled") in (True, UNKNOWN)
    kept = at(resource.inputs, "deletionPolicy") in ("PREVENT", "ABANDON", UNKNOWN)
    if not deletion_protected and not kept and not resource.protected:
        path = "deletionProtectionEnabled" if is_filestore else "protect"
        fix = "Write true, or give" if is_filestore else "Give"
        yield FieldError(
            (path,),
            FieldError.ABSENT,
            "home directories and results of jobs may be deleted by one change",
            f"{fix} the resource the option protect.",
        )


@policy(*BUCKETS, level=Level.MANDATORY, severity=Severity.HIGH)
def buckets_are_not_emptied(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A bucket with files isn't deleted.

    Source: `forceDestroy` in https://www.pulumi.com/registry/packages/gcp/api-docs/storage/bucket/ and
    https://www.pulumi.com/registry/packages/alicloud/api-docs/oss/bucket/.
    """
    if at(resource.inputs, "forceDestroy") is True and not resource.protected:
        yield FieldError(
            ("forceDestroy",), True, "a destroy or a replacement deletes all files in it first", "Leave it out."
        )


@policy(PERSISTENT_VOLUME, STORAGE_CLASS, level=Level.ADVISORY, severity=Severity.MEDIUM)
def volumes_outlive_their_claims(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A deleted claim leaves the disk.

    Source: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming. A class deletes by default, a
    volume that somebody makes is kept.
    """
    if resource.type == PERSISTENT_VOLUME:
        path: tuple[str, ...] = ("spec", "persistentVolumeReclaimPolicy")
        deletes = at(resource.inputs, *path) == "Delete"
    else:
        path = ("reclaimPolicy",)
        deletes = at(resource.inputs, *path) in ("Delete", None)
    if deletes:
        value = at(resource.inputs, *path)
        yield FieldError(
            path,
            FieldError.ABSENT if value is None else value,
            "with a claim, as of slurmctld's state or of home directories, its disk is deleted",
            'Write "Retain".',
        )


POLICIES: tuple[Policy, ...] = (
    databases_are_protected_from_deletion,
    databases_have_backups,
    databases_in_pods_are_on_volumes,
    files_are_protected_from_deletion,
    buckets_are_not_emptied,
    volumes_outlive_their_claims,
)

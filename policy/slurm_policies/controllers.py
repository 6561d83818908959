"""Policies on slurmctld: without its state it knows no jobs."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy
from slurm_policies.reading import UNKNOWN, at, is_number, items_at, number
from slurm_policies.types import ACK_SLURM_CLUSTER, CONTROLLER, SLURM_CLUSTER


@policy(CONTROLLER, ACK_SLURM_CLUSTER, level=Level.MANDATORY, severity=Severity.CRITICAL, ends_jobs=True)
def slurmctld_keeps_its_state(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """The queue is on a volume.

    Sources: `persistence` in api/v1beta1/controller_types.go of slurm-operator, v1.1.0; StateSaveLocation in
    https://slurm.schedmd.com/slurm.conf.html.
    """
    if resource.type.endswith(":SlurmCluster"):
        yield from _state_on_ack(resource)
        return
    spec = at(resource.inputs, "spec")
    if at(spec, "persistence", "enabled") is False and at(spec, "external") in (None, False):
        yield FieldError(
            ("spec", "persistence", "enabled"),
            False,
            "all jobs, running and pending, are lost when the pod of slurmctld is replaced",
            "Write true, with accessModes and resources; it can't be changed later.",
        )


def _state_on_ack(resource: Resource) -> Iterator[FieldError]:
    path = ("spec", "slurmctld", "template", "spec", "volumes")
    volumes = at(resource.inputs, *path)
    if volumes is UNKNOWN or at(resource.inputs, "spec", "slurmctld") is None:
        return
    if not any(map(_lasts, items_at(volumes))):
        yield FieldError(
            path,
            FieldError.ABSENT,
            "StateSaveLocation is in the pod, so all jobs are lost when the pod of slurmctld is replaced",
            "Mount a persistentVolumeClaim there.",
        )


def _lasts(volume: object) -> bool:
    return volume is UNKNOWN or any(
        at(volume, kind) is not None for kind in ("persistentVolumeClaim", "nfs", "csi", "hostPath", "ephemeral")
    )


@policy(CONTROLLER, ACK_SLURM_CLUSTER, level=Level.MANDATORY, severity=Severity.CRITICAL)
def backup_slurmctlds_share_the_state(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Several slurmctlds have one volume that all of them may write.

    Sources: docs/usage/controller-operations.md of slurm-operator, 1.3.0-rc1; StateSaveLocation in
    https://slurm.schedmd.com/slurm.conf.html, which a backup has to read.
    """
    spec = at(resource.inputs, "spec")
    backups = at(spec, "ha", "backups")
    several = at(spec, "ha", "enabled") is True or (is_number(backups) and backups > 0)
    if several and not at(spec, "persistence", "existingClaim"):
        yield FieldError(
            ("spec", "persistence", "existingClaim"),
            FieldError.ABSENT,
            "a backup can't read the state of the primary",
            "Write the name of a PersistentVolumeClaim with access mode ReadWriteMany.",
        )
    replicas = at(spec, "slurmctld", "replicas")
    volumes = items_at(spec, "slurmctld", "template", "spec", "volumes")
    if is_number(replicas) and replicas > 1 and not any(_lasts(volume) for volume in volumes):
        yield FieldError(
            ("spec", "slurmctld", "replicas"),
            number(replicas),
            "each slurmctld has a state of its own",
            "Mount one persistentVolumeClaim with ReadWriteMany as StateSaveLocation in all of them, or write 1.",
        )


@policy(SLURM_CLUSTER, level=Level.ADVISORY, severity=Severity.MEDIUM)
def state_outlives_the_cluster(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A destroyed cluster leaves its namespace, with the volumes in it.

    With `retain` our components give the namespace and its claims the option retainOnDelete: see
    `outlives_the_cluster` in pulumi_slurm/kube/namespace.py. No policy sees that option of other namespaces.
    """
    state = at(resource.inputs, "spec", "controller", "state")
    outside = at(resource.inputs, "spec", "controller", "external")
    if resource.protected or UNKNOWN in (state, outside) or outside or at(state, "retain"):
        return
    yield FieldError(
        ("spec", "controller", "state", "retain"),
        FieldError.ABSENT,
        "a destroy deletes the namespace, and with it the volume with the queue",
        "Write true, or give the component the option protect.",
    )


POLICIES: tuple[Policy, ...] = (
    slurmctld_keeps_its_state,
    backup_slurmctlds_share_the_state,
    state_outlives_the_cluster,
)

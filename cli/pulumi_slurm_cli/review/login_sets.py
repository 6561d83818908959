"""Login sets whose pods end, with the sessions in them, and so with jobs that srun or salloc started there."""

from collections.abc import Mapping

from pulumi_slurm.errors.counts import counted
from pulumi_slurm.manifests.directory import sssd_revision
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import login_set_object
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.pod_fields import pod_fields


def _sssd(before: ClusterSide, after: ClusterSide) -> list[str]:
    """Return sssd.conf where it is another: the operator notes its hash in login pods.

    Source: getLoginHashes in internal/builder/loginbuilder of slurm-operator, v1.1.2.
    """
    revisions = {
        sssd_revision(ClusterRef.of(side.spec), side.spec.identity) if side.spec.identity else ""
        for side in (before, after)
    }
    return ["sssd.conf"] if len(revisions) > 1 else []


def login_pod_fields(before: ClusterSide, after: ClusterSide, name: str) -> list[str]:
    """Return the fields for which the operator replaces the pods of a LoginSet; none unless it is on both sides.

    They have the address of a slurmctld that runs elsewhere too: loginContainer in
    login_app.go of slurm-operator, v1.0.5 to v1.2.1.
    """
    old, new = (side.objects.get(("LoginSet", name)) for side in (before, after))
    if old is None or new is None:
        return []
    is_elsewhere = before.spec.controller.external != after.spec.controller.external
    return [*pod_fields(old, new, after.spec.operator), *(["controller.external"] if is_elsewhere else [])]


def login_sets_that_end(change: ClusterChange) -> Mapping[str, str]:
    """Return what becomes of each login set of which pods end, by name; nothing of a cluster that goes as a whole."""
    before, after = change.before, change.after
    if before is None or after is None:
        return {}
    remaining = {item.name: item for item in after.spec.login_sets}
    fates = {}
    for item in before.spec.login_sets:
        name = login_set_object(after.spec.name, item.name)
        if item.name not in remaining:
            fates[item.name] = "goes"
        elif fields := login_pod_fields(before, after, name) + _sssd(before, after):
            fates[item.name] = f"its pods are replaced ({', '.join(dict.fromkeys(fields))})"
        elif (now := remaining[item.name].fixed_replicas) is not None and now < (item.fixed_replicas or 0):
            fates[item.name] = f"has {now} of {counted(item.fixed_replicas or 0, 'pod')} left"
    return fates

"""What becomes of the workers of each node set that ack-slurm-operator runs; it drains none."""

from pulumi_slurm.ack_slurm.manifests.cluster_object import REPLACED
from pulumi_slurm.manifests.immutable import changed_paths
from pulumi_slurm_cli.review.ack_side import AckSide
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.whole_cluster import cluster_is_made_anew
from pulumi_slurm_cli.review.worker_fates import Fate, WorkerFate


def ack_worker_fates(change: ClusterChange) -> list[WorkerFate]:
    """Return the fate of each node set's workers, in the order of the specifications."""
    before = {item.name: item for item in change.before.spec.node_sets} if change.before else {}
    after = {item.name: item for item in change.after.spec.node_sets} if change.after else {}
    reason = _why_all_end(change)
    fates = []
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        some = old or new
        assert some is not None
        why = reason or ("the operator ends them" if new is None else "")
        fate = Fate.END if old and why else Fate.STAY
        fates.append(WorkerFate(name, some.slurm_name, old, new, fate, why if old else ""))
    return fates


def _why_all_end(change: ClusterChange) -> str:
    """Return why no worker stays; "" where they may."""
    before, after = change.before, change.after
    if after is None:
        return "the cluster is destroyed"
    if anew := cluster_is_made_anew(change):
        return anew
    paths = replaced_fields(before, after)
    return f"the SlurmCluster is made anew, for {', '.join(paths)}" if paths else ""


def replaced_fields(before: ClusterSide | None, after: ClusterSide | None) -> list[str]:
    """Return the paths of a SlurmCluster for which it is made anew, with all its pods; none of one that stays."""
    if not (isinstance(before, AckSide) and isinstance(after, AckSide)):
        return []
    # Of the chart's SlurmCluster Helm changes what it can in place.
    if after.ack.cluster_chart:
        return []
    return [*changed_paths(before.slurm_cluster, after.slurm_cluster, REPLACED)]

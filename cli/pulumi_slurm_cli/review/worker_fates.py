"""What becomes of the workers of each node set."""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from pulumi_slurm.manifests.parts.node_set import NodeSetPart
from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm.model.node_set import UpdateType
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.pod_fields import pod_fields
from pulumi_slurm_cli.review.whole_cluster import cluster_is_made_anew


class Fate(StrEnum):
    """What becomes of workers that there were before."""

    STAY = "stay"
    REPLACED = "are replaced, each after its jobs"
    REPLACED_BY_HAND = "are replaced when their pods are deleted"
    REPLACED_IN_RESERVATION = "are replaced in a maintenance reservation"
    GO = "go"
    """The update drains them, and fails while they have jobs."""
    END = "end with their jobs"


_REPLACEMENTS = MappingProxyType(
    {
        UpdateType.ROLLING_UPDATE: Fate.REPLACED,
        UpdateType.ON_DELETE: Fate.REPLACED_BY_HAND,
        UpdateType.SCHEDULED_UPDATE: Fate.REPLACED_IN_RESERVATION,
    }
)


@dataclass(frozen=True)
class WorkerFate:
    """What becomes of the workers of one node set."""

    name: str
    """The node set's."""
    slurm_name: str
    """The feature and prefix of its nodes in Slurm."""
    before: NodeSetSpec | None
    after: NodeSetSpec | None
    fate: Fate
    reason: str = ""
    """Why they end."""
    fields: tuple[str, ...] = ()
    """Fields of the NodeSet for which its pods are replaced, as `pod_fields` has them."""

    @property
    def fewer(self) -> int:
        """How many workers go because the node set is made smaller, if Pulumi sets their number on both sides."""
        before, after = self.before, self.after
        if before is None or after is None or not (before.pulumi_sets_replicas and after.pulumi_sets_replicas):
            return 0
        return max(before.fixed_replicas - after.fixed_replicas, 0)

    @property
    def more(self) -> int:
        """How many workers come."""
        if self.after is None or not self.after.pulumi_sets_replicas:
            return 0
        before = self.before.fixed_replicas if self.before and self.before.pulumi_sets_replicas else 0
        return max(self.after.fixed_replicas - before, 0)


def worker_fates(change: ClusterChange) -> list[WorkerFate]:
    """Return the fate of each node set's workers, in the order of the specifications."""
    before = {item.name: item for item in change.before.spec.node_sets} if change.before else {}
    after = {item.name: item for item in change.after.spec.node_sets} if change.after else {}
    names = [*before, *(name for name in after if name not in before)]
    return [_fate(change, name, before.get(name), after.get(name)) for name in names]


def key_is_rotated(change: ClusterChange) -> bool:
    """Return whether workers with the old key and slurmctld with the new one don't understand each other."""
    before, after = change.before, change.after
    return bool(before and after and before.spec.keys.slurm != after.spec.keys.slurm)


def _fate(change: ClusterChange, name: str, before: NodeSetSpec | None, after: NodeSetSpec | None) -> WorkerFate:
    if before is None:
        assert after is not None
        return WorkerFate(name, after.slurm_name, None, after, Fate.STAY)
    fields: tuple[str, ...] = ()
    if change.before and change.after and after and not cluster_is_made_anew(change):
        fields = _replacing_fields(change.before, change.after, name)
    reason = _why_they_end(change, after)
    names = {item.slurm_name for item in change.after.spec.node_sets} if change.after else set()
    if not reason and after is None and before.slurm_name in names:
        # By their names in Slurm the update tells what goes.
        reason = f"another node set is called {before.slurm_name} in Slurm, so nothing is drained"
    if reason:
        fate = Fate.END
    elif after is None or (before.slurm_name != after.slurm_name and before.slurm_name not in names):
        fate = Fate.GO
    elif before.scaling_mode != after.scaling_mode:
        # Pods of the other mode are drained and deleted, whatever updateStrategy says: syncNodeSet and doPodProcessing
        # in internal/controller/nodeset/nodeset_sync.go of slurm-operator, v1.1.0.
        fate, fields = Fate.REPLACED, ("scalingMode",)
    else:
        fate = _REPLACEMENTS[after.update_type] if fields else Fate.STAY
    return WorkerFate(name, before.slurm_name, before, after, fate, reason, fields)


def _why_they_end(change: ClusterChange, after: NodeSetSpec | None) -> str:
    """Return why workers end with their jobs, and "" where they don't."""
    if change.after is None:
        return "the cluster is destroyed, and nothing is drained"
    if anew := cluster_is_made_anew(change):
        return anew
    if after is None and change.before and change.before.spec.controller.external:
        return "nothing is drained where slurmctld is outside"
    if after and key_is_rotated(change):
        return "slurmctld has the new key before they do, and doesn't hear of their jobs any more"
    return ""


def _replacing_fields(before: ClusterSide, after: ClusterSide, name: str) -> tuple[str, ...]:
    """Return the fields of a NodeSet for which the operator replaces its pods; see `go_form`."""
    old, new = (side.parts[NodeSetPart, name].manifests()["nodeset"] for side in (before, after))
    return tuple(pod_fields(old, new, after.spec.operator))

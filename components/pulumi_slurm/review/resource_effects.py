"""What changes of resources mean for jobs, beyond what a cluster's specification tells."""

from collections.abc import Collection, Iterable, Iterator

from pulumi_slurm.review.effect import Effect, Verdict
from pulumi_slurm.review.resource_change import Operation, ResourceChange

_NODE_POOLS = frozenset({"gcp:container/nodePool:NodePool", "alicloud:cs/nodePool:NodePool"})
_CLUSTERS = frozenset({"gcp:container/cluster:Cluster", "alicloud:cs/managedKubernetes:ManagedKubernetes"})
_STORES = frozenset(
    {
        *("gcp:sql/databaseInstance:DatabaseInstance", "gcp:filestore/instance:Instance", "gcp:storage/bucket:Bucket"),
        *("alicloud:rds/instance:Instance", "alicloud:nas/fileSystem:FileSystem", "alicloud:oss/bucket:Bucket"),
        *("kubernetes:core/v1:PersistentVolumeClaim", "kubernetes:core/v1:PersistentVolume"),
    }
)
"""Resources whose content goes with them."""
_NODES_STAY = frozenset(
    {
        *("autoscaling", "initialNodeCount", "management", "nodeCount", "upgradeSettings", "nodeDrainConfigs"),
        *("autoUpgrade", "desiredSize", "management", "scalingConfig", "updateNodes"),
    }
)
"""Inputs of node pools by which none of the nodes that run is made anew. Fewer nodes go when they are empty: an
autoscaler leaves those alone whose pods a PodDisruptionBudget protects, as it does workers with jobs."""
_SLURM_API = "kubernetes:slinky.slurm.net/"


def resource_effects(changes: Iterable[ResourceChange], removed_node_sets: Collection[str]) -> Iterator[Effect]:
    """Yield what resources mean; ``removed_node_sets`` are the NodeSets whose end the specification explains."""
    for change in changes:
        if change.protected and change.operation in (Operation.DELETE, Operation.REPLACE):
            meaning = "The update fails: it is protected."
            yield Effect(Verdict.NOTHING, _subject(change), _becomes(change), meaning)
        elif change.retained and change.operation is Operation.DELETE:
            yield Effect(Verdict.NOTHING, _subject(change), "leaves the program, and stays where it is")
        else:
            yield from _of(change, removed_node_sets)


def _of(change: ResourceChange, removed_node_sets: Collection[str]) -> Iterator[Effect]:
    gone = change.operation in (Operation.DELETE, Operation.REPLACE)
    subject = _subject(change)
    if change.type in _CLUSTERS and gone:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "Everything that runs on it ends.")
    elif change.type in _NODE_POOLS and gone:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "Its nodes go, and jobs on them end.")
    elif change.type in _NODE_POOLS and (fields := _differing(change) - _NODES_STAY):
        meaning = "Nodes may be made anew one after another; jobs end that take longer than the cloud waits for pods."
        yield Effect(Verdict.ENDS, subject, f"{', '.join(sorted(fields))} change", meaning)
    elif change.type in _STORES and gone:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "What is stored there is lost.")
    elif change.kubernetes_kind == "Namespace" and gone:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "Everything in it goes.")
    elif change.type.startswith(_SLURM_API) and gone:
        yield from _of_slurm_object(change, removed_node_sets)


def _of_slurm_object(change: ResourceChange, removed_node_sets: Collection[str]) -> Iterator[Effect]:
    kind, subject = change.kubernetes_kind, _subject(change)
    if kind == "NodeSet" and change.operation is Operation.REPLACE:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "Its workers end at once, with their jobs.")
    elif kind == "NodeSet" and change.kubernetes_name not in removed_node_sets:
        meaning = "Its workers end at once, unless an update before has drained them."
        yield Effect(Verdict.ENDS, subject, _becomes(change), meaning)
    elif kind == "Controller" and change.operation is Operation.REPLACE:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "slurmctld is away meanwhile, and its state may be lost.")


def _differing(change: ResourceChange) -> set[str]:
    old, new = change.old or {}, change.new or {}
    if change.operation is not Operation.UPDATE:
        return set()
    return {key for key in {*old, *new} if old.get(key) != new.get(key)}


def _becomes(change: ResourceChange) -> str:
    if change.operation is Operation.DELETE:
        return "is deleted"
    fields = f", since {', '.join(change.replaced_for)} can't change in place" if change.replaced_for else ""
    return f"is replaced{fields}"


def _subject(change: ResourceChange) -> str:
    kind = change.type.rpartition(":")[2]
    return f"{kind} {change.kubernetes_name if change.kubernetes_kind else change.name}"

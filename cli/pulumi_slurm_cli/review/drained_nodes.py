"""Nodes that somebody drained in Slurm, and that come back with another pod."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.slurmconf.hostlist import fold
from pulumi_slurm_cli.live import LiveNode
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.effect import Effect, Verdict
from pulumi_slurm_cli.review.worker_fates import Fate, worker_fates

_REPLACED = frozenset({Fate.REPLACED, Fate.REPLACED_BY_HAND, Fate.REPLACED_IN_RESERVATION})
_MEANING = (
    "That ends with their pods, and jobs start there again: cordon the Kubernetes nodes of those that must stay out."
)


def drained_node_effects(change: ClusterChange, nodes: Sequence[LiveNode]) -> Iterator[Effect]:
    """Yield which drains by hand end with the workers that a change replaces.

    The record of a node goes with its pod in 1.1, and from 1.2 on it gets the operator's reason, and is undrained:
    processCondemned and syncCordon in internal/controller/nodeset/nodeset_sync.go of slurm-operator, v1.1.2 and v1.2.1.
    """
    for fate in worker_fates(change):
        # The operator adds the name of its set to a node's features.
        drained = [node.name for node in nodes if node.is_drained_by_hand and fate.slurm_name in node.features]
        if drained and fate.fate in _REPLACED:
            are = "is" if len(drained) == 1 else "are"
            text = f"{len(drained)} of its nodes {are} drained by hand ({fold(sorted(drained))})"
            yield Effect(Verdict.UNJUDGED, f"node set {fate.name}", text, _MEANING)

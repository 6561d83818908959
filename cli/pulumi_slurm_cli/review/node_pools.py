"""What becomes of node pools of a cloud, and of the nodes in them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.clouds.unread import known_at
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange, changed_fields

_NAMES = MappingProxyType({"gcp:container/nodePool:NodePool": "name", "alicloud:cs/nodePool:NodePool": "nodePoolName"})
"""The input of each kind of node pool that has its name."""
_NODES_STAY = frozenset(
    {
        *("autoscaling", "initialNodeCount", "management", "nodeCount", "upgradeSettings", "nodeDrainConfigs"),
        *("autoUpgrade", "desiredSize", "management", "scalingConfig", "updateNodes"),
    }
)
"""Inputs of node pools by which none of the nodes that run is made anew. Fewer nodes go when they are empty: an
autoscaler leaves those alone whose pods a PodDisruptionBudget protects, as it does workers with jobs."""


@dataclass(frozen=True)
class PoolChange:
    """A node pool whose nodes go, or may be made anew."""

    name: str
    goes: bool
    """Whether all its nodes go; else they may be made anew, each when its pods are gone or the cloud waits no more."""
    deleted: bool
    """Whether it is deleted, and not made anew."""
    change: str
    """What becomes of it, for example "is deleted"."""


def pool_changes(changes: Iterable[ResourceChange]) -> Mapping[str, PoolChange]:
    """Return the node pools whose nodes don't all stay, by the URN of the resource."""
    found = {}
    for change in changes:
        if change.type not in _NAMES:
            continue
        name = str(known_at(change.old or change.new, _NAMES[change.type]) or change.name)
        if change.operation is Operation.DELETE:
            found[change.urn] = PoolChange(name, goes=True, deleted=True, change="is deleted")
        elif change.operation is Operation.REPLACE:
            found[change.urn] = PoolChange(name, goes=True, deleted=False, change=f"is replaced{_why(change)}")
        elif change.operation is Operation.UPDATE:
            fields = [text for path, text in changed_fields(change) if path.partition(".")[0] not in _NODES_STAY]
            if fields:
                found[change.urn] = PoolChange(name, goes=False, deleted=False, change=", ".join(fields))
    return found


def _why(change: ResourceChange) -> str:
    """Return what can't change in place."""
    wanted = [text for path, text in changed_fields(change) if path.partition(".")[0] in change.replaced_for]
    fields = wanted or change.replaced_for
    return f", since this can't change in place: {', '.join(fields)}" if fields else ""

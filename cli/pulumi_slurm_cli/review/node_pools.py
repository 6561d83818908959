"""What becomes of node pools of a cloud, and of the nodes in them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pulumi_slurm.clouds.resources import NodePoolResource
from pulumi_slurm.clouds.unread import known_at
from pulumi_slurm_cli.review.clouds import node_pools
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange, changed_fields, is_named, is_no_less


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
    fewer: bool = False
    """Whether some of its nodes go, which the cloud chooses."""


def pool_changes(changes: Iterable[ResourceChange]) -> Mapping[str, PoolChange]:
    """Return the node pools whose nodes don't all stay, by the URN of the resource."""
    by_urn, kinds = {}, node_pools()
    for change in changes:
        pool = kinds.get(change.type)
        if pool is None:
            continue
        name = pool.name_of(change.old or change.new) or change.name
        if change.operation is Operation.DELETE:
            by_urn[change.urn] = PoolChange(name, goes=True, deleted=True, change="is deleted")
        elif change.operation is Operation.REPLACE:
            by_urn[change.urn] = PoolChange(name, goes=True, deleted=False, change=f"is replaced{_why(change)}")
        elif change.operation is Operation.UPDATE:
            fields = [text for path, text in changed_fields(change) if not _all_stay(pool, path, change)]
            if fields:
                fewer = _are_fewer(pool, change)
                by_urn[change.urn] = PoolChange(name, goes=False, deleted=False, change=", ".join(fields), fewer=fewer)
    return by_urn


def _all_stay(pool: NodePoolResource, path: str, change: ResourceChange) -> bool:
    """Return whether all nodes stay for another value of the input at a path."""
    if is_named(path, pool.nodes_stay | pool.not_judged):
        return True
    if path == pool.fixed_nodes:
        return not _are_fewer(pool, change)
    if path != pool.zones:
        return False
    before, after = ((side or {}).get(path) for side in (change.old, change.new))
    return isinstance(before, list) and isinstance(after, list) and all(zone in after for zone in before)


def _are_fewer(pool: NodePoolResource, change: ResourceChange) -> bool:
    """Return whether a pool of a fixed size has fewer nodes than it may have had."""
    before, after = (known_at(side, pool.fixed_nodes) for side in (change.old, change.new))
    if before is None and after is not None:
        # An autoscaler had it between bounds.
        had, has = (pool.nodes(side or {}) for side in (change.old, change.new))
        return had is None or has is None or has[0] < had[1]
    return before is not None and after is not None and not is_no_less(before, after)


def _why(change: ResourceChange) -> str:
    """Return what can't change in place."""
    wanted = [text for path, text in changed_fields(change) if path.partition(".")[0] in change.replaced_for]
    fields = wanted or change.replaced_for
    return f", since this can't change in place: {', '.join(fields)}" if fields else ""

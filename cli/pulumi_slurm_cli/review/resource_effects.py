"""What changes of resources mean for jobs, beyond what a cluster's specification tells."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pulumi_slurm.clouds.unread import known_at
from pulumi_slurm_cli.review.clouds import (
    clusters,
    databases,
    node_pools,
    pools_by_provider,
    resources_with,
    stores,
)
from pulumi_slurm_cli.review.cluster_change import COMPONENTS
from pulumi_slurm_cli.review.effect import NOBODY_KNOWS, Effect, Verdict
from pulumi_slurm_cli.review.node_pools import PoolChange, pool_changes
from pulumi_slurm_cli.review.other_objects import NO_JOBS, changed_object_fields, row_of
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange, changed_fields, is_named, is_no_less
from pulumi_slurm_cli.review.worker_fates import Fate, WorkerFate

_VOLUMES = frozenset({"kubernetes:core/v1:PersistentVolumeClaim", "kubernetes:core/v1:PersistentVolume"})
"""Objects whose content goes with them."""
_SLURM_GROUP = ".slinky.slurm.net"
_SLURM_API = "kubernetes:slinky.slurm.net/"


_CONTENT = frozenset({"Namespace", "Secret"})
"""Objects that do nothing themselves; of a Secret an engine shows equal content as changed too."""
_OF_THE_ENGINE = ("pulumi:", "slurm:index:", "random:")
"""How the types begin of what is nothing outside of Pulumi's state."""
_CHARTS = frozenset({"kubernetes:helm.sh/v3:Release", "kubernetes:helm.sh/v4:Chart"})


def resource_effects(
    changes: Sequence[ResourceChange],
    explained: Collection[tuple[str, str]],
    node_sets_of: Mapping[str, Sequence[WorkerFate]],
) -> Iterator[Effect]:
    """Yield what resources mean.

    ``explained`` are objects whose end the specification explains, by kind and name; ``node_sets_of`` has the node sets
    of each node pool before the change.
    """
    pools = pool_changes(changes)
    new_namespaces = {change.kubernetes_name for change in changes if _is_namespace(change, Operation.CREATE)}
    for change in changes:
        if change.protected and change.operation in (Operation.DELETE, Operation.REPLACE):
            meaning = f"The update fails: it is protected.{_way_to_keep(change)}"
            yield Effect(Verdict.NOTHING, _subject(change), _becomes(change), meaning)
        elif change.retained and change.operation is Operation.DELETE:
            yield Effect(Verdict.NOTHING, _subject(change), "leaves the program, and stays where it is")
        elif change.retained and change.operation is Operation.REPLACE and _keeps_data(change):
            meaning = "The old one stays where it is, with all that is stored there; the new one is empty."
            yield Effect(Verdict.LOSES, _subject(change), _becomes(change), meaning)
        elif _is_namespace(change, Operation.DELETE) and change.kubernetes_name in new_namespaces:
            meaning = "Everything in it would go, the cluster that is made in it too. The update refuses to make that."
            yield Effect(Verdict.ENDS, _subject(change), _becomes(change), meaning)
        elif change.type in pools_by_provider() and change.old and change.new and _regions(change):
            meaning = "What has no zone stays in the old one, paid for, and no stack knows it: make another stack."
            yield Effect(Verdict.LOSES, f"provider {change.name}", _regions(change), meaning)
        elif pool := pools.get(change.urn):
            yield pool_effect(pool, node_sets_of.get(pool.name, ()))
            yield from _of(change, explained) if change.operation is Operation.UPDATE else ()
        else:
            yield from _of_machine(change)
            yield from _of(change, explained)


def _of_machine(change: ResourceChange) -> Iterator[Effect]:
    """Yield what another machine type means to a pool whose nodes stay, each with the machine that it has."""
    pool = node_pools().get(change.type)
    if pool is None or change.operation is not Operation.UPDATE:
        return
    before, after = (pool.machine_of(side or {}) for side in (change.old, change.new))
    if before != after:
        meaning = "Nodes that run keep theirs. Workers of another size don't fit there, or have CPUs that aren't there."
        name = pool.name_of(change.old) or change.name
        yield Effect(Verdict.UNJUDGED, f"node pool {name}", f"new nodes are {after or 'of another type'}", meaning)


def _regions(change: ResourceChange) -> str:
    """Return the regions of a provider before and after; "" where they are the same."""
    before, after = (known_at(side, "region") for side in (change.old, change.new))
    return f"region {before} → {after}" if before != after else ""


def _keeps_data(change: ResourceChange) -> bool:
    return change.type in _VOLUMES or change.type in stores()


def _content_stays(change: ResourceChange) -> bool:
    """Return whether only Kubernetes' object goes: a volume with Retain, or a claim of one that somebody has made."""
    policy, volume = (known_at(change.old, "spec", name) for name in ("persistentVolumeReclaimPolicy", "volumeName"))
    return change.type in _VOLUMES and (policy == "Retain" or isinstance(volume, str))


def _way_to_keep(change: ResourceChange) -> str:
    """Return how a store stays that is replaced for its zones alone, in the region where it is; "" for others."""
    resources = resources_with(change.type)
    inputs = resources.store_zones.get(change.type) if resources else None
    if change.operation is not Operation.REPLACE or inputs is None:
        return ""
    if {*change.replaced_for} - {*inputs.zones} - inputs.following:
        return ""
    before, after = ([known_at(side, name) for name in inputs.zones] for side in (change.old, change.new))
    zones = [zone for zone in before if isinstance(zone, str)]
    # A second instance that comes or goes replaces it in any zone.
    if not zones or [zone is None for zone in before] != [zone is None for zone in after]:
        return ""
    if not isinstance(after[0], str) or _region_of(zones[0]) != _region_of(after[0]):
        return ""
    if change.type in databases():
        return f" To keep it, leave {', '.join(zones)} first in zones."
    return f" To keep it, write {zones[0]} as its own zone."


def _region_of(zone: str) -> str:
    """Return the region of a zone: "us-central1" of "us-central1-b", and "cn-hangzhou" of "cn-hangzhou-i"."""
    return zone.rpartition("-")[0]


def _is_namespace(change: ResourceChange, operation: Operation) -> bool:
    return change.kubernetes_kind == "Namespace" and change.operation is operation


def _of(change: ResourceChange, explained: Collection[tuple[str, str]]) -> Iterator[Effect]:
    gone = change.operation in (Operation.DELETE, Operation.REPLACE)
    subject = _subject(change)
    if change.type in clusters() and gone:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "Everything that runs on it ends.")
    elif _keeps_data(change) and gone:
        lost = "stays where it is, and is no longer found here" if _content_stays(change) else "is lost"
        yield Effect(Verdict.LOSES, subject, _becomes(change), f"What is stored there {lost}.{_way_to_keep(change)}")
    elif change.kubernetes_kind == "Namespace" and gone:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "Everything in it goes.")
    elif (
        change.kubernetes_kind == "CustomResourceDefinition" and change.kubernetes_name.endswith(_SLURM_GROUP) and gone
    ):
        yield Effect(Verdict.ENDS, subject, _becomes(change), "All objects of this kind go, and what runs for them.")
    elif change.type in _CHARTS:
        yield from _of_chart(change)
    elif change.type.startswith(_SLURM_API) and gone:
        yield from _of_slurm_object(change, explained)
    elif change.kubernetes_kind == "SlurmCluster" and gone:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "All its daemons and workers end, and their jobs.")
    elif change.kubernetes_kind == "SlurmCluster" and change.operation is Operation.UPDATE:
        yield from _of_slurm_cluster(change)
    elif change.operation is Operation.UPDATE and (noticed := _noticed(change)):
        verdict, meaning = Verdict.UNJUDGED, NOBODY_KNOWS
        if change.type in databases():
            verdict = Verdict.RESTART
            meaning = "It may restart: slurmdbd waits for it, and slurmctld keeps what it has to say until then."
        yield Effect(verdict, subject, ", ".join(noticed), meaning)
    elif change.kubernetes_kind and _stands_alone(change):
        yield from _of_object(change)
    elif gone and not change.kubernetes_kind and not change.type.startswith(_OF_THE_ENGINE):
        yield Effect(Verdict.UNJUDGED, subject, _becomes(change), NOBODY_KNOWS)


def _stands_alone(change: ResourceChange) -> bool:
    """Return whether an object is part of no cluster, whose specification tells of it, and of no chart."""
    _, _, types, *_ = change.urn.split("::")
    return _CHARTS.isdisjoint(outer := types.split("$")[:-1]) and COMPONENTS.isdisjoint(outer)


def _of_object(change: ResourceChange) -> Iterator[Effect]:
    if change.kubernetes_kind in NO_JOBS | _CONTENT:
        return
    if change.operation in (Operation.DELETE, Operation.REPLACE):
        yield Effect(Verdict.UNJUDGED, _subject(change), _becomes(change), NOBODY_KNOWS)
    # Of kinds of objects the operator's release tells.
    elif change.operation is Operation.UPDATE and change.kubernetes_kind != "CustomResourceDefinition":
        for field in changed_object_fields(change.old or {}, change.new or {}):
            verdict, meaning = row_of(str(change.kubernetes_kind), field)
            yield Effect(verdict, _subject(change), f"{field} changes", meaning)


def _of_slurm_cluster(change: ResourceChange) -> Iterator[Effect]:
    """Yield what another specification means to ack-slurm-operator, where it is not made anew."""
    subject, (old, new) = _subject(change), (known_at(side, "spec") for side in (change.old, change.new))
    old, new = (side if isinstance(side, Mapping) else {} for side in (old, new))
    before, after = (_workers(side.get("workerGroupSpecs")) for side in (old, new))
    for group, count in before.items():
        fewer = count - after.get(group, 0)
        if fewer > 0:
            meaning = "ack-slurm-operator chooses which ones, with or without jobs."
            yield Effect(Verdict.ENDS, subject, f"{fewer} of {count} workers of {group} go", meaning)
    old, new = ({**side, "workerGroupSpecs": _other_fields(side.get("workerGroupSpecs"))} for side in (old, new))
    if fields := [key for key in dict.fromkeys([*old, *new]) if old.get(key) != new.get(key)]:
        yield Effect(Verdict.UNJUDGED, subject, f"{', '.join(fields)} change", NOBODY_KNOWS)


def _workers(groups: Any) -> dict[str, int]:
    """Return the workers of each group, of any shape."""
    items = [group for group in groups if isinstance(group, Mapping)] if isinstance(groups, list) else []
    counts = {str(group.get("groupName")): group.get("replicas") for group in items}
    return {name: count for name, count in counts.items() if isinstance(count, int)}


def _other_fields(groups: Any) -> Any:
    """Return groups of workers without their numbers."""
    if not isinstance(groups, list):
        return groups
    return [
        {key: value for key, value in group.items() if key != "replicas"} if isinstance(group, Mapping) else group
        for group in groups
    ]


def _noticed(change: ResourceChange) -> list[str]:
    """Return how the inputs of a cloud's resource change in place, but those that no job notices."""
    changed = changed_fields(change)
    if pool := node_pools().get(change.type):
        return [text for path, text in changed if is_named(path, pool.not_judged)]
    resources = resources_with(change.type)
    if resources is None:
        return []
    unnoticed = resources.unnoticed.get("*", frozenset()) | resources.unnoticed.get(change.type, frozenset())
    sizes = resources.grows.get(change.type, frozenset())
    return [
        text for path, text in changed if not is_named(path, unnoticed) and not (path in sizes and _grows(change, path))
    ]


def _grows(change: ResourceChange, path: str) -> bool:
    before, after = (known_at(side, *path.split(".")) for side in (change.old, change.new))
    return is_no_less(before, after)


def pool_effect(pool: PoolChange, node_sets: Sequence[WorkerFate]) -> Effect:
    """Return what becomes of a node pool, and of jobs on the node sets that it had before."""
    subject, names = f"node pool {pool.name}", ", ".join(fate.name for fate in node_sets)
    on_it = f", those of node set {names}" if names else ""
    if pool.fewer:
        return Effect(Verdict.ENDS, subject, pool.change, f"The cloud chooses which nodes go, with their jobs{on_it}.")
    if node_sets and all(fate.fate is Fate.GO for fate in node_sets):
        meaning = f"Its nodes go after the update has drained node set {names}."  # noqa: S608 - no SQL
        return Effect(Verdict.DRAINS, subject, pool.change, meaning)
    if pool.goes:
        return Effect(Verdict.ENDS, subject, pool.change, f"Its nodes go, and jobs on them end{on_it}.")
    meaning = "Nodes may be made anew one after another; jobs end that take longer than the cloud waits for pods"
    return Effect(Verdict.ENDS, subject, pool.change, f"{meaning}{on_it}.")


def _of_slurm_object(change: ResourceChange, explained: Collection[tuple[str, str]]) -> Iterator[Effect]:
    kind, subject = change.kubernetes_kind, _subject(change)
    if (kind, change.kubernetes_name) in explained:
        return
    if kind == "NodeSet" and change.operation is Operation.REPLACE:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "Its workers end at once, with their jobs.")
    elif kind == "NodeSet":
        meaning = "Its workers end at once, unless an update before has drained them."
        yield Effect(Verdict.ENDS, subject, _becomes(change), meaning)
    elif kind == "Controller" and change.operation is Operation.REPLACE:
        yield Effect(Verdict.ENDS, subject, _becomes(change), "slurmctld is away meanwhile, and its state may be lost.")


def _of_chart(change: ResourceChange) -> Iterator[Effect]:
    """Yield what a chart means whose objects are no resources, and its version."""
    is_release = change.type.endswith(":Release")
    if change.operation in (Operation.DELETE, Operation.REPLACE) and is_release:
        meaning = "All that it has installed goes, and what runs for it."
        yield Effect(Verdict.ENDS, _subject(change), _becomes(change), meaning)
    elif fields := sorted(_differing(change)):
        others = ", ".join(field for field in fields if field != "version")
        shown = [_version(change)] * ("version" in fields) + [f"{others} change"] * bool(others)
        meaning = "Which of its objects change isn't known before the update." if is_release else ""
        verdict = Verdict.UNJUDGED if is_release else Verdict.NOTHING
        yield Effect(verdict, _subject(change), ", ".join(shown), meaning)


def _version(change: ResourceChange) -> str:
    return f"version {(change.old or {}).get('version')} → {(change.new or {}).get('version')}"


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
    if not change.kubernetes_kind:
        return f"{kind} {change.name}"
    # One that is made anew under another name goes by the old one.
    old_name = known_at(change.old, "metadata", "name") if change.operation is Operation.REPLACE else None
    return f"{kind} {old_name if isinstance(old_name, str) else change.kubernetes_name}"

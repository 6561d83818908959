"""From what the engine and a look at the cluster say to a review."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal

from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.model.names import node_set_object
from pulumi_slurm.model.partition import PartitionOptionsSpec
from pulumi_slurm_cli.live.look import Look
from pulumi_slurm_cli.review.account_effects import changed_users
from pulumi_slurm_cli.review.ack_effects import ack_cluster_effects
from pulumi_slurm_cli.review.ack_side import AckSide
from pulumi_slurm_cli.review.ack_workers import ack_worker_fates
from pulumi_slurm_cli.review.changed_settings import changed_settings
from pulumi_slurm_cli.review.cluster_change import ClusterChange, cluster_changes
from pulumi_slurm_cli.review.cluster_effects import cluster_effects
from pulumi_slurm_cli.review.drained_nodes import drained_node_effects
from pulumi_slurm_cli.review.effect import Effect, Verdict, worst
from pulumi_slurm_cli.review.engine_events import Preview
from pulumi_slurm_cli.review.files import changed_files
from pulumi_slurm_cli.review.jobs import JobInTheWay, costs_nothing_from, gpu_hours_lost, jobs_in_the_way
from pulumi_slurm_cli.review.money import CostChange, cost_changes
from pulumi_slurm_cli.review.node_pools import PoolChange, pool_changes
from pulumi_slurm_cli.review.partition_sizes import Size, cluster_size, node_set_sizes, partition_sizes
from pulumi_slurm_cli.review.report import (
    Review,
    ShownAccess,
    ShownCluster,
    ShownCost,
    ShownEffect,
    ShownJob,
    ShownJobs,
    ShownLine,
    ShownNodeSet,
    ShownPartition,
    ShownPolicy,
    ShownResource,
    ShownSize,
)
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange, changed_fields
from pulumi_slurm_cli.review.resource_effects import pool_effect, resource_effects
from pulumi_slurm_cli.review.whole_cluster import cluster_is_made_anew
from pulumi_slurm_cli.review.worker_fates import Fate, WorkerFate, worker_fates

_OF_A_CHART = "$kubernetes:helm.sh/v4:Chart$"
"""What stands in the URN of a chart's objects."""
_FOLLOWS = frozenset({"ConfigMap", "Job", "Token", "ServiceAccount", "Role", "RoleBinding"})
"""Kinds of objects of ours that follow from others: scripts, and the Jobs that run them."""


def review(
    preview: Preview,
    looks: dict[str, Look | str],
    *,
    source: Literal["preview", "files"],
    commit: str | None,
    made_at: datetime,
) -> Review:
    """Return the review of a preview.

    ``looks`` has, by the name of a cluster, what a look at it has found, or why there is none.
    """
    clusters, unread = cluster_changes(preview.changes)
    node_sets, pools = _node_sets_of_pools(clusters), pool_changes(preview.changes).values()
    of_resources = [*resource_effects(preview.changes, _explained(clusters), node_sets)]
    of_pools = {pool.name: pool_effect(pool, node_sets.get(pool.name, ())).verdict for pool in pools}
    of_clusters = [
        [
            *(ack_cluster_effects(change) if _is_of_ack(change) else cluster_effects(change, made_at)),
            *(drained_node_effects(change, look.nodes) if isinstance(look := looks.get(change.name), Look) else ()),
        ]
        for change in clusters
    ]
    return Review(
        project=preview.project,
        stack=preview.stack,
        commit=commit,
        made_at=made_at,
        source=source,
        verdict=worst([effect for effects in (*of_clusters, of_resources) for effect in effects]),
        errors=[*preview.errors, *unread],
        clusters=[_cluster(*pair, of_pools) for pair in zip(clusters, of_clusters, strict=True)],
        effects=[ShownEffect.model_validate(effect) for effect in of_resources],
        jobs=_jobs(clusters, looks, pools, all_read=bool(clusters) and not unread),
        costs=[_cost(cost) for cost in cost_changes(preview.changes, clusters)],
        resources=[*_resources(preview.changes)],
        unknown=[line for change in preview.changes for line in _unknown(change, source)],
        policies=[
            ShownPolicy(
                policy=violation.policy,
                level=violation.level,
                resource=violation.urn.rpartition("::")[2],
                message=violation.message,
            )
            for violation in preview.policies
        ],
    )


def _is_of_ack(change: ClusterChange) -> bool:
    """Return whether ack-slurm-operator runs a cluster."""
    return isinstance(change.some_side, AckSide)


def _worker_fates(change: ClusterChange) -> list[WorkerFate]:
    return ack_worker_fates(change) if _is_of_ack(change) else worker_fates(change)


def _explained(clusters: Sequence[ClusterChange]) -> set[tuple[str, str]]:
    """Return the objects of which the specification's change says what becomes of them, by kind and name."""
    node_sets = {
        ("NodeSet", node_set_object(side.spec.name, fate.name))
        for change in clusters
        if not _is_of_ack(change)
        for fate in worker_fates(change)
        if fate.fate is Fate.GO or fate.after is None or cluster_is_made_anew(change)
        for side in (change.before, change.after)
        if side
    }
    controllers = {
        key
        for change in clusters
        if change.before and change.after
        for key in change.after.objects
        if key[0] == "Controller"
    }
    return node_sets | controllers


def _node_sets_of_pools(clusters: Iterable[ClusterChange]) -> dict[str, list[WorkerFate]]:
    pools: dict[str, list[WorkerFate]] = {}
    for change in clusters:
        for fate in _worker_fates(change):
            if fate.before and fate.before.pool:
                pools.setdefault(fate.before.pool, []).append(fate)
    return pools


def _cluster(change: ClusterChange, effects: Iterable[Effect], of_pools: Mapping[str, Verdict]) -> ShownCluster:
    before, after = partition_sizes(change.before), partition_sizes(change.after)
    old, new = (side.partitions if side else {} for side in (change.before, change.after))
    return ShownCluster(
        name=change.some_side.spec.slurm_name,
        effects=[ShownEffect.model_validate(effect) for effect in effects],
        partitions=[
            ShownPartition(
                name=name,
                before=_size(before.get(name)),
                after=_size(after.get(name)),
                limits=changed_settings(old[name], new[name], PartitionOptionsSpec.model_fields)
                if name in old and name in new
                else {},
            )
            for name in dict.fromkeys([*before, *after])
        ],
        nodes=(
            ShownSize.model_validate(cluster_size(change.before)),
            ShownSize.model_validate(cluster_size(change.after)),
        ),
        lines=[
            ShownLine(file=str(file), text=str(difference).removeprefix(f"{file}: "), takes=str(difference.takes))
            for file, differences in changed_files(change).items()
            for difference in differences
        ],
        access=[
            ShownAccess(account=account, gain=came, lose=gone)
            for account, came, gone in (
                changed_users(change.before.spec, change.after.spec) if change.before and change.after else ()
            )
        ],
        node_sets=[*_node_sets(change, of_pools)],
    )


def _node_sets(change: ClusterChange, of_pools: Mapping[str, Verdict]) -> Iterator[ShownNodeSet]:
    before, after = node_set_sizes(change.before), node_set_sizes(change.after)
    for fate in _worker_fates(change):
        side, node_set = (change.after, fate.after) if fate.after else (change.before, fate.before)
        assert side
        assert node_set
        yield ShownNodeSet(
            name=fate.name,
            pool=node_set.pool,
            partitions=partitions_of(side.spec, node_set),
            before=_size(before.get(fate.name)),
            after=_size(after.get(fate.name)),
            fate=fate.fate,
            of_pool=of_pools.get(node_set.pool or "", Verdict.NOTHING),
        )


def _cost(change: CostChange) -> ShownCost:
    one = change.after or change.before
    assert one is not None
    before, after = change.before, change.after
    return ShownCost(
        pool=one.pool,
        machine=(before.machine if before else None, after.machine if after else None),
        before=before.a_month if before else (0.0, 0.0),
        after=after.a_month if after else (0.0, 0.0),
        currency=one.currency,
        prices_of=one.of,
    )


def _jobs(
    clusters: Sequence[ClusterChange], looks: dict[str, Look | str], pools: Collection[PoolChange], *, all_read: bool
) -> ShownJobs:
    all_in_the_way: list[JobInTheWay] = []
    running = waiting = 0
    lost = 0.0
    why_not = "" if all_read else "the preview has no Slurm cluster, or one that can't be read"
    for change in clusters:
        look = looks.get(change.name, "nobody asked for it")
        if change.before is None:
            continue
        if isinstance(look, str):
            why_not = look
            continue
        in_the_way = [*jobs_in_the_way(change, look.jobs, look.nodes, pools)]
        lost += gpu_hours_lost(in_the_way, look.taken)
        running += sum(job.has_nodes for job in look.jobs)
        waiting += sum((job.waiting or 1) for job in look.jobs if job.is_waiting)
        all_in_the_way += in_the_way
    return ShownJobs(
        looked=not why_not,
        why_not=why_not,
        there=any(change.before for change in clusters),
        running=running,
        waiting=waiting,
        in_the_way=[_job(item) for item in all_in_the_way],
        gpu_hours_lost=round(lost, 1),
        costs_nothing_from=costs_nothing_from(all_in_the_way),
    )


def _job(item: JobInTheWay) -> ShownJob:
    job = item.job
    return ShownJob(
        number=job.shown,
        name=job.name,
        user=job.user,
        state=job.state,
        outcome=item.outcome,
        why=item.why,
        may=item.may,
        gpus=job.gpus,
        ends_at=job.end if job.has_nodes else None,
    )


def _resources(changes: Iterable[ResourceChange]) -> Iterable[ShownResource]:
    for change in changes:
        if change.operation is Operation.SAME:
            continue
        yield ShownResource(
            operation=change.operation.value,
            type=change.type,
            name=change.kubernetes_name if change.kubernetes_kind else change.name,
            replaced_for=list(change.replaced_for),
            protected=change.protected,
            retained=change.retained,
            derived=change.is_component or _follows(change),
            changed=[path for path, _ in changed_fields(change)] if change.operation is Operation.UPDATE else [],
            hidden=change.operation is Operation.UPDATE and change.old == change.new,
        )


def _follows(change: ResourceChange) -> bool:
    if change.type.startswith("pulumi:providers:") or _OF_A_CHART in change.urn:
        return True
    return change.kubernetes_kind in _FOLLOWS and "$slurm:index:" in change.urn


def _unknown(change: ResourceChange, source: str) -> list[str]:
    if change.operation is Operation.SAME or change.is_component:
        return []
    unknown = [f"{change.name}: {path}" for path in change.unknown]
    if source == "files" and change.operation is Operation.UPDATE and not change.kubernetes_kind:
        unknown.append(f"{change.name}: whether it changes in place or is replaced, on which its provider decides")
    return unknown


def _size(size: Size | None) -> ShownSize | None:
    return ShownSize.model_validate(size) if size else None

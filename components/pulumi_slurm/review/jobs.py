"""Jobs in the way of a change: which end, start again, hold it up, or can never start."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.live.jobs import LiveJob
from pulumi_slurm.live.nodes import LiveNode
from pulumi_slurm.review.admission import why_it_never_starts
from pulumi_slurm.review.cluster_change import ClusterChange, ClusterSide
from pulumi_slurm.review.node_pools import PoolChange
from pulumi_slurm.review.worker_fates import Fate, WorkerFate, worker_fates


class Outcome(StrEnum):
    """What becomes of a job, or of the change because of it; the worst first."""

    ENDS = "ends"
    REQUEUED = "starts again from its beginning"
    HOLDS_UP = "holds the update up"
    """The update fails as long as it is there."""
    DRAINED = "is waited for"
    """Its node is drained; the update doesn't wait, and slurm-operator replaces or removes the worker afterwards."""
    NEVER_STARTS = "can never start"


_MADE_ANEW = "its node may be made anew before it ends"


@dataclass(frozen=True)
class JobInTheWay:
    """A job that a change concerns."""

    job: LiveJob
    outcome: Outcome
    why: str
    may: bool = False
    """Whether it is only one of those of which some are concerned: nobody can tell yet which worker goes."""


def jobs_in_the_way(
    change: ClusterChange, jobs: Sequence[LiveJob], nodes: Sequence[LiveNode], pools: Collection[PoolChange] = ()
) -> Iterator[JobInTheWay]:
    """Yield the jobs that a change concerns, in the order of the queue.

    ``pools`` are the node pools whose nodes don't all stay.
    """
    pool_of_name = {pool.name: pool for pool in pools}
    fates = worker_fates(change)
    fate_of_node = {
        node.name: fate for node in nodes for fate in fates if fate.before and fate.slurm_name in node.features
    }
    for job in jobs:
        found = _of_running(change, job, fate_of_node, pool_of_name) if job.has_nodes else _of_waiting(change, job)
        if found:
            yield found


def gpu_hours_lost(found: Sequence[JobInTheWay], now: int) -> float:
    """Return the GPU-hours that jobs have used for nothing."""
    lost = [item.job for item in found if item.outcome in (Outcome.ENDS, Outcome.REQUEUED) and not item.may]
    return sum(job.gpus * max(now - job.start, 0) / 3600 for job in lost if job.start is not None)


def costs_nothing_from(found: Sequence[JobInTheWay]) -> int | None:
    """Return when the last of the running jobs in the way has ended at the latest, in seconds since 1970.

    None where one has no limit, and where one that waits is in the way, since it is later too. Other jobs that wait may
    start before, so this is the first moment at which the change costs nothing only if none of them starts there.
    """
    ends = [item.job.end if item.job.has_nodes else None for item in found]
    known = [end for end in ends if end]
    return max(known) if known and len(known) == len(ends) else None


def _of_running(
    change: ClusterChange, job: LiveJob, fate_of_node: dict[str, WorkerFate], pools: dict[str, PoolChange]
) -> JobInTheWay | None:
    if change.after is None:
        return JobInTheWay(job, Outcome.ENDS, "the cluster is destroyed")
    found = [_of_worker(job, fate_of_node[node]) for node in job.nodes if node in fate_of_node]
    gone = [name for name in job.partitions if name not in _partition_names(change.after)]
    if gone and not change.after.spec.controller.external:
        found.append(JobInTheWay(job, Outcome.HOLDS_UP, f"partition {gone[0]} goes"))
    found.append(_of_user(change, job))
    found += [_of_pool(job, fate_of_node[node], pools) for node in job.nodes if node in fate_of_node]
    order = list(Outcome)
    return min(filter(None, found), key=lambda item: (item.may, order.index(item.outcome)), default=None)


def _of_worker(job: LiveJob, fate: WorkerFate) -> JobInTheWay | None:
    subject = f"node set {fate.name}"
    if fate.fate is Fate.END:
        outcome = Outcome.REQUEUED if job.can_requeue else Outcome.ENDS
        return JobInTheWay(job, outcome, f"{subject}: {fate.reason}")
    if fate.fate is Fate.GO:
        return JobInTheWay(job, Outcome.HOLDS_UP, f"{subject} goes")
    if fate.fate in (Fate.REPLACED, Fate.REPLACED_IN_RESERVATION):
        return JobInTheWay(job, Outcome.DRAINED, f"{subject}: its worker is replaced after it")
    if fate.fewer and fate.after:
        may = fate.after.fixed_replicas > 0
        workers = "1 worker" if fate.fewer == 1 else f"{fate.fewer} workers"
        return JobInTheWay(job, Outcome.DRAINED, f"{subject} has {workers} fewer", may)
    return None


def _of_pool(job: LiveJob, fate: WorkerFate, pools: dict[str, PoolChange]) -> JobInTheWay | None:
    pool = pools.get(fate.before.pool) if fate.before and fate.before.pool else None
    if pool is None or fate.fate is Fate.GO:
        return None
    outcome = Outcome.REQUEUED if job.can_requeue else Outcome.ENDS
    return JobInTheWay(job, outcome, f"node pool {pool.name} {pool.change}" if pool.goes else _MADE_ANEW, not pool.goes)


def _of_waiting(change: ClusterChange, job: LiveJob) -> JobInTheWay | None:
    if not job.is_waiting:
        return None
    if change.after is None:
        return JobInTheWay(job, Outcome.ENDS, "the cluster is destroyed")
    names = _partition_names(change.after)
    if job.partitions and not any(name in names for name in job.partitions):
        outcome = Outcome.ENDS if change.after.spec.controller.external else Outcome.HOLDS_UP
        return JobInTheWay(job, outcome, f"partition {', '.join(job.partitions)} goes")
    if of_user := _of_user(change, job):
        return of_user
    why = why_it_never_starts(job, change.after)
    if why and not (change.before and why_it_never_starts(job, change.before)):
        return JobInTheWay(job, Outcome.NEVER_STARTS, why)
    return None


def _of_user(change: ClusterChange, job: LiveJob) -> JobInTheWay | None:
    """Return what becomes of a job whose user leaves its account, or whose account goes.

    sacctmgr removes no association with jobs that run or wait: _check_jobs_before_remove in
    src/plugins/accounting_storage/mysql/accounting_storage_mysql.c of SchedMD/slurm, branch slurm-25.11.
    """
    assert change.before
    assert change.after
    before, after = (_users_of(side, job.account) for side in (change.before, change.after))
    if job.user not in before or job.user in after:
        return None
    return JobInTheWay(job, Outcome.HOLDS_UP, f"{job.user} may not use account {job.account} any more")


def _users_of(side: ClusterSide, account: str) -> set[str]:
    accounts = side.spec.accounting.accounts if side.spec.accounting else []
    return {user for item in accounts if item.name == account.lower() for user in item.users}


def _partition_names(side: ClusterSide) -> set[str]:
    return {name for _, name, _ in all_partitions(side.spec)}

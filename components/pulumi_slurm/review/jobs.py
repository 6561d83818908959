"""Jobs in the way of a change: which end, start again, hold it up, or can never start."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.live.jobs import LiveJob
from pulumi_slurm.live.nodes import LiveNode
from pulumi_slurm.review.admission import why_it_never_starts
from pulumi_slurm.review.cluster_change import ClusterChange, ClusterSide
from pulumi_slurm.review.files import unsafe_lines
from pulumi_slurm.review.login_sets import login_sets_that_end
from pulumi_slurm.review.node_pools import PoolChange
from pulumi_slurm.review.worker_fates import Fate, WorkerFate, cluster_is_made_anew, key_is_rotated, worker_fates


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
        if not (job.has_nodes or job.is_waiting):
            continue
        found = _of_cluster(change, job)
        if found is None and job.has_nodes:
            found = _of_running(change, _with_all_nodes(job, jobs), fate_of_node, pool_of_name)
        elif found is None:
            found = _of_waiting(change, job)
        if found := found or _of_unsafe_lines(change, job):
            yield replace(found, job=job)


def _with_all_nodes(job: LiveJob, jobs: Sequence[LiveJob]) -> LiveJob:
    """Return a job with the nodes of all of its components, which end together.

    Source: _het_job_on_node, by which kill_running_job_by_node_ptr in src/slurmctld/job_mgr.c, branch slurm-26.05,
    finds what ends.
    """
    if job.heterogeneous_job is None:
        return job
    together = [other for other in jobs if other.heterogeneous_job == job.heterogeneous_job]
    return replace(job, nodes=tuple(node for other in together for node in other.nodes))


def _of_cluster(change: ClusterChange, job: LiveJob) -> JobInTheWay | None:
    """Return what becomes of any job where the queue itself goes."""
    if change.after is None:
        return JobInTheWay(job, Outcome.ENDS, "the cluster is destroyed")
    if anew := cluster_is_made_anew(change):
        return JobInTheWay(job, Outcome.ENDS, f"the cluster is made anew, since {anew}")
    return None


def _of_unsafe_lines(change: ClusterChange, job: LiveJob) -> JobInTheWay | None:
    lines = unsafe_lines(change)
    return JobInTheWay(job, Outcome.ENDS, f"Slurm's files change by {', '.join(lines)}", may=True) if lines else None


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
    assert change.after
    found = [_of_worker(job, fate_of_node[node]) for node in job.nodes if node in fate_of_node]
    if key_is_rotated(change) and any(node not in fate_of_node for node in job.nodes):
        outcome = Outcome.REQUEUED if job.can_requeue else Outcome.ENDS
        found.append(JobInTheWay(job, outcome, "slurmd on its node has the old key"))
    if not job.batch and (ending := login_sets_that_end(change)):
        found.append(JobInTheWay(job, Outcome.ENDS, f"login set {', '.join(ending)}: sessions there end", may=True))
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
    return _of_bounds(job, fate, subject)


def _of_bounds(job: LiveJob, fate: WorkerFate, subject: str) -> JobInTheWay | None:
    """Return what becomes of a job where an autoscaler has, or had, another bound."""
    if fate.before is None or fate.after is None or not (fate.before.autoscaling or fate.after.autoscaling):
        return None
    before, after = fate.before.max_replicas, fate.after.max_replicas
    if before is None or after is None or after >= before:
        return None
    return JobInTheWay(job, Outcome.DRAINED, f"{subject} has {after} workers at most, not {before}", may=after > 0)


def _of_pool(job: LiveJob, fate: WorkerFate, pools: dict[str, PoolChange]) -> JobInTheWay | None:
    pool = pools.get(fate.before.pool) if fate.before and fate.before.pool else None
    if pool is None or (fate.fate is Fate.GO and pool.deleted):
        # A pool is deleted after the update has drained its nodes, and changed before.
        return None
    outcome = Outcome.REQUEUED if job.can_requeue else Outcome.ENDS
    return JobInTheWay(job, outcome, f"node pool {pool.name} {pool.change}" if pool.goes else _MADE_ANEW, not pool.goes)


def _of_waiting(change: ClusterChange, job: LiveJob) -> JobInTheWay | None:
    assert change.after
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
    qos_before, qos_after = (_qos_of(side) for side in (change.before, change.after))
    if job.qos.lower() in qos_before - qos_after:
        # remove_common in the same folder, as_mysql_qos.c, refuses it too.
        return JobInTheWay(job, Outcome.HOLDS_UP, f"QoS {job.qos} goes")
    before, after = (_users_of(side, job.account) for side in (change.before, change.after))
    if job.user not in before or job.user in after:
        return None
    return JobInTheWay(job, Outcome.HOLDS_UP, f"{job.user} may not use account {job.account} any more")


def _users_of(side: ClusterSide, account: str) -> set[str]:
    accounts = side.spec.accounting.accounts if side.spec.accounting else []
    return {user for item in accounts if item.name == account.lower() for user in item.users}


def _qos_of(side: ClusterSide) -> set[str]:
    return {item.name for item in side.spec.accounting.qos} if side.spec.accounting else set()


def _partition_names(side: ClusterSide) -> set[str]:
    return {name for _, name, _ in all_partitions(side.spec)}

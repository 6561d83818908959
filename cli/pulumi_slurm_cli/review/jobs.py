"""Jobs in the way of a change: which end, start again, hold it up, or can never start."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pulumi_slurm.derived.accounts import qos_of
from pulumi_slurm.errors.counts import counted
from pulumi_slurm_cli.live.jobs import LiveJob
from pulumi_slurm_cli.live.nodes import LiveNode
from pulumi_slurm_cli.review.account_effects import users_of
from pulumi_slurm_cli.review.account_limits import limits_that_end_jobs
from pulumi_slurm_cli.review.admission import Admission, needed_nodes
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.daemons import loses_the_queue
from pulumi_slurm_cli.review.files import unsafe_lines
from pulumi_slurm_cli.review.login_sets import login_sets_that_end
from pulumi_slurm_cli.review.node_pools import PoolChange
from pulumi_slurm_cli.review.whole_cluster import cluster_is_made_anew
from pulumi_slurm_cli.review.worker_fates import Fate, WorkerFate, key_is_rotated, worker_fates


class Outcome(StrEnum):
    """What becomes of a job, or of the change because of it; the worst first."""

    ENDS = "ends"
    REQUEUED = "starts again from its beginning"
    HOLDS_UP = "holds the update up"
    """The update fails as long as it is there, at once or after the time for which Pulumi waits."""
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
    """Whether this job may or may not be concerned: nobody can tell yet which worker goes."""


def jobs_in_the_way(
    change: ClusterChange, jobs: Sequence[LiveJob], nodes: Sequence[LiveNode], pools: Collection[PoolChange] = ()
) -> Iterator[JobInTheWay]:
    """Yield the jobs that a change concerns, in the order of the queue.

    ``pools`` are the node pools whose nodes don't all stay.
    """
    unfinished = [job for job in jobs if job.has_nodes or job.is_waiting]
    if why := _why_the_queue_goes(change):
        yield from (JobInTheWay(job, Outcome.ENDS, why) for job in unfinished)
        return
    assert change.before
    assert change.after
    judge = _Judge(change, change.before, change.after, nodes, pools)
    components: dict[int | None, list[LiveJob]] = {}
    for job in unfinished:
        components.setdefault(job.heterogeneous_job, []).append(job)
    for job in unfinished:
        together = [job] if job.heterogeneous_job is None else components[job.heterogeneous_job]
        if in_the_way := judge.of(job, [node for component in together for node in component.nodes]):
            yield in_the_way


def _why_the_queue_goes(change: ClusterChange) -> str:
    """Return why no job is left; "" where the queue stays."""
    if change.after is None:
        return "the cluster is destroyed"
    if anew := cluster_is_made_anew(change):
        return f"the cluster is made anew, since {anew}"
    return "slurmctld starts without the queue" if loses_the_queue(change) else ""


class _Judge:
    """Tells what becomes of each job; what is the same for all jobs is computed once."""

    def __init__(
        self,
        change: ClusterChange,
        before: ClusterSide,
        after: ClusterSide,
        nodes: Sequence[LiveNode],
        pools: Collection[PoolChange],
    ) -> None:
        fates = [fate for fate in worker_fates(change) if fate.before]
        self._fate_of_node = {node.name: fate for node in nodes for fate in fates if fate.slurm_name in node.features}
        self._pools = {pool.name: pool for pool in pools}
        self._key_is_rotated = key_is_rotated(change)
        self._ending_login_sets = ", ".join(login_sets_that_end(change))
        self._unsafe_lines = ", ".join(unsafe_lines(change))
        self._drains = not after.spec.controller.external
        self._partitions = after.partitions
        self._lost_users = {*_users(before)} - {*_users(after)}
        self._lost_qos = {*qos_of(before.spec)} - {*qos_of(after.spec)}
        self._before, self._after = Admission(before, nodes), Admission(after, nodes)
        self._ending = limits_that_end_jobs(before.spec, after.spec)

    def of(self, job: LiveJob, nodes: Sequence[str]) -> JobInTheWay | None:
        """Return what becomes of a job.

        ``nodes`` are those of all of its components, which end together: _het_job_on_node, by which
        kill_running_job_by_node_ptr in src/slurmctld/job_mgr.c, branch slurm-26.05, finds what ends.
        """
        in_the_way = self._of_running(job, nodes) if job.has_nodes else self._of_waiting(job)
        if in_the_way is None and self._unsafe_lines:
            return JobInTheWay(job, Outcome.ENDS, f"Slurm's files change by {self._unsafe_lines}", may=True)
        return in_the_way

    def _of_running(self, job: LiveJob, nodes: Sequence[str]) -> JobInTheWay | None:
        fates = [self._fate_of_node[node] for node in nodes if node in self._fate_of_node]
        candidates = [_of_worker(job, fate) for fate in fates]
        if self._key_is_rotated and len(fates) < len(nodes):
            candidates.append(JobInTheWay(job, _ended(job), "slurmd on its node has the old key"))
        if not job.batch and self._ending_login_sets:
            why = f"login set {self._ending_login_sets}: sessions there end"
            candidates.append(JobInTheWay(job, Outcome.ENDS, why, may=True))
        gone = [name for name in job.partitions if name not in self._partitions]
        if gone and self._drains:
            candidates.append(JobInTheWay(job, Outcome.HOLDS_UP, f"partition {gone[0]} goes"))
        candidates.append(self._of_user(job))
        candidates.append(self._of_limits(job))
        candidates += [_of_pool(job, fate, self._pools) for fate in fates]
        order = list(Outcome)
        return min(filter(None, candidates), key=lambda item: (item.may, order.index(item.outcome)), default=None)

    def _of_waiting(self, job: LiveJob) -> JobInTheWay | None:
        if job.partitions and self._partitions.keys().isdisjoint(job.partitions):
            outcome = Outcome.HOLDS_UP if self._drains else Outcome.ENDS
            return JobInTheWay(job, outcome, f"partition {', '.join(job.partitions)} goes")
        if of_user := self._of_user(job):
            return of_user
        why = self._after.why_it_never_starts(job)
        if why and not self._before.why_it_never_starts(job):
            return JobInTheWay(job, Outcome.NEVER_STARTS, why)
        return None if why else self._of_required_workers(job)

    def _of_required_workers(self, job: LiveJob) -> JobInTheWay | None:
        """Return what becomes of a job that needs all of the workers that it names, where nobody can tell which go."""
        for name in job.required_nodes if len(job.required_nodes) <= needed_nodes(job) else ():
            if (fate := self._fate_of_node.get(name)) and (why := _fewer_workers(fate)):
                why = f"it asks for {name}, and node set {fate.name} {why}"
                return JobInTheWay(job, Outcome.NEVER_STARTS, why, may=True)
        return None

    def _of_limits(self, job: LiveJob) -> JobInTheWay | None:
        """Return what becomes of a running job by limits that are lower from now on; what it has used nobody knows."""
        for name in job.partitions:
            options = self._partitions.get(name)
            for label in self._after.limits.that_hold_for(job, options.qos if options else None):
                if limits := self._ending.get(label):
                    return JobInTheWay(
                        job, Outcome.ENDS, f"{label} has {limits[0]}, and it may be beyond that", may=True
                    )
        return None

    def _of_user(self, job: LiveJob) -> JobInTheWay | None:
        """Return what becomes of a job whose QoS goes, or whose user leaves its account.

        sacctmgr removes nothing with jobs that run or wait: _check_jobs_before_remove in
        src/plugins/accounting_storage/mysql/accounting_storage_mysql.c of SchedMD/slurm, branch slurm-25.11, and
        remove_common beside it for a QoS, from branch slurm-25.05 on.
        """
        if job.qos.lower() in self._lost_qos:
            return JobInTheWay(job, Outcome.HOLDS_UP, f"QoS {job.qos} goes")
        if (job.account.lower(), job.user) in self._lost_users:
            return JobInTheWay(job, Outcome.HOLDS_UP, f"{job.user} may not use account {job.account} any more")
        leaving = sorted(user for account, user in self._lost_users if account == job.account.lower())
        if leaving and not job.has_user_name:
            why = f"{', '.join(leaving)} may not use account {job.account} any more, and {job.user} may be one of them"
            return JobInTheWay(job, Outcome.HOLDS_UP, why, may=True)
        return None


def _users(side: ClusterSide) -> Iterator[tuple[str, str]]:
    """Yield each account with each of its users."""
    yield from ((account, user) for account, users in users_of(side.spec).items() for user in users)


def _ended(job: LiveJob) -> Outcome:
    """Return what becomes of a job whose node goes."""
    return Outcome.REQUEUED if job.can_requeue else Outcome.ENDS


def _of_worker(job: LiveJob, fate: WorkerFate) -> JobInTheWay | None:
    subject = f"node set {fate.name}"
    if fate.fate is Fate.END:
        return JobInTheWay(job, _ended(job), f"{subject}: {fate.reason}")
    if fate.fate is Fate.GO:
        return JobInTheWay(job, Outcome.HOLDS_UP, f"{subject} goes")
    if fate.fate in (Fate.REPLACED, Fate.REPLACED_IN_RESERVATION):
        why = f"{subject}: its worker is replaced after it"
        awaited = fate.fate is Fate.REPLACED and fate.after and fate.after.awaits_new_pods
        outcome = Outcome.HOLDS_UP if awaited else Outcome.DRAINED
        return JobInTheWay(job, outcome, f"{why}, and `wait` is set" if awaited else why)
    if fate.fewer and fate.after:
        may = fate.after.fixed_replicas > 0
        why = f"{subject} {_fewer_workers(fate)}"
        if fate.after.awaited_pods:
            return JobInTheWay(job, Outcome.HOLDS_UP, f"{why}, and `wait` is set", may)
        return JobInTheWay(job, Outcome.DRAINED, why, may)
    return _of_bounds(job, fate, subject)


def _fewer_workers(fate: WorkerFate) -> str:
    """Return in words how many of its workers go, and "" where none does."""
    if not fate.fewer:
        return ""
    return f"has {counted(fate.fewer, 'worker')} fewer"


def _of_bounds(job: LiveJob, fate: WorkerFate, subject: str) -> JobInTheWay | None:
    """Return what becomes of a job where an autoscaler has, or had, another bound."""
    if fate.before is None or fate.after is None or not (fate.before.autoscaling or fate.after.autoscaling):
        return None
    before, after = fate.before.max_replicas, fate.after.max_replicas
    if before is None or after is None or after >= before:
        return None
    return JobInTheWay(
        job, Outcome.DRAINED, f"{subject} has {counted(after, 'worker')} at most, not {before}", may=after > 0
    )


def _of_pool(job: LiveJob, fate: WorkerFate, pools: dict[str, PoolChange]) -> JobInTheWay | None:
    pool = pools.get(fate.before.pool) if fate.before and fate.before.pool else None
    if pool is None or (fate.fate is Fate.GO and pool.deleted):
        # A pool is deleted after the update has drained its nodes, and changed before.
        return None
    why = f"node pool {pool.name} {pool.change}" if pool.goes else _MADE_ANEW
    return JobInTheWay(job, _ended(job), why, not pool.goes)


def gpu_hours_lost(in_the_way: Sequence[JobInTheWay], now: int) -> float:
    """Return the GPU-hours that jobs have used for nothing."""
    lost = [item.job for item in in_the_way if item.outcome in (Outcome.ENDS, Outcome.REQUEUED) and not item.may]
    return sum(job.gpus * max(now - job.start, 0) / 3600 for job in lost if job.start is not None)


def costs_nothing_from(in_the_way: Sequence[JobInTheWay]) -> int | None:
    """Return when the last of the running jobs in the way has ended at the latest, in seconds since 1970.

    None where one has no limit, and where one that waits is in the way, since it is later too. Other jobs that wait may
    start before, so this is the first moment at which the change costs nothing only if none of them starts there.
    """
    ends = [item.job.end if item.job.has_nodes else None for item in in_the_way]
    end_times = [end for end in ends if end]
    return max(end_times) if end_times and len(end_times) == len(ends) else None

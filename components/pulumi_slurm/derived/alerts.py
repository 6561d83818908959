"""The alerts: of each the query, what it means and what to do first. The rule, the page and the tests read this table.

What the metrics count: `pulumi_slurm.derived.metrics`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.derived.metrics import (
    Metrics,
    without_backfill,
    without_ended_jobs,
    without_free_gpus,
    without_slurmdbd,
)
from pulumi_slurm.model.alerts import AlertRulesSpec, AlertSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import duration_seconds


@dataclass(frozen=True)
class Query:
    """When an alert fires: a value beyond a threshold, while conditions hold."""

    value: str
    beyond: str
    """The comparison, for example "> 10"."""
    conditions: tuple[str, ...] = ()
    """Each has a result while it holds, and none otherwise."""

    @property
    def text(self) -> str:
        """The whole query."""
        return " and ".join((f"{self.value} {self.beyond}", *self.conditions))


@dataclass(frozen=True)
class Alert:
    """A row of the table."""

    field: str
    """The field of `AlertRulesSpec`."""
    query: Callable[[Metrics, Any], Query]
    """Takes the metrics and the value of the field."""
    summary: str
    """What an alert says, after the cluster's name; a template of Prometheus."""
    meaning: str
    first: str
    """What to do first."""
    causes: str
    """Usual causes."""
    left_out: Callable[[SlurmSpec], str | None] = lambda spec: None
    """Why a cluster can't have it, if so."""

    @property
    def name(self) -> str:
        """Its name in Prometheus."""
        return f"Slurm{''.join(word.title() for word in self.field.split('_'))}"

    def options(self, rules: AlertRulesSpec) -> AlertSpec:
        """Return its fields in a specification."""
        options: AlertSpec = getattr(rules, self.field)
        return options


def _backfill_late(metrics: Metrics, options: Any) -> Query:
    # Of pending jobs many may wait for a time or for others, and backfill has nothing to do.
    queue = f"min_over_time({metrics.series('slurm_schedule_queue_len')}[10m])"
    waiting = f"max by (namespace) ({queue}) > 0"
    news = f"{metrics.increase('slurm_sdiag_jobs_submitted', options.age)} > 0"
    last = metrics.cluster("slurm_bf_when_last_cycle")
    return Query(f"(time() - {last}) / 60", f"> {_minutes(options.age)}", (waiting, news))


def _minutes(duration: str) -> str:
    return f"{duration_seconds(duration) / 60:g}"


def _capacity_lost(metrics: Metrics, options: Any) -> Query:
    lost = metrics.present(metrics.lost())
    share = f"100 * {lost} / {metrics.present(metrics.partitions('nodes'))}"
    return Query(share, f"> {options.percent}", (f"{lost} >= {options.nodes}",))


def _launches_fail(metrics: Metrics, options: Any) -> Query:
    failed = metrics.increase("slurm_sdiag_jobs_failed", "15m")
    started = metrics.increase("slurm_sdiag_jobs_started", "15m")
    return Query(failed, f"> {options.jobs}", (f"100 * {failed} > {options.percent} * {started}",))


def _gpus_idle(metrics: Metrics, options: Any) -> Query:
    # GPUs of nodes that take no jobs aren't idle.
    gpus = metrics.partitions("gpus", metrics.of_gpus)
    free = f"{gpus} * {metrics.usable()} - {metrics.partitions('jobs_gpus_alloc')}"
    waiting = f"{metrics.partitions('jobs_pending')} - {metrics.partitions('jobs_hold')} > 0"
    return Query(free, f">= {options.gpus}", (waiting,))


_IN_A_PARTITION = "in partition {{ $labels.partition }}"

ALERTS: tuple[Alert, ...] = (
    Alert(
        field="controller_gone",
        query=lambda metrics, options: Query(f"absent({metrics.series('slurm_server_thread_cnt')})", "> 0"),
        summary="no slurmctld answers",
        meaning="Prometheus gets no metrics of slurmctld. Jobs go on; none is submitted, started or ended.",
        first="Look at slurmctld's pod: whether it runs, its events, its log, and whether `scontrol ping` answers.",
        causes="a line of slurm.conf that it refuses, a full or lost volume of its state, no slurmdbd at its first "
        "start, a NetworkPolicy, a ServiceMonitor that no Prometheus selects.",
    ),
    Alert(
        field="scrape_slow",
        query=lambda metrics, options: Query(metrics.scrape_seconds(), f"> {options.seconds}"),
        summary="a scrape of slurmctld takes {{ $value | humanizeDuration }}",
        meaning="slurmctld takes long to answer Prometheus. Commands of users wait as long for its locks.",
        first="Run `sdiag` twice and compare: which remote procedure calls, of which users, take most of its time.",
        causes="users that call squeue or sacct in a loop, too little CPU for slurmctld, a slow volume for its state, "
        "intervals between scrapes that are too short.",
    ),
    Alert(
        field="database_queue",
        query=lambda metrics, options: Query(metrics.cluster("slurm_slurmdbd_queue_size"), f"> {options.messages}"),
        summary="{{ $value }} messages wait for slurmdbd",
        meaning="slurmctld keeps what slurmdbd doesn't take. When its queue is full, records of jobs are lost.",
        first="Look at slurmdbd's log, then at its database: whether it runs, and whether its disk is full.",
        causes="slurmdbd or its database is away, a full disk of the database, a purge or an upgrade that takes hours.",
        left_out=without_slurmdbd,
    ),
    Alert(
        field="backfill_late",
        query=_backfill_late,
        summary='backfill has not run for {{ $value | printf "%.0f" }} minutes while jobs come and wait',
        meaning="Jobs are submitted and wait, and backfill has not looked at them. Small jobs wait behind large ones.",
        first='Look at "Backfilling stats" of `sdiag`, and for nodes that stay in COMPLETING: it waits for those.',
        causes="jobs that don't end on a node, requests in such a number that backfill gives way to them, "
        "a cycle that takes longer than bf_max_time.",
        left_out=without_backfill,
    ),
    Alert(
        field="nodes_not_responding",
        query=lambda metrics, options: Query(
            metrics.present(metrics.partitions("nodes_no_resp")), f">= {options.nodes}"
        ),
        summary=f"{{{{ $value }}}} nodes don't answer {_IN_A_PARTITION}",
        meaning="slurmctld doesn't reach the slurmd of nodes. After SlurmdTimeout they are down, and their jobs end.",
        first="Look at the worker's pod and at its Kubernetes node: whether they run, and what the log of slurmd has.",
        causes="a Kubernetes node that is gone or hangs, a worker without memory, a network between pods that fails, a "
        "worker that replicas no longer has: `scontrol delete`.",
    ),
    Alert(
        field="nodes_invalid",
        query=lambda metrics, options: Query(metrics.partitions("nodes_invalid_reg"), f">= {options.nodes}"),
        summary=f"{{{{ $value }}}} nodes have registered with less than they should {_IN_A_PARTITION}",
        meaning="A node has less memory, fewer CPUs or fewer GPUs than slurmctld expects, and takes no jobs.",
        first="Run `sinfo -R`: the reason names what is missing. Then look for it on the Kubernetes node.",
        causes="a GPU that fell off the bus, a machine in the specification that is larger than the nodes are, another "
        "machine type in the node pool, a worker that is gone: `scontrol delete`.",
    ),
    Alert(
        field="nodes_drained",
        query=lambda metrics, options: Query(
            metrics.present(metrics.partitions("nodes_drained")), f">= {options.nodes}"
        ),
        summary=f"there have long been drained nodes, {{{{ $value }}}} now, {_IN_A_PARTITION}",
        meaning="For hours some node has been drained, though it may not be the same: somebody or a check takes nodes "
        "out, and nobody brings them back. On a large cluster raise `nodes`.",
        first="Run `sinfo -R` for who has drained them, when and why; mend that, then resume them.",
        causes="a check of health that found something, a prolog or epilog that failed, a Kubernetes node that is "
        "still cordoned, the record of a worker that was taken away by hand, which `scontrol delete` removes.",
    ),
    Alert(
        field="capacity_lost",
        query=_capacity_lost,
        summary=f'{{{{ $value | printf "%.1f" }}}} percent of the nodes are drained or down {_IN_A_PARTITION}',
        meaning="A large part of a partition is drained or down. A drained node and another that is down count as one.",
        first="Run `sinfo -R` and see whether the reasons are alike: one cause for many nodes isn't in the nodes.",
        causes="an image or driver that doesn't start, a shared volume that is away, a check that is wrong, a zone or "
        "a reservation of the cloud that is gone.",
    ),
    Alert(
        field="launches_fail",
        query=_launches_fail,
        summary='nodes could not run {{ $value | printf "%.0f" }} jobs within 15 minutes',
        meaning="Nodes could not set up jobs that they got, and slurmctld has drained one after another. Jobs that "
        "fail by themselves don't count.",
        first='Run `sinfo -R` for "batch job complete failure", and read the log of slurmd on one of these nodes.',
        causes="cgroups that can't be made, a node without memory or processes for slurmstepd, an image of workers "
        "that isn't whole.",
    ),
    Alert(
        field="nodes_kill_jobs",
        query=lambda metrics, options: Query(metrics.cluster("slurm_jobs_node_failed"), f">= {options.jobs}"),
        summary="{{ $value }} jobs have ended since their node failed",
        meaning="Jobs have ended with NODE_FAIL. Those that were requeued don't count, since they wait again.",
        first="Run `sacct --state=NODE_FAIL` for the jobs and their nodes; tell the users, and keep the nodes drained.",
        causes="hardware, nodes that the cloud takes back, workers that Kubernetes evicts for want of memory.",
        left_out=without_ended_jobs,
    ),
    Alert(
        field="gpus_idle",
        query=_gpus_idle,
        summary=f'{{{{ $value | printf "%.0f" }}}} GPUs are free while jobs wait {_IN_A_PARTITION}',
        meaning="GPUs of a partition are free while jobs wait in it that are not held.",
        first="Run `squeue --state=PENDING` and read the reasons: limits, memory, CPUs or nodes that are missing.",
        causes="limits of accounts, jobs that ask for more memory or CPUs for each GPU than nodes have, a "
        "reservation, nodes without enough free GPUs side by side, jobs that wait for others.",
        left_out=without_free_gpus,
    ),
)


def made_alerts(spec: SlurmSpec) -> list[Alert]:
    """Return the alerts of a cluster: those that are enabled, and that it can have."""
    rules = spec.monitoring.rules
    if rules is None:
        return []
    return [alert for alert in ALERTS if alert.options(rules).enabled and not alert.left_out(spec)]

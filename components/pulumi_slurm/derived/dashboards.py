"""The panels of a cluster's dashboard: of each the queries, and what they show. JSON, page and tests read this table.

What the metrics count: `pulumi_slurm.derived.metrics`. How many threads there are: `workers_init` in
src/conmgr/workers.c of SchedMD/slurm at slurm-26-05-3-1. Of nodes, these states are one another's opposites: allocated,
mixed, idle, down; what else is counted of nodes comes on top of one of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from pulumi_slurm.derived.metrics import (
    Metrics,
    endpoint_of,
    metrics_in,
    without_backfill,
    without_gpus,
    without_slurmdbd,
)
from pulumi_slurm.model.monitoring import MetricsEndpoint
from pulumi_slurm.model.slurm import SlurmSpec

WINDOW = "15m"
"""Within which events are counted: several scrapes, whatever the interval."""
_TOP = 10
"""Of how many users a panel tells."""


class Kind(StrEnum):
    """How a panel looks: Grafana's name of the plugin."""

    STAT = "stat"
    TABLE = "table"
    TIME_SERIES = "timeseries"


class Unit(StrEnum):
    """What values are: https://github.com/grafana/grafana-foundation-sdk has the names."""

    NUMBER = "none"
    SHARE = "percentunit"
    SECONDS = "s"
    MICROSECONDS = "µs"


@dataclass(frozen=True)
class Line:
    """A query of a panel, and the name of its result: Grafana puts labels in."""

    name: str
    query: Callable[[Metrics], str]


@dataclass(frozen=True)
class Panel:
    """A row of the table."""

    title: str
    kind: Kind
    description: str
    lines: tuple[Line, ...]
    unit: Unit = Unit.NUMBER
    stacked: bool = False
    """Whether the lines add up to something."""


@dataclass(frozen=True)
class Row:
    """Panels below a heading."""

    title: str
    panels: tuple[Panel, ...]


def _cluster(name: str) -> Callable[[Metrics], str]:
    return lambda metrics: metrics.cluster(f"slurm_{name}")


def _partitions(name: str) -> Callable[[Metrics], str]:
    return lambda metrics: metrics.partitions(name)


def _increase(name: str) -> Callable[[Metrics], str]:
    return lambda metrics: metrics.increase(f"slurm_{name}", WINDOW)


def _present(name: str) -> Callable[[Metrics], str]:
    return lambda metrics: metrics.present(metrics.partitions(name))


def _share(part: str, whole: str) -> Callable[[Metrics], str]:
    return lambda metrics: f"{metrics.of_nodes(part)} / clamp_min({metrics.of_nodes(whole)}, 1)"


def _of_nodes(name: str) -> Callable[[Metrics], str]:
    return lambda metrics: metrics.of_nodes(name)


def _free(kind: str) -> Callable[[Metrics], str]:
    def query(metrics: Metrics) -> str:
        usable = f"{metrics.partitions(kind)} * {metrics.usable()}"
        return f"clamp_min({usable} - {metrics.partitions(f'jobs_{kind}_alloc')}, 0)"

    return query


def _unusable(kind: str) -> Callable[[Metrics], str]:
    return lambda metrics: f"{metrics.partitions(kind)} * (1 - {metrics.usable()})"


def _waiting(metrics: Metrics) -> str:
    return f"{metrics.cluster('slurm_jobs_pending')} - {metrics.cluster('slurm_jobs_hold')}"


def _waiting_in_partitions(metrics: Metrics) -> str:
    return f"{metrics.partitions('jobs_pending')} - {metrics.partitions('jobs_hold')}"


def _waiting_of_users(metrics: Metrics) -> str:
    return f"topk({_TOP}, {metrics.users('jobs_pending')} - {metrics.users('jobs_hold')})"


def _up(metrics: Metrics) -> str:
    return " + ".join(metrics.cluster(f"slurm_nodes_{state}") for state in ("alloc", "mixed", "idle"))


_BY_PARTITION = "{{partition}}"

ROWS: tuple[Row, ...] = (
    Row(
        "Cluster",
        (
            Panel(
                "Jobs that run",
                Kind.STAT,
                "How many jobs run now.",
                (Line("running", _cluster("jobs_running")),),
            ),
            Panel(
                "Jobs that wait",
                Kind.STAT,
                "How many jobs wait that nobody holds. Each task of an array counts.",
                (Line("waiting", _waiting),),
            ),
            Panel(
                "Nodes up",
                Kind.STAT,
                "Nodes that are not down, with jobs or without, drained ones too.",
                (Line("up", _up),),
            ),
            Panel(
                "CPUs in use",
                Kind.STAT,
                "The share of all nodes' CPUs that jobs have, also of nodes that take none.",
                (Line("allocated", _share("cpus_alloc", "cpus")),),
                Unit.SHARE,
            ),
            Panel(
                "GPUs in use",
                Kind.STAT,
                "The share of all nodes' GPUs that jobs have, also of nodes that take none.",
                (Line("allocated", _share("gpus_alloc", "gpus")),),
                Unit.SHARE,
            ),
            Panel(
                "Jobs",
                Kind.TIME_SERIES,
                "Jobs that run, that wait, and that a user or an administrator holds.",
                (
                    Line("running", _cluster("jobs_running")),
                    Line("waiting", _waiting),
                    Line("held", _cluster("jobs_hold")),
                ),
            ),
            Panel(
                "Nodes by state",
                Kind.TIME_SERIES,
                "Nodes of which jobs have all CPUs, some or none, and nodes that are down. A drained node also has one "
                "of these states. Records of workers that an autoscaler took away are down.",
                (
                    Line("allocated", _cluster("nodes_alloc")),
                    Line("mixed", _cluster("nodes_mixed")),
                    Line("idle", _cluster("nodes_idle")),
                    Line("down", _cluster("nodes_down")),
                ),
                stacked=True,
            ),
            Panel(
                "Jobs come and go",
                Kind.TIME_SERIES,
                f"Jobs within {WINDOW} that were submitted, started, that ended, and that were cancelled.",
                (
                    Line("submitted", _increase("sdiag_jobs_submitted")),
                    Line("started", _increase("sdiag_jobs_started")),
                    Line("ended", _increase("sdiag_jobs_completed")),
                    Line("cancelled", _increase("sdiag_jobs_canceled")),
                ),
            ),
            Panel(
                "CPUs",
                Kind.TIME_SERIES,
                "The CPUs of all nodes, and those that jobs have.",
                (Line("allocated", _of_nodes("cpus_alloc")), Line("all", _of_nodes("cpus"))),
            ),
            Panel(
                "GPUs",
                Kind.TIME_SERIES,
                "The GPUs of all nodes, and those that jobs have.",
                (Line("allocated", _of_nodes("gpus_alloc")), Line("all", _of_nodes("gpus"))),
            ),
        ),
    ),
    Row(
        "Partitions",
        (
            Panel(
                "Jobs and nodes of partitions",
                Kind.TABLE,
                "Jobs of each partition, and its nodes by state. A drained node is also counted by its other state.",
                (
                    Line("Running", _partitions("jobs_running")),
                    Line("Waiting", _waiting_in_partitions),
                    Line("Held", _partitions("jobs_hold")),
                    Line("Allocated", _partitions("nodes_alloc")),
                    Line("Mixed", _partitions("nodes_mixed")),
                    Line("Idle", _partitions("nodes_idle")),
                    Line("Drained", _present("nodes_drained")),
                    Line("Down", _present("nodes_down")),
                ),
            ),
            Panel(
                "CPUs and GPUs of partitions",
                Kind.TABLE,
                "Allocated is what jobs of the partition have, unusable what nodes have that are drained or down, free "
                "the remainder, of which jobs of another partition may have a part. Nodes of a partition are taken as "
                "alike. Of more than 65,535 CPUs slurmctld loses count.",
                (
                    Line("CPUs allocated", _partitions("jobs_cpus_alloc")),
                    Line("CPUs free", _free("cpus")),
                    Line("CPUs unusable", _unusable("cpus")),
                    Line("GPUs allocated", _partitions("jobs_gpus_alloc")),
                    Line("GPUs free", _free("gpus")),
                    Line("GPUs unusable", _unusable("gpus")),
                ),
            ),
            Panel(
                "Jobs that wait by partition",
                Kind.TIME_SERIES,
                "How many jobs wait in each partition that nobody holds.",
                (Line(_BY_PARTITION, _waiting_in_partitions),),
            ),
            Panel(
                "GPUs free by partition",
                Kind.TIME_SERIES,
                "GPUs that no job of the partition has, on nodes that take jobs. Beside jobs that wait they should be "
                "few.",
                (Line(_BY_PARTITION, _free("gpus")),),
            ),
            Panel(
                "GPUs unusable by partition",
                Kind.TIME_SERIES,
                "GPUs of nodes that are drained or down. Nodes of a partition are taken as alike.",
                (Line(_BY_PARTITION, _unusable("gpus")),),
            ),
        ),
    ),
    Row(
        "Nodes and drains",
        (
            Panel(
                "Drains",
                Kind.TIME_SERIES,
                "Nodes that take no new jobs: draining while they have some, then drained, as are records of workers "
                "that an autoscaler took away. `sinfo -R` has the reasons.",
                (Line("draining", _cluster("nodes_draining")), Line("drained", _cluster("nodes_drained"))),
            ),
            Panel(
                "Drained nodes by partition",
                Kind.TIME_SERIES,
                "Drained nodes of each partition. Where workers come and go, one that is drained and one that is down "
                "are taken as one that is gone, and left out.",
                (Line(_BY_PARTITION, _present("nodes_drained")),),
            ),
            Panel(
                "Nodes down by partition",
                Kind.TIME_SERIES,
                "Nodes of each partition that are down, without those that are gone, as beside.",
                (Line(_BY_PARTITION, _present("nodes_down")),),
            ),
            Panel(
                "Nodes in trouble",
                Kind.TIME_SERIES,
                "Nodes that don't answer, among them records of workers that are gone, nodes that have less than "
                "slurmctld expects, and nodes that an administrator expects to fail.",
                (
                    Line("not responding", _cluster("nodes_noresp")),
                    Line("invalid", _cluster("nodes_invalid_reg")),
                    Line("failing", _cluster("nodes_fail")),
                ),
            ),
            Panel(
                "Nodes set aside",
                Kind.TIME_SERIES,
                "Nodes in a reservation, in one for maintenance, and those that backfill keeps for a job.",
                (
                    Line("reserved", _cluster("nodes_resv")),
                    Line("maintenance", _cluster("nodes_maint")),
                    Line("planned", _cluster("nodes_planned")),
                ),
            ),
            Panel(
                "Jobs that nodes ended",
                Kind.TIME_SERIES,
                "Jobs in slurmctld's memory whose node failed under them, and jobs that nodes could not set up within "
                f"{WINDOW}.",
                (
                    Line("node failed", _cluster("jobs_node_failed")),
                    Line("not set up", _increase("sdiag_jobs_failed")),
                ),
            ),
        ),
    ),
    Row(
        "Control plane",
        (
            Panel(
                "Scrapes",
                Kind.TIME_SERIES,
                "How long slurmctld took to answer Prometheus. Commands of users wait as long for its locks.",
                (Line("slowest in five minutes", Metrics.scrape_seconds),),
                Unit.SECONDS,
            ),
            Panel(
                "Threads",
                Kind.TIME_SERIES,
                "Threads of slurmctld that answer requests, at most two for each of its CPUs and 32, unless "
                "conmgr_threads says otherwise, and those that talk to nodes.",
                (
                    Line("requests", _cluster("server_thread_cnt")),
                    Line("nodes", _cluster("agent_thread_cnt")),
                ),
            ),
            Panel(
                "Messages that wait",
                Kind.TIME_SERIES,
                "Records for slurmdbd, which are lost when this queue is full, and messages to nodes to be sent again.",
                (
                    Line("for slurmdbd", _cluster("slurmdbd_queue_size")),
                    Line("for nodes", _cluster("agent_queue_size")),
                ),
            ),
            Panel(
                "Cycles of the main scheduler",
                Kind.TIME_SERIES,
                "How long the main scheduler takes to go through the queue: the last time, and on average that day.",
                (
                    Line("last", _cluster("schedule_cycle_last")),
                    Line("mean", _cluster("sched_mean_cycle")),
                ),
                Unit.MICROSECONDS,
            ),
            Panel(
                "Cycles of backfill",
                Kind.TIME_SERIES,
                "How long backfill takes to go through the queue: the last time, and on average that day.",
                (
                    Line("last", _cluster("bf_cycle_last")),
                    Line("mean", _cluster("bf_mean_cycle")),
                ),
                Unit.MICROSECONDS,
            ),
            Panel(
                "How often schedulers run",
                Kind.TIME_SERIES,
                f"Cycles within {WINDOW}. Backfill rests while nothing changes or no job could start.",
                (
                    Line("main", _increase("schedule_cycle_cnt")),
                    Line("backfill", _increase("bf_cycle_cnt")),
                ),
            ),
            Panel(
                "Jobs that schedulers look at",
                Kind.TIME_SERIES,
                "How many jobs could start by their time and by what they depend on, when each scheduler last ran.",
                (
                    Line("main", _cluster("schedule_queue_len")),
                    Line("backfill", _cluster("bf_queue_len")),
                ),
            ),
        ),
    ),
    Row(
        "Users",
        (
            Panel(
                "Jobs that wait by user",
                Kind.TIME_SERIES,
                f"How many jobs wait that nobody holds, of the {_TOP} users with the most.",
                (Line("{{username}}", _waiting_of_users),),
            ),
            Panel(
                "Jobs that run by user",
                Kind.TIME_SERIES,
                f"How many jobs run, of the {_TOP} users with the most.",
                (Line("{{username}}", lambda metrics: f"topk({_TOP}, {metrics.users('jobs_running')})"),),
            ),
            Panel(
                "CPUs by account",
                Kind.TIME_SERIES,
                "CPUs that jobs of each account have.",
                (Line("{{account}}", lambda metrics: metrics.accounts("jobs_cpus_alloc")),),
                stacked=True,
            ),
            Panel(
                "GPUs by account",
                Kind.TIME_SERIES,
                "GPUs that jobs of each account have.",
                (Line("{{account}}", lambda metrics: metrics.accounts("jobs_gpus_alloc")),),
                stacked=True,
            ),
        ),
    ),
)

_NEEDS: Mapping[str, Callable[[SlurmSpec], str | None]] = MappingProxyType(
    {"gpus": without_gpus, "slurm_bf_": without_backfill, "slurm_slurmdbd_": without_slurmdbd}
)
"""Why a cluster lacks metrics, by a part of their names."""


def made_rows(spec: SlurmSpec) -> list[Row]:
    """Return the rows of a cluster's dashboard, without queries, panels and rows for which it has no metrics."""
    scraped, metrics = _scraped(spec), Metrics.of(spec)

    def is_there(line: Line) -> bool:
        return all(
            endpoint_of(name) in scraped and not any(part in name and why(spec) for part, why in _NEEDS.items())
            for name in metrics_in(line.query(metrics))
        )

    rows = []
    for row in ROWS:
        panels = (replace(panel, lines=tuple(filter(is_there, panel.lines))) for panel in row.panels)
        rows.append(replace(row, panels=tuple(panel for panel in panels if panel.lines)))
    return [row for row in rows if row.panels]


def _scraped(spec: SlurmSpec) -> frozenset[MetricsEndpoint]:
    """Return the endpoints that Prometheus scrapes: without a ServiceMonitor of ours, those that it has by default."""
    monitor = spec.monitoring.service_monitor
    chosen = monitor.endpoints if monitor else []
    return frozenset(map(MetricsEndpoint, chosen)) or frozenset(MetricsEndpoint) - {MetricsEndpoint.JOBS_USERS_ACCTS}

"""Alerts on slurmctld's metrics: when each fires, and how urgent it is."""

import re
from enum import StrEnum
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.units import duration, duration_seconds

_SHORTEST_AGE = 600.0
_IN_ORDER = re.compile(r"(\d+h)?(\d+m)?(\d+s)?(\d+ms)?", re.ASCII)


def prometheus_duration(value: Any) -> str:
    """Return a duration that Prometheus reads: whole units, each once, the largest first.

    Source: https://prometheus.io/docs/prometheus/latest/configuration/configuration/.
    """
    text = duration(str(value))
    if not _IN_ORDER.fullmatch(text):
        raise field_error("Prometheus doesn't read this duration", 'Write whole units, for example "30s" or "1h30m".')
    return text


class AlertSeverity(StrEnum):
    """How urgent an alert is: the label by which Alertmanager chooses whom to tell."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class AlertSpec(Model):
    """An alert that has no threshold, and what all alerts have."""

    enabled: bool = True
    """Whether it is made."""
    after: str = "5m"
    """How long it has to be so before somebody is told."""
    severity: OneOf[AlertSeverity] = AlertSeverity.WARNING
    """Its label `severity`."""

    _after = field_validator("after", mode="before")(prometheus_duration)

    @classmethod
    def _meant_elsewhere(cls, name: str) -> str | None:
        return "Write it as after." if name == "for" else None


class ControllerGoneSpec(AlertSpec):
    """No slurmctld answers Prometheus."""

    severity: OneOf[AlertSeverity] = AlertSeverity.CRITICAL
    """Its label `severity`."""


class ScrapeSlowSpec(AlertSpec):
    """slurmctld takes long to answer Prometheus."""

    after: str = "15m"
    """How long it has to be so before somebody is told."""
    seconds: float = Field(default=10, ge=0.001)
    """A scrape takes longer than this."""


class DatabaseQueueSpec(AlertSpec):
    """slurmctld keeps what slurmdbd doesn't take."""

    after: str = "1m"
    """How long it has to be so before somebody is told."""
    severity: OneOf[AlertSeverity] = AlertSeverity.CRITICAL
    """Its label `severity`."""
    messages: int = Field(default=5000, ge=0)
    """More than these wait for slurmdbd."""


class BackfillLateSpec(AlertSpec):
    """Jobs are submitted and wait, and backfill has not looked at them."""

    after: str = "10m"
    """How long it has to be so before somebody is told."""
    age: str = "30m"
    """The last cycle is longer ago than this, at least 10 minutes: fewer have too few scrapes to tell who submits."""

    @field_validator("age", mode="before")
    @classmethod
    def _age_has_several_scrapes(cls, value: Any) -> str:
        text = prometheus_duration(value)
        if duration_seconds(text) < _SHORTEST_AGE:
            raise field_error("within this time there are too few scrapes", 'Write "10m" or more.')
        return text


class NodesSpec(AlertSpec):
    """Nodes of a partition are in a state in which they take no jobs."""

    nodes: int = Field(default=1, ge=1)
    """At least so many nodes of a partition are in it."""


class NodesDrainedSpec(NodesSpec):
    """Nodes of a partition have been drained for long."""

    after: str = "3h"
    """How long it has to be so before somebody is told."""


class CapacityLostSpec(AlertSpec):
    """A large part of a partition's nodes is drained or down."""

    after: str = "15m"
    """How long it has to be so before somebody is told."""
    severity: OneOf[AlertSeverity] = AlertSeverity.CRITICAL
    """Its label `severity`."""
    percent: float = Field(default=30, ge=0, le=100)
    """More than this share of the nodes is lost; an update of workers takes a quarter of them out at once."""
    nodes: int = Field(default=2, ge=1)
    """And at least so many nodes."""


class LaunchesFailSpec(AlertSpec):
    """Nodes can't set up the jobs that they get."""

    severity: OneOf[AlertSeverity] = AlertSeverity.CRITICAL
    """Its label `severity`."""
    jobs: int = Field(default=10, ge=0)
    """More than these have failed within 15 minutes."""
    percent: float = Field(default=30, ge=0, le=100)
    """And more than this share of the jobs that were started."""


class NodesKillJobsSpec(AlertSpec):
    """Jobs have ended since a node of theirs failed."""

    after: str = "1m"
    """How long it has to be so before somebody is told."""
    jobs: int = Field(default=1, ge=1)
    """At least so many of the jobs that slurmctld still has in memory."""


class GpusIdleSpec(AlertSpec):
    """GPUs of a partition are free while jobs wait in it."""

    after: str = "1h"
    """How long it has to be so before somebody is told."""
    gpus: int = Field(default=8, ge=1)
    """At least so many are free."""


class AlertRulesSpec(Model):
    """A PrometheusRule for prometheus-operator, whose CRDs have to be installed, with alerts on slurmctld's metrics."""

    _with_line_breaks = frozenset({"annotations"})

    labels: dict[str, str] = {}
    """Labels by which your Prometheus selects the PrometheusRule."""
    annotations: dict[str, str] = {}
    """Annotations of the PrometheusRule."""
    page: str = "docs/alerts.md"
    """Where your people find the page with a section for each alert, for the link in each. By default it is the page of
    this project."""
    controller_gone: ControllerGoneSpec = ControllerGoneSpec()
    """No slurmctld answers Prometheus."""
    scrape_slow: ScrapeSlowSpec = ScrapeSlowSpec()
    """slurmctld takes long to answer Prometheus."""
    database_queue: DatabaseQueueSpec = DatabaseQueueSpec()
    """slurmctld keeps what slurmdbd doesn't take. Left out without `accounting`."""
    backfill_late: BackfillLateSpec = BackfillLateSpec()
    """Jobs are submitted and wait, and backfill has not looked at them. Left out without backfill."""
    nodes_not_responding: NodesSpec = NodesSpec()
    """Nodes don't answer slurmctld."""
    nodes_invalid: NodesSpec = NodesSpec()
    """Nodes have registered with less than slurmctld expects of them."""
    nodes_drained: NodesDrainedSpec = NodesDrainedSpec()
    """Nodes have been drained for long."""
    capacity_lost: CapacityLostSpec = CapacityLostSpec()
    """A large part of a partition's nodes is drained or down."""
    launches_fail: LaunchesFailSpec = LaunchesFailSpec()
    """Nodes can't set up the jobs that they get."""
    nodes_kill_jobs: NodesKillJobsSpec = NodesKillJobsSpec()
    """Jobs have ended since a node of theirs failed. Left out with a MinJobAge of less than three minutes."""
    gpus_idle: GpusIdleSpec = GpusIdleSpec()
    """GPUs of a partition are free while jobs wait in it, if its nodes are alike, and in no other partition. Left out
    before Slurm 26.05, and without `accounting`, where slurmctld has no metrics of GPUs."""

    _labels = field_validator("labels")(kubernetes_names.labels)
    _annotations = field_validator("annotations")(kubernetes_names.annotations)

    @field_validator("page")
    @classmethod
    def _page_is_an_address(cls, value: str) -> str:
        if not value or re.search(r"[\s#{}]", value):
            problem = "the section of an alert is added to this address of a page"
            raise field_error(problem, 'Write an address without spaces, braces and "#".')
        return value

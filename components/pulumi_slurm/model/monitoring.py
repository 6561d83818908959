"""Monitoring: Slurm's own metrics, and scraping them."""

from enum import StrEnum
from typing import Self

from pydantic import field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.alerts import AlertRulesSpec, prometheus_duration
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.dashboards import DashboardsSpec
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.pod import PlacementSpec, ResourcesSpec
from pulumi_slurm.model.units import duration_seconds


class MetricsEndpoint(StrEnum):
    """What slurmctld has metrics of, as in https://slurm.schedmd.com/metrics.html."""

    JOBS = "jobs"
    JOBS_USERS_ACCTS = "jobs-users-accts"
    NODES = "nodes"
    PARTITIONS = "partitions"
    SCHEDULER = "scheduler"


class PrometheusSpec(Model):
    """A small Prometheus next to slurmctld, for autoscalers. It keeps two hours, on no disk, and has no login."""

    image: str = "quay.io/prometheus/prometheus:v3.5.0"
    """Its image."""
    interval: str = "60s"
    """The interval between scrapes. SchedMD advises 60 to 120 seconds, since each takes slurmctld's locks."""
    resources: ResourcesSpec = ResourcesSpec(cpu="100m", memory="512Mi")
    """Its requests; the memory is its limit as well."""
    pod: PlacementSpec = PlacementSpec()
    """Placement and metadata of its pod."""

    _image = field_validator("image")(kubernetes_names.image)
    _interval = field_validator("interval", mode="before")(prometheus_duration)


class ServiceMonitorSpec(Model):
    """A ServiceMonitor for prometheus-operator, whose CRDs have to be installed."""

    _with_line_breaks = frozenset({"annotations"})

    labels: dict[str, str] = {}
    """Labels by which your Prometheus selects the ServiceMonitor."""
    annotations: dict[str, str] = {}
    """Annotations of the ServiceMonitor."""
    endpoints: list[OneOf[MetricsEndpoint]] = []
    """The endpoints to scrape; by default all but jobs-users-accts, which has a series for every user and account."""
    interval: str = "60s"
    """The interval between scrapes. SchedMD advises 60 to 120 seconds, since each takes slurmctld's locks."""
    scrape_timeout: str = "25s"
    """The timeout of a scrape."""

    _labels = field_validator("labels")(kubernetes_names.labels)
    _annotations = field_validator("annotations")(kubernetes_names.annotations)

    _durations = field_validator("interval", "scrape_timeout", mode="before")(prometheus_duration)

    @model_validator(mode="after")
    def _timeout_fits(self) -> Self:
        if duration_seconds(self.scrape_timeout) > duration_seconds(self.interval):
            raise field_errors(
                [
                    FieldError(
                        ("scrape_timeout",),
                        self.scrape_timeout,
                        f"a scrape may not take longer than the interval, {self.interval}",
                        f"Write {self.interval} or less.",
                        depends_on_fields=(("interval",),),
                    )
                ]
            )
        return self


class MonitoringSpec(Model):
    """Metrics in OpenMetrics format on slurmctld's port, at /metrics/{jobs,nodes,partitions,scheduler}."""

    metrics: bool = True
    """Whether slurmctld serves metrics."""
    service_monitor: ServiceMonitorSpec | None = None
    """Let prometheus-operator scrape the metrics."""
    rules: AlertRulesSpec | None = None
    """Let prometheus-operator give alerts on them to Prometheus; needs `serviceMonitor`."""
    dashboards: DashboardsSpec | None = None
    """Give a dashboard of them to Grafana, with the panels of whose metrics Prometheus has."""
    prometheus: PrometheusSpec | None = None
    """Create a Prometheus that scrapes the metrics, and that autoscalers with KEDA ask by default."""

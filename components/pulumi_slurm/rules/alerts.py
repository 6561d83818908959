"""Needs of alerts: a slurmctld whose metrics prometheus-operator scrapes, and metrics that this Slurm has."""

from collections.abc import Iterator

from pulumi_slurm.derived.alerts import ALERTS, made_alerts
from pulumi_slurm.derived.metrics import Metrics, endpoint_of, metrics_in
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.alerts import AlertRulesSpec
from pulumi_slurm.model.monitoring import ServiceMonitorSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import duration_seconds
from pulumi_slurm.rules.run import Rule

_DECIDING = ("slurm_version", "accounting", "slurm_conf", "node_sets", "partitions")
_LONGEST_INTERVAL = 120
"""In seconds: https://prometheus.io/docs/prometheus/latest/querying/basics/#staleness."""


def alerts_have_metrics(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse alerts on metrics that no Prometheus of prometheus-operator has."""
    rules, monitor = spec.monitoring.rules, spec.monitoring.service_monitor
    if rules is None:
        return
    if spec.controller.external:
        yield FieldError(
            ("monitoring", "rules"),
            FieldError.ABSENT,
            "slurmctld is outside, and nothing is known here of its metrics",
            "Leave it out.",
        )
        return
    if monitor is None:
        yield FieldError(
            ("monitoring", "rules"),
            FieldError.ABSENT,
            "only what prometheus-operator scrapes is there for alerts",
            "Add monitoring.serviceMonitor, with the labels by which your Prometheus selects it.",
        )
        return
    yield from _scrapes(rules, monitor)
    if monitor.endpoints:
        names = {
            name: alert.name
            for alert in made_alerts(spec)
            for name in metrics_in(alert.query(Metrics(spec.namespace), alert.options(rules)).text)
        }
        missing = {endpoint_of(name): alert for name, alert in names.items()}
        for endpoint in sorted(missing.keys() - {*monitor.endpoints}):
            yield FieldError(
                ("monitoring", "service_monitor", "endpoints"),
                [str(item) for item in monitor.endpoints],
                f"the alert {missing[endpoint]} has no metrics without {endpoint}",
                f'Add "{endpoint}", or leave endpoints out.',
                depends_on_fields=(("monitoring", "rules"),),
            )


def _scrapes(rules: AlertRulesSpec, monitor: ServiceMonitorSpec) -> Iterator[FieldError]:
    """Refuse scrapes between which Prometheus takes metrics as gone, and those that end before they are slow."""
    if duration_seconds(monitor.interval) > _LONGEST_INTERVAL:
        yield FieldError(
            ("monitoring", "service_monitor", "interval"),
            monitor.interval,
            "Prometheus looks back for five minutes, in which alerts need a few scrapes",
            'Write "120s" or less.',
            depends_on_fields=(("monitoring", "rules"),),
        )
    slow = rules.scrape_slow
    if slow.enabled and slow.seconds >= duration_seconds(monitor.scrape_timeout):
        yield FieldError(
            ("monitoring", "rules", "scrape_slow", "seconds"),
            slow.seconds,
            f"a scrape ends after {monitor.scrape_timeout}, by monitoring.serviceMonitor.scrapeTimeout",
            "Write less, or a longer scrapeTimeout.",
            depends_on_fields=(("monitoring", "service_monitor"),),
        )


def alerts_are_possible(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse an alert that is asked for, and that this cluster can't have; others are left out without a word."""
    rules = spec.monitoring.rules
    if rules is None:
        return
    defaults = AlertRulesSpec()
    for alert in ALERTS:
        options = alert.options(rules)
        # Written out with all defaults it is the same specification.
        if options.enabled and options != alert.options(defaults) and (why := alert.left_out(spec)):
            yield FieldError(
                ("monitoring", "rules", alert.field),
                FieldError.ABSENT,
                why,
                "Leave it out.",
                depends_on_fields=tuple((name,) for name in _DECIDING),
            )


RULES: tuple[Rule, ...] = (
    alerts_are_possible,
    alerts_have_metrics,
)

"""Needs of alerts: a slurmctld whose metrics prometheus-operator scrapes, and metrics that this Slurm has."""

from collections.abc import Iterator

from pulumi_slurm.derived.alerts import ALERTS, made_alerts
from pulumi_slurm.derived.metrics import Metrics, endpoint_of, metrics_in
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


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
    elif monitor.endpoints:
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


def alerts_are_possible(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse an alert that is asked for, and that this cluster can't have; others are left out without a word."""
    rules = spec.monitoring.rules
    if rules is None:
        return
    for alert in ALERTS:
        if alert.field in rules.model_fields_set and alert.options(rules).enabled and (why := alert.left_out(spec)):
            yield FieldError(
                ("monitoring", "rules", alert.field),
                FieldError.ABSENT,
                why,
                "Leave it out.",
                depends_on_fields=(("slurm_version",), ("accounting",), ("slurm_conf", "extra")),
            )


RULES: tuple[Rule, ...] = (
    alerts_are_possible,
    alerts_have_metrics,
)

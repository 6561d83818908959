"""The PrometheusRule of a cluster's alerts."""

from typing import Any

from pulumi_slurm.derived.alerts import Alert, made_alerts
from pulumi_slurm.derived.metrics import Metrics
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.model.alerts import AlertRulesSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.slurm import SlurmSpec


def alert_rules(spec: SlurmSpec) -> list[dict[str, Any]]:
    """Return the alerts of a cluster, in the form of Prometheus.

    Source: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/.
    """
    rules = spec.monitoring.rules
    if rules is None:
        return []
    metrics = Metrics.of(spec)
    return [_rule(alert, rules, metrics, f"Slurm cluster {spec.name}") for alert in made_alerts(spec)]


def _rule(alert: Alert, rules: AlertRulesSpec, metrics: Metrics, cluster: str) -> dict[str, Any]:
    options = alert.options(rules)
    return {
        "alert": alert.name,
        "expr": alert.query(metrics, options).text,
        "for": options.after,
        "labels": {"severity": str(options.severity)},
        "annotations": {
            "summary": f"{cluster}: {alert.summary}",
            "description": alert.first,
            "runbook_url": f"{rules.page}#{alert.name.lower()}",
        },
    }


def prometheus_rule(
    ref: ClusterRef, alerts: list[dict[str, Any]], labels: dict[str, str], annotations: dict[str, str]
) -> Manifest:
    """Return the PrometheusRule of alerts.

    Source: https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.PrometheusRule.
    """
    name = f"{ref.name}-alerts"
    group = {"name": name, "rules": alerts}
    rule = manifest("monitoring.coreos.com/v1", "PrometheusRule", ref, name, spec={"groups": [group]})
    rule["metadata"]["labels"] |= labels
    if annotations:
        rule["metadata"]["annotations"] = annotations
    return rule

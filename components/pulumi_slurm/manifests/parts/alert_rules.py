"""Alerts on slurmctld's metrics."""

from typing import Any

from pulumi_slurm.manifests.alert_rules import prometheus_rule
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part


class AlertRulesPart(Part):
    """Alerts for prometheus-operator."""

    alerts: list[dict[str, Any]] = []
    """The alerts, in the form of Prometheus."""
    labels: dict[str, str] = {}
    """Labels of the PrometheusRule."""
    annotations: dict[str, Any] = {}
    """Annotations of the PrometheusRule."""

    def manifests(self) -> Manifests:
        """Return the PrometheusRule, unless there is no alert."""
        if not self.alerts:
            return {}
        return by_kind("", [prometheus_rule(self.cluster, self.alerts, self.labels, self.annotations)])

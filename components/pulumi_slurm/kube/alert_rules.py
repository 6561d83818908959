"""AlertRules: alerts on slurmctld's metrics, for prometheus-operator."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.alert_rules import AlertRulesPart


class AlertRulesArgs(AlertRulesPart, Args):
    """Arguments of `AlertRules`."""


class AlertRules(Component[AlertRulesArgs]):
    """A PrometheusRule with alerts on slurmctld's metrics, which prometheus-operator gives to Prometheus."""

    def __init__(self, resource_name: str, args: AlertRulesArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        objects = self.create_in_turn(self._args.manifests())
        self.finish(*objects[-1:])

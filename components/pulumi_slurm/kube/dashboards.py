"""Dashboards of slurmctld's metrics, for Grafana's sidecar."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.dashboards import DashboardsPart


class DashboardsArgs(DashboardsPart, Args):
    """Arguments of `Dashboards`."""


class Dashboards(Component[DashboardsArgs]):
    """A ConfigMap with dashboards of slurmctld's metrics, which a sidecar gives to Grafana."""

    def __init__(self, resource_name: str, args: DashboardsArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        objects = self.create_in_turn(self._args.manifests())
        self.finish(*objects[-1:])

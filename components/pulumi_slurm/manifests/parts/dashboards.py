"""A dashboard of slurmctld's metrics."""

from pulumi_slurm.manifests.dashboards import dashboards_config_map
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model.dashboards import DashboardsSpec


class DashboardsPart(Part):
    """Dashboards for Grafana's sidecar."""

    _with_line_breaks = frozenset({"files"})

    files: dict[str, str] = {}
    """The JSON of dashboards, by the names of their files."""
    options: DashboardsSpec = DashboardsSpec()
    """By which labels and in which folder the sidecar puts them."""

    def manifests(self) -> Manifests:
        """Return the ConfigMap with them."""
        return by_kind("", [dashboards_config_map(self.cluster, self.files, self.options)])

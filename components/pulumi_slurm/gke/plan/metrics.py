"""slurmctld's metrics in Google Cloud Managed Service for Prometheus.

GKE's collectors scrape what a PodMonitoring names; they don't read ServiceMonitors
(https://cloud.google.com/stackdriver/docs/managed-prometheus/setup-managed).
"""

from typing import Any

from pulumi_slurm.manifests.objects import NAMESPACE_NAME, Manifest, manifest
from pulumi_slurm.manifests.services import pod_selector
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMCTLD_PORT

_PATHS = ("/metrics/jobs", "/metrics/nodes", "/metrics/partitions", "/metrics/scheduler")
"""Where slurmctld serves its metrics, on its own port; those that the operator's ServiceMonitor names by default."""
_INTERVAL = "60s"
"""SchedMD advises 60 to 120 seconds (https://slurm.schedmd.com/metrics.html)."""


def pod_monitorings(slurm: SlurmSpec) -> list[Manifest]:
    """Return a PodMonitoring for each path of slurmctld's metrics; nothing where it serves none.

    One with several endpoints would be refused: the name of a job in the collector's configuration is made of the
    object and the port, without the path (validateDistinctJobNames of GoogleCloudPlatform/prometheus-engine).
    """
    if not _are_scraped(slurm):
        return []
    ref = ClusterRef.of(slurm)
    selector = {"matchLabels": pod_selector("slurmctld", ref.name)}
    return [
        manifest(
            "monitoring.googleapis.com/v1",
            "PodMonitoring",
            ref,
            f"{ref.name}-{path.rpartition('/')[2]}",
            spec={
                "selector": selector,
                "endpoints": [{"port": SLURMCTLD_PORT, "path": path, "interval": _INTERVAL}],
            },
        )
        for path in _PATHS
    ]


def collectors(slurm: SlurmSpec) -> list[dict[str, Any]]:
    """Return who scrapes these metrics, as in `from` of a NetworkPolicy: pods in the namespace of GKE's collectors."""
    if not _are_scraped(slurm):
        return []
    return [{"namespaceSelector": {"matchLabels": {NAMESPACE_NAME: "gke-gmp-system"}}}]


def _are_scraped(slurm: SlurmSpec) -> bool:
    return slurm.monitoring.metrics and not slurm.controller.external

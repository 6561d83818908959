"""slurmctld's metrics in Google Cloud Managed Service for Prometheus.

GKE's collectors scrape what a PodMonitoring names; they don't read ServiceMonitors
(https://cloud.google.com/stackdriver/docs/managed-prometheus/setup-managed).
"""

from pulumi_slurm.manifests.objects import Manifest, manifest
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
    if not slurm.monitoring.metrics or slurm.controller.external:
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

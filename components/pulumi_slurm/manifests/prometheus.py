"""A small Prometheus that scrapes slurmctld, for the autoscalers of node sets."""

import json
from typing import Any

from pulumi_slurm.manifests.objects import Manifest, content_hash, manifest
from pulumi_slurm.manifests.pod_security import WITHOUT_TOKEN, as_user, only_reads
from pulumi_slurm.manifests.pods import container, placement
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.monitoring import PrometheusSpec
from pulumi_slurm.model.ports import SLURMCTLD_PORT

PORT = 9090
_FOLDER = "/etc/prometheus"
_FILE = "prometheus.yml"
_DATA = "/prometheus"
_NOBODY = 65534
_PATHS = ("/metrics/nodes", "/metrics/partitions")
"""Each scrape takes slurmctld's locks, so nothing is scraped that nobody asks for; see `nodes_wanted`."""
_RETENTION = "2h"
"""Autoscalers only ask for the newest values; two hours are the shortest block that Prometheus writes."""


def prometheus_name(ref: ClusterRef) -> str:
    """Return the name of its objects."""
    return f"{ref.name}-prometheus"


def prometheus_labels(ref: ClusterRef) -> dict[str, str]:
    """Return the labels by which its pod is found."""
    return {"app.kubernetes.io/name": "prometheus", "app.kubernetes.io/instance": prometheus_name(ref)}


def prometheus_address(ref: ClusterRef) -> str:
    """Return where it is found from inside the Kubernetes cluster."""
    return f"http://{prometheus_name(ref)}.{ref.namespace}:{PORT}"


def configuration(ref: ClusterRef, options: PrometheusSpec) -> dict[str, Any]:
    """Return the content of prometheus.yml: a job for each path of slurmctld's metrics that autoscalers ask for.

    The label ``namespace`` is the one that prometheus-operator adds for a ServiceMonitor.
    """
    target = {
        "targets": [f"{ref.name}-slurmctld.{ref.namespace}:{SLURMCTLD_PORT}"],
        "labels": {"namespace": ref.namespace},
    }
    return {
        "global": {"scrape_interval": options.interval, "scrape_timeout": options.interval},
        "scrape_configs": [
            {"job_name": path.rpartition("/")[2], "metrics_path": path, "static_configs": [target]} for path in _PATHS
        ],
    }


def prometheus(ref: ClusterRef, options: PrometheusSpec) -> list[Manifest]:
    """Return its objects. What it has measured goes with its pod."""
    name = prometheus_name(ref)
    labels = prometheus_labels(ref)
    # JSON is YAML.
    files = {_FILE: json.dumps(configuration(ref, options), indent=2)}
    config_map = manifest("v1", "ConfigMap", ref, name)
    config_map["data"] = files
    service = manifest(
        "v1",
        "Service",
        ref,
        name,
        spec={"type": "ClusterIP", "selector": labels, "ports": [{"name": "http", "port": PORT, "targetPort": "http"}]},
    )
    server = {
        "name": "prometheus",
        **container(ref, options.image),
        "args": [
            f"--config.file={_FOLDER}/{_FILE}",
            f"--storage.tsdb.path={_DATA}",
            f"--storage.tsdb.retention.time={_RETENTION}",
        ],
        "ports": [{"name": "http", "containerPort": PORT}],
        "readinessProbe": {"httpGet": {"path": "/-/ready", "port": "http"}},
        "resources": {
            "requests": {"cpu": options.resources.cpu, "memory": options.resources.memory},
            "limits": {"memory": options.resources.memory},
        },
        "securityContext": only_reads(),
        "volumeMounts": [{"name": "config", "mountPath": _FOLDER}, {"name": "data", "mountPath": _DATA}],
    }
    template = {
        # It reads its configuration once.
        "metadata": {
            "labels": {**ref.labels, **options.pod.labels, **labels},
            "annotations": {
                "slurm.pulumi.com/configuration": content_hash(files),
                # Its folder holds nothing that would be missed, and keeps no node from being removed.
                "cluster-autoscaler.kubernetes.io/safe-to-evict": "true",
                **options.pod.annotations,
            },
        },
        "spec": {
            **placement(ref, options.pod),
            **WITHOUT_TOKEN,
            "securityContext": as_user(_NOBODY, has_volumes=True),
            "containers": [server],
            "volumes": [{"name": "config", "configMap": {"name": name}}, {"name": "data", "emptyDir": {}}],
        },
    }
    deployment = manifest(
        "apps/v1",
        "Deployment",
        ref,
        name,
        spec={"replicas": 1, "selector": {"matchLabels": labels}, "template": template},
    )
    return [config_map, service, deployment]

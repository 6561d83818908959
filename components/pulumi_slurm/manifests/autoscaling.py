"""Autoscalers of node sets and login sets."""

from pulumi_slurm.manifests.objects import SLINKY_API, ClusterRef, Manifest, manifest
from pulumi_slurm.model import Autoscaler, AutoscalingSpec


def autoscaler(
    ref: ClusterRef, autoscaling: AutoscalingSpec, kind: str, target: str, partition: str | None
) -> Manifest:
    """Return the ScaledObject or HorizontalPodAutoscaler that scales ``target``."""
    if autoscaling.kind is Autoscaler.HPA:
        return manifest(
            "autoscaling/v2",
            "HorizontalPodAutoscaler",
            ref,
            target,
            spec={
                "scaleTargetRef": {"apiVersion": SLINKY_API, "kind": kind, "name": target},
                "minReplicas": autoscaling.min_replicas,
                "maxReplicas": autoscaling.max_replicas,
                "metrics": [
                    {
                        "type": "Resource",
                        "resource": {
                            "name": "cpu",
                            "target": {"type": "Utilization", "averageUtilization": autoscaling.cpu_utilization},
                        },
                    }
                ],
            },
        )
    return manifest(
        "keda.sh/v1alpha1",
        "ScaledObject",
        ref,
        target,
        spec={
            "scaleTargetRef": {"apiVersion": SLINKY_API, "kind": kind, "name": target},
            "minReplicaCount": autoscaling.min_replicas,
            "maxReplicaCount": autoscaling.max_replicas,
            "cooldownPeriod": autoscaling.cooldown_seconds,
            "triggers": [
                {
                    "type": "prometheus",
                    "metricType": "Value",
                    "metadata": {
                        "serverAddress": autoscaling.prometheus_address,
                        "query": f'slurm_partition_jobs_pending{{partition="{partition}"}}',
                        "threshold": str(autoscaling.jobs_per_replica),
                    },
                }
            ],
        },
    )

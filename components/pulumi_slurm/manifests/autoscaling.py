"""Autoscalers of node sets and login sets."""

from pulumi_slurm.manifests.objects import SLINKY_API, ClusterRef, Manifest, manifest
from pulumi_slurm.model import Autoscaler, AutoscalingSpec


def autoscaler(ref: ClusterRef, scaling: AutoscalingSpec, kind: str, target: str, partition: str | None) -> Manifest:
    """Return the ScaledObject or HorizontalPodAutoscaler that sets the replicas of ``target``."""
    if scaling.kind is Autoscaler.HPA:
        return manifest(
            "autoscaling/v2",
            "HorizontalPodAutoscaler",
            ref,
            target,
            spec={
                "scaleTargetRef": {"apiVersion": SLINKY_API, "kind": kind, "name": target},
                "minReplicas": scaling.min_replicas,
                "maxReplicas": scaling.max_replicas,
                "metrics": [
                    {
                        "type": "Resource",
                        "resource": {
                            "name": "cpu",
                            "target": {"type": "Utilization", "averageUtilization": scaling.cpu_utilization},
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
            "minReplicaCount": scaling.min_replicas,
            "maxReplicaCount": scaling.max_replicas,
            "cooldownPeriod": scaling.cooldown_seconds,
            "triggers": [
                {
                    "type": "prometheus",
                    "metricType": "Value",
                    "metadata": {
                        "serverAddress": scaling.prometheus_address,
                        "query": f'slurm_partition_jobs_pending{{partition="{partition}"}}',
                        "threshold": str(scaling.jobs_per_replica),
                    },
                }
            ],
        },
    )

"""Autoscalers of node sets and login sets."""

from pulumi_slurm.manifests.objects import SLINKY_API, Manifest, Manifests, manifest, pruned
from pulumi_slurm.manifests.prometheus import prometheus_address
from pulumi_slurm.model import Autoscaler, AutoscalingSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def autoscaler_of(
    ref: ClusterRef, resource: Manifest, scaling: AutoscalingSpec | None, query: str | None = None
) -> Manifests:
    """Return the autoscaler of a NodeSet or LoginSet, where it has one."""
    if scaling is None:
        return {}
    return {"autoscaler": _autoscaler(ref, scaling, resource["kind"], resource["metadata"]["name"], query)}


def _autoscaler(
    ref: ClusterRef, autoscaling: AutoscalingSpec, kind: str, target: str, query: str | None = None
) -> Manifest:
    """Return the ScaledObject or HorizontalPodAutoscaler that scales ``target``.

    ``query`` returns the number of replicas; `autoscaling.query` takes precedence.
    """
    scaled = {"apiVersion": SLINKY_API, "kind": kind, "name": target}
    if autoscaling.kind is Autoscaler.HPA:
        cpu = {"type": "Utilization", "averageUtilization": autoscaling.cpu_utilization}
        spec = {
            "scaleTargetRef": scaled,
            "minReplicas": autoscaling.min_replicas,
            "maxReplicas": autoscaling.max_replicas,
            "behavior": autoscaling.behavior,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": cpu}}],
        }
        return manifest("autoscaling/v2", "HorizontalPodAutoscaler", ref, target, spec=pruned(spec))
    spec = {
        "scaleTargetRef": scaled,
        "minReplicaCount": autoscaling.min_replicas,
        "maxReplicaCount": autoscaling.max_replicas,
        "idleReplicaCount": autoscaling.idle_replicas,
        "pollingInterval": autoscaling.polling_seconds,
        "cooldownPeriod": autoscaling.cooldown_seconds,
        "advanced": {"horizontalPodAutoscalerConfig": {"behavior": autoscaling.behavior}}
        if autoscaling.behavior
        else None,
        "triggers": [_prometheus(ref, autoscaling, autoscaling.query or query or "")],
    }
    return manifest("keda.sh/v1alpha1", "ScaledObject", ref, target, spec=pruned(spec))


def _prometheus(ref: ClusterRef, autoscaling: AutoscalingSpec, query: str) -> Manifest:
    """Return the trigger: with AverageValue and a threshold of 1, the number of replicas is the query's result.

    Without a result KEDA and the HorizontalPodAutoscaler change nothing. There is no `fallback`: with one, KEDA would
    scale to its replicas, and to zero if these are 0 (`RequestScale` in pkg/scaling/executor of kedacore/keda).
    """
    authentication = autoscaling.authentication
    return pruned(
        {
            "type": "prometheus",
            "metricType": "AverageValue",
            "metadata": pruned(
                {
                    "serverAddress": autoscaling.prometheus_address or prometheus_address(ref),
                    "query": query,
                    "threshold": "1",
                    "ignoreNullValues": "false",
                    "authModes": ",".join(authentication.modes) if authentication else None,
                }
            ),
            "authenticationRef": {"name": authentication.name, "kind": str(authentication.kind)}
            if authentication
            else None,
        }
    )

"""How Pulumi waits until a daemon is ready.

Of the operator's objects only NodeSets report readiness. A PodDisruptionBudget counts the healthy pods of a selector,
so each daemon gets one: Pulumi waits for that count, and Kubernetes evicts the pods only one at a time. A Service would
do as well, but Pulumi waits another ten seconds for each to settle.
"""

from types import MappingProxyType

from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.model.cluster_ref import ClusterRef

SKIP_WAIT = MappingProxyType({"pulumi.com/skipAwait": "true"})


def budget(ref: ClusterRef, name: str, selector: dict[str, str], replicas: int | None) -> Manifest:
    """Return a PodDisruptionBudget that is ready once ``replicas`` pods are healthy; immediately if it is None or 0."""
    pod_disruption_budget = manifest(
        "policy/v1",
        "PodDisruptionBudget",
        ref,
        name,
        spec={
            "selector": {"matchLabels": selector},
            # It never blocks a drain: even a single pod may be evicted.
            "maxUnavailable": 1,
        },
    )
    if replicas:
        pod_disruption_budget["metadata"]["annotations"] = {
            "pulumi.com/waitFor": f"jsonpath={{.status.currentHealthy}}={replicas}"
        }
    return pod_disruption_budget

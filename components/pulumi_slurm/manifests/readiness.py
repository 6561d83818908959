"""How Pulumi learns that a daemon answers.

Of the operator's objects only NodeSets report it. A PodDisruptionBudget counts the healthy pods behind a selector, so
one per daemon serves for all: Pulumi waits for that count, and beside it Kubernetes takes pods away one at a time. A
Service would tell too, but Pulumi watches each for another ten seconds to see whether it settles.
"""

from pulumi_slurm.manifests.objects import ClusterRef, Manifest, manifest

SKIP_WAIT = {"pulumi.com/skipAwait": "true"}


def budget(ref: ClusterRef, name: str, selector: dict[str, str], replicas: int | None) -> Manifest:
    """Return a budget that is ready once ``replicas`` pods are healthy; at once where that is None or 0."""
    made = manifest(
        "policy/v1",
        "PodDisruptionBudget",
        ref,
        name,
        spec={
            "selector": {"matchLabels": selector},
            # Never in the way of a drain: a single pod may go as well.
            "maxUnavailable": 1,
        },
    )
    if replicas:
        made["metadata"]["annotations"] = {"pulumi.com/waitFor": f"jsonpath={{.status.currentHealthy}}={replicas}"}
    return made

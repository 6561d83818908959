"""Objects that remain when a stack is gone: there may be none of ours."""

from tests.e2e.objects import Key, Object, Objects
from tests.waiting import eventually_nothing

FROM_KUBERNETES = {("ConfigMap", "kube-root-ca.crt"), ("ServiceAccount", "default")}
"""What Kubernetes puts into every namespace."""

CLAIMS = ("statesave-", "data-")
"""Claims of the StatefulSets for slurmctld and for the database, which Kubernetes keeps until their namespace goes."""


def remaining_objects(objects: Objects, namespace: str) -> set[Key]:
    """Return what is in a namespace beyond what Kubernetes puts there, and beyond claims that are to stay."""
    return {
        (kind, object_namespace, name)
        for (kind, object_namespace, name), item in objects.everything(namespace).items()
        if (kind, name) not in FROM_KUBERNETES
        and not (kind == "PersistentVolumeClaim" and name.startswith(CLAIMS))
        and not orphaned_by_the_operator(item)
    }


def orphaned_by_the_operator(item: Object) -> bool:
    """Say whether an object is one that slurm-operator 1.1.0 sometimes leaves to nobody.

    The Service and the budget that all workers share belong to their NodeSets. The operator writes that list anew each
    time, and when the last NodeSet goes at that moment, the list is empty and Kubernetes keeps them. A stack that makes
    its namespace removes them with it.
    """
    metadata = item["metadata"]
    return metadata["name"].startswith("slurm-workers-") and not metadata.get("ownerReferences")


def check_nothing_left(objects: Objects, namespace: str) -> None:
    """Wait until what goes in the background is gone, and fail when something stays."""
    eventually_nothing(f"objects in namespace {namespace}", lambda: remaining_objects(objects, namespace))

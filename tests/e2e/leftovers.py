"""What may be left when a stack is gone: nothing of ours."""

from tests.e2e.objects import Key, Objects
from tests.e2e.waiting import eventually_nothing

FROM_KUBERNETES = {("ConfigMap", "kube-root-ca.crt"), ("ServiceAccount", "default")}
"""What Kubernetes puts into every namespace."""

CLAIMS = ("statesave-", "data-")
"""Claims of the StatefulSets for slurmctld and for the database, which Kubernetes keeps until their namespace goes."""


def left(objects: Objects, namespace: str) -> set[Key]:
    """Return what is in a namespace beyond what Kubernetes puts there, and beyond claims that are to stay."""
    return {
        (kind, place, name)
        for kind, place, name in objects.everything(namespace)
        if (kind, name) not in FROM_KUBERNETES and not (kind == "PersistentVolumeClaim" and name.startswith(CLAIMS))
    }


def check_nothing_left(objects: Objects, namespace: str) -> None:
    """Wait until what goes in the background is gone, and fail when something stays."""
    eventually_nothing(f"something is left in namespace {namespace}", lambda: left(objects, namespace))

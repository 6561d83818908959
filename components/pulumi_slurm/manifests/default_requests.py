"""What pods that run no jobs request of their nodes where nobody says otherwise.

A pod without requests is BestEffort, which a node that runs out of memory ends before all others
(https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/), and the scheduler puts any number of them on one node.
These are about what each takes while it is idle, and together less than pools keep for Kubernetes' own pods by default
(`reservedMemory`), so that they find room beside workers of whole nodes. There are none of CPUs, of which workers often
have all that a node can give: a daemon waits for its turn, and isn't ended. They are no limits: a daemon that is ended
by its limit in the middle of the day is worse than one that takes more.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.manifests.objects import Manifest

_MEMORY: Mapping[str, str] = MappingProxyType(
    {
        "slurmctld": "256Mi",
        "slurmdbd": "128Mi",
        "slurmrestd": "128Mi",
        "login": "256Mi",
        "mariadb": "512Mi",
        "openldap": "64Mi",
    }
)
"""By container."""


def with_default_requests(
    name: str, container: Manifest, overrides: Mapping[str, Any] | None = None, *, adopted: bool = False
) -> Manifest:
    """Return a container with requests, unless the user states its resources, by ``overrides`` of its object too.

    In a cluster that is ``adopted`` it stays as it is: what the chart left out would replace the pod.
    """
    overridden = (overrides or {}).get(name)
    if adopted or "resources" in container or (isinstance(overridden, Mapping) and overridden.get("resources")):
        return container
    return {**container, "resources": {"requests": default_requests(name)}}


def default_requests(name: str) -> dict[str, str]:
    """Return what a container requests by default."""
    return {"memory": _MEMORY[name]}

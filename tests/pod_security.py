"""Pods in objects of ours: which of them have a token of Kubernetes, and which rights their containers could get."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from tests.pod_volumes import pods_in

Pod = Mapping[str, Any]

AS_ROOT: Mapping[str, str] = MappingProxyType(
    {
        "openldap": "its startup.sh changes owners and slapd changes its user: image/service/slapd of docker-openldap",
        "phpldapadmin": "of the same makers, with a web server that listens at port 80",
        "sacctmgr": "starts munge, by which slurmdbd knows that the commands are root's",
    }
)
"""Containers that begin as root, and why."""
UNRESTRICTED: Mapping[str, str] = MappingProxyType(
    {
        "slurmctld": "people log in there with ack-slurm-operator, whose start script runs as root",
        "slurmdbd": "the start script of ack-slurm-operator runs as root",
        "slurmrestd": "the start script of ack-slurm-operator runs as root",
        "slurmd": "runs jobs as their users",
        "nccl-tcpx-installer": "writes into its node",
        "nccl-tcpxo-installer": "writes into its node",
        "nccl-rdma-installer": "writes into its node",
        "pre-installation": "loads a module into its node's kernel",
        "device-injector": "changes the containers of its node",
        "pause": "in the pod of an installer",
    }
)
"""Containers of pods that may do what their images say, or more, and why."""


def names(pod: Pod) -> list[str]:
    return [container["name"] for container in [*pod.get("initContainers", []), *pod["containers"]]]


def with_a_token_for_nothing(objects: Iterable[Any]) -> list[list[str]]:
    """Return the containers of pods that have the token of an account that nobody has chosen."""
    return [
        names(pod)
        for item in objects
        for pod in pods_in(item, "containers")
        if not pod.get("serviceAccountName") and pod.get("automountServiceAccountToken") is not False
    ]


def unrestricted(objects: Iterable[Any]) -> list[str]:
    """Return the containers whose programs may get further rights, and don't have to."""
    return [
        name
        for item in objects
        for pod in pods_in(item, "containers")
        for name, container in zip(names(pod), [*pod.get("initContainers", []), *pod["containers"]], strict=True)
        if not set(names(pod)) & UNRESTRICTED.keys()
        and not (_is_restricted(pod) and _is_without_rights(name, container.get("securityContext", {})))
    ]


def _is_restricted(pod: Pod) -> bool:
    context = pod.get("securityContext", {})
    is_root = bool(set(names(pod)) & AS_ROOT.keys())
    return context.get("seccompProfile") == {"type": "RuntimeDefault"} and (is_root or _is_no_root(context))


def _is_no_root(context: Mapping[str, Any]) -> bool:
    return bool(context.get("runAsNonRoot") and context.get("runAsUser") and context.get("runAsGroup"))


def _is_without_rights(name: str, context: Mapping[str, Any]) -> bool:
    drops_all = context.get("capabilities", {}).get("drop") == ["ALL"]
    return context.get("allowPrivilegeEscalation") is False and (drops_all or name in AS_ROOT)

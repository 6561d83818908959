"""The pods of the control plane and of login sets, as Kubernetes has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pulumi_slurm.manifests.network_policies import NAME
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.names import login_set_object
from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.proof.place import is_ready

DAEMONS = ("slurmctld", "slurmdbd", "slurmrestd", "login")
"""What the operator calls pods of the control plane, which are also the names of their containers."""
_INSTANCE = "app.kubernetes.io/instance"


@dataclass(frozen=True)
class DaemonPod:
    """A pod of a daemon."""

    daemon: str
    """One of `DAEMONS`."""
    name: str
    is_ready: bool
    since: int | None
    """When it became ready, or stopped being so, in seconds since 1970; None where Kubernetes doesn't say."""
    trouble: str
    """Why it isn't ready, such as "CrashLoopBackOff"; "" where it is."""


def daemon_pods(spec: SlurmSpec, kubectl: Kubectl) -> list[DaemonPod]:
    """Return the pods of a cluster's control plane and login sets.

    Raises:
        KubectlError: if they can't be listed.
    """
    instances = [spec.name, *(login_set_object(spec.name, login_set.name) for login_set in spec.login_sets)]
    selector = f"{NAME} in ({','.join(DAEMONS)}),{_INSTANCE} in ({','.join(instances)})"
    pods = kubectl.objects(["pods"], f"--namespace={spec.namespace}", f"--selector={selector}")
    labelled = [(pod["metadata"].get("labels", {}).get(NAME), pod) for pod in pods]
    return [_pod(daemon, pod) for daemon, pod in labelled if daemon in DAEMONS]


def _pod(daemon: str, pod: Mapping[str, Any]) -> DaemonPod:
    conditions = pod.get("status", {}).get("conditions", [])
    changed = next((one.get("lastTransitionTime") for one in conditions if one["type"] == "Ready"), None)
    ready = is_ready(pod)
    return DaemonPod(
        daemon=daemon,
        name=pod["metadata"]["name"],
        is_ready=ready,
        since=int(datetime.fromisoformat(changed).timestamp()) if changed else None,
        trouble="" if ready else _trouble(pod, conditions),
    )


def _trouble(pod: Mapping[str, Any], conditions: Sequence[Mapping[str, Any]]) -> str:
    """Return why a pod isn't ready: it goes, no node takes it, or a container of it waits or has ended."""
    if "deletionTimestamp" in pod["metadata"]:
        return "Terminating"
    status = pod.get("status", {})
    unplaced = [
        one.get("reason", "") for one in conditions if (one["type"], one["status"]) == ("PodScheduled", "False")
    ]
    states = [
        detail.get("reason", "")
        for container in (*status.get("initContainerStatuses", []), *status.get("containerStatuses", []))
        if not container.get("ready")
        for name, detail in container.get("state", {}).items()
        if name in ("waiting", "terminated")
    ]
    reasons = [reason for reason in (*unplaced, *states) if reason not in ("", "Completed", "PodInitializing")]
    return next(iter(reasons), "not ready")

"""Pods on real nodes: which of them run, and programs in their containers."""

import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from devcluster.api import Api
from devcluster.errors import DevclusterError
from devcluster.processes import ProcessTable
from devcluster.real_nodes import node_process

RUNC_ROOT = "/run/containerd/runc/k8s.io"
"""Where containerd lets runc keep the containers of kubelet: cmd/containerd-shim-runc-v2 of containerd, v1.7."""

EXECUTE = """\
log=$(mktemp /tmp/runc.XXXXXX)
root=$1
shift
for attempt in 1 2 3 4 5; do
    runc "$root" --log="$log" exec "$@"
    code=$?
    grep -q "could not ensure we are a cloned binary" "$log" || break
    [ $attempt = 5 ] || : >"$log"
done
cat "$log" >&2
rm "$log"
exit $code
"""
"""Runs `runc exec`, again where it didn't come to the program.

It runs a sealed copy of itself, and once in some thousand times the kernel refuses to seal what something else still
looks at: EBUSY of F_ADD_SEALS in fcntl(2).
"""


def running(api: Api, labels: str) -> list[dict[str, Any]]:
    """Return the running pods with these labels, such as ``app.kubernetes.io/name=login``."""
    selector = labels.replace("=", "%3D").replace(",", "%2C")
    pods = api.get(f"/api/v1/pods?labelSelector={selector}")["items"]
    return [
        pod for pod in pods if pod["status"].get("phase") == "Running" and "deletionTimestamp" not in pod["metadata"]
    ]


def restarting(api: Api, started: Mapping[str, float]) -> list[str]:
    """Return the pods whose containers have not all become ready since their node was started.

    After a node was killed the API server believes in its containers until the kubelet that is started next says
    otherwise, which takes it some seconds.

    Args:
        api: The cluster's API server.
        started: When each node was started, in seconds since the epoch; pods of other nodes are left out.
    """
    return [
        pod["metadata"]["name"]
        for pod in api.get("/api/v1/pods")["items"]
        # One whose init containers have to run again is pending.
        if pod["status"].get("phase") in {"Pending", "Running"}
        and "deletionTimestamp" not in pod["metadata"]
        and pod["spec"].get("nodeName") in started
        and not all(
            state["ready"] and _start(state) >= int(started[pod["spec"]["nodeName"]])
            for state in pod["status"].get("containerStatuses", [{"ready": False}])
        )
    ]


def _start(state: Mapping[str, Any]) -> float:
    """Return when a container was started, in whole seconds since the epoch; 0 unless it runs."""
    if "running" not in state["state"]:
        return 0
    return datetime.fromisoformat(state["state"]["running"]["startedAt"]).timestamp()


def command(processes: ProcessTable, pod: dict[str, Any], container: str, argv: Sequence[str], tty: bool) -> list[str]:
    """Return the command that runs a program in a container: it enters the pod's node and calls runc there.

    Not containerd's client: it can lose the output of a program that ends before its pipes are open.
    """
    states = {state["name"]: state for state in pod["status"].get("containerStatuses", [])}
    if "containerID" not in states.get(container, {}):
        raise DevclusterError(f"{pod['metadata']['name']} has no container {container} that runs: see `make status`")
    identity = states[container]["containerID"].partition("://")[2]
    execute = ("sh", "-c", EXECUTE, "sh", f"--root={RUNC_ROOT}", *(["--tty"] if tty else []), identity, *argv)
    return [*inside(processes, pod["spec"]["nodeName"]), *execute]


def inside(processes: ProcessTable, node: str) -> list[str]:
    """Return what runs a program on a node: it enters the namespaces of the node's first process.

    Raises:
        DevclusterError: if the node doesn't run.
    """
    try:
        holder = processes.pid(node_process(node))
        first = Path(f"/proc/{holder}/task/{holder}/children").read_text().split()[0]
    except (LookupError, OSError):
        raise DevclusterError(f"the node {node} does not run: `make up` starts what is missing") from None
    return ["nsenter", f"--target={first}", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--"]


def run(
    processes: ProcessTable, pod: dict[str, Any], container: str, argv: Sequence[str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a program in a container and return its result with the output captured."""
    full = command(processes, pod, container, argv, tty=False)
    return subprocess.run(full, input=stdin, capture_output=True, text=True, check=False)

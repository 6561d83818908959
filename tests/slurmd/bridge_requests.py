"""What Slurm Bridge sends to slurmrestd, by hand, because its programs can't be had in the tests.

Source: Go code of https://github.com/SlinkyProject/slurm-bridge, release 1.2.1; each request names file and function.
Paths are those of slurmrestd's data parser v0.0.44, which the bridge's client is made for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

API = "v0.0.44"
MCS_LABEL = "kubernetes"
"""`mcsLabel` of the chart's values."""
REASON = "slurm-bridge:"
"""How the reason of every drain begins; the bridge takes back no others."""

Body = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """One request below ``/slurm/v0.0.44/``."""

    method: str
    path: str
    body: Body | None = None


def new_node(
    name: str,
    *,
    cpus: int = 4,
    memory: int = 4096,
    partitions: Sequence[str] = (),
    topology: str = "",
    gpus: int = 0,
    driver: str = "gpu.nvidia.com",
) -> Request:
    """Register a Kubernetes node; `partitions` is its annotation, `gpus` the number of devices in its ResourceSlices.

    internal/controller/node/slurmcontrol/slurmcontrol.go, AddNode; GRES: internal/nodeinfo/nodeinfo.go,
    GetGresAndGresConf.
    """
    conf = f"NodeName={name} Sockets=1 CoresPerSocket={cpus} ThreadsPerCore=1 CPUs={cpus} RealMemory={memory}"
    conf += " State=External"
    conf += f" Feature={','.join(partitions)}" if partitions else ""
    conf += f" Topology={topology}" if topology else ""
    files = "".join(f",file=gpu-{number}" for number in range(gpus))
    gres = f"gpu:{driver}:{gpus}" if gpus else ""
    gres_conf = f"count={gpus},name=gpu,type={driver}{files}" if gpus else ""
    return Request("POST", "new/node/", {"node_conf": f'{conf} Gres="{gres}" GresConf="{gres_conf}"'})


def new_partitions(name: str, partitions: Sequence[str]) -> Request:
    """Follow the annotation `external-node-partitions` of a node that Slurm has; updateNodeFeatures, same file."""
    return Request("POST", f"node/{name}", {"features": list(partitions), "features_act": list(partitions)})


def new_topology(name: str, topology: str) -> Request:
    """Follow the annotation `topology.slinky.slurm.net/spec`; updateNodeTopology, same file."""
    return Request("POST", f"node/{name}", {"topology_str": topology})


def drain(name: str, reason: str) -> Request:
    """Follow a cordon, or begin a removal; MakeNodeDrain, same file."""
    return Request("POST", f"node/{name}", {"state": ["DRAIN"], "reason": f"{REASON} {reason}"})


def undrain(name: str, reason: str) -> Request:
    """Follow an uncordon; MakeNodeUndrain, same file."""
    return Request("POST", f"node/{name}", {"state": ["UNDRAIN"], "reason": f"{REASON} {reason}"})


def is_drained(node: Body) -> bool:
    """Whether the bridge would remove a node now; IsNodeDrained, same file."""
    state = set(node["state"])
    return "DRAIN" in state and not state & {"UNDRAIN", "ALLOCATED", "MIXED", "COMPLETING"}


def remove_node(name: str) -> Request:
    """Take a node out of Slurm; RemoveNode, same file."""
    return Request("DELETE", f"node/{name}")


def job(pods: Sequence[str], nodes: Sequence[str], partition: str, *, exclusive: bool = True, **info: Any) -> Body:
    """Return the description of the job of some pods, each named as namespace/name, which may run on `nodes`.

    `info` are annotations and what is derived from the pods, by the names of Slurm's fields.
    internal/scheduler/plugins/slurmbridge/slurmcontrol/slurmcontrol.go, submitJob; `nodes` from slurmbridge.go,
    PostFilter; for a single pod internal/utils/slurmjobir/pod.go, fromPod.
    """
    single = {"tasks_per_node": 1, "maximum_nodes": 1} if len(pods) == 1 else {}
    numbers = {name: _number(info.pop(name, None)) for name in ("memory_per_node", "priority", "time_limit")}
    return {
        "admin_comment": json.dumps({"pods": list(pods)}, separators=(",", ":")),
        "current_working_directory": "/tmp",
        "flags": ["EXTERNAL_JOB"],
        "mcs_label": MCS_LABEL,
        "nodes": str(len(pods)),
        "required_nodes": list(nodes),
        "partition": partition,
        # sharedFromExclusiveAnnotation, same file.
        "shared": ["none"] if exclusive else [],
        **numbers,
        **single,
        **info,
    }


def gang(pods: Sequence[str]) -> Body:
    """Return what a PodGroup adds, all of whose pods run or none: podgroup.go and podgroup_coscheduling.go."""
    return {"minimum_nodes": len(pods), "maximum_nodes": len(pods), "tasks_per_node": 1}


def submit(description: Body) -> Request:
    """Submit the job of pods; submitJob."""
    return Request("POST", "job/submit", {"job": description})


def update(number: int, description: Body) -> Request:
    """Bring a waiting job up to date, which the bridge does in every scheduling cycle; submitJob."""
    return Request("POST", f"job/{number}", description)


def end(number: int) -> Request:
    """End a job because its pods have ended: internal/controller/pod/slurmcontrol/slurmcontrol.go, TerminateJob."""
    return Request("DELETE", f"job/{number}")


def resources(number: int) -> Request:
    """Ask for cores and devices of a running job; GetResources, in the file of submitJob."""
    return Request("GET", f"resources/{number}")


def _number(value: int | None) -> Body:
    return {"set": False} if value is None else {"infinite": False, "number": value, "set": True}

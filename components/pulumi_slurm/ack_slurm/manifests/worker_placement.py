"""How many workers a Kubernetes node has, and that Kubernetes ends other pods first."""

from typing import Any

from pulumi_slurm.ack_slurm.manifests.groups import Group
from pulumi_slurm.ack_slurm.manifests.names import TYPE_LABEL
from pulumi_slurm.ack_slurm.model.pods import WorkerRequestsSpec
from pulumi_slurm.manifests.objects import Manifest

NODE_CRITICAL = "system-node-critical"
"""The PriorityClass of workers that request less than they use. A node that is short of memory would end those first:
https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#pod-selection-for-kubelet-eviction ranks
pods above their requests first. With this class the kubelet ends them for no pressure (IsCriticalPod in
pkg/kubelet/types/pod_update.go of Kubernetes), and the kernel last (oom_score_adj -997)."""


def worker_resources(group: Group, requests: WorkerRequestsSpec | None) -> Manifest | None:
    """Return a worker's requests and limits; the limits are the size of its node in Slurm. None without a machine."""
    machine = group.machine
    if machine is None:
        return None
    limits = {"cpu": str(machine.cpus), "memory": f"{machine.memory_mib}Mi"}
    # Kubernetes doesn't share devices, so these are requested as a whole.
    requested = {"cpu": requests.cpu, "memory": requests.memory} if requests else limits
    return {"requests": {**requested, **machine.devices}, "limits": {**limits, **machine.devices}}


def alone_on_its_node(affinity: dict[str, Any]) -> dict[str, Any]:
    """Return a worker's affinity, with which no other worker of any cluster is on its node.

    Each has the whole node in Slurm, and requests too little for Kubernetes to keep two of them apart.
    """
    term = {
        "labelSelector": {"matchLabels": {TYPE_LABEL: "worker"}},
        "namespaceSelector": {},
        "topologyKey": "kubernetes.io/hostname",
    }
    field = "requiredDuringSchedulingIgnoredDuringExecution"
    pod_anti_affinity = affinity.get("podAntiAffinity", {})
    terms = [*pod_anti_affinity.get(field, []), term]
    return {**affinity, "podAntiAffinity": {**pod_anti_affinity, field: terms}}

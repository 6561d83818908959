"""How many workers a Kubernetes node has, and which pods Kubernetes places and ends before others."""

from collections.abc import Sequence
from typing import Any

from pulumi_slurm.ack_slurm.manifests.groups import Group
from pulumi_slurm.ack_slurm.manifests.names import TYPE_LABEL
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.model.pods import WorkerRequestsSpec
from pulumi_slurm.manifests.objects import Manifest, cluster_wide
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

HIGHEST_PRIORITY = 1_000_000_000
"""The highest value of a PriorityClass that isn't Kubernetes' own: HighestUserDefinablePriority in
pkg/apis/scheduling/types.go of Kubernetes."""


def priority_class(spec: SlurmSpec, group: Group, ack: AckSlurmSpec) -> str | None:
    """Return the name of the PriorityClass of a group's workers that is made for them; None where they have another.

    They have one if they request less than they use. A node that is short of memory ends such pods first, and of these
    those of lower priority:
    https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#pod-selection-for-kubelet-eviction.
    A PriorityClass is in no namespace. No name of a namespace or of a cluster has a dot, so no other cluster has this
    one; with "system-" none may begin.
    """
    has_another = group.node_set.pod.priority_class_name or spec.priority_class_name
    if has_another or not ack.worker_requests(group.name):
        return None
    return f"slurm-workers.{spec.namespace}.{spec.name}"


def worker_priority(spec: SlurmSpec, groups: Sequence[Group], ack: AckSlurmSpec) -> list[Manifest]:
    """Return the PriorityClass of workers; empty where none of the groups has it.

    It never has the scheduler end other pods to make room: a worker asks for all GPUs of its node, and others may have
    some. system-node-critical would, and admission takes no other policy for pods of that class.
    """
    names = {name for group in groups if (name := priority_class(spec, group, ack))}
    return [
        {
            **cluster_wide("scheduling.k8s.io/v1", "PriorityClass", ClusterRef.of(spec), name),
            "value": HIGHEST_PRIORITY,
            "preemptionPolicy": "Never",
            "description": f"Workers of the Slurm cluster {spec.name} in the namespace {spec.namespace}",
        }
        for name in names
    ]


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

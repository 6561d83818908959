"""Taints and labels of a pool's nodes: those to set on the pool, and those that GKE adds by itself.

Sources: GPU nodes, https://cloud.google.com/kubernetes-engine/docs/how-to/gpus; Arm nodes,
https://cloud.google.com/kubernetes-engine/docs/how-to/prepare-arm-workloads-for-deployment; queued provisioning,
https://cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest. No taint is documented for spot, nor for
flex-start without a queue.
"""

from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.gke.model import GkeCapacity
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import Architecture
from pulumi_slurm.model import TaintSpec
from pulumi_slurm.model.machine import taint_identity, unique_taints

QUEUED = "cloud.google.com/gke-queued"
"""The key of a taint and of a label of queued nodes. GKE sets the taint but not the label."""


def taints_to_set(planned: GkePlannedPool) -> list[TaintSpec]:
    """Return the taints to set on the pool: that of a dedicated pool, then the user's.

    Taints that GKE adds anyway are omitted, because with them every refresh would show a difference.
    """
    dedicated = [TaintSpec(key=POOL_LABEL, value=planned.name)] if planned.pool.dedicated else []
    added_by_gke = {taint_identity(taint) for taint in _added_by_gke(planned)}
    configured = [taint for taint in planned.pool.taints if taint_identity(taint) not in added_by_gke]
    return unique_taints([*dedicated, *configured])


def all_taints(planned: GkePlannedPool) -> list[TaintSpec]:
    """Return all taints of the pool's nodes, those to set first; pods of its node sets tolerate all of them."""
    return unique_taints([*taints_to_set(planned), *_added_by_gke(planned)])


def node_labels(planned: GkePlannedPool) -> dict[str, str]:
    """Return the labels to set on the pool's nodes."""
    queued = {QUEUED: "true"} if planned.capacity_option.capacity is GkeCapacity.QUEUED else {}
    return {**planned.pool.node_labels, **queued}


def _added_by_gke(planned: GkePlannedPool) -> list[TaintSpec]:
    taints = []
    if planned.machine_type.gpus:
        taints.append(TaintSpec(key="nvidia.com/gpu", value="present"))
    if planned.machine_type.architecture is Architecture.ARM64:
        taints.append(TaintSpec(key="kubernetes.io/arch", value="arm64"))
    if planned.capacity_option.capacity is GkeCapacity.QUEUED:
        taints.append(TaintSpec(key=QUEUED, value="true"))
    return taints

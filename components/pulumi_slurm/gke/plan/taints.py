"""Taints and labels of a pool's nodes: those that we set, and those that GKE adds by itself.

Sources: GPU nodes, https://cloud.google.com/kubernetes-engine/docs/how-to/gpus; Arm nodes,
https://cloud.google.com/kubernetes-engine/docs/how-to/prepare-arm-workloads-for-deployment; queued provisioning,
https://cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest. No taint is documented for spot and for
flex-start without a queue.
"""

from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.gke.model import GkeCapacity
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import Architecture
from pulumi_slurm.model import TaintSpec
from pulumi_slurm.model.machine import taint_identity, unique_taints

QUEUED = "cloud.google.com/gke-queued"
"""Key of a taint and of a label of nodes that wait in a queue. GKE sets the taint and leaves the label to us."""


def own_taints(planned: GkePlannedPool) -> list[TaintSpec]:
    """Return the taints that we set on the pool: that of a dedicated pool, then the user's.

    One that GKE adds anyway is left out, since stating it would make each refresh show a difference.
    """
    dedicated = [TaintSpec(key=POOL_LABEL, value=planned.name)] if planned.pool.dedicated else []
    added = {taint_identity(taint) for taint in _added_by_gke(planned)}
    stated = [taint for taint in planned.pool.taints if taint_identity(taint) not in added]
    return unique_taints([*dedicated, *stated])


def all_taints(planned: GkePlannedPool) -> list[TaintSpec]:
    """Return every taint that the pool's nodes have, ours first; pods of its node sets tolerate them all."""
    return unique_taints([*own_taints(planned), *_added_by_gke(planned)])


def node_labels(planned: GkePlannedPool) -> dict[str, str]:
    """Return the labels that we set on the pool's nodes."""
    queued = {QUEUED: "true"} if planned.capacity_option.capacity is GkeCapacity.QUEUED else {}
    return {**planned.pool.node_labels, **queued}


def _added_by_gke(planned: GkePlannedPool) -> list[TaintSpec]:
    found = []
    if planned.machine_type.gpus:
        found.append(TaintSpec(key="nvidia.com/gpu", value="present"))
    if planned.machine_type.architecture is Architecture.ARM64:
        found.append(TaintSpec(key="kubernetes.io/arch", value="arm64"))
    if planned.capacity_option.capacity is GkeCapacity.QUEUED:
        found.append(TaintSpec(key=QUEUED, value="true"))
    return found

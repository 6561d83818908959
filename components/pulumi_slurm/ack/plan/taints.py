"""Taints and labels of a pool's nodes: those from the specification, and those that ACK adds.

ACK documents no taints for nodes with GPUs or for spot nodes. Pods of Arm pools tolerate a taint of Arm nodes, whether
ACK sets it or not.
"""

from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.machines.ack import DRIVER_LABEL, Architecture
from pulumi_slurm.model import TaintSpec
from pulumi_slurm.model.machine import unique_taints


def taints_to_set(planned: AckPlannedPool) -> list[TaintSpec]:
    """Return the taints to set on the pool: that of a dedicated pool, then the user's."""
    dedicated = [TaintSpec(key=POOL_LABEL, value=planned.name)] if planned.pool.dedicated else []
    return unique_taints([*dedicated, *planned.pool.taints])


def all_taints(planned: AckPlannedPool) -> list[TaintSpec]:
    """Return all taints that the pool's nodes may have, with which pods of its node sets need tolerations."""
    is_arm = planned.machine_type.architecture is Architecture.ARM64
    arm_taints = [TaintSpec(key="kubernetes.io/arch", value="arm64")] if is_arm else []
    return unique_taints([*taints_to_set(planned), *arm_taints])


def node_labels(planned: AckPlannedPool) -> dict[str, str]:
    """Return the labels to set on the pool's nodes: the user's, the pool's name and the driver's version."""
    driver_label = {DRIVER_LABEL: planned.pool.driver_version} if planned.pool.driver_version else {}
    return {**planned.pool.node_labels, POOL_LABEL: planned.name, **driver_label}

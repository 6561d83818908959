"""Taints and labels of a pool's nodes: those that we set, and those that ACK adds by itself.

ACK documents no taint for nodes with GPUs and for spot ones. Pods of Arm pools tolerate one of Arm nodes, whether ACK
sets it or not; see docs/verification.md.
"""

from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.machines.ack import DRIVER_LABEL, Architecture
from pulumi_slurm.model import TaintSpec
from pulumi_slurm.model.machine import unique_taints


def own_taints(planned: AckPlannedPool) -> list[TaintSpec]:
    """Return the taints that we set on the pool: that of a dedicated pool, then the user's."""
    dedicated = [TaintSpec(key=POOL_LABEL, value=planned.name)] if planned.pool.dedicated else []
    return unique_taints([*dedicated, *planned.pool.taints])


def all_taints(planned: AckPlannedPool) -> list[TaintSpec]:
    """Return every taint that the pool's nodes may have, ours first; pods of its node sets tolerate them all."""
    arm = planned.machine_type.architecture is Architecture.ARM64
    return unique_taints([*own_taints(planned), *([TaintSpec(key="kubernetes.io/arch", value="arm64")] if arm else [])])


def node_labels(planned: AckPlannedPool) -> dict[str, str]:
    """Return the labels that we set on the pool's nodes: the user's, the pool's name, the driver's version."""
    driver = {DRIVER_LABEL: planned.pool.driver_version} if planned.pool.driver_version else {}
    return {**planned.pool.node_labels, POOL_LABEL: planned.name, **driver}

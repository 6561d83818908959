"""What is left of a pool's nodes for pods."""

from pulumi_slurm.gke.plan.image_streaming import image_streaming_gib
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import machine as left_of
from pulumi_slurm.model.machine import MachineSpec


def node_machine(planned: GkePlannedPool) -> MachineSpec:
    """Return what GKE leaves of a node for pods; raise the machine type's error when that is nothing."""
    streaming = image_streaming_gib(planned.machine_type.memory_gib) if planned.pool.image_streaming else 0.0
    return left_of(planned.machine_type, daemon_memory_gib=streaming)

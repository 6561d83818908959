"""The allocatable resources of a pool's nodes."""

from pulumi_slurm.gke.plan.image_streaming import image_streaming_gib
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import machine
from pulumi_slurm.model.machine import MachineSpec


def node_machine(planned: GkePlannedPool) -> MachineSpec:
    """Return the allocatable resources of a node; raise the machine type's error if there are none."""
    streaming = image_streaming_gib(planned.machine_type.memory_gib) if planned.pool.image_streaming else 0.0
    return machine(planned.machine_type, daemon_memory_gib=streaming)

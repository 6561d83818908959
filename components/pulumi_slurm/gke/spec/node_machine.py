"""What is left of a pool's nodes for pods."""

from ...machines.gke import machine as left_of
from ...spec.machine import Machine
from .image_streaming import image_streaming_gib
from .planned_pool import PlannedPool


def node_machine(planned: PlannedPool) -> Machine:
    """Return what GKE leaves of a node for pods; raise the machine type's mistake when that is nothing."""
    streaming = image_streaming_gib(planned.machine_type.memory_gib) if planned.pool.image_streaming else 0.0
    return left_of(planned.machine_type, daemon_memory_gib=streaming)

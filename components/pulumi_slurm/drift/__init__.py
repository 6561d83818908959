"""What is not as a stack's file says, in Slurm's own memory and in the objects of Kubernetes.

Three ways: the file, the objects, and Slurm's memory. Each finding says whose it is, the way back, and how the file
adopts it, where it can.
"""

from collections.abc import Sequence

from pulumi_slurm.drift.finding import Adoption, Change, Finding, Kind, in_order
from pulumi_slurm.drift.nodes import of_nodes
from pulumi_slurm.drift.others import of_release, of_reservations
from pulumi_slurm.drift.partitions import of_partitions
from pulumi_slurm.errors import Path
from pulumi_slurm.live import Look
from pulumi_slurm.model import NodePoolSpec, SlurmSpec

CLUSTER: Path = ("slurm:cluster",)
"""Where a stack's file has the cluster."""


def of_slurm(spec: SlurmSpec, pools: Sequence[NodePoolSpec], look: Look) -> list[Finding]:
    """Return what is not as specified in the memory of slurmctld, in order."""
    return in_order(
        [
            *of_partitions(spec, look, CLUSTER),
            *of_nodes(spec, pools, look, CLUSTER),
            *of_reservations(look),
            *of_release(look),
        ]
    )


__all__ = ["CLUSTER", "Adoption", "Change", "Finding", "Kind", "in_order", "of_slurm"]

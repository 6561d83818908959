"""What is not as a stack's file says, in Slurm's own memory and in the objects of Kubernetes.

Three ways: the file, the objects, and Slurm's memory. Each finding says whose it is, the way back, and how the file
adopts it, where it can.
"""

from collections.abc import Sequence

from pulumi_slurm.errors import Path
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm_cli.drift.database import has_database, of_database
from pulumi_slurm_cli.drift.finding import APPEND, Adoption, Change, Finding, Kind, in_order, removals_last
from pulumi_slurm_cli.drift.nodes import of_nodes
from pulumi_slurm_cli.drift.objects import COMPARED, LiveList, of_objects
from pulumi_slurm_cli.drift.others import of_release, of_reservations
from pulumi_slurm_cli.drift.partitions import of_partitions
from pulumi_slurm_cli.drift.settings import of_settings
from pulumi_slurm_cli.live import DatabaseLook, Look

CLUSTER: Path = ("slurm:cluster",)
"""Where a stack's file has the cluster."""


def of_slurm(
    spec: SlurmSpec, pools: Sequence[NodePoolSpec], look: Look, database: DatabaseLook | None = None
) -> list[Finding]:
    """Return what is not as specified in the memory of slurmctld, and in the database if it was looked at, in order."""
    return in_order(
        [
            *of_partitions(spec, look, CLUSTER),
            *of_nodes(spec, pools, look, CLUSTER),
            *of_settings(spec, pools, look, CLUSTER),
            *of_reservations(look),
            *of_release(look),
            *(of_database(spec, database, CLUSTER) if database else ()),
        ]
    )


__all__ = [
    "APPEND",
    "CLUSTER",
    "COMPARED",
    "Adoption",
    "Change",
    "Finding",
    "Kind",
    "LiveList",
    "has_database",
    "in_order",
    "of_objects",
    "of_slurm",
    "removals_last",
]

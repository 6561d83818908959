"""The instance types of the simulated Alibaba Cloud: those of the catalogue, and those that a test adds."""

from math import floor
from typing import TYPE_CHECKING

from pydantic_core import PydanticCustomError

from tests.clouds.simulator.kind import Scope

if TYPE_CHECKING:
    from pulumi_slurm.machines.ack import AckMachineTypeSpec


def machine_of(name: str, scope: Scope) -> "AckMachineTypeSpec | None":
    """Return an instance type, or None where there is none of this name."""
    # Here, because the engine starts the provider twice for each command, and most never come to a node pool.
    from pulumi_slurm.machines.ack import AckCatalogueSpec  # noqa: PLC0415

    more = scope.cloud.settings.get("machineTypes", [])
    try:
        return AckCatalogueSpec.model_validate({"machine_types": more}).find(name)
    except PydanticCustomError:
        return None


def most_pods(kind: "AckMachineTypeSpec", flannel_pods: int | None) -> int:
    """Return how many pods a node takes: what the cluster was made with, or with Terway what its interfaces hold."""
    from pulumi_slurm.machines.ack import max_pods  # noqa: PLC0415
    from pulumi_slurm.machines.ack.allocatable import PODS_IF_UNKNOWN  # noqa: PLC0415

    return flannel_pods or max_pods(kind) or PODS_IF_UNKNOWN


def can_join(kind: "AckMachineTypeSpec") -> bool:
    """Say whether Terway has addresses enough for a node of this type."""
    from pulumi_slurm.machines.ack import check_terway  # noqa: PLC0415

    try:
        check_terway(kind)
    except PydanticCustomError:
        return False
    return True


def capacity(kind: "AckMachineTypeSpec", pods: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return the CPUs and the memory that a node has, and what ACK leaves of them for pods."""
    from pulumi_slurm.machines.ack import allocatable  # noqa: PLC0415
    from pulumi_slurm.machines.ack.allocatable import KERNEL_SHARE  # noqa: PLC0415

    memory = kind.memory_gib * KERNEL_SHARE
    left = allocatable(kind.vcpus, memory, pods)
    return (
        {"cpu": str(kind.vcpus), "memory": _kib(memory)},
        {"cpu": f"{floor(left.cpus * 1000)}m", "memory": _kib(left.memory_gib)},
    )


def _kib(gib: float) -> str:
    return f"{floor(gib * 1024 * 1024)}Ki"

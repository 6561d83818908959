"""The instance types of the simulated Alibaba Cloud: those of the catalogue, and those that a test adds."""

from math import floor
from typing import TYPE_CHECKING

from pydantic_core import PydanticCustomError

from tests.clouds.simulator.kind import Scope

if TYPE_CHECKING:
    from pulumi_slurm.machines.ack import AckMachineTypeSpec


def machine_of(name: str, scope: Scope) -> "AckMachineTypeSpec | None":
    """Return an instance type, or None if there is none with this name."""
    # Imported here, because the engine starts the provider twice for each command, and most need no node pool.
    from pulumi_slurm.machines.ack import AckCatalogueSpec  # noqa: PLC0415

    added_types = scope.cloud.settings.get("machineTypes", [])
    try:
        return AckCatalogueSpec.model_validate({"machine_types": added_types}).find(name)
    except PydanticCustomError:
        return None


def most_pods(machine_type: "AckMachineTypeSpec", flannel_pods: int | None) -> int:
    """Return how many pods a node can have: with Flannel by the cluster, with Terway by its interfaces."""
    from pulumi_slurm.machines.ack import max_pods  # noqa: PLC0415
    from pulumi_slurm.machines.ack.allocatable import PODS_IF_UNKNOWN  # noqa: PLC0415

    return flannel_pods or max_pods(machine_type) or PODS_IF_UNKNOWN


def can_join(machine_type: "AckMachineTypeSpec") -> bool:
    """Return whether Terway has enough addresses for a node of this type."""
    from pulumi_slurm.machines.ack import check_terway  # noqa: PLC0415

    try:
        check_terway(machine_type)
    except PydanticCustomError:
        return False
    return True


def capacity(machine_type: "AckMachineTypeSpec", pods: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return the CPUs and memory of a node, and the part of them that pods can use."""
    from pulumi_slurm.machines.ack import allocatable  # noqa: PLC0415
    from pulumi_slurm.machines.ack.allocatable import KERNEL_SHARE  # noqa: PLC0415

    memory = machine_type.memory_gib * KERNEL_SHARE
    remaining = allocatable(machine_type.vcpus, memory, pods)
    return (
        {"cpu": str(machine_type.vcpus), "memory": _kib(memory)},
        {"cpu": f"{floor(remaining.cpus * 1000)}m", "memory": _kib(remaining.memory_gib)},
    )


def _kib(gib: float) -> str:
    return f"{floor(gib * 1024 * 1024)}Ki"

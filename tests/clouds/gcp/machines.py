"""The machine types of the simulated Google: those of the catalogue, and those that a test adds."""

from math import floor
from typing import TYPE_CHECKING

from pydantic_core import PydanticCustomError

from tests.clouds.simulator.kind import Scope

if TYPE_CHECKING:
    from pulumi_slurm.machines.gke import GkeMachineTypeSpec


def machine_of(name: str, scope: Scope) -> "GkeMachineTypeSpec | None":
    """Return a machine type, or None where Google has none of this name."""
    # Here, because the engine starts the provider twice for each command, and most never come to a node pool.
    from pulumi_slurm.machines.gke import GkeCatalogueSpec  # noqa: PLC0415

    more = scope.cloud.settings.get("machineTypes", [])
    try:
        return GkeCatalogueSpec.model_validate({"machine_types": more}).find(name)
    except PydanticCustomError:
        return None


def capacity(kind: "GkeMachineTypeSpec") -> tuple[dict[str, str], dict[str, str]]:
    """Return the CPUs and the memory that a node has, and what GKE leaves of them for pods."""
    from pulumi_slurm.machines.gke import allocatable  # noqa: PLC0415
    from pulumi_slurm.machines.gke.allocatable import KERNEL_SHARE  # noqa: PLC0415

    memory = kind.memory_gib * KERNEL_SHARE
    remaining = allocatable(kind.vcpus, memory)
    return (
        {"cpu": str(kind.vcpus), "memory": _kib(memory)},
        {"cpu": f"{floor(remaining.cpus * 1000)}m", "memory": _kib(remaining.memory_gib)},
    )


def _kib(gib: float) -> str:
    return f"{floor(gib * 1024 * 1024)}Ki"

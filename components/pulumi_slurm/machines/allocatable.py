"""The part of a machine that Kubernetes and a cloud leave for pods, and formulas in slices."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor

from pulumi_slurm.errors import field_error
from pulumi_slurm.machines.machine_type import MachineGpuSpec
from pulumi_slurm.model.machine import GpuSpec, MachineSpec, slurmd_fits


@dataclass(frozen=True)
class Allocatable:
    """The part for pods."""

    cpus: float
    """CPUs, with fractions."""
    memory_gib: float
    """Memory in GiB, with fractions; below 0 for a machine that is too small."""


def slurmd_machine(
    allocatable: Allocatable,
    gpus: MachineGpuSpec | None,
    *,
    daemon_cpus: float,
    daemon_memory_gib: float,
    cloud: str,
    fix: str,
) -> MachineSpec:
    """Return what slurmd can use: whole CPUs, MiB, and the GPUs.

    ``daemon_cpus`` and ``daemon_memory_gib`` are what DaemonSets ask for. Raises the field's error when too little is
    left: ``cloud`` says who has taken the rest, ``fix`` what to write.
    """
    cpus = floor(allocatable.cpus - daemon_cpus)
    mib = floor((allocatable.memory_gib - daemon_memory_gib) * 1024)
    if not slurmd_fits(cpus, mib):
        raise field_error(
            f"{cloud} and its daemons leave {max(cpus, 0)} whole CPUs and {max(mib, 0)} MiB of this machine", fix
        )
    slurm_gpus = GpuSpec(type=gpus.gres_type, count=gpus.count) if gpus else None
    return MachineSpec(cpus=cpus, memory=f"{mib}Mi", gpus=slurm_gpus)


def part_of_slices(amount: float, slices: Iterable[tuple[float, float]]) -> float:
    """Return the part that is kept of an amount; each slice is a size, of which a part between 0 and 1 is kept.

    The slices come one after the other: of ``((1, 0.06), (inf, 0.01))`` the first unit gives 6 %, all others give 1 %.
    """
    kept = 0.0
    for size, part in slices:
        kept += min(amount, size) * part
        amount -= min(amount, size)
    return kept

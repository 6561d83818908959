"""What Kubernetes and a cloud leave of a machine for pods, and how formulas in slices are reckoned."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor

from pulumi_slurm.errors import field_error
from pulumi_slurm.model.machine import GpuSpec, MachineSpec, slurmd_fits


@dataclass(frozen=True)
class Allocatable:
    """What is left for pods."""

    cpus: float
    """CPUs, with fractions."""
    memory_gib: float
    """Memory in GiB, with fractions; below 0 for a machine that is too small."""


def machine_of(left: Allocatable, gpus: GpuSpec | None, *, cloud: str, fix: str) -> MachineSpec:
    """Return what is left as slurmd has it: whole CPUs, MiB, and the GPUs.

    Raises the field's error when that is nothing: ``cloud`` says who has taken the rest, ``fix`` what to write.
    """
    cpus, mib = floor(left.cpus), floor(left.memory_gib * 1024)
    if not slurmd_fits(cpus, mib):
        raise field_error(
            f"{cloud} and its daemons leave {max(cpus, 0)} whole CPUs and {max(mib, 0)} MiB of this machine", fix
        )
    return MachineSpec(cpus=cpus, memory=f"{mib}Mi", gpus=gpus)


def part_of_slices(amount: float, slices: Iterable[tuple[float, float]]) -> float:
    """Return the part that is kept of an amount; each slice is a size, of which a part between 0 and 1 is kept.

    The slices come one after the other: of ``((1, 0.06), (inf, 0.01))`` the first unit gives 6 %, all others give 1 %.
    """
    kept = 0.0
    for size, part in slices:
        kept += min(amount, size) * part
        amount -= min(amount, size)
    return kept

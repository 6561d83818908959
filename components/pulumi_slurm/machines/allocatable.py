"""What Kubernetes and a cloud leave of a machine for pods, and how formulas in slices are reckoned."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Allocatable:
    """What is left for pods."""

    cpus: float
    """CPUs, with fractions."""
    memory_gib: float
    """Memory in GiB, with fractions; below 0 for a machine that is too small."""


def part_of_slices(amount: float, slices: Iterable[tuple[float, float]]) -> float:
    """Return the part that is kept of an amount; each slice is a size, of which a part between 0 and 1 is kept.

    The slices come one after the other: of ``((1, 0.06), (inf, 0.01))`` the first unit gives 6 %, all others give 1 %.
    """
    kept = 0.0
    for size, part in slices:
        kept += min(amount, size) * part
        amount -= min(amount, size)
    return kept

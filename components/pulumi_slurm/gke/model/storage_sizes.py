"""Sizes of storage, which go in steps."""

from typing import NamedTuple

from pulumi_slurm.errors import Mistake, Path
from pulumi_slurm.model.base import Model


class Sizes(NamedTuple):
    """Which sizes can be had, in GiB."""

    least: int
    most: int
    step: int = 1
    large: int | None = None
    """From where on the other step counts."""
    large_step: int = 1


def size_mistakes(model: Model, gib: int, sizes: Sizes, of: str, rests_on: Path) -> list[Mistake]:
    """Return what is wrong with ``capacity_gib`` of a model, ``gib``, for a tier that people call ``of``."""
    is_large = sizes.large is not None and gib >= sizes.large
    step = sizes.large_step if is_large else sizes.step
    if gib < sizes.least:
        problem, remedy = f"the smallest {of} has {sizes.least}", f"Write {sizes.least} or more."
    elif gib > sizes.most:
        problem, remedy = f"the largest {of} has {sizes.most}", f"Write {sizes.most} or less."
    elif gib % step:
        below = gib // step * step
        problem, remedy = f"sizes {of} go in steps of {step}", f"Write {below} or {below + step}."
    else:
        return []
    value = gib if "capacity_gib" in model.model_fields_set else Mistake.ABSENT
    return [Mistake(("capacity_gib",), value, problem, remedy, rests_on=(rests_on,))]

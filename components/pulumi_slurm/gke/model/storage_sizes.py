"""Sizes of storage, which go in steps."""

from typing import NamedTuple

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.base import Model


class Sizes(NamedTuple):
    """Which sizes can be had, in GiB."""

    least: int
    most: int
    step: int = 1
    large: int | None = None
    """From where on the other step counts."""
    large_step: int = 1


def size_errors(model: Model, gib: int, sizes: Sizes, of: str, depends_on_fields: Path) -> list[FieldError]:
    """Return what is wrong with ``capacity_gib`` of a model, ``gib``, for a tier that people call ``of``."""
    is_large = sizes.large is not None and gib >= sizes.large
    step = sizes.large_step if is_large else sizes.step
    if gib < sizes.least:
        problem, fix = f"the smallest {of} has {sizes.least}", f"Write {sizes.least} or more."
    elif gib > sizes.most:
        problem, fix = f"the largest {of} has {sizes.most}", f"Write {sizes.most} or less."
    elif gib % step:
        below = gib // step * step
        problem, fix = f"sizes {of} go in steps of {step}", f"Write {below} or {below + step}."
    else:
        return []
    value = gib if "capacity_gib" in model.model_fields_set else FieldError.ABSENT
    return [FieldError(("capacity_gib",), value, problem, fix, depends_on_fields=(depends_on_fields,))]

"""The sizes in which storage is available."""

from collections.abc import Iterator
from typing import NamedTuple

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.base import Model


class Sizes(NamedTuple):
    """The sizes of a tier, in GiB."""

    min: int
    max: int
    step: int = 1
    large: int | None = None
    """The size from which on `large_step` applies instead of `step`."""
    large_step: int = 1


def size_errors(model: Model, gib: int, sizes: Sizes, tier: str, tier_field: Path) -> Iterator[FieldError]:
    """Yield the error of ``gib``, the ``capacity_gib`` of a model.

    ``tier`` describes the tier in the message, for example "of tier ZONAL", and ``tier_field`` is the field that sets
    it.
    """
    is_large = sizes.large is not None and gib >= sizes.large
    step = sizes.large_step if is_large else sizes.step
    if gib < sizes.min:
        problem, fix = f"the smallest {tier} has {sizes.min}", f"Write {sizes.min} or more."
    elif gib > sizes.max:
        problem, fix = f"the largest {tier} has {sizes.max}", f"Write {sizes.max} or less."
    elif gib % step:
        below = gib // step * step
        problem, fix = f"sizes {tier} go in steps of {step}", f"Write {below} or {below + step}."
    else:
        return
    value = gib if "capacity_gib" in model.model_fields_set else FieldError.ABSENT
    yield FieldError(("capacity_gib",), value, problem, fix, depends_on_fields=(tier_field,))

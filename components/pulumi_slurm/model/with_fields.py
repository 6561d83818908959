"""Models with some of their fields changed."""

from typing import Any, TypeVar

from pulumi_slurm.model.base import Model

M = TypeVar("M", bound=Model)


def explicit_fields(model: Model) -> dict[str, Any]:
    """Return the fields that were given to a model, as `changed` and constructors take them."""
    return {name: getattr(model, name) for name in model.model_fields_set}


def with_fields(model: M, **fields: Any) -> M:
    """Return the model with some fields changed. Raises SpecError where one of them is refused by the model itself."""
    return type(model)(**{**explicit_fields(model), **fields})

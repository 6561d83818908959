"""Copies of models with some of their fields changed."""

from typing import Any, TypeVar

from pulumi_slurm.model.base import Model

M = TypeVar("M", bound=Model)


def explicit_fields(model: Model) -> dict[str, Any]:
    """Return the fields that were passed to a model's constructor, to pass them to another."""
    return {name: getattr(model, name) for name in model.model_fields_set}


def with_fields(model: M, **fields: Any) -> M:
    """Return a copy of the model with some fields changed; raise SpecError if the model refuses one of them."""
    return type(model)(**{**explicit_fields(model), **fields})

"""Models with some of their fields changed."""

from typing import Any, TypeVar

from .model import Model

M = TypeVar("M", bound=Model)


def stated(model: Model) -> dict[str, Any]:
    """Return the fields that were given to a model, as `changed` and constructors take them."""
    return {name: getattr(model, name) for name in model.model_fields_set}


def changed(model: M, **fields: Any) -> M:
    """Return the model with some fields changed. Its rules run again: raises SpecError where one is broken."""
    return type(model)(**{**stated(model), **fields})

"""What a component shows of a specification in a preview: its own part alone.

With the whole of it, a change of one pool would show as a change of every component. Where a component follows other
parts, as the VPC follows the fast networks of pools, its resources show it.
"""

from collections.abc import Iterable
from typing import Any

from pulumi_slurm.model.base import Model

PLACE = ("project", "region", "name")
"""The fields of a GKE specification that nearly all components share."""


def inputs(model: Model, fields: Iterable[str], **own: Any) -> dict[str, Any]:
    """Return some fields of a model as a configuration has them, and beside them what is the component's own.

    Fields that have their defaults are left out. None of them may be a secret. Keys of ``own`` are in camelCase.
    """
    wanted = set(fields)
    assert wanted <= type(model).model_fields.keys(), "a field of this name would silently be missing"
    return {**model.model_dump(mode="json", by_alias=True, exclude_defaults=True, include=wanted), **own}

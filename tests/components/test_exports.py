"""Everything that a program needs to write the arguments of a component can be imported from a package's top."""

from collections.abc import Iterator
from enum import Enum
from types import ModuleType
from typing import Any

import pytest

import pulumi_slurm
from pulumi_slurm import ack, ack_slurm, gke
from pulumi_slurm.errors.annotations import classes_in
from pulumi_slurm.model.base import Model


def exported(package: ModuleType) -> set[type]:
    values = [getattr(package, name) for name in package.__all__]
    return {value for value in values if isinstance(value, type)}


def within(annotation: Any) -> Iterator[type]:
    """Yield the models and enums that a field's annotation names."""
    yield from (kind for kind in classes_in(annotation) if issubclass(kind, Model | Enum))


def reached(model: type, found: set[type]) -> set[type]:
    """Return what has been found, and all that the fields of a model lead to."""
    if model in found:
        return found
    found.add(model)
    for field in model.model_fields.values() if issubclass(model, Model) else ():
        for inner in within(field.annotation):
            reached(inner, found)
    return found


@pytest.mark.parametrize("package", [pulumi_slurm, gke, ack_slurm, ack], ids=lambda package: package.__name__)
def test_what_arguments_lead_to_can_be_imported(package: ModuleType) -> None:
    needed: set[type] = set()
    for value in exported(package):
        if issubclass(value, Model):
            reached(value, needed)
    assert needed
    assert needed <= exported(package) | exported(pulumi_slurm) | (exported(ack_slurm) if package is ack else set())

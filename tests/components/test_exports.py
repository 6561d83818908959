"""Everything that a program needs to write the arguments of a component can be imported from a package's top."""

from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import pulumi_slurm
from pulumi_slurm import ack, ack_slurm, bridge, gke
from pulumi_slurm.component_provider.components import components_of
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


@pytest.mark.parametrize(
    "package", [pulumi_slurm, bridge, gke, ack_slurm, ack], ids=lambda package: str(package.__name__)
)
def test_the_types_of_mappings_can_be_imported(package: ModuleType) -> None:
    """The annotation of a function that returns arguments, or a part of them."""
    mappings = import_module(f"{package.__name__}.dicts")
    for component in components_of(package.__name__):
        for model in reached(component.args_model(), set()):
            if issubclass(model, Model):
                name = f"{model.__name__}Dict"
                homes = [home for home in (package, pulumi_slurm, ack_slurm) if name in home.__all__]
                assert homes, name
                assert getattr(homes[0], name).__annotations__.keys() == model.model_fields.keys()
    assert {name for name, item in vars(mappings).items() if getattr(item, "__module__", "") == mappings.__name__} <= {
        *package.__all__
    }

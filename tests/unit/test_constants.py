"""Constants can't be changed: what one cluster's part of a program wrote into one would be in every other's."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType, ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

import pulumi_slurm
import pulumi_slurm_stacks

PACKAGES = (pulumi_slurm, pulumi_slurm_stacks)
MODULES = [
    module.name
    for package in PACKAGES
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    # These run a command as they are imported.
    if not module.name.endswith("__main__")
]
KEPT = {
    ("pulumi_slurm.kube.other_clusters", "_by_monitor"),
    ("pulumi_slurm.kube.hook_names", "_times"),
    ("pulumi_slurm.kube.resources", "_names_by_object"),
    ("pulumi_slurm.errors.respelling", "_models"),
}
"""What is kept of each run of a program, for all of its clusters, and which models are defined."""
OF_LIBRARIES = {"_field_defaults", "yaml_representers"}
"""Attributes by which NamedTuple and PyYAML keep what a class was told when it was defined."""


def is_mutable(value: Any) -> bool:
    # Not by isinstance, which asks the value itself: Pulumi's SDKs load all that a module has when one asks it.
    kind = type(value)
    if issubclass(kind, dict | list | set | bytearray):
        return True
    if issubclass(kind, Mapping):
        return any(map(is_mutable, value.values()))
    return issubclass(kind, tuple | frozenset) and any(map(is_mutable, value))


def mutable_constants(module: ModuleType) -> Iterator[str]:
    """Return the names of a module's constants that can be changed, and of those in its classes."""
    for name, value in vars(module).items():
        if is_mutable(value) and not name.startswith("__") and (module.__name__, name) not in KEPT:
            yield name
        # Models have their fields' defaults, which pydantic copies, and enums what Python keeps of them.
        if (
            issubclass(type(value), type)
            and value.__module__ == module.__name__
            and not issubclass(value, BaseModel | Enum)
        ):
            for attribute, constant in vars(value).items():
                if is_mutable(constant) and not attribute.startswith("__") and attribute not in OF_LIBRARIES:
                    yield f"{name}.{attribute}"


@pytest.mark.filterwarnings("ignore::DeprecationWarning:pulumi_gcp")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:pulumi_alicloud")
@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_no_constant_can_be_changed(package: ModuleType) -> None:
    names = [package.__name__, *(name for name in MODULES if name.startswith(f"{package.__name__}."))]
    assert len(names) > 10
    assert {name: found for name in names if (found := [*mutable_constants(importlib.import_module(name))])} == {}


@pytest.mark.parametrize(
    "constant",
    [{}, [], set(), ([],), {"a": 1}, MappingProxyType({"a": []}), (MappingProxyType({"a": {"b": 1}}),)],
    ids=repr,
)
def test_what_can_be_changed_is_found(constant: Any) -> None:
    module = ModuleType("some_module")
    holder = type("Holder", (), {"INNER": constant, "__module__": "some_module"})
    vars(module).update(CONSTANT=constant, FIXED=MappingProxyType({"a": (1, frozenset({2}))}), Holder=holder)
    assert list(mutable_constants(module)) == ["CONSTANT", "Holder.INNER"]

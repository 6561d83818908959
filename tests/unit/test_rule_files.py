"""Each file of rules names its rules at its end, and all of these run."""

import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType, ModuleType

import pytest

from devcluster.folders import CHECKOUT, SOURCES
from pulumi_slurm import rules
from pulumi_slurm.ack import rules as ack_rules
from pulumi_slurm.ack_slurm import rules as ack_slurm_rules
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke import rules as gke_rules

PACKAGES = (rules, gke_rules, ack_rules, ack_slurm_rules)
packages = pytest.mark.parametrize("package", PACKAGES, ids=[package.__name__ for package in PACKAGES])


def groups(module: ModuleType) -> dict[str, set[object]]:
    """Return the rules of a module by the name of their group."""
    return {name: {*value} for name, value in vars(module).items() if name.startswith("RULES")}


def files(package: ModuleType) -> list[ModuleType]:
    return [import_module(f"{package.__name__}.{file.name}") for file in pkgutil.iter_modules(package.__path__)]


@packages
def test_every_group_of_a_file_is_in_its_package(package: ModuleType) -> None:
    of_files: dict[str, set[object]] = {}
    for file in files(package):
        for name, found in groups(file).items():
            of_files.setdefault(name, set()).update(found)
    assert of_files == groups(package)


@packages
def test_every_rule_is_in_a_group(package: ModuleType) -> None:
    sources = {file: file.read_text() for folder in SOURCES for file in (CHECKOUT / folder).rglob("*.py")}
    for file in files(package):
        listed = {rule for found in groups(file).values() for rule in found}
        elsewhere = [text for source, text in sources.items() if str(source) != file.__file__]
        for name, function in vars(file).items():
            if is_rule(file, name, function) and function not in listed:
                # What others call is part of their rules.
                assert any(re.search(rf"\b{name}\b", text) for text in elsewhere), f"{file.__name__}.{name}"


def is_rule(file: ModuleType, name: str, function: object) -> bool:
    return (
        isinstance(function, FunctionType)
        and function.__module__ == file.__name__
        and not name.startswith("_")
        and inspect.signature(function).return_annotation == Iterator[FieldError]
    )

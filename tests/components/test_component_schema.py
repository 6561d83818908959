"""Pulumi can describe every component to every language: its component analyser takes them, one by one and together."""

import gc
from collections.abc import Iterator

import pulumi
import pytest
from pulumi.provider.experimental.analyzer import Analyzer
from pydantic.alias_generators import to_camel

import pulumi_slurm
from pulumi_slurm import ack, ack_slurm, bridge, gke
from pulumi_slurm.kube.component import Component

COMPONENTS: dict[str, type[pulumi.ComponentResource]] = {
    name: component
    for package in (pulumi_slurm, bridge, gke, ack_slurm, ack)
    for name in dir(package)
    if isinstance(component := getattr(package, name), type) and issubclass(component, pulumi.ComponentResource)
}


@pytest.fixture(autouse=True)
def no_collection() -> Iterator[None]:
    """Keep Python's collector away from the analyser's `ast.parse`, whose failure it takes for a missing description.

    What is collected may log a traceback, which parses as well, and until 3.11.8 and 3.12.2 one parse within another
    fails: https://github.com/python/cpython/issues/106905.
    """
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("name", sorted(COMPONENTS))
def test_a_component_has_a_schema(name: str) -> None:
    found = Analyzer("slurm").analyze([COMPONENTS[name]])["component_definitions"][name]
    assert found.description
    assert found.inputs
    # Of what arguments and components inherit, the analyser doesn't look for a description.
    args = COMPONENTS[name].__init__.__annotations__["args"]
    own = {to_camel(field) for field in args.__annotations__.keys() & args.model_fields.keys()}
    assert not [field for field in own if not found.inputs[field].description]
    component = COMPONENTS[name]
    assert issubclass(component, Component)
    inherited = {to_camel(output) for output in component.output_types().keys() - component.__annotations__}
    undescribed = {output for output, described in found.outputs.items() if not described.description}
    assert undescribed <= inherited


def test_all_of_them_have_one_together() -> None:
    found = Analyzer("slurm").analyze(list(COMPONENTS.values()))
    assert found["component_definitions"].keys() == COMPONENTS.keys()


def test_there_are_as_many_as_ever() -> None:
    assert len(COMPONENTS) == 33

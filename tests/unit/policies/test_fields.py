"""Policies look at inputs that there are: those of cases are in the clouds' SDKs, or in the operator's CRDs."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pulumi_slurm.model.releases.operator_version import RELEASES, operator_version
from tests.unit.policies.cases import cases

pytestmark = pytest.mark.unit

SLINKY = "kubernetes:slinky.slurm.net/"


def inputs_of(prefix: str) -> dict[str, list[Mapping[str, Any]]]:
    """Return the inputs of all cases by type, of types that begin so."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for _, case in cases():
        if case["type"].startswith(prefix):
            found.setdefault(case["type"], []).append(case["inputs"])
    return found


CLOUDS = {**inputs_of("gcp:"), **inputs_of("alicloud:")}


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item)


_INPUT = re.compile(r'@pulumi\.getter(?:\(name="(\w+)"\))?\s+(?:@_utilities\.deprecated\(.*\)\s+)?def (\w+)')
"""An input as the SDKs write it, in Python with another name where the first group has one."""


@cache
def names_in_the_sdk(type_token: str) -> frozenset[str]:
    """Return the names of inputs of a type, and of what its inputs hold."""
    package, module, name = type_token.split(":")
    spec = find_spec(f"pulumi_{package}")
    assert spec
    assert spec.origin
    folder = Path(spec.origin).parent / module.partition("/")[0]
    file = next(file for file in folder.glob("*.py") if f"'{type_token}'" in file.read_text())
    own = _INPUT.findall(file.read_text())
    inputs = folder / "_inputs.py"
    inner = re.findall(
        rf"class {name}\w+Args:.*?(?=^@pulumi|\Z)",
        inputs.read_text() if inputs.exists() else "",
        re.DOTALL | re.MULTILINE,
    )
    nested = [pair for text in inner for pair in _INPUT.findall(text)]
    return frozenset(pulumi or python for pulumi, python in [*own, *nested])


@pytest.mark.parametrize("type_token", CLOUDS)
def test_the_cloud_s_sdk_has_these_inputs(type_token: str) -> None:
    assert {*keys(CLOUDS[type_token])} <= names_in_the_sdk(type_token)


def paths(value: Any, above: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            path = f"{above}.{key}" if above else key
            yield path
            yield from paths(item, path)


@pytest.mark.parametrize("type_token", inputs_of(SLINKY))
def test_a_release_of_the_operator_has_these_fields(type_token: str) -> None:
    kind = type_token.rpartition(":")[2]
    releases = [*map(operator_version, RELEASES)]
    for inputs in inputs_of(SLINKY)[type_token]:
        for path in paths(inputs.get("spec", {})):
            assert any(release.has(kind, path) for release in releases), f"{kind}: spec.{path}"

"""No text of one line passes with a line break in it, whatever field of whatever model it is in.

A `$` in a regular expression of Python also matches before a line break at the end, and one without an end matches
whatever comes after. So this doesn't look at expressions alone.
"""

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import ValidationError
from pydantic.fields import FieldInfo

import pulumi_slurm
import pulumi_slurm_stacks
from devcluster.folders import CHECKOUT, SOURCES
from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.clouds.pool import CloudPoolSpec
from pulumi_slurm.errors import SpecError
from pulumi_slurm.kube.component import Args
from pulumi_slurm.model import LoginSetSpec, PodSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.units import bytes_text, memory_mib, quantity_text, slurm_seconds, slurm_time

BREAKS = ("\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029")
"""What Python, YAML, Kubernetes or a shell begins a new line after."""
TEXTS = (
    *("a", "a-b", "a_b", "ab.c", "A", "1", "8", "0", "/a", "1Gi", "100m", "50%", "1h", "1-00:00:00", "10:00"),
    *("a=1", "a:1", "a/b", "a/b:1", "a=b", "a@b", "10.0.0.0/8", "10.0.0.1", "a[1-2]", "true", "0 0 * * *", "b:a=1"),
    *("12months", "23.02.7", "25.11", "preempt/qos", "priority/basic"),
)
"""One of these is valid in most fields. In the others the line break itself has to be what is refused."""
WRITTEN_ANEW = frozenset(
    {
        *("cpu", "memory", "size", "shared_memory", "reserved_memory", "mem_per_node", "suspend_time"),
        *("max_wall", "max_time", "default_time", "time_limit", "max_run_duration"),
        *("def_mem_per_cpu", "def_mem_per_gpu", "def_mem_per_node", "max_mem_per_cpu", "max_mem_per_node"),
    }
)
"""Quantities and times, of which what is around them is left out."""


@cache
def models() -> list[type[Model]]:
    """Return all models of all packages."""
    for package in (pulumi_slurm, pulumi_slurm_stacks):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)

    def below(model: type[Model]) -> Iterator[type[Model]]:
        for each in model.__subclasses__():
            yield each
            yield from below(each)

    for model in below(Args):
        # pydantic knows what these take, and which are secrets, when they are first used.
        model.model_rebuild()
    # These two are what those of clouds are made on.
    found = {*below(Model)} - {CloudSpec, CloudPoolSpec}
    return sorted(found, key=lambda model: (model.__module__, model.__qualname__))


def refusals(model: type[Model], field: str, value: Any) -> list[str]:
    """Return what is said of a value of a field, whatever the other fields lack."""
    try:
        model.model_validate({field: value})
    except ValidationError as error:
        alias = model.model_fields[field].alias
        return [each["msg"] for each in error.errors() if each["loc"][:1] in ((field,), (alias,))]
    return []


def shapes(field: FieldInfo) -> Iterator[Callable[[str], Any]]:
    """Yield functions that put a text into a field, as far as its type takes texts."""
    union = get_origin(field.annotation) in (Union, UnionType)
    for kind in get_args(field.annotation) if union else (field.annotation,):
        if kind is str:
            yield lambda text: text
        elif kind in (list[str], Sequence[str]):
            yield lambda text: [text]
        elif kind in (dict[str, str], Mapping[str, str]):
            yield lambda text: {"a": text}
            yield lambda text: {text: "a"}


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__qualname__)
def test_no_text_of_one_line_takes_a_line_break(model: type[Model]) -> None:
    with_line_breaks = frozenset[str]().union(*(vars(base).get("_with_line_breaks", ()) for base in model.__mro__))
    assert with_line_breaks <= model.model_fields.keys()
    taken = []
    for name, field in model.model_fields.items():
        # Secrets are not shown, and have checks of their own.
        if name in with_line_breaks or not field.repr:
            continue
        for put in shapes(field):
            valid = next((text for text in TEXTS if not refusals(model, name, put(text))), None)
            text = valid or "a"
            for line_break in BREAKS:
                said = refusals(model, name, put(f"{text}{line_break}{text}"))
                if not said or (valid is None and not any("line break" in one for one in said)):
                    taken.append((name, line_break, said))
                if name not in WRITTEN_ANEW and not refusals(model, name, put(text + line_break)):
                    taken.append((name, f"{line_break} at the end", []))
    assert taken == []


def test_what_is_around_quantities_and_times_is_left_out() -> None:
    for read, text in ((bytes_text, "1Gi"), (quantity_text, "100m"), (memory_mib, "8"), (slurm_seconds, "8")):
        assert read(f" {text}\n") == text
    assert "\n" not in slurm_time("1-00\n")


@pytest.mark.parametrize("key", ["topology.kubernetes.io/zone\n", "zonex\r\ny"])
def test_what_is_in_kubernetes_own_form_has_none_either(key: str) -> None:
    spread = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "ScheduleAnyway"}
    with pytest.raises(SpecError, match=r"topology_spread_constraints\[0\].topologyKey: there is a line break"):
        PodSpec(topology_spread_constraints=[spread])
    with pytest.raises(SpecError, match="there is a line break"):
        LoginSetSpec(name="a", extra_volume_mounts=[{"name": "a", "mountPath": "/a", "subPath": key}])


def test_a_line_break_at_the_end_is_told_as_one_sees_it_in_yaml() -> None:
    expected = r'node_selector\["a\.b/c"\] = "d\\n": there is a line break at its end. .* in YAML .* \|- instead of \|'
    with pytest.raises(SpecError, match=expected):
        PodSpec(node_selector={"a.b/c": "d\n"})


def test_drivers_get_their_attributes_as_they_are_and_files_keep_their_lines() -> None:
    csi = {"driver": "csi.example.com", "volumeAttributes": {"objects": "- a\n- b\n"}}
    LoginSetSpec(name="a", extra_volumes=[{"name": "a", "csi": csi}], root_authorized_keys=["ssh-ed25519 AAAA a\n"])


MODULES = [
    file
    for folder in (*SOURCES, "policy")
    for file in sorted((CHECKOUT / folder).rglob("*.py"))
    if "node_modules" not in file.parts
]


def expressions(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the regular expressions of a module that Python itself reads, each with its flags."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            pattern, *_ = node.args or [ast.Constant("")]
            flags = [ast.unparse(each) for each in (*node.args[1:], *(keyword.value for keyword in node.keywords))]
            yield "".join(str(one.value) for one in ast.walk(pattern) if isinstance(one, ast.Constant)), " ".join(flags)


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(CHECKOUT)))
def test_no_expression_means_the_end_of_a_line_by_the_end(file: Path) -> None:
    by_line = re.compile(r"re\.(M|MULTILINE)\b")
    for pattern, flags in expressions(file):
        outside_classes = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", pattern)
        if "$" in outside_classes and not by_line.search(flags) and "(?m" not in pattern:
            pytest.fail(f"{pattern!r}: write \\Z, or leave it out and call fullmatch")

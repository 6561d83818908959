"""Whatever field is wrong, its error names it as its user writes it, in a program in Python or in a file."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, get_args, get_origin

import pulumi
import pytest

from pulumi_slurm import NodeSet, SlurmCluster
from pulumi_slurm.bridge import BridgedJob
from pulumi_slurm.component_provider.components import PACKAGES
from pulumi_slurm.errors import AsWritten, FieldError, SpecError, field_text, format_path
from pulumi_slurm.errors.annotations import unwrapped
from pulumi_slurm.gke import GkeNodePool
from pulumi_slurm.loading import load_model
from pulumi_slurm.model.base import Model
from pulumi_slurm.spelling import Spelling, spelled
from tests.components.conftest import Build
from tests.components.loosely import loosely

IN_CAMEL_CASE = re.compile(r"(?<![\w:/])[a-z]+(?:[A-Z][a-z]+)+(?!\w)")


class Wrong:
    """What is no value of any field."""


def models_of(package: str) -> Iterator[type[Model]]:
    """Yield the models that a package exports: those of arguments, and those within."""
    exporting = import_module(package)
    for item in (getattr(exporting, name) for name in exporting.__all__):
        if isinstance(item, type) and issubclass(item, Model):
            item.model_rebuild()
            yield item


def models_in(annotation: Any) -> list[type[Model]]:
    return [kind for kind in unwrapped(annotation) if isinstance(kind, type) and issubclass(kind, Model)]


def wrong_arguments(model: type[Model], spelling: Spelling, value: Any) -> Iterator[dict[str, Any]]:
    """Yield arguments with a value in one field of a model, or in one field of the models within."""
    for name, field in model.model_fields.items():
        yield {field_text(name, spelling): value}
        for kind in unwrapped(field.annotation):
            is_list = get_origin(kind) is list
            for inner in models_in(get_args(kind)[0] if is_list else kind):
                for inner_name in inner.model_fields:
                    wrong = {field_text(inner_name, spelling): value}
                    yield {field_text(name, spelling): [wrong] if is_list else wrong}


def errors_of(model: type[Model], arguments: Mapping[str, Any], spelling: Spelling) -> list[FieldError]:
    """Return the errors of arguments, as keywords in Python or as a mapping in a file."""
    try:
        if spelling is Spelling.SNAKE_CASE:
            model(**arguments)
        else:
            with spelled(spelling):
                load_model(model, arguments, "The file")
    except SpecError as error:
        return error.errors
    return []


def assert_leads_to_a_field(model: type[Model], path: str, spelling: Spelling) -> None:
    """Go from field to field as a path says, as far as there are models."""
    kinds: list[Any] = [model]
    for step in re.findall(r"[^.\[\]]+", path):
        owners = [owner for kind in kinds for owner in models_in(kind)]
        fields = {
            field_text(name, spelling): field.annotation
            for owner in owners
            for name, field in owner.model_fields.items()
        }
        inner = [item for kind in kinds for one in unwrapped(kind) for item in get_args(one)]
        assert step in fields or inner or not owners, f"{path} of {model.__name__}"
        kinds = [fields[step]] if step in fields else inner


def names_in_camel_case(model: type[Model]) -> set[str]:
    return {text for name in model.model_fields if (text := field_text(name)) != name}


@pytest.mark.parametrize("spelling", Spelling)
@pytest.mark.parametrize("package", PACKAGES)
def test_the_path_of_a_wrong_value_leads_to_its_field(package: str, spelling: Spelling) -> None:
    for model in models_of(package):
        names = names_in_camel_case(model)
        for arguments in wrong_arguments(model, spelling, Wrong()):
            for error in errors_of(model, arguments, spelling):
                path = format_path(error.path, spelling)
                assert str(error).startswith(path)
                assert_leads_to_a_field(model, path, spelling)
                sentences = "" if isinstance(error.fix, AsWritten) else f"{error.problem}. {error.fix}"
                told = {*IN_CAMEL_CASE.findall(re.sub('"[^"]*"', "", sentences))}
                assert spelling is Spelling.CAMEL_CASE or not told & names, str(error)


@pytest.mark.parametrize("spelling", Spelling)
@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_asked_about_an_unknown_field_is_one(package: str, spelling: Spelling) -> None:
    for model in models_of(package):
        for name in model.model_fields:
            misspelt = f"{field_text(name, spelling)}q"
            (error,) = [one for one in errors_of(model, {misspelt: []}, spelling) if one.path == (misspelt,)]
            for place in re.findall('"([^"]+)"', error.fix):
                assert_leads_to_a_field(model, place, spelling)


def refused(build: Build, make: Any, *args: Any, **fields: Any) -> str:
    with pytest.raises(pulumi.RunError) as caught:
        build(lambda: loosely(make)("hpc", *args, **fields))
    return str(caught.value)


def test_a_program_in_python_is_told_in_its_own_words(build: Build) -> None:
    assert 'Did you mean "spec.node_sets"?' in refused(build, SlurmCluster, node_sets=[])
    assert "gke_cluster: this field is required. Add gke_cluster: " in refused(build, GkeNodePool)
    node_set = {"name": "cpu", "pool": "cpu"}
    for fields in ({"node_set": node_set}, {"nodeSet": node_set}):
        assert "Pass the node pool, or leave node_set.pool out." in refused(
            build, NodeSet, {"cluster": {"name": "hpc"}, **fields}
        )


def test_the_paths_of_warnings_have_the_words_of_kubernetes_as_they_are(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    warned: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", warned.append)
    pod = {"nodeSelector": {"disk": "ssd"}, "containers": [{"name": "main", "image": "busybox"}]}
    build(lambda: loosely(BridgedJob)("train", metadata={"namespace": "jobs"}, spec={"template": {"spec": pod}}))
    assert [text.partition(":")[0] for text in warned] == ["spec.template.spec.nodeSelector"]

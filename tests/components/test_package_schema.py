"""The schema of the plugin `slurm` has every component, every argument and every output, in Pulumi's form."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pulumi.provider.experimental.analyzer import Analyzer
from pydantic import Field

from pulumi_slurm.kube.component import Args, Component
from pulumi_slurm.model.base import Model
from tests.component_examples import components
from tools import package_schema
from tools.package_schema import FILE

SCHEMA: dict[str, Any] = json.loads(FILE.read_text())
TYPES, RESOURCES = SCHEMA["types"], SCHEMA["resources"]
COMPONENTS: dict[str, Any] = {component.__name__: component for component in components()}


def fields() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield token, name and form of everything that a program can write."""
    for token, described in (*TYPES.items(), *RESOURCES.items()):
        for name, field in described.get("inputProperties", described.get("properties", {})).items():
            yield token, name, field


def forms() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every type, also of items, with the field that it belongs to."""
    to_see = [(f"{token}.{name}", field) for token, name, field in fields()]
    to_see += [
        (f"{token}.{name}", output)
        for token, described in RESOURCES.items()
        for name, output in described["properties"].items()
    ]
    while to_see:
        at, form = to_see.pop()
        yield at, form
        inner = [form.get("items"), form.get("additionalProperties"), *form.get("oneOf", ())]
        to_see += [(at, part) for part in inner if part]


def test_schema_is_fresh() -> None:
    assert FILE.read_text() == package_schema.text(), "run: make generate"


def test_lint_says_that_a_schema_is_not_as_models_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "schema.json"
    monkeypatch.setattr(package_schema, "CHECKOUT", tmp_path)
    monkeypatch.setattr(package_schema, "text", lambda: "new")
    file.write_text("old")
    assert package_schema.main(["--check"], file) == 1
    assert file.read_text() == "old"
    assert package_schema.main([], file) == 0
    assert package_schema.main(["--check"], file) == 0


def test_every_component_is_in_it() -> None:
    assert [*RESOURCES] == sorted(f"slurm:index:{name}" for name in COMPONENTS)
    assert all(described["isComponent"] and described["description"] for described in RESOURCES.values())


@pytest.mark.parametrize("name", sorted(COMPONENTS))
def test_arguments_and_outputs_are_those_of_the_component(name: str) -> None:
    described = RESOURCES[f"slurm:index:{name}"]
    args: type[Model] = COMPONENTS[name].args_model()
    assert [*described["inputProperties"]] == [field.alias for field in args.model_fields.values()]
    assert described["requiredInputs"] == [field.alias for field in args.model_fields.values() if field.is_required()]
    (found,) = Analyzer("slurm").analyze([COMPONENTS[name]])["component_definitions"].values()
    # Providers are made by hand elsewhere, from `kubeconfig`: no option takes an Output of one.
    assert described["properties"].keys() == found.outputs.keys() - {"provider"}
    assert {*described["required"]} <= described["properties"].keys()


def test_each_type_has_one_form_that_pulumi_knows() -> None:
    """What the metaschema asks for: pkg/codegen/schema/pulumi.json of pulumi/pulumi."""
    for at, form in forms():
        assert form.keys() <= {
            *{"type", "items", "additionalProperties", "$ref", "oneOf"},
            *{"plain", "description", "secret", "deprecationMessage"},
        }, at
        if "$ref" in form:
            assert form["$ref"] == "pulumi.json#/Any" or form["$ref"].removeprefix("#/types/") in TYPES, at
        elif "oneOf" in form:
            assert form["type"] == "string"
            assert [choice["type"] for choice in form["oneOf"]] == ["string", "number"], at
        elif form["type"] in {"array", "object"}:
            assert form["items" if form["type"] == "array" else "additionalProperties"], at
        else:
            assert form["type"] in {"boolean", "integer", "number", "string"}, at


def test_types_are_objects_with_fields_or_enums_with_names() -> None:
    for token, described in TYPES.items():
        assert re.fullmatch(r"slurm:index:[A-Z][A-Za-z0-9]*", token)
        assert described["description"], token
        if "enum" in described:
            assert all(value["name"].isidentifier() for value in described["enum"]), token
            assert len({value["name"] for value in described["enum"]}) == len(described["enum"]), token
        else:
            assert described["properties"], token
            assert {*described["required"]} <= described["properties"].keys(), token


def test_every_field_has_a_text() -> None:
    assert [f"{token}.{name}" for token, name, field in fields() if not field["description"]] == []


def test_texts_have_the_names_of_other_languages() -> None:
    known = {
        name
        for component in COMPONENTS.values()
        for name in (*component.__init__.__annotations__["args"].model_fields, *component.output_types())
    }
    texts = json.dumps(SCHEMA)
    in_code = {word for code in re.findall("`[^`]+`", texts) for word in re.findall(r"\w+", code) if "_" in word}
    assert in_code & known == set()
    assert "Example::" not in texts
    assert "``" not in texts


def test_what_decides_on_resources_is_plain_at_every_depth() -> None:
    spec = RESOURCES["slurm:index:SlurmCluster"]["inputProperties"]["spec"]
    assert spec["plain"] is True
    eventual = {f"{token}.{name}" for token, name, field in fields() if token in TYPES and not field.get("plain")}
    assert eventual == {
        f"slurm:index:{kind}.{name}" for kind in ("GkeNetworkInterface",) for name in ("networkName", "subnetworkName")
    }
    node_sets = TYPES["slurm:index:SlurmSpec"]["properties"]["nodeSets"]
    assert (node_sets["plain"], node_sets["items"]["plain"]) == (True, True)
    assert RESOURCES["slurm:index:Keda"]["inputProperties"]["values"] == {
        "type": "object",
        "additionalProperties": {"$ref": "pulumi.json#/Any"},
        "plain": True,
        "description": "Further values of the chart, such as images of a mirror.",
    }


def test_secrets_are_marked() -> None:
    marked = {f"{token.rpartition(':')[2]}.{name}" for token, name, field in fields() if field.get("secret")}
    assert marked == {
        "AckDatabase.rootKey",
        *(f"AckSlurmCluster.{name}Password" for name in ("database", "jobCompletion", "ldapBind")),
        "AckSlurmCluster.mungeKey",
        "AckSlurmCluster.rootKey",
        *(f"AckSlurm.{name}Password" for name in ("database", "jobCompletion", "ldapBind")),
        "AckSlurm.copilotToken",
        "AckSlurm.rootKey",
        "GkeDatabase.rootKey",
        "GkeSlurm.ldapBindPassword",
        "GkeSlurm.rootKey",
        "SlurmCluster.ldapBindPassword",
        "SlurmCluster.rootKey",
        "SlurmCopilot.tokens",
    }


def test_numbers_may_stand_for_text_and_choices_have_meanings() -> None:
    max_time = TYPES["slurm:index:PartitionSpec"]["properties"]["maxTime"]
    assert [choice["type"] for choice in max_time["oneOf"]] == ["string", "number"]
    block = {
        "name": "Block",
        "value": "block",
        "description": "Blocks of one size: a job gets nodes of one block, or of adjacent blocks.",
    }
    assert block in TYPES["slurm:index:TopologyKind"]["enum"]


class OldArgs(Args):
    """Arguments of a component with an argument that is going away."""

    release: str = Field(default="keda", deprecated="Write `name` in its place.")
    """Its release."""


class Old(Component[OldArgs]):
    """A component of another day."""


def test_a_field_that_is_going_away_says_so() -> None:
    described = package_schema.Writer().component(Old)["inputProperties"]["release"]
    assert described == {
        "type": "string",
        "plain": True,
        "description": "Its release. Default: `keda`.",
        "deprecationMessage": "Write `name` in its place.",
    }

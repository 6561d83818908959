"""What the comparison of two schemas of the plugin calls a change that breaks programs, and what it doesn't."""

import copy
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools import breaking_changes
from tools.package_schema import FILE

NOW: dict[str, Any] = json.loads(FILE.read_text())
CLUSTER, NODE_SET, SERVICE = "slurm:index:SlurmCluster", "slurm:index:NodeSetSpec", "slurm:index:ServiceType"


def fields(schema: dict[str, Any], token: str) -> dict[str, Any]:
    described: dict[str, Any] = schema["types"][token]["properties"]
    return described


def renamed(schema: dict[str, Any]) -> None:
    fields(schema, NODE_SET)["count"] = fields(schema, NODE_SET).pop("replicas")


BREAKING: dict[str, tuple[Callable[[dict[str, Any]], Any], list[str]]] = {
    "a field is renamed": (renamed, [f"{NODE_SET}.replicas: is gone"]),
    "a component is gone": (lambda schema: schema["resources"].pop(CLUSTER), [f"{CLUSTER}: is gone"]),
    "a type is gone": (lambda schema: schema["types"].pop(NODE_SET), [f"{NODE_SET}: is gone"]),
    "an argument is required": (
        lambda schema: schema["resources"][CLUSTER]["requiredInputs"].append("pools"),
        [f"{CLUSTER}.pools: is required"],
    ),
    "a field is required": (
        lambda schema: schema["types"][NODE_SET]["required"].append("pool"),
        [f"{NODE_SET}.pool: is required"],
    ),
    "a type is another": (
        lambda schema: fields(schema, NODE_SET)["name"].update(type="integer"),
        [f"{NODE_SET}.name: was string, is integer"],
    ),
    "items are of another type": (
        lambda schema: schema["resources"][CLUSTER]["properties"]["partitions"]["items"].update(type="integer"),
        [f"{CLUSTER} (output).partitions[]: was string, is integer"],
    ),
    "a union is none any more": (
        lambda schema: fields(schema, "slurm:index:PartitionSpec")["maxTime"].pop("oneOf"),
        ["slurm:index:PartitionSpec.maxTime: was string or number, is string"],
    ),
    "a choice is gone": (
        lambda schema: schema["types"][SERVICE]["enum"].pop(),
        [f'{SERVICE}: has no "LoadBalancer" any more'],
    ),
    "a choice has another name": (
        lambda schema: schema["types"][SERVICE]["enum"][-1].update(name="Balanced"),
        [f'{SERVICE}: "LoadBalancer" was LoadBalancer, is Balanced'],
    ),
    "an Output is refused": (
        lambda schema: schema["resources"][CLUSTER]["inputProperties"]["rootKey"].update(plain=True),
        [f"{CLUSTER}.rootKey: takes no Output any more"],
    ),
    "an output is gone": (
        lambda schema: schema["resources"][CLUSTER]["properties"].pop("restUrl"),
        [f"{CLUSTER} (output).restUrl: is gone"],
    ),
    "an output may be missing": (
        lambda schema: schema["resources"][CLUSTER]["required"].remove("restUrl"),
        [f"{CLUSTER} (output).restUrl: may be missing"],
    ),
}
HARMLESS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "nothing": lambda schema: None,
    "a field more": lambda schema: fields(schema, NODE_SET).update(count={"type": "integer"}),
    "a choice more": lambda schema: schema["types"][SERVICE]["enum"].append({"name": "None", "value": "none"}),
    "another text": lambda schema: fields(schema, NODE_SET)["name"].update(description="Its name."),
    "a number is taken too": lambda schema: fields(schema, NODE_SET)["name"].update(
        oneOf=[{"type": "string"}, {"type": "number"}]
    ),
    "an Output is taken": lambda schema: fields(schema, NODE_SET)["name"].update(plain=False),
}


@pytest.mark.parametrize("name", BREAKING)
def test_a_change_that_breaks_programs_is_named(name: str) -> None:
    change, expected = BREAKING[name]
    new = copy.deepcopy(NOW)
    change(new)
    assert [*breaking_changes.breaking_changes(NOW, new)] == expected


@pytest.mark.parametrize("name", HARMLESS)
def test_other_changes_are_not(name: str) -> None:
    new = copy.deepcopy(NOW)
    HARMLESS[name](new)
    assert [*breaking_changes.breaking_changes(NOW, new)] == []


@pytest.mark.parametrize(
    ("old", "new", "may"),
    [
        ("0.1.0", "0.1.1", False),
        ("0.1.0", "0.2.0", True),
        ("1.2.0", "1.3.0", False),
        ("1.2.0", "2.0.0-rc.1", True),
        ("0.9.0", "0.10.0", True),
    ],
)
def test_a_release_may_break_programs_by_its_number(old: str, new: str, may: bool) -> None:
    assert breaking_changes.may_break({"version": old}, {"version": new}) is may


def test_it_is_compared_with_the_last_tag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=test", "-c", "user.email=test@example.org")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def said() -> tuple[int, str]:
        return breaking_changes.main(), capsys.readouterr().out

    monkeypatch.setattr(breaking_changes, "CHECKOUT", tmp_path)
    monkeypatch.setattr(breaking_changes, "FILE", tmp_path / "schema.json")
    git("init")
    git("commit", "--allow-empty", "-m", "Begin")
    (tmp_path / "schema.json").write_text(FILE.read_text())
    assert said() == (0, "There is no release to compare with.\n")
    git("tag", "v0.0.1")
    assert said() == (0, "There is no schema of the plugin in v0.0.1 to compare with.\n")
    git("add", ".")
    git("commit", "-m", "Add a schema")
    git("tag", "v0.1.0")
    assert said() == (0, "Changes since v0.1.0 that break programs in other languages: 0.\n")

    new = copy.deepcopy(NOW)
    renamed(new)
    (tmp_path / "schema.json").write_text(json.dumps(new))
    lines = f"{NODE_SET}.replicas: is gone\nChanges since v0.1.0 that break programs in other languages: 1.\n"
    assert said() == (1, lines)
    (tmp_path / "schema.json").write_text(json.dumps({**new, "version": "0.2.0"}))
    assert said() == (0, lines)

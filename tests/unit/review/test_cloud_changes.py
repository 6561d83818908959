"""What changes of a cloud's settings mean by their files alone: what is made anew, and what that does."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from devcluster.folders import CHECKOUT
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors.annotations import classes_in
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm_cli.__main__ import main
from pulumi_slurm_cli.review.effect import SEVERE
from tests.unit.review.test_effects import changed

FILE = Path(__file__).with_name("cloud_changes.yaml")
BASES = {"gke": "gke", "ack": "ack-slurm-operator"}
"""The shipped stack that a cloud's cases change."""
DATA: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text())
NAMES = [(kind, name) for kind, cases in DATA.items() for name in cases]
CASES = [pytest.param(kind, DATA[kind][name], id=f"{kind}: {name}") for kind, name in NAMES]


def lines_of(kind: str, case: Mapping[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the effects that a review says; see to it that its exit code says the same."""
    stack = yaml.safe_load((CHECKOUT / f"Pulumi.{BASES[kind]}.yaml").read_text())
    unprotected = changed(stack, {"config": {f"slurm:{kind}": {"deletionProtection": False}}})
    exit_code = main(["review", "--offline", *base_and_head(unprotected, case, folder), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert exit_code == (1 if found["verdict"] in SEVERE else 0)
    effects = [*found["effects"], *(effect for cluster in found["clusters"] for effect in cluster["effects"])]
    return [f"{effect['verdict']} | {effect['subject']}: {effect['change']}" for effect in effects]


def base_and_head(stack: Mapping[str, Any], case: Mapping[str, Any], folder: Path) -> list[str]:
    """Return the files of a stack before and after a case's change; `before` of the case is put on the stack first."""
    before = without_nothing(changed(stack, {"config": case.get("before", {})}))
    after = without_nothing(changed(before, {"config": case["change"]}))
    files = [folder / name for name in ("base.yaml", "head.yaml")]
    for file, content in zip(files, (before, after), strict=True):
        file.write_text(yaml.safe_dump(content))
    return [*map(str, files)]


def without_nothing(value: Any) -> Any:
    """Return a value without what a case takes away."""
    if isinstance(value, list):
        return [without_nothing(item) for item in value if item is not None]
    if not isinstance(value, dict):
        return value
    return {key: without_nothing(item) for key, item in value.items() if item is not None}


@pytest.mark.parametrize(("kind", "case"), CASES)
def test_a_change_of_a_clouds_settings(
    kind: str, case: Mapping[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lines_of(kind, case, tmp_path, capsys) == case["effects"]


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, name in NAMES if "money" in DATA[kind][name]])
def test_what_a_change_costs(kind: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = DATA[kind][name]
    stack = yaml.safe_load((CHECKOUT / f"Pulumi.{BASES[kind]}.yaml").read_text())
    main(["review", "--offline", *base_and_head(stack, case, tmp_path)])
    (line,) = re.findall(r"^- \*\*Money\*\*: (.*)$", capsys.readouterr().out, re.MULTILINE)
    assert line == case["money"]


def texts_of(model: type[BaseModel], change: Any) -> Iterator[str]:
    """Yield what the docstrings of a model say of the fields of a change, and of those within it."""
    for written, value in change.items() if isinstance(change, dict) else ():
        name = next(name for name, field in model.model_fields.items() if field.alias == written)
        yield docstrings(model)[name]
        inner = [kind for kind in classes_in(model.model_fields[name].annotation) if issubclass(kind, BaseModel)]
        for item in value if isinstance(value, list) else [value]:
            yield from texts_of(inner[0], item) if inner else ()


REPLACED = re.compile(
    r"\| (Cluster|ManagedKubernetes|node pool|Instance|FileSystem|SecurityGroup) .*: is replaced, since "
)
MODELS: dict[str, type[BaseModel]] = {"gke": GkeSpec, "ack": AckSpec}


@pytest.mark.parametrize("kind", MODELS)
def test_the_reference_says_what_a_change_replaces(kind: str) -> None:
    replacing = {
        name: " ".join(texts_of(MODELS[kind], case["change"][f"slurm:{kind}"]))
        for name, case in DATA[kind].items()
        if [*case["change"]] == [f"slurm:{kind}"] and any(map(REPLACED.search, case["effects"]))
    }
    assert len(replacing) > 4
    assert [name for name, text in replacing.items() if not re.search("replaces|anew", text)] == []

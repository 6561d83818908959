"""``pulumi-slurm review`` as people call it."""

import json
from pathlib import Path

import pytest
import yaml

from pulumi_slurm.__main__ import main
from pulumi_slurm.review.build import review
from pulumi_slurm.review.cluster_change import COMPONENT
from pulumi_slurm.review.engine_events import Preview
from pulumi_slurm.review.report import Review, now
from pulumi_slurm.review.resource_change import Operation, ResourceChange
from tests.unit.review.test_effects import DATA, changed


def settings(folder: Path, name: str, **changes: object) -> str:
    """Write a stack's file with the base of the effects, and changes of it."""
    config = {"slurm:kind": "kubernetes", "slurm:cluster": changed(DATA["base"], changes), "slurm:pools": []}
    file = folder / name
    file.write_text(yaml.safe_dump({"config": config}))
    return str(file)


def review_of(before: object = None, after: object = None) -> Review:
    """Return the review of a change of the base of the effects."""
    old, new = (None if one is None else {"spec": changed(DATA["base"], one)} for one in (before or {}, after))
    operation = Operation.UPDATE if new else Operation.DELETE
    change = ResourceChange("urn:pulumi:s::p::t::c", COMPONENT, "c", operation, old, new)
    return review(Preview("p", "s", (change,)), {}, source="preview", commit=None, made_at=now())


def test_two_files_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = settings(tmp_path, "Pulumi.hpc.yaml")
    (tmp_path / "head").mkdir()
    head = settings(tmp_path / "head", "Pulumi.hpc.yaml", nodeSets=[{"replicas": 2}, {}])
    assert main(["review", "--offline", base, head, "--commit", "0123456789abcdef"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0] == '<!-- pulumi-slurm review: {"schema": 1, "project": "slurm", "stack": "hpc"} -->'
    assert lines[2] == "### ⏳ slurm/hpc: drains first"
    assert "- **Nodes**: 5 → **4**" in lines
    assert "- **Jobs**: **not looked at**: no cluster was named, by --context" in lines
    assert lines[-1].startswith("<sub>From the two files of settings, without the engine of 0123456789ab, 20")
    assert printed.err == "jobs were not looked at: no cluster was named, by --context\n"


def test_data_are_those_of_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = settings(tmp_path, "Pulumi.base.yaml")
    head = settings(tmp_path, "Pulumi.head.yaml", namespace="other")
    assert main(["review", "--offline", base, head, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert Review.model_validate(found).verdict == "ends jobs"
    assert found["schema"] == 1


def test_the_first_creation_is_compared_with_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("")
    assert main(["review", "--offline", str(empty), settings(tmp_path, "Pulumi.hpc.yaml")]) == 0
    assert "cluster c" in capsys.readouterr().out


def test_wrong_settings_are_told_with_their_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = settings(tmp_path, "Pulumi.base.yaml")
    head = settings(tmp_path, "Pulumi.head.yaml", partitions=[{"nodeSets": ["none"]}, {}])
    assert main(["review", "--offline", base, head]) == 2
    error = capsys.readouterr().err
    assert head in error
    assert 'slurm:cluster.partitions[0].nodeSets[0] = "none"' in error


def test_what_is_no_log_is_told_how_to_make_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "preview.json"
    file.write_text('{"steps": []}')
    assert main(["review", str(file)]) == 2
    assert "PULUMI_DEBUG_COMMANDS=true pulumi preview --event-log" in capsys.readouterr().err
    assert main(["review"]) == 2
    assert "name either the events of a preview, or --offline and two files" in capsys.readouterr().err

"""``pulumi-slurm review`` as people call it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.__main__ import main
from pulumi_slurm_cli.review.build import review
from pulumi_slurm_cli.review.cluster_side import COMPONENT
from pulumi_slurm_cli.review.engine_events import Preview
from pulumi_slurm_cli.review.report import Review, now, schema
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange
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
    assert "- **Nodes**: 5 → **4** (cpu 3 → **2**)" in lines
    assert "- **Jobs**: **not looked at**: no cluster was named, by --context" in lines
    assert lines[-1].startswith("<sub>From the two files of settings, without the engine of 0123456789ab, 20")
    assert printed.err == "jobs were not looked at: no cluster was named, by --context\n"


@pytest.mark.parametrize(
    ("files", "project"),
    [
        ({"head/Pulumi.yaml": "name: clusters", "Pulumi.yaml": "name: old"}, "clusters"),
        ({"Pulumi.yml": "name: clusters"}, "clusters"),
        ({"head/Pulumi.json": '{"name": "clusters"}'}, "clusters"),
        ({"head/Pulumi.yaml": "name: [", "Pulumi.yaml": "name: clusters"}, "clusters"),
        ({"head/Pulumi.yaml": "name: 7"}, "slurm"),
        ({"head/Pulumi.yaml": "[]"}, "slurm"),
    ],
)
def test_files_are_of_the_project_beside_them(
    tmp_path: Path, files: dict[str, str], project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "head").mkdir()
    base, head = settings(tmp_path, "Pulumi.hpc.yaml"), settings(tmp_path / "head", "Pulumi.hpc.yaml")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert main(["review", "--offline", base, head, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["project"] == project


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


@pytest.fixture
def made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the review of a change as JSON, as a file."""
    base = settings(tmp_path, "Pulumi.base.yaml")
    head = settings(tmp_path, "Pulumi.hpc.yaml", nodeSets=[{"replicas": 2}, {}])
    file = tmp_path / "review.json"
    assert main(["review", "--offline", base, head, "--json", "-o", str(file)]) == 0
    capsys.readouterr()
    return file


def test_a_review_is_as_its_schema_says(made: Path) -> None:
    published = (CHECKOUT / "stacks" / "review-report.schema.json").read_text()
    assert published == schema(), "run `make generate`"
    jsonschema.validate(json.loads(made.read_text()), json.loads(published))


def test_a_review_is_shown_again_from_its_json(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--from-json", str(made), "--commit", "0123456789abcdef"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[2] == "### ⏳ slurm/hpc: drains first"
    assert " of 0123456789ab, 20" in printed.out.splitlines()[-1]
    assert printed.err == ""
    assert main(["review", "--from-json", str(made), "--json"]) == 0
    assert capsys.readouterr().out == made.read_text()


WRONG: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda data: data.update(schema=2), "at schema: Input should be 1"),
    (lambda data: data.pop("verdict"), "at verdict: Field required"),
    (lambda data: data.update(verdict="harmless"), "at verdict: Input should be"),
    (lambda data: data.update({"a\n::error::b": 1}), "at a\\u000a::error::b: Extra inputs are not permitted"),
    (lambda data: data["jobs"].update(gpuHoursLost=float("inf")), "at jobs.gpuHoursLost: "),
    (lambda data: data["jobs"].update(costsNothingFrom=10**12), "at jobs.costsNothingFrom: "),
    (lambda data: data["clusters"][0]["nodes"][0]["nodes"].update(least=-1), "at clusters[0].nodes[0].nodes.least: "),
    (lambda data: data.update(stack="x" * 301), "at stack: String should have at most 300"),
    (lambda data: data.update(madeAt="yesterday"), "at madeAt: "),
]


@pytest.mark.parametrize(("change", "problem"), WRONG, ids=[problem for _, problem in WRONG])
def test_what_the_schema_does_not_allow_is_no_review(
    made: Path, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, Any]], object], problem: str
) -> None:
    data = json.loads(made.read_text())
    change(data)
    made.write_text(json.dumps(data))
    assert main(["review", "--from-json", str(made)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"{made}: this is no review {problem}")
    assert printed.err.endswith("Make it by pulumi-slurm review --json of the same release\n")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "null", '"\\ud800"', "1" * 10_000, "{}"])
def test_what_is_no_json_of_a_review_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = tmp_path / "review.json"
    file.write_text(text)
    assert main(["review", "--from-json", str(file)]) == 2
    assert "review.json: this is no review" in capsys.readouterr().err


def test_a_review_that_is_there_looks_at_no_cluster(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--from-json", str(made), "--context", "mine"]) == 2
    assert "looks at no cluster. Leave out --context" in capsys.readouterr().err
    assert main(["review", "--from-json", str(made), "--offline", "a", "b"]) == 2
    assert "or --from-json and a review" in capsys.readouterr().err


def test_the_picture_is_a_file_of_its_own(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = made.parent / "review.svg"
    for force in ((), ("--force",)):
        assert main(["review", "--from-json", str(made), "--picture", str(both), "-o", str(both), *force]) == 2
        assert "the review and its picture are two files" in capsys.readouterr().err
        assert not both.exists()


def test_letters_within_a_text_end_no_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "events.json"
    said = {"sequence": 1, "diagnosticEvent": {"severity": "info", "message": "a\u0085b\u2028c"}}
    end = {"sequence": 2, "summaryEvent": {"result": "succeeded"}}
    log.write_text("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in (said, end)))
    assert main(["review", str(log)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("text", ["19999", "-1", "many", "²"])
def test_the_first_lines_have_room(made: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    with pytest.raises(SystemExit):
        main(["review", "--from-json", str(made), "--longest", text])
    assert "is no whole number from 20000 on" in capsys.readouterr().err


def test_a_longer_review_has_what_a_comment_has_no_room_for(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(made.read_text())
    data["errors"] = ["x" * 2_000] * 5
    data["unknown"] = ["y" * 190] * 50
    made.write_text(json.dumps(data))
    assert main(["review", "--from-json", str(made), "--longest", "20000"]) == 1
    assert "Values that are not known yet: 50, left out here" in capsys.readouterr().out
    assert main(["review", "--from-json", str(made), "--longest", "250000"]) == 1
    assert "left out here" not in capsys.readouterr().out


def test_names_without_end_keep_a_comment_short(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of somebody unknown may be of any length; its comment isn't."""
    data = json.loads(made.read_text())
    (cluster,) = data["clusters"]
    size = {**cluster["nodes"][0], "gpus": {f"{number}{'<' * 99}": {"least": 1, "most": 2} for number in range(100)}}
    partition = {**cluster["partitions"][0], "limits": {f"{number}{'<' * 99}": ["|", "`"] for number in range(100)}}
    data["clusters"] = [{**cluster, "nodes": [size, size], "partitions": [partition] * 20}] * 10
    made.write_text(json.dumps(data))
    for longest in (20_000, 60_000):
        assert main(["review", "--from-json", str(made), "--longest", str(longest)]) == 0
        assert len(capsys.readouterr().out) <= longest

"""`pulumi-slurm drift --state`: what is there beside what `up` has last applied, and what it hasn't applied yet."""

import dataclasses
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pulumi_slurm.manifests.cluster import render
from pulumi_slurm_cli.commands import drift
from pulumi_slurm_cli.drift import COMPARED
from pulumi_slurm_cli.kubectl import Kubectl
from tests.unit.drift.worlds import STACK, look, stated
from tests.unit.importing.command_line import run

URN = "urn:pulumi:dev::hpc::slurm:index:SlurmCluster::"
PENDING = STACK.replace("features: [fast]", "features: [fast, new]")
"""The stack's file with a change that isn't applied."""


def state(*texts: str) -> str:
    """Return what `pulumi stack export` prints, with a cluster of each file as its component registers it."""
    resources: list[dict[str, Any]] = [{"urn": "urn:pulumi:dev::hpc::pulumi:pulumi:Stack::x", "type": "x", "id": ""}]
    for text in texts:
        spec, pools = stated(text)
        inputs = {
            "spec": spec.model_dump(mode="json", by_alias=True, exclude_defaults=True),
            "pools": [pool.model_dump(mode="json", by_alias=True, exclude_defaults=True) for pool in pools],
        }
        resources.append({"urn": f"{URN}{spec.name}", "type": "slurm:index:SlurmCluster", "inputs": inputs})
    return json.dumps({"version": 3, "deployment": {"manifest": {}, "resources": resources}})


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return a file with a change that isn't applied, and the state; the cluster is as the state says."""
    objects = [item for item in render(*stated()) if item["kind"] in COMPARED]
    monkeypatch.setattr(Kubectl, "objects", lambda *_: objects)
    monkeypatch.setattr(drift, "look_at_all", lambda *_, **__: (look(), None))
    file, exported = tmp_path / "Pulumi.c.yaml", tmp_path / "state.json"
    file.write_text(PENDING)
    exported.write_text(state(STACK))
    return file, exported


Files = tuple[Path, Path]


def test_a_change_that_is_not_applied_is_no_danger(files: Files) -> None:
    file, exported = files
    assert run("drift", file).stdout.startswith("dangerous: node cpu-0")
    done = run("drift", file, "--state", exported)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "ours: node set cpu: not applied yet: its workers are replaced, each after its jobs (extraConf) "
        "(drains first). Back: pulumi up\n"
    )


def test_an_edit_beside_it_is_one(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    every, cpu = look().partitions
    edited = look(partitions=(every, dataclasses.replace(cpu, tier=9)))
    monkeypatch.setattr(drift, "look_at_all", lambda *_, **__: (edited, None))
    edit, change = run("drift", files[0], "--state", files[1]).stdout.splitlines()
    assert edit.startswith(
        "dangerous: partition cpu: PriorityTier is 9 in slurmctld's memory, and 4 in the specification;"
    )
    assert change.startswith("ours: node set cpu: not applied yet")


def test_a_program_without_a_file_is_compared_by_its_state(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("drift", "--state", files[1])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(files[1].read_bytes())))
    report = json.loads(run("drift", "--state", "-", "--json").stdout)
    assert (report["file"], report["findings"]) == ("standard input", [])


def test_what_is_applied_is_no_finding(files: Files) -> None:
    files[0].write_text(STACK)
    assert run("drift", files[0], "--state", files[1]).returncode == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "this is not what `pulumi stack export` prints: it is no JSON"),
        ("[" * 100_000, "this is not what `pulumi stack export` prints: it is no JSON"),
        ("[]", "this is not what `pulumi stack export` prints: "),
        ("{}", "this is not what `pulumi stack export` prints: deployment: this field is required"),
        (state(), "it has no Slurm cluster. Name the Pulumi.<stack>.yaml and the state of one stack"),
        (state(STACK, STACK.replace("name: c\n", "name: d\n")), "it has the Slurm clusters c, d. Name the"),
        (
            state(STACK).replace('"replicas": 2', '"replicas": "two"'),
            "the specification of c, as another release wrote it: spec.nodeSets[0].replicas",
        ),
    ],
)
def test_a_wrong_state_is_an_error(files: Files, content: str, message: str) -> None:
    files[1].write_text(content)
    done = run("drift", "--state", files[1])
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_the_cluster_is_that_of_the_file(files: Files) -> None:
    files[1].write_text(state(STACK, STACK.replace("name: c\n", "name: d\n")))
    assert run("drift", files[0], "--state", files[1]).returncode == 1
    files[1].write_text(state(STACK.replace("name: c\n", "name: d\n")))
    assert "it has the Slurm clusters d, and the file makes c." in run("drift", files[0], "--state", files[1]).stderr


Arguments = Callable[[Path, Path], list[str | Path]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (lambda _, __: [], "Name its Pulumi.<stack>.yaml, or write --state"),
        (lambda file, exported: [file, "--state", exported, "--adopt"], "--adopt: the file may have changes"),
        (lambda _, __: ["-", "--state", "-"], "standard input can be read once"),
    ],
)
def test_what_contradicts_is_refused(files: Files, arguments: Arguments, message: str) -> None:
    done = run("drift", *arguments(*files))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr

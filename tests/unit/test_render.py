"""`pulumi-slurm render`: the objects of a stack's settings as a folder of files."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from tests.unit.importing.command_line import run

CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "nodeSets": [{"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}],
    "partitions": [{"name": "main", "nodeSets": ["ALL"], "maxTime": "1-0"}],
}


def settings(folder: Path, **keys: Any) -> Path:
    file = folder / "Pulumi.hpc.yaml"
    file.write_text(yaml.safe_dump({"config": {f"slurm:{key}": value for key, value in keys.items()}}))
    return file


@pytest.mark.parametrize("name", ["kubernetes", "local", "bridge"])
def test_each_object_has_a_file(name: str, tmp_path: Path) -> None:
    file = CHECKOUT / f"Pulumi.{name}.yaml"
    config = yaml.safe_load(file.read_text())["config"]
    objects = [*render(*load(config["slurm:cluster"], config["slurm:pools"]))]
    done = run("render", file, "-o", tmp_path / "out")
    assert (done.returncode, done.stdout) == (0, "")
    assert f"out: {len(objects)} objects, without the namespace and Secrets" in done.stderr
    written = [yaml.safe_load(path.read_text()) for path in (tmp_path / "out").iterdir()]
    assert sorted(map(str, written)) == sorted(map(str, yaml.safe_load_all(yaml.safe_dump_all(plain(objects)))))


def plain(objects: list[Any]) -> list[Any]:
    """Return objects with texts in place of members of enums."""
    if isinstance(objects, dict):
        return {key: plain(value) for key, value in objects.items()}
    if isinstance(objects, list):
        return [plain(item) for item in objects]
    return str(objects) if isinstance(objects, str) else objects


def test_two_renders_differ_where_the_settings_do(tmp_path: Path) -> None:
    more = {**CLUSTER, "nodeSets": [{**CLUSTER["nodeSets"][0], "replicas": 3}]}
    for folder, cluster in {"one": CLUSTER, "same": CLUSTER, "more": more}.items():
        assert run("render", settings(tmp_path, cluster=cluster), "-o", tmp_path / folder).returncode == 0
    one, same, other = (
        {path.name: path.read_text() for path in (tmp_path / folder).iterdir()} for folder in ("one", "same", "more")
    )
    assert one == same
    assert {name for name in one | other if one.get(name) != other.get(name)} == {"nodeset-hpc-worker-cpu.yaml"}


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"cluster": {**CLUSTER, "nodeSets": [{"name": "Cpu"}]}}, 'slurm:cluster.nodeSets[0].name = "Cpu"'),
        ({"cluster": CLUSTER, "pools": 3}, "slurm:pools is not a list"),
        ({"cluster": CLUSTER, "pools": [{"name": "p"}]}, "slurm:pools[0].machine: this field is required"),
        ({"pools": []}, "there is no slurm:cluster. Name a Pulumi.<stack>.yaml"),
        ({"cluster": 3}, "slurm:cluster is not a mapping"),
        ({"cluster": {"secure": "AAA"}}, "slurm:cluster is encrypted, and only a run of the stack can read it"),
        ({"gke": {}, "cluster": CLUSTER}, "only a run of this stack knows its pools"),
        ({"cluster": CLUSTER, "pools": {}}, "slurm:pools is not a list"),
        ({"kind": "gke", "cluster": CLUSTER}, "only a run of this stack knows its pools"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(keys: dict[str, Any], told: str, tmp_path: Path) -> None:
    done = run("render", settings(tmp_path, **keys), "-o", tmp_path / "out")
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "out").exists()


def test_what_pulumi_config_set_writes_is_read(tmp_path: Path) -> None:
    assert run("render", settings(tmp_path, cluster=json.dumps(CLUSTER)), "-o", tmp_path / "out").returncode == 0


def test_files_of_slurm_have_their_lines(tmp_path: Path) -> None:
    file = settings(tmp_path, cluster={**CLUSTER, "slurmConf": {"extra": {"KillWait": 45}}})
    run("render", file, "-o", tmp_path / "out")
    assert "    KillWait=45\n" in (tmp_path / "out" / "controller-hpc.yaml").read_text()


def test_warnings_are_told_or_refused_as_the_settings_say(tmp_path: Path) -> None:
    old = {**CLUSTER, "operatorVersion": "1.1.0"}
    warned = run("render", settings(tmp_path, cluster=old), "-o", tmp_path / "out")
    assert warned.returncode == 0
    assert warned.stderr.startswith('slurm:cluster.operatorVersion = "1.1.0": ')
    refused = run("render", settings(tmp_path, cluster=old, warningsAsErrors=True), "-o", tmp_path / "none")
    assert (refused.returncode, (tmp_path / "none").exists()) == (2, False)


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.yaml").write_text("")
    file = settings(tmp_path, cluster=CLUSTER)
    assert "Name a new folder, or an empty one" in run("render", file, "-o", tmp_path / "out").stderr
    assert "this is a file. Write -o and the name of a new folder" in run("render", file, "-o", file).stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.yaml"]


def test_what_a_provider_adds_is_rendered(tmp_path: Path) -> None:
    gpus = {**CLUSTER, "nodeSets": [{"name": "gpu", "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 1}}}]}
    assert run("render", settings(tmp_path, cluster=gpus, provider="gke"), "-o", tmp_path / "out").returncode == 0
    assert "TaskProlog=gke-task-prolog.sh" in (tmp_path / "out" / "controller-hpc.yaml").read_text()
    on_ack = settings(tmp_path, cluster={**CLUSTER, "controller": {}}, provider="ack")
    assert "slurm:cluster.controller.state.storageClass: in ACK" in run("render", on_ack, "-o", tmp_path / "ack").stderr
    wrong = run("render", settings(tmp_path, cluster=CLUSTER, provider=["gke"]), "-o", tmp_path / "wrong")
    assert wrong.returncode == 2
    assert "slurm:provider is none of gke, ack, eks, aks, oke, bare" in wrong.stderr

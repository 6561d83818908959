"""`pulumi-slurm render`: what a stack's settings come to, as a folder of files."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.offline.rendering import _under_names
from tests.doc_blocks import blocks
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, Path as Fields, changed, read
from tests.unit.importing.command_line import run

CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "nodeSets": [{"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}],
    "partitions": [{"name": "main", "nodeSets": ["ALL"], "maxTime": "1-0"}],
}
STACKS = sorted(path.name.split(".")[1] for path in CHECKOUT.glob("Pulumi.*.yaml"))


def settings(folder: Path, **keys: Any) -> Path:
    return written(folder, {f"slurm:{key}": value for key, value in {"kind": "kubernetes", **keys}.items()})


def written(folder: Path, config: Mapping[str, Any]) -> Path:
    file = folder / "Pulumi.hpc.yaml"
    file.write_text(yaml.safe_dump({"config": dict(config)}))
    return file


def rendered(file: Path, folder: Path) -> dict[str, str]:
    """Render a stack's file into a folder, and return the texts there by their paths."""
    done = run("render", file, "-o", folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


@pytest.mark.usefixtures("kubeconfig_with_a_context")
@pytest.mark.parametrize("name", ["kubernetes", "local", "bridge"])
def test_each_object_has_a_file(name: str, tmp_path: Path) -> None:
    config: Any = read({"slurm:rootKey": ROOT_KEY, **shipped(name)})[0]
    objects = [*render(config.cluster, config.pools)]
    files = rendered(CHECKOUT / f"Pulumi.{name}.yaml", tmp_path / "out")
    found = [yaml.safe_load(text) for path, text in files.items() if path.startswith("objects/")]
    wanted = [_identity(item) for item in objects]
    others = [_identity(item) for item in found if _identity(item) not in wanted]
    assert sorted(map(str, wanted)) == sorted(str(_identity(item)) for item in found if _identity(item) in wanted)
    assert {kind for kind, *_ in others} <= {"Namespace", "CustomResourceDefinition", None}


def _identity(item: Any) -> tuple[Any, ...]:
    """Return kind, namespace and name of an object without the hash in it; of a chart's release, none of them."""
    metadata = item.get("metadata", {})
    name = metadata.get("name", "")
    head, _, tail = name.rpartition("-")
    hashed = len(tail) == 8 and not set(tail) - set("0123456789abcdef")
    return item.get("kind"), metadata.get("namespace"), f"{head}-hash" if hashed else name


@pytest.mark.parametrize("name", STACKS)
def test_each_shipped_stack_is_rendered_twice_as_the_same(name: str, tmp_path: Path) -> None:
    file = CHECKOUT / f"Pulumi.{name}.yaml"
    one = rendered(file, tmp_path / "one")
    assert one == rendered(file, tmp_path / "two")
    assert "slurm/slurm.conf" in one
    assert ("cloud.md" in one) == (shipped(name)["slurm:kind"] in ("gke", "ack"))
    assert not any("kind: Secret\n" in text for text in one.values())
    assert not any("pulumi.com/patchForce" in text for text in one.values())


REPLICAS: Fields = ("cluster", "nodeSets", 0, "replicas")


@pytest.mark.parametrize(
    ("name", "path", "value", "expected"),
    [
        ("kubernetes", REPLICAS, 3, {"objects/nodeset-hpc-worker-cpu.yaml"}),
        (
            "gke",
            ("gke", "pools", 0, "maxNodes"),
            12,
            {"cloud.md", "cloud/container.NodePool-slurm-t4-pool.yaml"},
        ),
        (
            "gke",
            ("cluster", "partitions", 0, "maxTime"),
            "2-00:00:00",
            {"slurm/slurm.conf", "objects/controller-slurm.yaml"},
        ),
        (
            "ack-slurm-operator",
            ("cluster", "partitions", 0, "maxTime"),
            "2-00:00:00",
            {"slurm/slurm.conf", "objects/configmap-slurm-config.yaml"},
        ),
        (
            "ack-slurm-operator",
            ("cluster", "accounting", "extraConf"),
            {"PurgeJobAfter": "12months"},
            {"slurm/slurmdbd.conf"},
        ),
        ("copilot", ("outsideSlurm", "submitPlugin"), False, {"slurm/slurm.conf"}),
    ],
)
def test_a_changed_field_changes_the_files_that_it_is_in(
    name: str, path: Fields, value: Any, expected: set[str], tmp_path: Path
) -> None:
    fields = {key.removeprefix("slurm:"): field for key, field in shipped(name).items()}
    before = rendered(written(tmp_path, changed(fields)), tmp_path / "before")
    after = rendered(written(tmp_path, changed(fields, (path, value))), tmp_path / "after")
    assert differing(before, after) == expected


def test_the_difference_on_the_page_is_what_diff_says(tmp_path: Path) -> None:
    (block,) = blocks("rendered-difference")
    fields = {key.removeprefix("slurm:"): field for key, field in shipped("gke").items()}
    for folder, nodes in (("base", 10), ("head", 12)):
        settings_of = changed(fields, (("gke", "pools", 0, "maxNodes"), nodes))
        rendered(written(tmp_path, settings_of), tmp_path / folder)
    done = subprocess.run(["diff", "-r", "base", "head"], cwd=tmp_path, capture_output=True, text=True, check=False)
    first, rest = done.stdout.split("\n", 1)
    assert first.endswith("head/cloud/container.NodePool-slurm-t4-pool.yaml")
    assert rest.startswith(block.text)


def test_a_changed_script_is_a_changed_line_of_the_same_file(tmp_path: Path) -> None:
    def files(folder: str, text: str) -> dict[str, str]:
        hooks = {"prolog": {"node.sh": f"#!/bin/sh\n{text}\n"}}
        return rendered(settings(tmp_path, cluster={**CLUSTER, "hooks": hooks}), tmp_path / folder)

    (name,) = differing(files("one", "true"), files("two", "exit 0"))
    assert name.startswith("objects/configmap-hpc-prolog")
    assert "    exit 0\n" in files("three", "exit 0")[name]


def test_names_that_look_like_hashes_stay(tmp_path: Path) -> None:
    node_set = {"name": "deadbeef", "machine": {"cpus": 4, "memory": "8Gi"}}
    files = rendered(settings(tmp_path, cluster={"name": "hpc", "nodeSets": [node_set]}), tmp_path / "out")
    assert "objects/nodeset-hpc-worker-deadbeef.yaml" in files


def test_secrets_are_not_read(tmp_path: Path) -> None:
    plain = rendered(CHECKOUT / "Pulumi.local.yaml", tmp_path / "plain")
    for number, root_key in enumerate([ROOT_KEY, {"secure": "v1:AAAA"}, "wrong"]):
        file = written(tmp_path, {**shipped("local"), "slurm:rootKey": root_key})
        assert rendered(file, tmp_path / str(number)) == plain


def test_a_cloud_s_resources_are_a_table(tmp_path: Path) -> None:
    table = rendered(CHECKOUT / "Pulumi.gke.yaml", tmp_path / "out")["cloud.md"].splitlines()
    assert table[:2] == ["| Resource | Name | What it has |", "| --- | --- | --- |"]
    assert table[2:] == sorted(table[2:])
    (pool,) = [row for row in table if row.startswith("| container.NodePool | slurm-t4-pool |")]
    for part in ("autoscaling.totalMaxNodeCount = 10", "nodeConfig.guestAccelerators[0].count = 2"):
        assert part in pool
    (database,) = [row for row in table if row.startswith("| sql.User |")]
    assert SECRET not in database


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (
            {"cluster": {**CLUSTER, "nodeSets": [{"name": "Cpu"}]}},
            'Pulumi.hpc.yaml:5:13: error: slurm:cluster.nodeSets[0].name = "Cpu"',
        ),
        ({"cluster": CLUSTER, "pools": 3}, "slurm:pools = 3: this is not a list"),
        ({"cluster": CLUSTER, "pools": [{"name": "p"}]}, "slurm:pools[0].machine: this field is required"),
        ({"pools": []}, "slurm:cluster: this field is required"),
        ({"cluster": 3}, "slurm:cluster: this is not a mapping"),
        ({"cluster": {"secure": "AAA"}}, "slurm:cluster: it is encrypted, and only a run of the stack can read it"),
        ({"gke": {}, "cluster": CLUSTER}, "slurm:gke: this describes a cluster to make on Google Cloud"),
        ({"kind": "gke", "cluster": CLUSTER}, "slurm:gke: this field is required"),
    ],
)
def test_mistakes_are_told_as_by_check_and_nothing_is_written(keys: dict[str, Any], told: str, tmp_path: Path) -> None:
    done = run("render", settings(tmp_path, **keys), "-o", tmp_path / "out")
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["config: [", "- a", "{"])
def test_a_file_that_is_none_is_told(text: str, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.hpc.yaml"
    file.write_text(text)
    done = run("render", file, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert f"{file}:" in done.stderr


def test_what_pulumi_config_set_writes_is_read(tmp_path: Path) -> None:
    assert rendered(settings(tmp_path, cluster=json.dumps(CLUSTER)), tmp_path / "out")


def test_files_of_slurm_have_their_lines(tmp_path: Path) -> None:
    cluster = {**CLUSTER, "slurmConf": {"extra": {"KillWait": 45}}, "configFiles": {"plugstack.conf": "# none\n"}}
    files = rendered(settings(tmp_path, cluster=cluster), tmp_path / "out")
    assert "    KillWait=45\n" in files["objects/controller-hpc.yaml"]
    assert "\nKillWait=45\n" in files["slurm/slurm.conf"]
    assert files["slurm/plugstack.conf"] == "# none\n"
    assert "CgroupPlugin=cgroup/v2\n" in files["slurm/cgroup.conf"]
    assert files["slurm/gres.conf"] == "AutoDetect=nvidia\n"


def test_of_a_slurm_elsewhere_its_files_have_what_they_need(tmp_path: Path) -> None:
    keys = {name: {"existing": {"name": "outside", "key": name}} for name in ("slurm", "jwt")}
    external = {"controller": {"external": {"host": "slurmctld.example.com", "port": 6817}}, "keys": keys}
    files = rendered(settings(tmp_path, cluster={**CLUSTER, **external}), tmp_path / "out")
    assert "SlurmctldHost=slurmctld.example.com\n" in files["slurm/slurm.conf"]
    copilot = rendered(CHECKOUT / "Pulumi.copilot.yaml", tmp_path / "copilot")
    assert "NodeFeaturesPlugins=" in copilot["slurm/slurm.conf"]
    assert "slurm/gres.conf" in copilot


def test_warnings_are_told_or_refused_as_the_settings_say(tmp_path: Path) -> None:
    old = {**CLUSTER, "operatorVersion": "1.1.0"}
    warned = run("render", settings(tmp_path, cluster=old), "-o", tmp_path / "out")
    assert warned.returncode == 0
    assert 'warning: slurm:cluster.operatorVersion = "1.1.0": ' in warned.stderr
    refused = run("render", settings(tmp_path, cluster=old, warningsAsErrors=True), "-o", tmp_path / "none")
    assert (refused.returncode, (tmp_path / "none").exists()) == (2, False)


def test_what_no_cloud_was_asked_is_told(tmp_path: Path) -> None:
    done = run("render", CHECKOUT / "Pulumi.gke-a3.yaml", "-o", tmp_path / "out")
    assert "what the cloud says is [unknown] here: getReservation\n" in done.stderr


def test_pools_that_exist_are_named_since_nothing_is_known_of_their_machines(tmp_path: Path) -> None:
    gke: dict[str, Any] = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}
    gke |= {"existingCluster": {"name": "shared", "location": "us-central1"}, "existingPools": [{"name": "l4"}]}
    cluster = {"name": "hpc", "nodeSets": [{"name": "l4", "pool": "l4"}]}
    file = settings(tmp_path, kind="gke", operator={"preinstalled": True}, gke=gke, cluster=cluster)
    done = run("render", file, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "what the cloud says is [unknown] here: getCluster\n" in done.stderr
    assert "CPUs, memory and GPUs on l4 aren't those of a run" in done.stderr


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.yaml").write_text("")
    file = settings(tmp_path, cluster=CLUSTER)
    assert "Name a new folder, or an empty one" in run("render", file, "-o", tmp_path / "out").stderr
    assert "this is a file. Write -o and the name of a new folder" in run("render", file, "-o", file).stderr
    assert "a folder of files is written. Write -o and" in run("render", file, "-o", "-").stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.yaml"]


def test_what_a_provider_adds_is_rendered(tmp_path: Path) -> None:
    gpus = {**CLUSTER, "nodeSets": [{"name": "gpu", "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 1}}}]}
    files = rendered(settings(tmp_path, cluster=gpus, provider="gke"), tmp_path / "out")
    assert "TaskProlog=gke-task-prolog.sh" in files["objects/controller-hpc.yaml"]
    on_ack = settings(tmp_path, cluster={**CLUSTER, "controller": {}}, provider="ack")
    assert "slurm:cluster.controller.state.storageClass: in ACK" in run("render", on_ack, "-o", tmp_path / "ack").stderr
    wrong = run("render", settings(tmp_path, cluster=CLUSTER, provider="gce"), "-o", tmp_path / "wrong")
    assert wrong.returncode == 2
    assert 'slurm:provider = "gce"' in wrong.stderr


def test_no_file_takes_the_place_of_another() -> None:
    texts = [("a/b", "1"), ("a_b", "2"), ("a_b.2", "3"), ("a/b", "4")]
    assert {*_under_names(texts).values()} == {"1", "2", "3", "4"}
    assert not any("/" in name for name in _under_names(texts))

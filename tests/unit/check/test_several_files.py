"""``pulumi-slurm check`` of several stacks' files: clusters that are in each other's way."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_slurm_cli.checking.check import Level, check_files
from tests.shipped_stacks import shipped
from tests.unit.importing.command_line import run

POOL = {"name": "cpu", "nodeLabels": {"a": "b"}, "machine": {"cpus": 4, "memory": "16Gi"}}
CLUSTER = {"slurmConf": {"defMemPerCpu": "3Gi"}, "nodeSets": [{"name": "a", "pool": "cpu", "replicas": 2}]}
HERE: dict[str, Any] = {"slurm:clusterIdentifier": "here"}
TOGETHER = (
    'slurm:cluster.namespace = "slurm": the Slurm cluster "one" is in this namespace too: their workers would keep '
    "each other from nodes, and the end of one could be that of the other. Give each cluster a namespace of its own."
)


def on_kubernetes(name: str, cluster: Mapping[str, Any] | None = None, **settings: Any) -> tuple[str, str]:
    fields = {"slurm:kind": "kubernetes", "slurm:pools": [POOL], "slurm:rootKey": {"secure": "v1:abcd"}}
    config = {**fields, "slurm:cluster": {"name": name, **CLUSTER, **(cluster or {})}, **settings}
    return yaml.safe_dump({"config": config}), f"Pulumi.{name}.yaml"


def errors(*files: tuple[str, str]) -> list[tuple[str, str]]:
    return [(found.file, found.text) for found in check_files(files) if found.level is Level.ERROR]


def test_two_files_with_one_namespace_on_one_kubernetes_cluster() -> None:
    one, two = on_kubernetes("one", **HERE), on_kubernetes("two", **HERE)
    assert errors(one, two) == [("Pulumi.two.yaml", TOGETHER)]
    assert errors(one) == errors(two) == []
    assert errors(one, on_kubernetes("two", {"namespace": "two"}, **HERE)) == []


def test_a_file_that_is_named_twice_is_one(tmp_path: Path) -> None:
    text, name = on_kubernetes("one", {"partitions": [{"name": "main", "nodeSets": ["ALL"]}]}, **HERE)
    (tmp_path / name).write_text(text)
    (tmp_path / "link.yaml").symlink_to(tmp_path / name)
    result = run("check", tmp_path / name, tmp_path / "." / name, tmp_path / "link.yaml")
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize(
    "elsewhere",
    [{}, {"slurm:clusterIdentifier": "there"}, {**HERE, "slurm:context": "there"}, {**HERE, "slurm:kind": "local"}],
)
def test_files_that_don_t_name_one_kubernetes_cluster_are_not_compared(elsewhere: dict[str, Any]) -> None:
    assert errors(on_kubernetes("one", **HERE), on_kubernetes("two", **elsewhere)) == []
    assert errors(on_kubernetes("one"), on_kubernetes("two")) == []


@pytest.mark.parametrize(
    ("stack", "existing"),
    [("gke", {"name": "site", "location": "us-central1"}), ("ack", {"id": "c" + "0123456789abcdef" * 2})],
)
def test_files_with_one_cluster_of_a_cloud(stack: str, existing: dict[str, str]) -> None:
    settings = shipped(stack)
    settings[f"slurm:{stack}"] |= {"existingCluster": existing}
    settings[f"slurm:{stack}"].pop("controlPlane", None)
    found = check_files([(yaml.safe_dump({"config": settings}), f"Pulumi.{name}.yaml") for name in ("one", "two")])
    together = [item for item in found if item.rule == "one-cluster-per-namespace"]
    assert [item.file for item in together] == ["Pulumi.two.yaml"]


def test_the_command_compares_its_files(tmp_path: Path) -> None:
    files = []
    for text, name in (on_kubernetes("one", **HERE), on_kubernetes("two", **HERE)):
        files.append(tmp_path / name)
        files[-1].write_text(text)
    done = run("check", *files)
    assert done.returncode == 1
    assert f"{files[1]}:" in done.stdout
    assert TOGETHER in done.stdout

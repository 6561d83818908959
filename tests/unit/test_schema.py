"""The editor schema says what the program says."""

from typing import Any

import pytest

from tests.editor import Underlined, look


def check(**cluster: Any) -> None:
    config = {"slurm:kind": "local", "slurm:cluster": {"name": "hpc", **cluster}}
    look({"config": config})


@pytest.mark.parametrize(
    "cluster",
    [
        {"slurmVersion": 25.11},
        {"partitions": [{"name": "p", "nodeSets": ["ALL"], "maxTime": 90}]},
        {"nodeSets": [{"name": "cpu", "machine": {"cpus": 4, "memory": 8589934592}}]},
    ],
)
def test_numbers_stand_where_the_program_takes_them(cluster: dict[str, Any]) -> None:
    check(**cluster)


@pytest.mark.parametrize(
    "cluster", [{"slurmVersion": []}, {"namespace": 12}, {"nodeSets": [{"name": "cpu", "replicas": "two"}]}]
)
def test_other_kinds_don_t(cluster: dict[str, Any]) -> None:
    with pytest.raises(Underlined):
        check(**cluster)


def test_each_kind_has_its_own_fields() -> None:
    cluster = {"name": "hpc"}
    gke = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}
    right = {"slurm:kind": "gke", "slurm:cluster": cluster, "slurm:gke": gke}
    look({"config": right})
    wrong: list[dict[str, Any]] = [
        {"slurm:kind": "kubernetes"},
        {"slurm:pools": []},
        {"slurm:context": "mine"},
        {"slurm:gke": {**gke, "pools": [{"name": "cpu"}]}},
    ]
    for change in wrong:
        with pytest.raises(Underlined):
            look({"config": {**right, **change}})


def test_secrets_belong_to_kinds_too() -> None:
    ack = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-i"]}
    password = {"slurm:databasePassword": {"secure": "v1:abc"}}
    look({"config": {"slurm:kind": "ack", "slurm:cluster": {"name": "hpc"}, "slurm:ack": ack, **password}})
    with pytest.raises(Underlined):
        look({"config": {"slurm:kind": "local", "slurm:cluster": {"name": "hpc"}, **password}})

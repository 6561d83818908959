"""What is made anew between two files of settings, without an engine that says so."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm.manifests.immutable import IMMUTABLE
from pulumi_slurm_cli.__main__ import main
from pulumi_slurm_cli.review.effect import Verdict
from tests.unit.review.test_command import settings

KEY = {"existing": {"name": "key", "key": "k"}}
OTHER = {"existing": {"name": "other", "key": "k"}}
CHANGES: dict[str, tuple[dict[str, Any], Verdict]] = {
    "spec.clusterName": ({"clusterName": "other"}, Verdict.ENDS),
    "spec.external": (
        {
            "controller": {"external": {"host": "head.example.org", "port": 6817}},
            "keys": {"slurm": OTHER, "jwt": KEY},
            "slurmConf": {"extra": {"AccountingStorageHost": "10.0.0.1"}},
        },
        Verdict.LOSES,
    ),
    "spec.persistence.enabled": ({"controller": {"state": {"enabled": False}}}, Verdict.LOSES),
    "spec.persistence.existingClaim": ({"controller": {"state": {"existingClaim": "other"}}}, Verdict.LOSES),
    "spec.slurmKeyRef.name": ({"keys": {"slurm": KEY}}, Verdict.ENDS),
    "spec.jwtKeyRef.name": ({"keys": {"jwt": KEY}}, Verdict.RESTART),
    "spec.jwtKeyRef.key": ({"keys": {"jwt": KEY}}, Verdict.RESTART),
}
"""A change of each field, and what it means. The reference has another name in a release without this field."""


def reviewed(base: str, head: str, capsys: pytest.CaptureFixture[str]) -> Any:
    main(["review", "--offline", base, head, "--json"])
    return json.loads(capsys.readouterr().out)


def test_every_field_of_a_controller_is_here() -> None:
    paths = {path for path in IMMUTABLE["Controller"] if "jwtHs256KeyRef" not in path}
    assert CHANGES.keys() == paths


@pytest.mark.parametrize("path", CHANGES)
def test_a_controller_is_made_anew(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes, verdict = CHANGES[path]
    found = reviewed(settings(tmp_path, "base.yaml"), settings(tmp_path, "head.yaml", **changes), capsys)
    (controller,) = [
        item
        for item in found["resources"]
        if item["type"].startswith("kubernetes:") and item["type"].endswith(":Controller")
    ]
    assert (controller["operation"], path in controller["replacedFor"]) == ("replace", True)
    assert found["verdict"] == verdict


def test_another_image_of_ack_slurm_operator_ends_all_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stack = yaml.safe_load((CHECKOUT / "Pulumi.ack-slurm-operator.yaml").read_text())
    files: list[str] = []
    for image in ("registry.example.com/slurm:1", "registry.example.com/slurm:2"):
        stack["config"]["slurm:ack"]["slurm"]["image"] = image
        file = tmp_path / f"{len(files)}.yaml"
        file.write_text(yaml.safe_dump(stack))
        files.append(str(file))
    found = reviewed(files[0], files[1], capsys)
    assert found["verdict"] == Verdict.ENDS
    assert "SlurmCluster" in str(found["effects"])


def test_a_database_in_the_cluster_of_another_size_is_made_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        settings(tmp_path, f"{size}.yaml", accounting={"database": {"volume": {"size": size}}})
        for size in ("10Gi", "20Gi")
    ]
    found = reviewed(files[0], files[1], capsys)
    (database,) = [item for item in found["resources"] if item["type"].endswith(":StatefulSet")]
    assert (database["operation"], database["replacedFor"]) == ("replace", ["spec.volumeClaimTemplates"])

"""``check-outside`` of the files of a Slurm outside whose nodes ACK shares, and the output that has their lines."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_slurm.ack_slurm.manifests.outside_files import outside_needs
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.loading import load_model
from tests.doc_blocks import Block, each
from tests.shipped_stacks import shipped
from tests.unit.importing.command_line import run

OUTSIDE: dict[str, Any] = shipped("copilot")["slurm:outsideSlurm"]
NEEDS = outside_needs(load_model(OutsideSlurmSpec, OUTSIDE, "The outside"))
OUTPUT = NEEDS.output()
OWN = "ClusterName=hpc\nSlurmctldHost=head\nNodeName=node[01-16] CPUs=4\n"


@pytest.fixture(params=["settings", "output"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "settings"
    found = {"config": {"slurm:kind": "copilot", "slurm:outsideSlurm": OUTSIDE}}
    path.write_text(yaml.safe_dump(found) if request.param == "settings" else json.dumps(OUTPUT))
    return path


def complaints(settings: Path, slurm_conf: str, gres_conf: str | None) -> list[str]:
    path = settings.parent / "slurm.conf"
    path.write_text(slurm_conf)
    if gres_conf is not None:
        (settings.parent / "gres.conf").write_text(gres_conf)
    result = run("check-outside", path, settings)
    assert (result.returncode, result.stderr) == (1 if result.stdout else 0, "")
    return [line.removeprefix(f"{settings.parent}/") for line in result.stdout.splitlines()]


def test_the_output_has_lines_and_nodes() -> None:
    assert OUTPUT == {
        "slurmConf": "AuthAltTypes=auth/jwt\nGresTypes=k8scpu,k8smemory\nJobSubmitPlugins=k8s_resource_completion\n"
        "NodeFeaturesPlugins=node_features/k8s_resources\n",
        "gresConf": "Name=k8scpu Flags=CountOnly\nName=k8smemory Flags=CountOnly\n",
        "nodes": "node[01-16]",
    }
    by_hand = load_model(OutsideSlurmSpec, {**OUTSIDE, "submitPlugin": False}, "The outside")
    assert "JobSubmitPlugins" not in outside_needs(by_hand).output()["slurmConf"]


@each("copilot-files")
def test_the_page_has_these_lines(block: Block) -> None:
    assert block.text == OUTPUT["slurmConf"] + OUTPUT["gresConf"]


def test_the_lines_are_enough_and_may_be_written_otherwise(settings: Path) -> None:
    assert complaints(settings, OWN + OUTPUT["slurmConf"], OUTPUT["gresConf"]) == []
    slurm_conf = """\
clustername=Old
SlurmctldHost=head
authalttypes=auth/jwt
AuthAltParameters=jwks=/etc/jwks.json,jwt_key=/etc/jwt.key
GresTypes=gpu,k8smemory,k8scpu
JobSubmitPlugins=lua,k8s_resource_completion
NodeFeaturesPlugins=node_features/k8s_resources
NodeName=other[1-9] CPUs=4 Feature=fast
MaxNodeCount=100
"""
    gres_conf = "NodeName=node[01-16] Name=k8scpu Flags=CountOnly\nName=k8smemory Flags=CountOnly\nName=gpu Count=1\n"
    assert complaints(settings, slurm_conf, gres_conf) == []


def test_each_line_that_is_missing_is_told(settings: Path) -> None:
    assert complaints(settings, OWN, None) == [
        "slurm.conf: AuthAltTypes: this line is missing, and the copilot speaks to slurmrestd with a token. Write "
        '"AuthAltTypes=auth/jwt".',
        "slurm.conf: GresTypes: this line is missing, and the copilot counts in them what is free. Write "
        '"GresTypes=k8scpu,k8smemory".',
        "slurm.conf: JobSubmitPlugins: this line is missing, and with outsideSlurm.submitPlugin jobs get their "
        'counters by it. Write "JobSubmitPlugins=k8s_resource_completion".',
        "slurm.conf: NodeFeaturesPlugins: this line is missing, and without it slurmctld sets a node INVAL whose "
        'counters the copilot has changed. Write "NodeFeaturesPlugins=node_features/k8s_resources".',
        "gres.conf: Name=k8scpu: this line is missing, and the copilot counts in it. Write "
        '"Name=k8scpu Flags=CountOnly".',
        "gres.conf: Name=k8smemory: this line is missing, and the copilot counts in it. Write "
        '"Name=k8smemory Flags=CountOnly".',
    ]


def test_what_would_not_work_is_told(settings: Path) -> None:
    with_features = OWN.replace("NodeName=", "NodeName=DEFAULT Feature=fast\nNodeName=")
    text = f"{with_features}{OUTPUT['slurmConf']}AuthAltParameters=jwks=/etc/jwks.json\n"
    assert complaints(settings, text, "Name=k8scpu Type=a\nName=k8smemory Count=4\n") == [
        "slurm.conf: AuthAltParameters: with jwks= alone slurmctld takes no token that is signed by its jwt_hs256.key, "
        "such as the copilot's. Add jwt_key= and the path of that file.",
        "slurm.conf: NodeName=node[01-16] Features=fast: with node_features/k8s_resources slurmd reports no feature "
        "but k8s, and slurmctld sets it INVAL. Leave Features out.",
        "gres.conf: Name=k8scpu Type=a: this is a counter without files and types. Write "
        '"Name=k8scpu Flags=CountOnly".',
    ]
    elsewhere = OWN.replace("node[01-16]", "n[1-16]") + OUTPUT["slurmConf"]
    assert complaints(settings, elsewhere, OUTPUT["gresConf"]) == [
        "slurm.conf: NodeName=node[01-16]: no line has any of these nodes, so the copilot can't change their counters. "
        "Write their names in Slurm as aliases in outsideSlurm.nodes.",
    ]


def test_settings_that_can_t_be_read_are_told(tmp_path: Path) -> None:
    path = tmp_path / "settings"
    (tmp_path / "slurm.conf").write_text(OWN)
    wrong: dict[str, Any] = {"addresses: this field is required": {"name": "hpc"}, " is not a mapping": []}
    for said, outside in wrong.items():
        path.write_text(yaml.safe_dump({"config": {"slurm:outsideSlurm": outside}}))
        result = run("check-outside", tmp_path / "slurm.conf", path)
        assert result.returncode == 2
        assert f"slurm:outsideSlurm{'.' if outside else ''}{said}" in result.stderr
    path.write_text(json.dumps({**OUTPUT, "nodes": "n[9-1"}))
    result = run("check-outside", tmp_path / "slurm.conf", path)
    assert (result.returncode, result.stderr) == (1, "")

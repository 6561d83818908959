"""A patch release of slurm-operator that is not known here: every kind of stack shows one warning of it."""

from pathlib import Path
from typing import Any

import pulumi
import pytest
import yaml

import pulumi_slurm as slurm
from devcluster.folders import CHECKOUT
from pulumi_slurm.model import DEFAULT_OPERATOR, SlurmSpec, operator_version
from pulumi_slurm_stacks import build as build_stack
from tests.components.conftest import Build
from tests.components.test_docs import under_mocks
from tests.stack_configuration import ROOT_KEY, read_with_secrets

UNLISTED = f"{DEFAULT_OPERATOR.rpartition('.')[0]}.999"
NEWEST = operator_version(UNLISTED).listed_release
WARNING = (
    f'operatorVersion = "{UNLISTED}": this patch release of slurm-operator is not known here, so it is treated as '
    f"{NEWEST}, the newest known one. Look in its release notes for what has changed since "
    f'{NEWEST}, or write "{NEWEST}". [operator-release-is-listed]'
)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", texts.append)
    return texts


@pytest.mark.filterwarnings("error::pulumi_slurm.errors.SpecWarning")
@pytest.mark.parametrize("kind", ["kubernetes", "gke", "gke-a3", "ack"])
def test_a_stack_shows_it_once(kind: str, shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kubeconfig").write_text("contexts: [{name: mine, context: {cluster: mine, user: me}}]")
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    settings: dict[str, Any] = yaml.safe_load((CHECKOUT / f"Pulumi.{kind}.yaml").read_text())["config"]
    settings = {key: value for key, value in settings.items() if not (isinstance(value, dict) and "secure" in value)}
    settings["slurm:cluster"]["operatorVersion"] = UNLISTED
    config, secrets = read_with_secrets(settings)
    # The example on Alibaba Cloud has an address to replace, and images from abroad.
    assert [text for text in shown if "operatorVersion" in text] == [f"slurm:cluster.{WARNING}"]
    assert {"slurm:index:SlurmCluster", "slurm:index:AckSlurmCluster"} & {
        *under_mocks(lambda: build_stack(config, secrets))
    }
    assert [text for text in shown if "operatorVersion" in text] == [f"slurm:cluster.{WARNING}"]


def test_components_of_their_own_show_it(shown: list[str], build: Build) -> None:
    made = build(lambda: slurm.SlinkyOperator("slinky", slurm.SlinkyOperatorArgs(version=UNLISTED)))
    chart = next(resource for resource in made if resource.name == "slinky-operator" and resource.typ.endswith("Chart"))
    assert chart.inputs["version"] == UNLISTED
    assert shown == [WARNING.replace("operatorVersion", "version", 1)]
    spec = SlurmSpec(name="hpc", operator_version=UNLISTED, node_sets=[])
    slurm.SlurmClusterArgs(spec=spec, root_key=ROOT_KEY)
    assert shown[1:] == [f"spec.{WARNING.replace('operatorVersion', 'operator_version', 1)}"]


@pytest.mark.parametrize(("version", "warns"), [("1.0.5", False), ("1.1.0", True), ("1.1.1", False)])
def test_installing_the_release_whose_webhook_can_stop_all_scheduling_shows_a_warning(
    shown: list[str], version: str, *, warns: bool
) -> None:
    slurm.SlinkyOperatorArgs(version=version)
    expected = (
        'version = "1.1.0": while its webhook doesn\'t answer, this release lets no pod of the whole Kubernetes '
        'cluster be scheduled. Write "1.1.1".'
    )
    assert shown == ([expected] if warns else [])

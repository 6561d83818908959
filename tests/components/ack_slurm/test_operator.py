"""AckSlurmOperator: the release of Helm's."""

from typing import Any

import pytest

from pulumi_slurm.ack_slurm.operator import AckSlurmOperator, AckSlurmOperatorArgs
from tests.components.conftest import Build, Registered


def resources_of(build: Build, **fields: Any) -> dict[str, Registered]:
    args = AckSlurmOperatorArgs.model_validate(fields)
    return {item.name: item for item in build(lambda: AckSlurmOperator("ack", args))}


def test_the_chart_is_installed_in_its_namespace(build: Build) -> None:
    resources = resources_of(build, operator={"version": "1.2.3"}, install_copilot=True, watchNamespace="jobs")
    release = resources["ack-operator"]
    assert release.typ == "kubernetes:helm.sh/v3:Release"
    assert release.inputs["chart"] == "ack-slurm-operator"
    assert release.inputs["version"] == "1.2.3"
    assert release.inputs["namespace"] == "ack-slurm-operator"
    assert release.inputs["repositoryOpts"]["repo"].startswith("https://aliacs-app-catalog.")
    assert release.inputs["values"] == {"enableCopilot": True, "watchNamespace": "jobs"}
    assert any(name.endswith("::ack-namespace") for name in release.depends_on)
    assert resources["ack-namespace"].kubernetes_name == "ack-slurm-operator"


@pytest.mark.parametrize("repository", ["", None])
def test_a_user_s_values_win(build: Build, repository: str | None) -> None:
    """Programs in other languages can't write null."""
    operator = {"repository": repository, "chart": "./charts/own", "watchNamespace": "one", "values": {"replicas": 2}}
    release = resources_of(build, operator=operator)["ack-operator"]
    assert "repositoryOpts" not in release.inputs
    assert release.inputs["chart"] == "./charts/own"
    assert release.inputs["values"] == {"enableCopilot": False, "watchNamespace": "one", "replicas": 2}

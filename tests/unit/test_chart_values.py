"""docs/chart-values.md: where it sends its readers exists, and its example has every path through overrides."""

from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.releases.operator_version import RELEASES, operator_version
from tests.doc_blocks import blocks, chart_value_rows

KINDS = {
    "controller": "Controller",
    "accounting": "Accounting",
    "restApi": "RestApi",
    "loginSets": "LoginSet",
    "nodeSets": "NodeSet",
}
PATHS = sorted({row.path for row in chart_value_rows() if not row.path.startswith("- ")})
THROUGH_OVERRIDES = [path for path in PATHS if ".overrides." in path]
OF_OLDER_RELEASES = {"nodeSets.overrides.taintKubeNodes"}


def models(annotation: Any) -> list[type[BaseModel]]:
    """Return the models in a field's type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in getattr(annotation, "__args__", ()) for model in models(inner)]


def leads_somewhere(model: type[BaseModel], steps: list[str]) -> bool:
    field = next((field for field in model.model_fields.values() if field.alias == steps[0]), None)
    if field is None:
        return False
    return len(steps) == 1 or any(leads_somewhere(inner, steps[1:]) for inner in models(field.annotation))


@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_that_of_a_field(path: str) -> None:
    assert leads_somewhere(SlurmSpec, path.partition(".overrides.")[0].split("."))


@pytest.mark.parametrize("path", THROUGH_OVERRIDES)
def test_overrides_are_fields_of_the_operators_objects(path: str) -> None:
    part, _, field = path.partition(".overrides.")
    assert any(operator_version(release).has(KINDS[part], field) for release in RELEASES)


def test_the_example_has_every_path_through_overrides() -> None:
    (example,) = [block for block in blocks("cluster") if block.file.name == "chart-values.md"]
    cluster = yaml.safe_load(example.text)["config"]["slurm:cluster"]

    def has(data: Any, steps: list[str]) -> bool:
        if isinstance(data, list):
            return any(has(item, steps) for item in data)
        return not steps or (isinstance(data, dict) and steps[0] in data and has(data[steps[0]], steps[1:]))

    missing = {path for path in THROUGH_OVERRIDES if not has(cluster, path.split("."))}
    assert missing == OF_OLDER_RELEASES

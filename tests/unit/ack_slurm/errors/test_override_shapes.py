"""Overrides of a SlurmCluster that are null, or of another type than what they are laid over."""

from collections.abc import Iterator
from typing import Any

import pytest

from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from tests.unit.ack_slurm.errors.harness import errors_of
from tests.unit.ack_slurm.examples import ack, cluster

Steps = tuple[str | int, ...]


def objects_and_lists(value: Any, at: Steps = ()) -> Iterator[Steps]:
    """Yield the paths of all mappings and lists, and of a list only its first item."""
    if isinstance(value, dict | list):
        yield at
        for step, item in value.items() if isinstance(value, dict) else list(enumerate(value))[:1]:
            yield from objects_and_lists(item, (*at, step))


def nested(steps: Steps, value: Any) -> Any:
    for step in reversed(steps):
        value = {step: value} if isinstance(step, str) else [value]
    return value


@pytest.mark.parametrize("wrong", [None, "text", 7])
def test_what_is_an_object_or_a_list_stays_one(wrong: Any) -> None:
    spec, pools = cluster()
    paths = [at for at in objects_and_lists(slurm_cluster(spec, pools, ack(), "image")["spec"]) if at]
    assert ("workerGroupSpecs", 0, "template", "spec", "containers", 0, "resources") in paths
    for at in paths:
        errors = errors_of({"ack": {"overrides": nested(at, wrong)}})
        assert len(errors) == 1, at
        assert errors[0].endswith(("Leave it out.", "Write a mapping of field names to values.", "Write a list.")), (
            errors
        )


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"slurmctld": None}, "ack.slurm.overrides.slurmctld = null: null would remove everything here. Leave it out."),
        (
            {"slurmrestd": "x"},
            'ack.slurm.overrides.slurmrestd = "x": this is not a mapping. Write a mapping of field names to values.',
        ),
        ({"workerGroupSpecs": 1}, "ack.slurm.overrides.workerGroupSpecs = 1: this is not a list. Write a list."),
    ],
)
def test_path_value_problem_and_fix(overrides: dict[str, Any], expected: str) -> None:
    assert errors_of({"ack": {"overrides": overrides}}) == [expected]

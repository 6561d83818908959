"""Many mistakes at once take time in proportion to their number: counted by calls of functions, not by the clock."""

import cProfile
import pstats
from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load


def specification(shape: str, count: int) -> dict[str, Any]:
    right = {"cpus": 4, "memory": "16Gi"}
    names = [f"n-{number}-x" for number in range(count)]
    if shape == "references":
        partitions = [{"name": name, "nodeSets": ["n", "gone"], "maxTime": "soon"} for name in names]
        return {"name": "c", "nodeSets": [{"name": "n", "machine": right}], "partitions": partitions}
    shapes: dict[str, dict[str, Any]] = {
        "values": {"machine": {**right, "cpus": "many"}},
        "unknown fields": {"machine": right, "replica": 1},
        "missing fields": {"machine": {"cpus": 4}},
    }
    return {"name": "c", "nodeSets": [{"name": name, **shapes[shape]} for name in names]}


def calls(data: dict[str, Any]) -> int:
    with cProfile.Profile() as profile, pytest.raises(SpecError):
        load(data)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


@pytest.mark.parametrize("shape", ["values", "unknown fields", "missing fields", "references"])
def test_ten_times_the_mistakes_take_about_ten_times_the_work(shape: str) -> None:
    calls(specification(shape, 2))
    few, many = calls(specification(shape, 15)), calls(specification(shape, 150))
    assert many < 20 * few

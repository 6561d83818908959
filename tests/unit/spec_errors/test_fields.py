"""Fields that don't exist or hold values of another type, and errors of several fields at once."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load


def test_positions_in_lists_are_those_of_the_user_even_past_the_tenth() -> None:
    machine = {"cpus": 4, "memory": "8Gi"}
    node_sets: list[Any] = [{"name": f"n{chr(97 + i)}", "machine": machine} for i in range(14)]
    for index in (1, 2, 9, 10, 11):
        node_sets[index] = {"name": index}
    node_sets[13] = {"name": "last", "machine": machine, "gpus": 1, "features": ["ok", 5, "a b"]}
    with pytest.raises(SpecError) as caught:
        load({"name": "c", "nodeSets": node_sets})
    assert sorted(str(error).split(" =")[0] for error in caught.value.errors) == [
        "nodeSets[10].name",
        "nodeSets[11].name",
        "nodeSets[13].features[1]",
        "nodeSets[13].features[2]",
        "nodeSets[13].gpus",
        "nodeSets[1].name",
        "nodeSets[2].name",
        "nodeSets[9].name",
    ]


def test_paths_begin_where_the_specification_stands_in_the_users_file() -> None:
    with pytest.raises(SpecError) as caught:
        load({"name": "C"}, [{"name": "p"}], at=("slurm:cluster",), pools_at=("slurm:pools",))
    assert [error.path for error in caught.value.errors] == [
        ("slurm:cluster", "name"),
        ("slurm:pools", 0, "machine"),
        ("slurm:pools", 0, "nodeLabels"),
    ]


def test_the_text_counts_the_errors() -> None:
    with pytest.raises(SpecError, match=r"^The Slurm specification has an error:\n  - name = 5"):
        load({"name": 5})

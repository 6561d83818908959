"""Numbers, lists and resources in the forms of Slurm's JSON."""

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm_cli.live.jobs import _count_tasks
from pulumi_slurm_cli.live.values import count, gpus_of_gres, moment, number, tres, words


def shape(value: Any) -> dict[str, Any]:
    if value is None:
        return {"set": False, "infinite": False, "number": 0}
    if value == math.inf:
        return {"set": False, "infinite": True, "number": 0}
    return {"set": True, "infinite": False, "number": value}


@given(st.none() | st.just(math.inf) | st.integers(0, 2**64 - 1))
def test_a_number_has_three_forms(value: Any) -> None:
    assert number(shape(value)) == value
    assert number(value) == value
    assert count(shape(value)) == (0 if value in (None, math.inf) else value)


def test_no_time_is_0_in_slurm() -> None:
    assert [moment(shape(value)) for value in (0, None, 1795675803)] == [None, None, 1795675803]


@pytest.mark.parametrize(
    ("text", "expected"), [("", ()), ("a", ("a",)), ("a,b", ("a", "b")), ([], ()), (["a"], ("a",)), (None, ())]
)
def test_words(text: Any, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


def test_trackable_resources_are_counted_and_memory_is_in_mebibytes() -> None:
    found = tres("cpu=1.5K,mem=24105M,node=1,billing=1,gres/gpu:a100=2,license/x=3")
    assert dict(found) == {
        "cpu": 1536,
        "mem": 24105,
        "node": 1,
        "billing": 1,
        "gres/gpu:a100": 2,
        "license/x": 3,
    }
    assert [tres(f"mem={text}")["mem"] for text in ("100", "4G", "1.5T", "512K")] == [100, 4096, 1572864, 0]
    assert not tres("")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("gpu", 1),
        ("gpu:2", 2),
        ("gpu:a100:8(S:0-1)", 8),
        ("gpu:a100:2(IDX:0,3),gpu:h100:1(IDX:4)", 3),
        ("gres/gpu:1", 1),
        ("gres/gpu:a100", 1),
        ("gres/gpu=4", 4),
        ("gres/gpu:a100=4", 4),
        ("fpga:1,mps:100", 0),
        ("N/A", 0),
    ],
)
def test_gpus_of_generic_resources(text: str, expected: int) -> None:
    assert gpus_of_gres(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("5", 1), ("2-4%2", 3), ("0-3,9", 5), ("1-99:2", 50), ("0-20:4%3", 6), ("1,3,5,...", None), ("", None)],
)
def test_waiting_tasks_are_counted_unless_slurm_has_cut_their_list(text: str, expected: int | None) -> None:
    assert _count_tasks(text) == expected

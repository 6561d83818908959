"""Times, memory, quantities and durations, in every form."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from pydantic_core import PydanticCustomError

from pulumi_slurm.model.units import (
    duration,
    duration_seconds,
    memory_mib,
    quantity,
    quantity_text,
    slurm_time,
    time_seconds,
)

small = st.integers(0, 59)


@given(st.integers(0, 10**6))
def test_a_lone_number_is_minutes(minutes: int) -> None:
    assert time_seconds(slurm_time(minutes)) == time_seconds(str(minutes)) == minutes * 60


@given(st.integers(0, 10**4), small)
def test_minutes_and_seconds(minutes: int, seconds: int) -> None:
    assert time_seconds(slurm_time(f"{minutes}:{seconds:02}")) == minutes * 60 + seconds


@given(st.integers(0, 10**4), small, small)
def test_hours_minutes_and_seconds(hours: int, minutes: int, seconds: int) -> None:
    assert time_seconds(slurm_time(f"{hours}:{minutes}:{seconds}")) == (hours * 60 + minutes) * 60 + seconds


@given(st.integers(0, 400), st.integers(0, 23), small, small)
def test_days(days: int, hours: int, minutes: int, seconds: int) -> None:
    whole = days * 24 + hours
    assert time_seconds(slurm_time(f"{days}-{hours}")) == whole * 3600
    assert time_seconds(slurm_time(f"{days}-{hours}:{minutes:02}")) == (whole * 60 + minutes) * 60
    assert time_seconds(slurm_time(f"{days}-{hours:02}:{minutes}:{seconds}")) == (whole * 60 + minutes) * 60 + seconds


@pytest.mark.parametrize("text", ["UNLIMITED", "unlimited", "INFINITE", "Infinite"])
def test_no_limit(text: str) -> None:
    assert slurm_time(text) == "UNLIMITED"
    assert time_seconds(text) is None


@pytest.mark.parametrize(
    "value",
    [
        *["", "-2", "1.5", "1h", "2 days", "-", "1:", ":30", "1-:30", "1:2:3:4", "99999-0"],
        *["1-1-1", "60\n1", "١٢", True, None, 1.5, -2, []],
    ],
)
def test_what_is_no_time(value: object) -> None:
    with pytest.raises(PydanticCustomError):
        slurm_time(value)


@given(st.integers(1, 8 * 1024**2 - 1))
def test_memory_is_mebibytes(number: int) -> None:
    assert memory_mib(number) == memory_mib(str(number)) == memory_mib(f"{number}M") == memory_mib(f"{number}Mi")
    assert memory_mib(f"{number}G") == memory_mib(f"{number}gb") == memory_mib(f"{number}Gi") == str(number * 1024)
    assert memory_mib(f"{number}T") == memory_mib(f"{number}Ti") == str(number * 1024**2)


@given(st.integers(1024, 10**9))
def test_small_memory_is_rounded_down(kib: int) -> None:
    assert memory_mib(f"{kib}K") == memory_mib(f"{kib}Ki") == str(kib // 1024)


@pytest.mark.parametrize(("value", "mib"), [("unlimited", "UNLIMITED"), (0, "0"), ("1.5Gi", "1536"), (" 4G ", "4096")])
def test_other_memory(value: object, mib: str) -> None:
    assert memory_mib(value) == mib


@pytest.mark.parametrize(
    "value", ["", "4 gigs", "G", "-1", "1.5G", "1P", "512K", "100Ki", True, None, 1.5, {}, "٤G", str(2**63)]
)
def test_what_is_no_memory(value: object) -> None:
    with pytest.raises(PydanticCustomError):
        memory_mib(value)


@given(st.integers(0, 20) | st.integers(0, 10**6), st.integers(0, 9))
def test_quantities(number: int, tenth: int) -> None:
    exact = number + Fraction(tenth, 10)
    factors: dict[str, int | Fraction] = {"": 1, "m": Fraction(1, 1000), "k": 1000, "M": 10**6, "Ki": 1024, "Gi": 2**30}
    for suffix, factor in factors.items():
        assert quantity(f"{number}.{tenth}{suffix}") == exact * factor
    for suffix, factor in {"E": 10**18, "Ei": 2**60}.items():
        if number * factor < 2**63:
            assert quantity(f"{number}{suffix}") == number * factor
        else:
            with pytest.raises(PydanticCustomError):
                quantity(f"{number}{suffix}")


@pytest.mark.parametrize("value", ["", "Gi", "1GB", "1 Gi", "-1", "1e3x", "0", "0Gi", 0, True, None, [], "1K", "٤Gi"])
def test_what_is_no_quantity(value: object) -> None:
    with pytest.raises(PydanticCustomError):
        quantity_text(value)


@given(st.integers(0, 1000), small, small)
def test_durations(hours: int, minutes: int, seconds: int) -> None:
    assert duration_seconds(f"{hours}h{minutes}m{seconds}s") == (hours * 60 + minutes) * 60 + seconds


@pytest.mark.parametrize("text", ["", "15", "1d", "-1h", "1 h", "h", "0s", "0h0m", "1h-1m", "٤h"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(PydanticCustomError):
        duration(text)


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (slurm_time, memory_mib, quantity_text, duration):
        try:
            result = read(text)
        except PydanticCustomError:
            continue
        assert result.isascii()
        assert read(result) == result, "what was accepted is accepted again, unchanged"

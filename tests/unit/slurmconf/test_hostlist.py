"""Hostlists both ways. What Slurm makes of the same texts was looked up with `scontrol show` of 24.11 and 26.05."""

import re

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.slurmconf.hostlist import MAX_RANGE, compress, count, expand, fold

numbers = st.one_of(st.integers(0, 30).map(str), st.from_regex(r"0{0,3}[0-9]{1,20}", fullmatch=True))
names = st.builds(
    "".join, st.tuples(st.sampled_from(["gpu-", "a1b", "n", "{}"]), numbers, st.sampled_from(["", "-ib", "x"]))
)
ranges = st.tuples(st.integers(0, 120), st.integers(0, 5), st.integers(1, 3)).map(
    lambda r: f"{r[0]:0{r[2]}}-{r[0] + r[1]}"
)
brackets = st.lists(st.one_of(ranges, numbers.map(lambda text: text[-18:])), min_size=1, max_size=3).map(
    lambda parts: f"[{','.join(parts)}]"
)
tokens = st.lists(st.one_of(brackets, st.sampled_from(["a", "-", "r0", "%s"])), min_size=1, max_size=4).map("".join)
hostlists = st.lists(tokens, max_size=3).map(",".join)


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("gpu-[0-2]", "gpu-0 gpu-1 gpu-2"),
        ("gpu[008-010,200],login-[0-1]", "gpu008 gpu009 gpu010 gpu200 login-0 login-1"),
        ("a[8-012]", "a8 a9 a10 a11 a12"),
        ("a[1-2]b[01-02]c", "a1b01c a1b02c a2b01c a2b02c"),
        ("a[1-2]x[3-4]y[5-6]", "a1x3y5 a1x3y6 a2x3y5 a2x3y6 a1x4y5 a1x4y6 a2x4y5 a2x4y6"),
        ("a[1-2]-ib,x", "a1-ib a2-ib x"),
        ("[1-3]", "1 2 3"),
        ("a,,b\n c\t", "a b c"),
        ("a1,a1", "a1 a1"),
        ("", ""),
    ],
)
def test_a_hostlist_is_expanded_as_scontrol_does(text: str, expanded: str) -> None:
    assert expand(text) == expanded.split()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a[1-2", "bracket"),
        ("a1-2]", "bracket"),
        ("a[1-[2-3]]", "bracket"),
        ("a[3-1]", "backwards"),
        ("a[1-3,]", "''"),
        ("a[-1]", "'-1'"),
        ("a[1-]", "'1-'"),
        ("a[1, 2]", "' 2'"),
        ("a[x]", "'x'"),
        ("a[]", "''"),
        (f"a[1-{MAX_RANGE + 1}]", "more than"),
        ("a[1-99999999999999999999]", "no range"),
        (f"a[1-{MAX_RANGE},1]b[1]", "more than"),
    ],
)
def test_text_that_slurm_would_not_read_is_refused(text: str, problem: str) -> None:
    for function in (expand, count):
        with pytest.raises(ValueError, match=re.escape(problem)):
            function(text)


def test_a_huge_hostlist_is_counted_but_not_listed() -> None:
    huge = f"a[1-{MAX_RANGE}]b[1-{MAX_RANGE}]"
    assert count(huge) == MAX_RANGE**2
    with pytest.raises(ValueError, match="this stands for 4294967296 names"):
        expand(huge)


@pytest.mark.parametrize(
    ("names_in_order", "compressed"),
    [
        ("n10 n9 n8 n8", "n[8-10]"),
        ("n098 n099 n100 n101", "n[098-101]"),
        ("n001 n002 n1", "n[1,001-002]"),
        ("b1 a2b1 a10b1 a2b2", "a2b[1-2],a10b1,b1"),
        ("x1y9r x1y22r x1y022r", "x1y022r,x1y9r,x1y22r"),
        ("z1 z0 z", "z,z[0-1]"),
        ("a1-ib a2-ib", "a1-ib,a2-ib"),
        ("0 1 2", "[0-2]"),
        ("", ""),
    ],
)
def test_names_are_compressed_as_scontrol_does(names_in_order: str, compressed: str) -> None:
    assert compress(names_in_order.split()) == compressed


def test_a_range_is_never_longer_than_slurm_reads() -> None:
    names = [f"n{number}" for number in range(100_000)]
    assert compress(names) == f"n[0-{MAX_RANGE - 1},{MAX_RANGE}-99999]"
    assert expand(compress(names)) == names


@pytest.mark.parametrize(
    ("names_in_order", "folded"), [("n10 n9 n9 m n1 n2", "n[10,9,9],m,n[1-2]"), ("n9 n10 n011", "n[9-10,011]")]
)
def test_folding_keeps_the_order(names_in_order: str, folded: str) -> None:
    assert fold(names_in_order.split()) == folded


@given(st.lists(names))
def test_compressing_loses_no_name_and_folding_no_place(names_in_order: list[str]) -> None:
    compressed = expand(compress(names_in_order))
    assert len(compressed) == len(set(compressed))
    assert set(compressed) == set(names_in_order)
    assert compress(reversed(names_in_order)) == compress(names_in_order)
    assert expand(fold(names_in_order)) == names_in_order


@given(hostlists)
def test_counting_is_as_long_as_the_list(text: str) -> None:
    expanded = expand(text)
    assert count(text) == len(expanded)
    assert compress(expand(compress(expanded))) == compress(expanded)
    assert fold(expand(compress(expanded))) == compress(expanded)

"""Values of keys: what Slurm reads is read the same, and what it would refuse or misread is refused."""

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.values import UnreadableError, Value, ValueType, as_set, read, write

ITEMS = st.from_regex(r"[A-Za-z0-9_/=:.-]{1,8}(\[[0-9]{1,3}(,[0-9]{1,3}){0,2}\]|\(S:[0-9],[0-9]\))?", fullmatch=True)
NAMES = st.from_regex(r"[a-z]{1,4}(-?[0-9]{1,4})?", fullmatch=True)
INTEGERS = st.integers(0, 10**29)
"""Of more digits nothing is read, and Slurm reads none of more than 20."""
VALUES: dict[ValueType, st.SearchStrategy[Value]] = {
    ValueType.TEXT: st.text(),
    ValueType.WORD: st.from_regex(r"[A-Z0-9_:,]{1,12}", fullmatch=True),
    ValueType.NUMBER: INTEGERS | st.just("UNLIMITED"),
    ValueType.DECIMAL: st.floats(min_value=0, allow_nan=False),
    ValueType.FLAG: st.booleans(),
    ValueType.SECONDS: INTEGERS | st.just("INFINITE"),
    ValueType.DURATION: st.integers(0, 24855 * 86400) | st.just("UNLIMITED"),
    ValueType.MEMORY: INTEGERS | st.just("UNLIMITED"),
    ValueType.LIST: st.lists(ITEMS).map(tuple),
    ValueType.SET: st.lists(ITEMS, unique=True).map(as_set),
    ValueType.AMOUNTS: st.lists(ITEMS).map(lambda items: tuple(sorted(items))),
    ValueType.HOSTS: st.lists(NAMES).map(hostlist.compress),
}


@given(st.sampled_from(ValueType).flatmap(lambda value_type: st.tuples(st.just(value_type), VALUES[value_type])))
def test_what_is_written_is_read_back(type_and_value: tuple[ValueType, Value]) -> None:
    value_type, value = type_and_value
    back = read(value_type, write(value_type, value))
    assert (back, type(back)) == (value, type(value))


@pytest.mark.parametrize(
    ("value_type", "text", "value"),
    [
        (ValueType.WORD, "Up", "UP"),
        (ValueType.NUMBER, "30", 30),
        (ValueType.NUMBER, "0x1F", 31),
        (ValueType.NUMBER, "010", 8),
        (ValueType.NUMBER, "+5", 5),
        (ValueType.NUMBER, "4k", 4096),
        (ValueType.NUMBER, "infinite", "UNLIMITED"),
        (ValueType.DECIMAL, ".5", 0.5),
        (ValueType.DECIMAL, "1e3", 1000.0),
        (ValueType.DECIMAL, "UNLIMITED", float("inf")),
        (ValueType.FLAG, "yes", True),
        (ValueType.FLAG, "Down", False),
        (ValueType.FLAG, "1", True),
        (ValueType.SECONDS, "600", 600),
        (ValueType.SECONDS, "-1", "INFINITE"),
        (ValueType.SECONDS, "none", "INFINITE"),
        (ValueType.DURATION, "90", 5400),
        (ValueType.DURATION, "90:30", 5430),
        (ValueType.DURATION, "1:2:3", 3723),
        (ValueType.DURATION, "1-", 86400),
        (ValueType.DURATION, "1-2", 93600),
        (ValueType.DURATION, "1-2:3", 93780),
        (ValueType.DURATION, "1-2:3:4", 93784),
        (ValueType.DURATION, "1:99", 159),
        (ValueType.DURATION, "Infinite", "UNLIMITED"),
        (ValueType.DURATION, "-1", "UNLIMITED"),
        (ValueType.MEMORY, "4000", 4000),
        (ValueType.MEMORY, "4k", 4096),
        (ValueType.LIST, "b,a,,b", ("b", "a", "b")),
        (ValueType.LIST, "", ()),
        (ValueType.LIST, "gpu:a:2(S:0,1),nvme:1", ("gpu:a:2(S:0,1)", "nvme:1")),
        (ValueType.SET, "b,a,b", ("a", "b")),
        (ValueType.SET, "n[1,3]:2,m", ("m", "n[1,3]:2")),
        (ValueType.SET, "b=2,a,b=1,b=2", ("a", "b=2", "b=1", "b=2")),
        (ValueType.SET, "b=1,b=1,B=0", ("b=1", "B=0")),
        (ValueType.SET, "no_adjust,x,adjust", ("no_adjust", "adjust", "x")),
        (ValueType.SET, "gres/gpu=1,gres/gpu:a=2,cpu=3", ("cpu=3", "gres/gpu:a=2", "gres/gpu=1")),
        (ValueType.AMOUNTS, "b:1,a:2,b:1", ("a:2", "b:1", "b:1")),
        (ValueType.HOSTS, "n3,n1,n2", "n[1-3]"),
        (ValueType.HOSTS, "ALL", "ALL"),
    ],
)
def test_text_is_read_as_slurm_reads_it(value_type: ValueType, text: str, value: Value) -> None:
    assert read(value_type, text) == value


@pytest.mark.parametrize(
    ("value_type", "text", "problem", "fix"),
    [
        (ValueType.NUMBER, "1.5", "this is not a whole number", 'Write digits, or "UNLIMITED".'),
        (ValueType.NUMBER, "-1", "this is not a whole number", 'Write digits, or "UNLIMITED".'),
        (ValueType.NUMBER, "08", "Slurm reads it as octal", 'Write "8".'),
        (ValueType.DECIMAL, "5%", "this is not a number", 'Write for example "12.5".'),
        (ValueType.FLAG, "on", "this is neither yes nor no", 'Write "YES" or "NO".'),
        (
            ValueType.SECONDS,
            "UNLIMITED",
            "this is not a number of seconds",
            'Write seconds, for example "600", or "INFINITE".',
        ),
        (
            ValueType.DURATION,
            "1d",
            "this is not a time that Slurm reads",
            'Write minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or "UNLIMITED".',
        ),
        (
            ValueType.DURATION,
            "99999999",
            "this is longer than Slurm can count",
            'Write at most "24855-00:00:00", or "UNLIMITED".',
        ),
        (ValueType.MEMORY, "4G", "Slurm takes no unit here", 'Write MiB: "4096".'),
        (ValueType.MEMORY, "2TiB", "Slurm takes no unit here", 'Write MiB: "2097152".'),
        (ValueType.MEMORY, "much", "this is not a whole number", 'Write digits, or "UNLIMITED".'),
    ],
)
def test_text_that_slurm_would_refuse_or_misread_is_refused(
    value_type: ValueType, text: str, problem: str, fix: str
) -> None:
    with pytest.raises(UnreadableError) as error:
        read(value_type, text)
    assert error.value.issue == Issue(problem, fix)
    assert str(error.value) == f"{problem}. {fix}"


def test_a_hostlist_that_is_none_is_refused() -> None:
    with pytest.raises(UnreadableError, match="Slurm does not read this hostlist"):
        read(ValueType.HOSTS, "gpu[1-")


@pytest.mark.parametrize("value_type", [ValueType.NUMBER, ValueType.SECONDS, ValueType.DURATION, ValueType.MEMORY])
@pytest.mark.parametrize("text", ["9" * 5000, "0" * 5000, f"1-{'9' * 5000}", f"{'9' * 5000}G", f"0x{'f' * 5000}"])
def test_numbers_of_thousands_of_digits_are_refused(value_type: ValueType, text: str) -> None:
    with pytest.raises(UnreadableError):
        read(value_type, text)

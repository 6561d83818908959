"""Values of keys: what Slurm reads is read the same, and what it would refuse or misread is refused."""

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.values import Kind, UnreadableError, Value, read, write

ITEMS = st.from_regex(r"[A-Za-z0-9_/=:.-]{1,8}(\[[0-9]{1,3}(,[0-9]{1,3}){0,2}\]|\(S:[0-9],[0-9]\))?", fullmatch=True)
NAMES = st.from_regex(r"[a-z]{1,4}(-?[0-9]{1,4})?", fullmatch=True)
VALUES: dict[Kind, st.SearchStrategy[Value]] = {
    Kind.TEXT: st.text(),
    Kind.WORD: st.from_regex(r"[A-Z0-9_:,]{1,12}", fullmatch=True),
    Kind.NUMBER: st.integers(min_value=0) | st.just("UNLIMITED"),
    Kind.DECIMAL: st.floats(min_value=0, allow_nan=False),
    Kind.FLAG: st.booleans(),
    Kind.SECONDS: st.integers(min_value=0) | st.just("INFINITE"),
    Kind.DURATION: st.integers(0, 24855 * 86400) | st.just("UNLIMITED"),
    Kind.MEMORY: st.integers(min_value=0) | st.just("UNLIMITED"),
    Kind.LIST: st.lists(ITEMS).map(tuple),
    Kind.SET: st.lists(ITEMS, unique=True).map(lambda items: tuple(sorted(items))),
    Kind.HOSTS: st.lists(NAMES).map(hostlist.compress),
}


@given(st.sampled_from(Kind).flatmap(lambda kind: st.tuples(st.just(kind), VALUES[kind])))
def test_what_is_written_is_read_back(kind_and_value: tuple[Kind, Value]) -> None:
    kind, value = kind_and_value
    back = read(kind, write(kind, value))
    assert (back, type(back)) == (value, type(value))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Kind.WORD, "Up", "UP"),
        (Kind.NUMBER, "30", 30),
        (Kind.NUMBER, "0x1F", 31),
        (Kind.NUMBER, "010", 8),
        (Kind.NUMBER, "+5", 5),
        (Kind.NUMBER, "4k", 4096),
        (Kind.NUMBER, "infinite", "UNLIMITED"),
        (Kind.DECIMAL, ".5", 0.5),
        (Kind.DECIMAL, "1e3", 1000.0),
        (Kind.DECIMAL, "UNLIMITED", float("inf")),
        (Kind.FLAG, "yes", True),
        (Kind.FLAG, "Down", False),
        (Kind.FLAG, "1", True),
        (Kind.SECONDS, "600", 600),
        (Kind.SECONDS, "-1", "INFINITE"),
        (Kind.SECONDS, "none", "INFINITE"),
        (Kind.DURATION, "90", 5400),
        (Kind.DURATION, "90:30", 5430),
        (Kind.DURATION, "1:2:3", 3723),
        (Kind.DURATION, "1-", 86400),
        (Kind.DURATION, "1-2", 93600),
        (Kind.DURATION, "1-2:3", 93780),
        (Kind.DURATION, "1-2:3:4", 93784),
        (Kind.DURATION, "1:99", 159),
        (Kind.DURATION, "Infinite", "UNLIMITED"),
        (Kind.DURATION, "-1", "UNLIMITED"),
        (Kind.MEMORY, "4000", 4000),
        (Kind.MEMORY, "4k", 4096),
        (Kind.LIST, "b,a,,b", ("b", "a", "b")),
        (Kind.LIST, "", ()),
        (Kind.LIST, "gpu:a:2(S:0,1),nvme:1", ("gpu:a:2(S:0,1)", "nvme:1")),
        (Kind.SET, "b,a,b", ("a", "b")),
        (Kind.SET, "n[1,3]:2,m", ("m", "n[1,3]:2")),
        (Kind.HOSTS, "n3,n1,n2", "n[1-3]"),
        (Kind.HOSTS, "ALL", "ALL"),
    ],
)
def test_text_is_read_as_slurm_reads_it(kind: Kind, text: str, value: Value) -> None:
    assert read(kind, text) == value


@pytest.mark.parametrize(
    ("kind", "text", "problem", "fix"),
    [
        (Kind.NUMBER, "1.5", "this is not a whole number", 'Write digits, or "UNLIMITED".'),
        (Kind.NUMBER, "-1", "this is not a whole number", 'Write digits, or "UNLIMITED".'),
        (Kind.NUMBER, "08", "Slurm reads it as octal", 'Write "8".'),
        (Kind.DECIMAL, "5%", "this is not a number", 'Write for example "12.5".'),
        (Kind.FLAG, "on", "this is neither yes nor no", 'Write "YES" or "NO".'),
        (
            Kind.SECONDS,
            "UNLIMITED",
            "this is not a number of seconds",
            'Write seconds, for example "600", or "INFINITE".',
        ),
        (
            Kind.DURATION,
            "1d",
            "this is not a time that Slurm reads",
            'Write minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or "UNLIMITED".',
        ),
        (
            Kind.DURATION,
            "99999999",
            "this is longer than Slurm can count",
            'Write at most "24855-00:00:00", or "UNLIMITED".',
        ),
        (Kind.MEMORY, "4G", "Slurm takes no unit here", 'Write MiB: "4096".'),
        (Kind.MEMORY, "2TiB", "Slurm takes no unit here", 'Write MiB: "2097152".'),
        (Kind.MEMORY, "much", "this is not a whole number", 'Write digits, or "UNLIMITED".'),
    ],
)
def test_text_that_slurm_would_refuse_or_misread_is_refused(kind: Kind, text: str, problem: str, fix: str) -> None:
    with pytest.raises(UnreadableError) as error:
        read(kind, text)
    assert error.value.issue == Issue(problem, fix)
    assert str(error.value) == f"{problem}. {fix}"


def test_a_hostlist_that_is_none_is_refused() -> None:
    with pytest.raises(UnreadableError, match="Slurm does not read this hostlist"):
        read(Kind.HOSTS, "gpu[1-")

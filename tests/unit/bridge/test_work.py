"""Annotations of Slurm jobs: what is accepted is what the bridge reads, and what it can't read is refused."""

import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.bridge import BridgedWorkSpec, annotations
from pulumi_slurm.errors import SpecError
from pulumi_slurm.model.bridge_work import SUFFIXES
from tests.unit.bridge.reader import PREFIX, READERS, TEXTS, read

WORDS = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}", fullmatch=True)
LISTS = st.lists(WORDS, min_size=1, max_size=3).map(",".join)
PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "account": WORDS,
    "constraints": PRINTABLE,
    "cpus_per_task": st.integers(1, 65533),
    "exclusive": st.booleans(),
    "group_id": WORDS,
    "job_name": st.text(min_size=1).filter(lambda text: text.isprintable() and bool(text.strip())),
    "licenses": PRINTABLE,
    "max_nodes": st.integers(1000, 2**31 - 1),
    "min_nodes": st.integers(1, 1000),
    "mem_per_node": st.integers(1, 2**30).map(lambda mib: f"{mib}Mi"),
    "partition": LISTS,
    "priority": st.integers(0, 2**31 - 1),
    "qos": LISTS,
    "reservation": LISTS,
    "time_limit": st.integers(1, 10**6),
    "user_id": WORDS,
    "wckey": PRINTABLE,
}
"""What a field takes and what the bridge reads as the same value; `gres` and the units of others are below."""


def refusal(**fields: Any) -> list[str]:
    with pytest.raises(SpecError) as refused:
        annotations(**fields)
    return str(refused.value).splitlines()[1:]


@given(st.fixed_dictionaries({}, optional=FIELDS))
def test_what_is_accepted_is_what_the_bridge_reads(fields: dict[str, Any]) -> None:
    written = {**fields}
    if "mem_per_node" in fields:
        written["mem_per_node"] = int(fields["mem_per_node"].removesuffix("Mi"))
    expected = {SUFFIXES[name]: value for name, value in written.items()}
    assert read(annotations(version="1.2.1", **fields)) == expected


def test_every_annotation_of_the_bridge_has_a_field() -> None:
    assert {*SUFFIXES.values()} == {*READERS, *TEXTS}
    assert {*SUFFIXES} == {*BridgedWorkSpec.model_fields} == {*FIELDS, "gres"}


@given(st.integers(1, 2**31 - 1))
def test_times_are_whole_minutes_and_never_shorter(seconds: int) -> None:
    days, rest = divmod(seconds, 24 * 3600)
    text = f"{days}-{rest // 3600}:{rest // 60 % 60}:{rest % 60}"
    if days > 24855 or (days == 24855 and rest):
        assert refusal(time_limit=text)
        return
    minutes = read(annotations(time_limit=text))["timelimit"]
    assert 0 <= minutes * 60 - seconds < 60


@given(st.integers(1, 10**15), st.sampled_from(["k", "M", "G", "Ki", "Mi", "Gi", "Ti", ""]))
def test_memory_is_never_less_and_never_nothing(amount: int, unit: str) -> None:
    factors = {"k": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "": 1}
    wanted = amount * factors[unit]
    if wanted < 2**20 or -(-wanted // 2**20) >= 2**43:
        assert refusal(mem_per_node=f"{amount}{unit}")
        return
    mib = read(annotations(mem_per_node=f"{amount}{unit}"))["mem-per-node"]
    assert 0 <= mib * 2**20 - wanted < 2**20


@pytest.mark.parametrize(
    ("given_as", "text"),
    [
        ("gpu", "gres/gpu=1"),
        ("gpu:2", "gres/gpu=2"),
        ("gpu:a100", "gres/gpu:a100=1"),
        ("gpu:a100:2", "gres/gpu:a100=2"),
        ("gres:gpu:a100:2", "gres/gpu:a100=2"),
        ("gres/gpu:gpu.nvidia.com=2", "gres/gpu:gpu.nvidia.com=2"),
        ("gpu:2,nic:ib:1", "gres/gpu=2,gres/nic:ib=1"),
    ],
)
def test_gres_is_written_as_slurmctld_reads_it(given_as: str, text: str) -> None:
    assert annotations(gres=given_as) == {f"{PREFIX}gres": text}


@given(st.text())
def test_no_text_is_written_that_slurm_reads_otherwise(text: str) -> None:
    for name in ("account", "partition", "user_id", "gres", "constraints"):
        try:
            (written,) = annotations(**{name: text}).values()
        except SpecError:
            continue
        assert re.fullmatch(r"[!-~]+", written)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"account": ""}, 'account = "": Slurm would not read this name as one word.'),
        ({"account": "a,b"}, 'account = "a,b": Slurm would not read this name as one word.'),
        ({"partition": "a,"}, 'partition = "a,": Slurm would not read this name as one word.'),
        ({"cpus_per_task": 1.5}, "cpus_per_task = 1.5: this is not a whole number."),
        ({"cpus_per_task": 0}, "cpus_per_task = 0: this is too small."),
        ({"cpus_per_task": True}, "cpus_per_task = true: this is not a whole number."),
        ({"exclusive": "yes please"}, 'exclusive = "yes please": this is neither true nor false.'),
        ({"gres": "gpu:0"}, 'gres = "gpu:0": Slurm would not read this as GRES.'),
        ({"gres": "gpu:a100:2x"}, 'gres = "gpu:a100:2x": Slurm would not read this as GRES.'),
        ({"job_name": "a\nb"}, 'job_name = "a\\nb": there is a line break in it. Write one line of text.'),
        ({"licenses": "matlab 2"}, 'licenses = "matlab 2": Slurm would not read this as one word.'),
        ({"max_nodes": 2**31}, "max_nodes = 2147483648: this is too large."),
        ({"max_nodes": 1, "min_nodes": 2}, "min_nodes = 2: this is more than max_nodes, which is 1."),
        ({"mem_per_node": "16"}, 'mem_per_node = "16": this is less than 1 MiB, since a size'),
        ({"mem_per_node": "16GB"}, 'mem_per_node = "16GB": this is not a Kubernetes quantity.'),
        ({"time_limit": 0}, "time_limit = 0: no job ends before it begins."),
        ({"time_limit": "UNLIMITED"}, 'time_limit = "UNLIMITED": the bridge reads minutes alone.'),
        ({"timelimit": 5}, 'timelimit: there is no such field. Did you mean "time_limit"?'),
        ({"priority": 5}, "priority = 5: bridge 1.1.2 ignores the annotation priority."),
        ({"version": "9.9.9"}, 'version = "9.9.9": this release of slurm-bridge is not known here.'),
        ({"priority": 5, "version": "0.4.1"}, 'version = "0.4.1": this release of slurm-bridge is not known here.'),
        ({"priority": -1, "version": "1.2.1"}, "priority = -1: this is too small."),
    ],
)
def test_what_the_bridge_cannot_read_is_refused(fields: dict[str, Any], error: str) -> None:
    (line,) = refusal(**fields)
    assert line.startswith(f"  - {error}"), line


def test_all_errors_come_at_once() -> None:
    assert len(refusal(account="a b", qos="", time_limit=0, cpus_per_task=0, mem_per_node="1", priority=1)) == 6

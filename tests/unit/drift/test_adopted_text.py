"""What `drift --adopt` writes into a stack's file: what is meant, to whomever reads the file, and nothing else."""

import contextlib
import copy
from collections import Counter
from typing import Any

import yaml
from hypothesis import example, given, strategies as st
from hypothesis.strategies import DrawFn

from pulumi_slurm_cli.drift import Change
from pulumi_slurm_cli.drift.adopt import AdoptionImpossibleError, changed
from pulumi_slurm_cli.drift.finding import APPEND
from pulumi_slurm_cli.engine_yaml import EngineYamlError, read
from tests.unit.drift.worlds import STACK
from tests.unit.hostile_texts import hostile_texts, inserted

CLUSTER = ("slurm:cluster",)
NAMES = st.text(max_size=12) | hostile_texts | st.from_regex(r"[-+.0-9_:xoeEyn~]{1,9}", fullmatch=True)
CHANGES = st.one_of(
    st.builds(lambda name: Change((*CLUSTER, "partitions", 1, "maxTime"), name), NAMES),
    st.builds(lambda name: Change((*CLUSTER, "partitions", 1, "allowAccounts"), [name, "b"]), NAMES),
    st.builds(lambda name: Change((*CLUSTER, "partitions", 0, "extra", name or "a"), name), NAMES),
    st.builds(lambda name: Change((*CLUSTER, "partitions", APPEND), {"name": name, "nodeSets": ["cpu"]}), NAMES),
    st.just(Change((*CLUSTER, "accounting"), None)),
    st.just(Change((*CLUSTER, "partitions", 0), None)),
)


def expected(config: Any, change: Change) -> Any:
    """Return what the settings have to be."""
    data = copy.deepcopy(config)
    parent = data
    for step, following in zip(change.path[:-1], change.path[1:], strict=True):
        if isinstance(parent, dict) and parent.get(step) is None:
            parent[step] = [] if following == APPEND else {}
        parent = parent[step]
    last = change.path[-1]
    if last == APPEND:
        parent.append(change.value)
    elif change.value is None:
        del parent[last]
    else:
        parent[last] = change.value
    return data


@st.composite
def files(draw: DrawFn) -> str:
    """Draw a file that the engine can read, with something hostile somewhere in its values, keys or comments."""
    text = draw(inserted(STACK, hostile_texts))
    try:
        data = read(text).value
    except EngineYamlError:
        return STACK
    return text if isinstance(data, dict) and "slurm:cluster" in (data.get("config") or {}) else STACK


@given(files(), CHANGES)
@example(STACK.replace("[physics]", '["phy\u2028sics"]'), Change((*CLUSTER, "partitions", 1, "maxTime"), "1"))
@example(STACK.replace("half a day", "half\u2028    # a day"), Change((*CLUSTER, "partitions", 1, "maxTime"), "1"))
@example(STACK.replace("half a day", "half\x85    # a day"), Change((*CLUSTER, "partitions", 1, "maxTime"), "1"))
@example(STACK, Change((*CLUSTER, "partitions", 1, "maxTime"), "1_000"))
@example(STACK, Change((*CLUSTER, "partitions", 1, "maxTime"), "a\u2028environment: [x]"))
def test_the_engine_reads_what_was_meant(text: str, change: Change) -> None:
    before = read(text).value
    with contextlib.suppress(AdoptionImpossibleError, TypeError, KeyError, IndexError):
        wanted = {**before, "config": expected(before["config"], change)}
        written = changed(text, [change])
        assert read(written).value == wanted
        assert [*yaml.safe_load(written)] == [*before]
        assert not unseen(written) - unseen(text)


def unseen(text: str) -> Counter[str]:
    return Counter(char for char in text if not char.isprintable() and char != "\n")

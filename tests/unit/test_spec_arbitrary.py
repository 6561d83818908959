"""Whatever YAML holds, reading it ends in a specification or in a SpecError, never in another exception."""

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic.alias_generators import to_camel

from pulumi_slurm.spec import NodePool, NodeSet, Partition, SlurmSpec, SpecError, load
from tests.unit.strategies import specs

FIELDS = sorted(
    {
        spelling
        for model in (SlurmSpec, NodeSet, Partition, NodePool)
        for name in model.model_fields
        for spelling in (name, to_camel(name))
    }
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates(), st.binary(max_size=2)
)
keys = st.one_of(
    st.sampled_from(FIELDS), st.text(max_size=4), st.integers(-2, 2), st.booleans(), st.none(), st.floats()
)
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def read(cluster: Any, pools: Any = ()) -> None:
    before = copy.deepcopy((cluster, pools))
    mistakes = None
    try:
        load(cluster, pools)
    except SpecError as error:
        mistakes = error.mistakes
        str(error)
    assert mistakes is None or (mistakes and all(mistake.problem and mistake.remedy for mistake in mistakes))
    assert repr((cluster, pools)) == repr(before), "what the user gave is left as it was"


@given(trees, trees)
def test_any_data(cluster: Any, pools: Any) -> None:
    read(cluster, pools)


@given(st.dictionaries(st.sampled_from(FIELDS), trees, max_size=6), st.lists(trees, max_size=2))
def test_any_data_under_known_names(cluster: dict[str, Any], pools: list[Any]) -> None:
    read({"name": "c", **cluster}, pools)


def _places(data: Any) -> list[tuple[Any, Any]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, value in items for place in [(data, key), *_places(value)]]


@given(specs(max_node_sets=2), st.data())
def test_a_valid_specification_with_something_replaced(
    drawn: tuple[SlurmSpec, list[NodePool]], data: st.DataObject
) -> None:
    spec, pools = drawn
    written = {
        "cluster": json.loads(spec.model_dump_json(by_alias=data.draw(st.booleans()), exclude_unset=True)),
        "pools": [json.loads(pool.model_dump_json()) for pool in pools],
    }
    for _ in range(data.draw(st.integers(1, 4))):
        container, key = data.draw(st.sampled_from(_places(written)))
        container[key] = data.draw(trees)
    read(written["cluster"], written["pools"])

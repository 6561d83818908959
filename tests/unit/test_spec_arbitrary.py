"""Loading any data that YAML can contain returns a specification or raises SpecError, never another exception."""

import json
from typing import Any

from hypothesis import given, strategies as st

from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, PartitionSpec, SlurmSpec
from tests.unit.arbitrary import errors_in, fields_of, positions, trees
from tests.unit.strategies import specs

FIELDS = fields_of(SlurmSpec, NodeSetSpec, PartitionSpec, NodePoolSpec)
ANY = trees(FIELDS)


@given(ANY, ANY)
def test_any_data(cluster: Any, pools: Any) -> None:
    errors_in(load, cluster, pools)


@given(st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=6), st.lists(ANY, max_size=2))
def test_any_data_under_known_names(cluster: dict[str, Any], pools: list[Any]) -> None:
    errors_in(load, {"name": "c", **cluster}, pools)


@given(specs(max_node_sets=2), st.data())
def test_a_valid_specification_with_something_replaced(
    drawn: tuple[SlurmSpec, list[NodePoolSpec]], data: st.DataObject
) -> None:
    spec, pools = drawn
    plain_data = {
        "cluster": json.loads(spec.model_dump_json(by_alias=data.draw(st.booleans()), exclude_unset=True)),
        "pools": [json.loads(pool.model_dump_json()) for pool in pools],
    }
    for _ in range(data.draw(st.integers(1, 4))):
        container, key = data.draw(st.sampled_from(positions(plain_data)))
        container[key] = data.draw(ANY)
    errors_in(load, plain_data["cluster"], plain_data["pools"])

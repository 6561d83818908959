"""Every valid specification is accepted, and is equal after it has been dumped and loaded again."""

import json

from hypothesis import given

from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from tests.unit.strategies import specs


@given(specs())
def test_a_valid_specification_survives_being_written_and_read(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    spec, pools = drawn
    plain_data = json.loads(spec.model_dump_json(by_alias=True))
    plain_pools = [json.loads(pool.model_dump_json(by_alias=True)) for pool in pools]
    assert load(plain_data, plain_pools) == (spec, pools)


@given(specs(max_node_sets=2))
def test_snake_case_and_omitted_defaults_mean_the_same(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    spec, pools = drawn
    plain_data = spec.model_dump(mode="json", exclude_defaults=True)
    assert load(plain_data, [pool.model_dump(mode="json", exclude_unset=True) for pool in pools]) == (spec, pools)

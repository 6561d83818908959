"""Every valid specification is accepted, and is the same after it was written down and read again."""

import json

from hypothesis import given

from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from tests.unit.strategies import specs


@given(specs())
def test_a_valid_specification_survives_being_written_and_read(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    spec, pools = drawn
    written = json.loads(spec.model_dump_json(by_alias=True))
    written_pools = [json.loads(pool.model_dump_json(by_alias=True)) for pool in pools]
    assert load(written, written_pools) == (spec, pools)


@given(specs(max_node_sets=2))
def test_snake_case_and_omitted_defaults_mean_the_same(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    spec, pools = drawn
    written = spec.model_dump(mode="json", exclude_defaults=True)
    assert load(written, [pool.model_dump(mode="json", exclude_unset=True) for pool in pools]) == (spec, pools)

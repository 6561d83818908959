"""Any YAML is loaded as an ACK specification or refused with a SpecError, never with another exception."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import (
    AckControlPlaneSpec,
    AckDiskSpec,
    AckNetworkSpec,
    AckPoolSpec,
    AckSpec,
    AckStorageSpec,
    AckSystemPoolSpec,
    NasSpec,
    RdsSpec,
)
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools
from pulumi_slurm.ack.rules import check_ack
from pulumi_slurm.errors import SpecError
from pulumi_slurm.rules import check_pool_list
from tests.unit.ack.strategies import ack_specs
from tests.unit.arbitrary import errors_in, fields_of, positions, trees

FIELDS = fields_of(
    AckSpec,
    AckPoolSpec,
    AckSystemPoolSpec,
    AckNetworkSpec,
    AckControlPlaneSpec,
    AckStorageSpec,
    NasSpec,
    RdsSpec,
    AckDiskSpec,
)
WORDS = ["cn-hangzhou", "cn-hangzhou-h", "ecs.g8i.xlarge", "10.0.0.0/16", "1.32", "spot", "extreme", "/share", "home"]
ANY = trees(FIELDS, WORDS)
GOOD = {
    "region": "cn-hangzhou",
    "zones": ["cn-hangzhou-h"],
    "network": {"vpcRange": "10.0.0.0/8", "nodeRanges": {"cn-hangzhou-h": "10.0.0.0/18"}},
    "controlPlane": {"version": "1.32.1-aliyun.1", "addons": [{"name": "a"}]},
    "storage": [{"name": "home", "mountPath": "/home", "nas": {"fileSystemType": "extreme", "capacityGib": 512}}],
    "database": {"highAvailability": False},
    "pools": [
        {"name": "cpu", "instanceTypes": ["ecs.g8i.xlarge"], "maxNodes": 4, "disk": {"sizeGib": 120}},
        {"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "nodes": 2, "taints": [{"key": "a"}]},
    ],
}


@given(ANY)
def test_any_data(data: Any) -> None:
    errors_in(load_ack, data)


@given(st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=6))
def test_any_data_with_the_names_of_fields(data: dict[str, Any]) -> None:
    errors_in(load_ack, {"region": "cn-hangzhou", "zones": ["cn-hangzhou-h"], **data})


@given(st.data())
def test_a_correct_specification_with_anything_in_one_field(data: st.DataObject) -> None:
    changed = copy.deepcopy(GOOD)
    container, key = data.draw(st.sampled_from(positions(changed)))
    container[key] = data.draw(ANY)
    errors_in(load_ack, changed)


@given(ack_specs())
def test_a_valid_specification_survives_being_written_and_read(ack: AckSpec) -> None:
    plain = json.loads(ack.model_dump_json(by_alias=True, exclude_unset=True))
    assert AckSpec.model_validate(plain) == ack


@given(ack_specs())
def test_specifications_without_errors_result_in_valid_node_pools(ack: AckSpec) -> None:
    if not list(check_ack(ack)):
        assert [pool.name for pool in node_pools(AckPlan.of(ack))] == [pool.name for pool in ack.pools]
        assert not list(check_pool_list(node_pools(AckPlan.of(ack))))


def test_paths_of_errors_start_at_the_specification_s_key() -> None:
    with pytest.raises(SpecError) as caught:
        load_ack({"zones": ["cn-hangzhou-h"], "pools": [{"name": "p"}], "tags": {"acs:a": "b"}}, at=("slurm:ack",))
    assert [error.path for error in caught.value.errors] == [
        ("slurm:ack", "region"),
        ("slurm:ack", "pools", 0, "instanceTypes"),
        ("slurm:ack", "tags", "acs:a"),
    ]

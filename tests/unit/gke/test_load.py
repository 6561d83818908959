"""Loading GKE specifications: for any YAML, the result is a specification or a SpecError with all errors."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.model import GkeNetworkSpec, GkePoolSpec, GkeSpec, GkeStorageSpec
from pulumi_slurm.gke.model.control_plane import GkeControlPlaneSpec
from tests.unit.arbitrary import errors_in, fields_of, positions, trees
from tests.unit.gke.strategies import gke_specs

FIELDS = fields_of(GkeSpec, GkePoolSpec, GkeStorageSpec, GkeNetworkSpec, GkeControlPlaneSpec)
ANY = trees(FIELDS)
BASE = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}


def lines(data: Any) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_gke(data)
    return [str(error).split(":")[0] for error in caught.value.errors]


@given(ANY)
def test_any_data(data: Any) -> None:
    errors_in(load_gke, data)


@given(st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=6))
def test_any_data_in_existing_fields(data: dict[str, Any]) -> None:
    errors_in(load_gke, {**BASE, **data})


@given(gke_specs(), st.data())
def test_a_specification_with_replaced_values(spec: GkeSpec, data: st.DataObject) -> None:
    plain = json.loads(spec.model_dump_json(by_alias=data.draw(st.booleans()), exclude_unset=True))
    for _ in range(data.draw(st.integers(1, 4))):
        container, key = data.draw(st.sampled_from(positions(plain)))
        container[key] = data.draw(ANY)
    errors_in(load_gke, plain)


def test_paths_start_with_the_path_of_the_specification() -> None:
    with pytest.raises(SpecError) as caught:
        load_gke({**BASE, "pools": [{"name": "p", "machineType": "n2-standard-8"}]}, at=("slurm:gke",))
    assert [error.path for error in caught.value.errors] == [("slurm:gke", "pools", 0, "max_nodes")]


def test_missing_required_fields_hide_no_other_error() -> None:
    pool = {"name": "p", "machineType": "nowhere", "maxNodes": 1}
    assert lines({"pools": [pool]}) == ["region", "zones", "project", 'pools[0].machineType = "nowhere"']


def test_zones_are_not_compared_with_an_invalid_region() -> None:
    assert lines({**BASE, "region": "us-central1-a"}) == ['region = "us-central1-a"']
    assert lines({**BASE, "region": 5}) == ["region = 5"]


def test_consequences_of_an_invalid_field_are_not_reported() -> None:
    pools = [
        {"name": "p", "machineType": "a3-highgpu-1g", "capacity": "sport", "maxNodes": 1},
        {"name": "q", "machineType": "n2-standard-8", "maxNodes": "many"},
        {"name": "r", "machineType": "n2-standard-8", "maxNodes": 1, "localSsd": {"use": "block", "count": "one"}},
    ]
    assert lines({**BASE, "pools": pools}) == [
        'pools[0].capacity = "sport"',
        'pools[1].maxNodes = "many"',
        'pools[2].localSsd.count = "one"',
    ]


def test_indexes_are_those_of_the_user_after_an_invalid_pool() -> None:
    pools = [{"name": "P"}, {"machineType": "n2-standard-8"}, {"name": "q", "machineType": "nowhere", "maxNodes": 1}]
    assert lines({**BASE, "pools": pools}) == [
        'pools[0].name = "P"',
        "pools[0].machineType",
        "pools[1].name",
        'pools[2].machineType = "nowhere"',
    ]


@given(gke_specs())
def test_a_specification_can_be_dumped_and_loaded(spec: GkeSpec) -> None:
    assert load_gke(json.loads(spec.model_dump_json(by_alias=True, exclude_unset=True))) == spec


def test_no_error_is_reported_twice() -> None:
    storage = [
        {"name": "a", "mountPath": "/a", "filestore": {"tier": "BASIC_SSD"}},
        {"name": "b", "mountPath": "/b", "filestore": {"capacityGib": 1}},
    ]
    assert lines({**BASE, "storage": storage}) == [
        "storage[0].filestore.capacityGib",
        "storage[1].filestore.capacityGib = 1",
    ]

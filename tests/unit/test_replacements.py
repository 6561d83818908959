"""For which inputs a cloud makes a resource anew, as far as tables say so."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.clouds.replacements import replaced_for, replaced_inputs
from tests.clouds.simulator.facts import resources, rows

POOL = "gcp:container/nodePool:NodePool"
ACK_POOL = "alicloud:cs/nodePool:NodePool"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
NODE = "nodeConfig"
_NOT_COMPARED = {
    SUBNETWORK: ("ipCidrRange",),
    POOL: ("networkConfig.additionalNodeNetworkConfigs", "networkConfig.podCidrOverprovisionConfig"),
    # Of the default pool, which no cluster of ours keeps.
    "gcp:container/cluster:Cluster": ("nodeConfig", "nodePools", "ipAllocationPolicy.podCidrOverprovisionConfig"),
    "alicloud:rds/instance:Instance": ("zoneIdSlaveA",),
    "gcp:sql/user:User": ("iamEmail",),
}
"""Inputs of which a provider's own code decides, as it answered when it was asked, and those that the SDK lacks."""


@pytest.mark.parametrize(
    ("kind", "old", "new", "paths"),
    [
        # An input with one value or another.
        (POOL, {"location": "a"}, {"location": "b"}, ["location"]),
        (POOL, {NODE: {"machineType": "a"}}, {NODE: {"machineType": "b"}}, []),
        # What is left out stays as it is in the cloud, where the cloud computes it; else it goes.
        (POOL, {"location": "a"}, {}, []),
        (ACK_POOL, {"ramRoleName": "a"}, {}, []),
        ("gcp:lustre/instance:Instance", {"description": "a"}, {"description": "b"}, []),
        ("gcp:lustre/instance:Instance", {"filesystem": "a"}, {}, ["filesystem"]),
        # What a provider takes where nothing is written.
        (POOL, {}, {NODE: {"spot": False}}, []),
        (POOL, {NODE: {"spot": True}}, {NODE: {}}, ["nodeConfig.spot"]),
        ("gcp:compute/disk:Disk", {}, {"type": "pd-standard"}, []),
        ("gcp:compute/disk:Disk", {}, {"type": "pd-ssd"}, ["type"]),
        # A number that is written, where it may be another in the cloud.
        ("alicloud:nas/fileSystem:FileSystem", {"encryptType": 2}, {"encryptType": 0}, ["encryptType"]),
        ("alicloud:nas/fileSystem:FileSystem", {"encryptType": 2}, {}, []),
        # Of a block only counts whether it is there.
        (POOL, {}, {NODE: {"reservationAffinity": {}}}, ["nodeConfig.reservationAffinity"]),
        (POOL, {NODE: {"reservationAffinity": {}}}, {NODE: {}}, ["nodeConfig.reservationAffinity"]),
        # In lists, each item; in sets, in any order.
        (ACK_POOL, {"securityGroupIds": ["a", "b"]}, {"securityGroupIds": ["b", "a"]}, []),
        (ACK_POOL, {"securityGroupIds": ["a"]}, {"securityGroupIds": ["b"]}, ["securityGroupIds"]),
        (
            POOL,
            {NODE: {"guestAccelerators": [{"type": "a", "count": 1}]}},
            {NODE: {"guestAccelerators": [{"type": "b", "count": 1}]}},
            ["nodeConfig.guestAccelerators.type"],
        ),
        # Ranges of a subnetwork can only grow.
        (SUBNETWORK, {"ipCidrRange": "10.0.0.0/20"}, {"ipCidrRange": "10.0.0.0/18"}, []),
        (SUBNETWORK, {"ipCidrRange": "10.0.0.0/18"}, {"ipCidrRange": "10.0.0.0/20"}, ["ipCidrRange"]),
        (SUBNETWORK, {"ipCidrRange": "10.0.0.0/18"}, {"ipCidrRange": "10.9.0.0/18"}, ["ipCidrRange"]),
        (SUBNETWORK, {"ipCidrRange": "10.0.0.0/18"}, {"ipCidrRange": "fd00::/64"}, ["ipCidrRange"]),
        # Nothing is known of other types.
        ("kubernetes:core/v1:Service", {"spec": {"clusterIP": "a"}}, {"spec": {"clusterIP": "b"}}, []),
    ],
)
def test_what_makes_a_resource_anew(kind: str, old: Any, new: Any, paths: list[str]) -> None:
    assert [*replaced_for(kind, old, new)] == paths


_TEXTS = st.sampled_from(["", "a", "10.0.0.0/8"])
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "type"]), inner, max_size=2),
    max_leaves=4,
)


@given(st.data())
def test_any_value_at_any_path_has_an_answer_and_none_replaces_itself(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(replaced_inputs())))
    path = data.draw(st.sampled_from(replaced_inputs()[kind])).path
    sides: list[Any] = [data.draw(_VALUES), data.draw(_VALUES)]
    for step in reversed(path.split(".")):
        sides = [
            data.draw(st.sampled_from([{step: side}, [{step: side}]])) if step != path else {step: side}
            for side in sides
        ]
    sides = [side if isinstance(side, dict) else side[0] for side in sides]
    assert [*replaced_for(kind, sides[0], sides[0])] == []
    assert {*replaced_for(kind, *sides)} <= {item.path for item in replaced_inputs()[kind]}


@pytest.mark.parametrize("kind", sorted({*replaced_inputs()} & {*resources()}))
def test_the_tables_say_what_the_schemas_say(kind: str) -> None:
    schema = rows(kind)
    # Of a block that is kept as a whole, what is in it may replace.
    table = {
        item.path: item.is_kept
        for item in replaced_inputs()[kind]
        if not (item.is_block and item.is_kept and not schema[item.path].get("replaces"))
    }
    expected = {path: bool(row.get("kept")) for path, row in schema.items() if row.get("replaces")}
    assert {path: kept for path, kept in table.items() if not path.startswith(_NOT_COMPARED.get(kind, ()))} == {
        path: kept for path, kept in expected.items() if not path.startswith(_NOT_COMPARED.get(kind, ()))
    }


def test_every_type_that_stacks_make_is_in_the_tables() -> None:
    assert {*resources()} <= {*replaced_inputs()}

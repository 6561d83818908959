"""A zone without a vSwitch of nodes: an error in the argument, or of the program once an Output is known."""

from typing import Any

import pulumi
import pytest

from pulumi_slurm.ack import AckCluster, AckDatabase, AckNodePool, AckSharedStorage, AckSystemPool
from tests.components.ack.requests import requests_of
from tests.stack_configuration import ROOT_KEY

ZONE, OTHER = "cn-hangzhou-i", "cn-hangzhou-h"
POOL: dict[str, Any] = {"cluster_id": "c-1", "security_group_id": "sg-1", "zones": [ZONE]}
CLUSTER = {"name": "hpc"}
COMPONENTS = [
    (AckNodePool, {**POOL, "pool": {"name": "cpu", "instance_types": ["ecs.c7.4xlarge"], "max_nodes": 1}}),
    (AckSystemPool, POOL),
    (
        AckCluster,
        {
            "region": "cn-hangzhou",
            "name": "ack",
            "zones": [ZONE],
            "security_group_id": "sg-1",
            "pod_vswitches": {ZONE: "vsw-2"},
        },
    ),
    (AckDatabase, {"cluster": CLUSTER, "zones": [ZONE], "security_ips": ["10.1.0.0/18"], "root_key": ROOT_KEY}),
    (
        AckSharedStorage,
        {
            "cluster": CLUSTER,
            "storage": {"name": "home", "mount_path": "/home", "nas": {}},
            "zone": ZONE,
            "vpc_id": "vpc-1",
            "node_ranges": {ZONE: "10.1.0.0/20"},
        },
    ),
]


@pytest.mark.parametrize("as_output", [False, True])
@pytest.mark.parametrize(("component", "args"), COMPONENTS)
def test_a_zone_without_a_vswitch_is_an_error(component: Any, args: dict[str, Any], as_output: bool) -> None:
    ids = {OTHER: "vsw-1"}
    vswitches = pulumi.Output.from_input(ids) if as_output else ids
    expected = (
        f"node_vswitches: there is no vSwitch in {ZONE}. Pass"
        if as_output
        else f'node_vswitches["{ZONE}"]: there is no vSwitch for nodes in this zone'
    )
    with pytest.raises(pulumi.RunError) as raised:
        requests_of(lambda: component("part", {**args, "node_vswitches": vswitches}))
    assert expected in str(raised.value)

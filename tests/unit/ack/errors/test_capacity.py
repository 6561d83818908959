"""The number of nodes in node pools, and spot capacity."""

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.errors import SpecError
from tests.unit.ack.errors.harness import BASE, warnings_of


def test_a_cluster_with_too_many_nodes() -> None:
    pools = [{"name": f"p{number}", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 1000} for number in range(15)]
    with pytest.raises(SpecError) as caught:
        load_ack({**BASE, "pools": pools})
    assert [str(error) for error in caught.value.errors] == [
        "pools: with the system pool these are up to 15003 nodes, and ACK manages 15000 in a cluster of "
        "ack.pro.small. Write fewer nodes in some of them."
    ]


def test_a_system_pool_that_is_scaled_is_warned_about() -> None:
    assert warnings_of("systemPool: {minNodes: 2, maxNodes: 4}") == [
        "systemPool.maxNodes = 4: above minNodes, 2, ACK scales this pool: some of its own components avoid such "
        "nodes, and slurmctld is restarted whenever its node is removed. Write the same number as minNodes."
    ]
    assert warnings_of("systemPool: {minNodes: 4, maxNodes: 4}") == []


def test_machines_that_are_paid_in_advance_and_taken_away_are_warned_about() -> None:
    pool = "name: p, instanceTypes: [ecs.g8i.xlarge], capacity: subscription"
    assert warnings_of(f"pools: [{{{pool}, maxNodes: 2}}]") == [
        'pools[0].capacity = "subscription": ACK scales this pool, and a machine that it takes away is paid for to the '
        "end of its time. Write nodes for a fixed number, or capacity on-demand."
    ]
    assert warnings_of(f"pools: [{{{pool}, nodes: 2}}]") == []


@pytest.mark.parametrize("field", ["userData", "preUserData"])
def test_a_script_that_is_too_large(field: str) -> None:
    pool = {"name": "p", "instanceTypes": ["ecs.g8i.xlarge"], "nodes": 1}
    load_ack({**BASE, "pools": [{**pool, field: "#" * 32768}]})
    with pytest.raises(SpecError) as caught:
        load_ack({**BASE, "pools": [{**pool, field: "ü" * 16385}]})
    (error,) = caught.value.errors
    assert error.path == ("pools", 0, field)
    assert (error.problem, error.fix) == (
        "this script has 32770 bytes, and ECS takes 32768",
        "Load the rest of it from OSS, or make an image of your own and write imageId.",
    )

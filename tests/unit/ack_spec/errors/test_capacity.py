"""The number of nodes in node pools, and spot capacity."""

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.errors import SpecError
from tests.unit.ack_spec.errors.harness import BASE, Case, errors_of, warnings_of

CASES: dict[str, Case] = {
    "on-demand instead in a pool that is scaled": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 2, capacity: spot, onDemandInstead: true}]
        """,
        [
            "pools[0].onDemandInstead = true: ACK's autoscaler doesn't see whether there are spot machines, so it "
            "would always buy on-demand ones. Leave it out, and add a pool with capacity on-demand; or write nodes "
            "for a fixed number.",
        ],
    ),
    "restarts without repairs": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2, autoRepair: false, restartToRepair: true}]
        """,
        [
            "pools[0].restartToRepair = true: autoRepair is false, so ACK repairs nothing. Leave it out, or leave "
            "autoRepair out.",
        ],
    ),
    "20: a fixed number beside bounds": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2, minNodes: 0, maxNodes: 4}]
        """,
        [
            ("pools[0].minNodes = 0: a fixed number of nodes has no bounds. Keep nodes, or minNodes and maxNodes."),
            ("pools[0].maxNodes = 4: a fixed number of nodes has no bounds. Keep nodes, or minNodes and maxNodes."),
        ],
    ),
    "20: most not above least": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], minNodes: 4, maxNodes: 4}]
        """,
        [
            (
                "pools[0].maxNodes = 4: ACK requires it to be above minNodes, 4. Write 5 or more, or "
                "nodes: 4 for a fixed number."
            ),
        ],
    ),
    "20: price limits that leave types out": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge, ecs.g7.xlarge], capacity: spot,
          spotPriceLimits: {ecs.g8i.xlarge: 0.5, ecs.c7.xlarge: 0.4}, maxNodes: 4}]
        """,
        [
            (
                'pools[0].spotPriceLimits["ecs.c7.xlarge"] = 0.4: the pool has no such instance type. Write '
                "one of: ecs.g8i.xlarge, ecs.g7.xlarge."
            ),
            (
                'pools[0].spotPriceLimits = {"ecs.g8i.xlarge": 0.5, "ecs.c7.xlarge": 0.4}: there is no limit '
                "for ecs.g7.xlarge, and ACK takes limits for all types or for none. Add one for each "
                "instance type, or leave spotPriceLimits out."
            ),
        ],
    ),
    "20: price limits that are no prices": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], capacity: spot, spotPriceLimits: {ecs.g8i.xlarge: 0},
          maxNodes: 4}]
        """,
        [
            (
                'pools[0].spotPriceLimits["ecs.g8i.xlarge"] = 0.0: this is not a price. Write the maximum '
                "price per hour, for example 1.5."
            ),
        ],
    ),
    "no number of nodes": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge]}]
        """,
        [
            ("pools[0].maxNodes: nothing says how many nodes there can be. Add maxNodes, or nodes for a fixed number."),
        ],
    ),
    "more nodes than ACK scales": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 1001}]
        """,
        [
            "pools[0].maxNodes = 1001: this is too large. Write 1000 or less.",
        ],
    ),
    "spot fields without spot": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], spotPriceLimits: {ecs.g8i.xlarge: 1},
          onDemandInstead: true, maxNodes: 1}]
        """,
        [
            (
                'pools[0].spotPriceLimits = {"ecs.g8i.xlarge": 1.0}: machines of capacity on-demand are no '
                'spot machines. Leave it out, or write capacity "spot".'
            ),
            (
                "pools[0].onDemandInstead = true: machines of capacity on-demand are no spot machines. Leave "
                'it out, or write capacity "spot".'
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


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

"""Node pools: their names, their number of nodes, and the capacity that nodes come from."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "a name that a capacity option takes": (
        """
        pools:
          - {name: a-spot, machineType: n2-standard-8, maxNodes: 1}
          - {name: a, machineType: n2-standard-8, priorities: [{capacity: spot, maxNodes: 1}, {maxNodes: 1}]}
          - {name: a, machineType: n2-standard-8, maxNodes: 1}
          - {name: system, machineType: n2-standard-8, maxNodes: 1}
        """,
        [
            ('pools[1].name = "a": "a-spot" would be the name of a pool of "a-spot" too. Choose another name.'),
            'pools[2].name = "a": this name is used before. Choose another name.',
            'pools[3].name = "system": the pool of Slurm\'s daemons has this name. Choose another name.',
        ],
    ),
    "two options with the same capacity": (
        """
        pools:
          - name: a
            machineType: n2-standard-8
            priorities: [{capacity: spot, maxNodes: 1}, {capacity: spot, maxNodes: 2}]
        """,
        [
            (
                'pools[0].priorities[1].capacity = "spot": the priorities have a capacity option with this '
                "capacity already, and both would have the same name in GKE. Join them, or add another pool for "
                "this one."
            ),
        ],
    ),
    "capacity in addition to priorities": (
        """
        pools: [{name: a, machineType: n2-standard-8, capacity: spot, maxNodes: 4, priorities: [{maxNodes: 1}]}]
        """,
        [
            (
                'pools[0].capacity = "spot": the capacity options of the pool set it, each for its own nodes. Leave '
                "capacity out here, and set it in the capacity options."
            ),
            (
                "pools[0].maxNodes = 4: the capacity options of the pool set it, each for its own nodes. Leave "
                "maxNodes out here, and set it in the capacity options."
            ),
        ],
    ),
    "no number of nodes": (
        """
        pools:
          - {name: p, machineType: n2-standard-8}
          - {name: q, machineType: n2-standard-8, priorities: [{capacity: spot}]}
        """,
        [
            ("pools[0].maxNodes: nothing says how many nodes there can be. Add maxNodes, or nodes for a fixed number."),
            (
                "pools[1].priorities[0].maxNodes: nothing says how many nodes there can be. Add maxNodes, or "
                "nodes for a fixed number."
            ),
        ],
    ),
    "a minimum above the maximum": (
        """
        pools: [{name: p, machineType: n2-standard-8, minNodes: 3, maxNodes: 2}]
        """,
        [
            "pools[0].minNodes = 3: it is above maxNodes, 2. Write 2 or less.",
        ],
    ),
    "bounds of a fixed number": (
        """
        pools: [{name: p, machineType: n2-standard-8, nodes: 3, maxNodes: 4}]
        """,
        [
            ("pools[0].maxNodes = 4: a fixed number of nodes has no bounds. Keep nodes, or minNodes and maxNodes."),
        ],
    ),
    "a fixed number that zones can't share": (
        """
        pools: [{name: p, machineType: n2-standard-8, nodes: 3, zones: [us-central1-a, us-central1-b]}]
        """,
        [
            ("pools[0].nodes = 3: GKE keeps as many nodes in each of 2 zones. Write 2 or 4, or fewer zones."),
        ],
    ),
    "reservation without a name": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: reservation, maxNodes: 1}]
        """,
        [
            "pools[0].reservation: nothing says which reservation the machines come from. Add its name.",
        ],
    ),
    "reservation of another capacity": (
        """
        pools: [{name: p, machineType: n2-standard-8, capacity: spot, reservation: mine, maxNodes: 1}]
        """,
        [
            (
                'pools[0].reservation = "mine": with capacity spot no reservation is used. Leave it out, or '
                'write capacity "reservation".'
            ),
        ],
    ),
    "reservation in two zones": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, capacity: reservation, reservation: mine, maxNodes: 1,
             zones: [us-central1-a, us-central1-b]}
        """,
        [
            (
                'pools[0].zones = ["us-central1-a", "us-central1-b"]: a reservation is in one zone, and '
                "the nodes in us-central1-a, us-central1-b could not all use it. Write the one zone of the "
                "reservation."
            ),
        ],
    ),
    "reservation in another form": (
        """
        pools: [{name: p, machineType: n2-standard-8, capacity: reservation, reservation: reservations/a, maxNodes: 1}]
        """,
        [
            (
                'pools[0].reservation = "reservations/a": this is not a reservation. Write its name, or '
                "projects/P/reservations/N, or projects/P/reservations/N/reservationBlocks/B."
            ),
        ],
    ),
    "an end for nodes that have none": (
        """
        pools: [{name: p, machineType: n2-standard-8, maxRunDuration: 1-0, maxNodes: 1}]
        """,
        [
            (
                'pools[0].maxRunDuration = "1-0": nodes of capacity on-demand have no end. Leave it out, or '
                'write capacity "flex-start".'
            ),
        ],
    ),
    "flex-start for too long": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: flex-start, maxRunDuration: 8-0, maxNodes: 1}]
        """,
        [
            (
                'pools[0].maxRunDuration = "8-0": Google runs such nodes for 7 days at most. Write for '
                'example "7-00:00:00" or "12:00:00".'
            ),
        ],
    ),
    "flex-start with a fixed number": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: flex-start, nodes: 2}]
        """,
        [
            (
                "pools[0].nodes = 2: with capacity flex-start nodes come and go, so GKE keeps no fixed "
                "number. Write maxNodes instead."
            ),
        ],
    ),
    "queued with a minimum": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: queued, minNodes: 1, maxNodes: 2}]
        """,
        [
            ("pools[0].minNodes = 1: with capacity queued a pool starts and ends with no nodes. Leave it out."),
        ],
    ),
    "flex-start of a machine without it": (
        """
        pools: [{name: p, machineType: n2-standard-8, capacity: flex-start, maxNodes: 2}]
        """,
        [
            (
                'pools[0].capacity = "flex-start": n2-standard-8 is not available by flex-start. Write one of: '
                "reservation, spot, on-demand."
            ),
        ],
    ),
    "on demand of a machine without it": (
        """
        pools: [{name: p, machineType: a3-highgpu-1g, maxNodes: 2}]
        """,
        [
            (
                "pools[0].capacity: a3-highgpu-1g is not available on demand. Write one of: reservation, spot, "
                "flex-start."
            ),
        ],
    ),
    "B200 on demand": (
        """
        pools: [{name: p, machineType: a4-highgpu-8g, maxNodes: 2}]
        """,
        [
            (
                "pools[0].capacity: a4-highgpu-8g is not available on demand. Write one of: reservation, spot, "
                "flex-start."
            ),
        ],
    ),
    "H200 on demand": (
        """
        pools: [{name: p, machineType: a3-ultragpu-8g, maxNodes: 2}]
        """,
        [
            (
                "pools[0].capacity: a3-ultragpu-8g is not available on demand. Write one of: reservation, spot, "
                "flex-start."
            ),
        ],
    ),
    "GB200 without a reservation": (
        """
        pools:
          - {name: p, machineType: a4x-highgpu-4g, capacity: spot, maxNodes: 2}
          - {name: q, machineType: a4x-highgpu-4g, capacity: queued, maxNodes: 2}
          - {name: r, machineType: a4x-highgpu-4g, maxNodes: 2}
        """,
        [
            (
                f"pools[{number}].capacity{value}: a4x-highgpu-4g is not available {how}. "
                'Write "reservation", the only way to get it.'
            )
            for number, (value, how) in enumerate(
                [(' = "spot"', "as spot VMs"), (' = "queued"', "by flex-start"), ("", "on demand")]
            )
        ],
    ),
    "more nodes than GKE manages": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, maxNodes: 9000}
          - {name: q, machineType: n2-standard-8, maxNodes: 9000}
        """,
        [
            (
                "pools: with the system pool these are up to 18004 nodes, and GKE manages 15000 in a "
                "cluster. Write fewer nodes in some of them."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

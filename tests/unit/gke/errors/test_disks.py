"""Local SSDs and boot disks."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "local SSDs that the machine can't have": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, localSsd: {count: 3}, maxNodes: 1}
          - {name: q, machineType: a3-megagpu-8g, capacity: spot, localSsd: {count: 8}, maxNodes: 1}
        """,
        [
            (
                "pools[0].localSsd.count = 3: n2-standard-8 has 0 or 1 or 2 or 4 or 8 or 16 or 24 local "
                "SSDs. Write 0 or 1 or 2 or 4 or 8 or 16 or 24."
            ),
            "pools[1].localSsd.count = 8: a3-megagpu-8g has 16 local SSDs. Leave it out.",
        ],
    ),
    "raw disks on machines without local SSDs": (
        """
        pools:
          - {name: p, machineType: e2-standard-8, localSsd: {use: block}, maxNodes: 1}
          - {name: q, machineType: c2-standard-60, localSsd: {use: block}, maxNodes: 1}
        """,
        [
            (
                'pools[0].localSsd.use = "block": the nodes have no local SSDs, so there is nothing to use. '
                "Leave it out, or choose a machine type with local SSDs."
            ),
            (
                'pools[1].localSsd.use = "block": the nodes have no local SSDs, so there is nothing to use. '
                "Set count to one of: 8."
            ),
        ],
    ),
    "boot disks that the machine can't have": (
        """
        pools:
          - {name: p, machineType: c4-standard-8, disk: {type: pd-balanced}, maxNodes: 1}
          - {name: q, machineType: n1-standard-8, disk: {type: hyperdisk-balanced}, maxNodes: 1}
          - {name: r, machineType: n1-standard-8, disk: {type: pd-extreme}, maxNodes: 1}
        systemPool: {disk: {type: hyperdisk-balanced}}
        """,
        [
            (
                'pools[2].disk.type = "pd-extreme": there is no such boot disk. Write one of: '
                "hyperdisk-balanced, pd-balanced, pd-ssd, pd-standard."
            ),
            (
                'pools[0].disk.type = "pd-balanced": c4-standard-8 doesn\'t support pd-balanced, and GKE would '
                'refuse the pool. Leave it out, or write "hyperdisk-balanced".'
            ),
            (
                'pools[1].disk.type = "hyperdisk-balanced": n1-standard-8 doesn\'t support hyperdisk-balanced, and '
                'GKE would refuse the pool. Leave it out, or write "pd-balanced".'
            ),
            (
                'systemPool.disk.type = "hyperdisk-balanced": e2-standard-4 doesn\'t support hyperdisk-balanced, and '
                'GKE would refuse the pool. Leave it out, or write "pd-balanced".'
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

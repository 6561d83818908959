"""Compact placement, and the fast networks of GPU machines."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "compact placement of a machine without it": (
        """
        pools: [{name: p, machineType: e2-standard-8, compactPlacement: true, maxNodes: 2}]
        """,
        [
            "pools[0].compactPlacement = true: e2-standard-8 has no compact placement. Leave it out.",
        ],
    ),
    "compact placement in two zones": (
        """
        zones: [us-central1-b, us-central1-c]
        pools: [{name: p, machineType: c2-standard-60, compactPlacement: true, maxNodes: 2}]
        """,
        [
            (
                "pools[0].zones: nodes in us-central1-b, us-central1-c can't be close to each other. Write "
                "one zone, or leave compactPlacement out."
            ),
        ],
    ),
    "compact placement of too many": (
        """
        pools: [{name: p, machineType: c2-standard-60, compactPlacement: true, maxNodes: 1501}]
        """,
        [
            (
                "pools[0].maxNodes = 1501: no more than 1500 nodes can be placed close to each other. Write "
                "1500 or less, or leave compactPlacement out."
            ),
        ],
    ),
    "compact placement by flex-start": (
        """
        pools:
          - name: p
            machineType: a3-megagpu-8g
            compactPlacement: true
            priorities: [{capacity: flex-start, maxNodes: 2}, {capacity: queued, maxNodes: 2}]
        """,
        [
            (
                "pools[0].compactPlacement = true: a3-megagpu-8g by flex-start has no compact placement. Leave it "
                "out, or choose another capacity."
            ),
            (
                "pools[0].compactPlacement = true: capacity queued has no compact placement. Leave it out, "
                "or write flex-start."
            ),
        ],
    ),
    "compact placement of a reservation without its policy": (
        """
        pools:
          - name: p
            machineType: a3-megagpu-8g
            compactPlacement: true
            priorities:
              - {capacity: reservation, reservation: r, nodes: 2}
              - {capacity: spot, maxNodes: 2}
          - {name: q, machineType: e2-standard-8, placementPolicy: near, hostMaintenance: monthly, maxNodes: 2}
          - {name: s, machineType: e2-standard-8, placementPolicy: projects/p/regions/r/resourcePolicies/near,
             maxNodes: 2}
        """,
        [
            "pools[1].hostMaintenance = \"monthly\": this is not one of the choices. Write one of: 'as-needed' or "
            "'periodic'.",
            'pools[2].placementPolicy = "projects/p/regions/r/resourcePolicies/near": this is not the name of a '
            "policy. Write its name alone, without project and region: the last part.",
            "pools[0].compactPlacement = true: machines of a reservation are where its own placement policy has them, "
            "and it takes no other. Write placementPolicy with the name that `gcloud compute reservations describe` "
            'has in "resourcePolicies"; if there is none, leave compactPlacement out.',
            'pools[1].placementPolicy = "near": e2-standard-8 has no compact placement. Leave it out.',
        ],
    ),
    "RDMA in two zones": (
        """
        zones: [us-central1-b, us-central1-c]
        pools: [{name: p, machineType: a3-ultragpu-8g, capacity: spot, disk: {type: hyperdisk-balanced}, maxNodes: 2}]
        """,
        [
            (
                "pools[0].zones: a network of RoCE is bound to a zone, and the nodes are in us-central1-b, "
                "us-central1-c. Write one zone here and add a pool for each of the others, or write fabric: "
                "false."
            ),
        ],
    ),
    "more nodes than fit into the fast networks": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: spot, maxNodes: 3000}]
        """,
        [
            (
                'network.fabricRange = "192.168.0.0/16": its 32 parts have 2044 addresses each, and 3001 '
                "nodes need as many. Write a /15 or larger."
            ),
        ],
    ),
    "more interfaces than there is room for": (
        """
        catalogue:
          machineTypes:
            - {name: x9-mega-32g, vcpus: 8, memoryGib: 64, fabric: RoCE,
               gpus: {googleType: gpu-x, count: 32, gresType: x}}
        pools: [{name: p, machineType: x9-mega-32g, maxNodes: 2}]
        """,
        [
            ("pools[0].fabric = true: x9-mega-32g would need 33 interfaces, and there is room for 19. Write false."),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

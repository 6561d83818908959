"""Zones: in the region, and with the machine types that are used there."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "zone of another region": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, zones: [us-east4-a], maxNodes: 1}
        storage:
          - {name: home, mountPath: /home, filestore: {zone: europe-west4-a}}
          - {name: scratch, mountPath: /scratch, lustre: {zone: europe-west4-a}}
        """,
        [
            (
                'pools[0].zones[0] = "us-east4-a": this zone is not in us-central1, the region of the '
                'cluster. Write a zone such as "us-central1-b", or another region.'
            ),
            (
                'storage[0].filestore.zone = "europe-west4-a": this zone is not in us-central1, the region '
                'of the cluster. Write a zone such as "us-central1-b", or another region.'
            ),
            (
                'storage[1].lustre.zone = "europe-west4-a": this zone is not in us-central1, the region of '
                'the cluster. Write a zone such as "us-central1-b", or another region.'
            ),
        ],
    ),
    "zone in another form": (
        """
        storage: [{name: home, mountPath: /home, filestore: {zone: us-central1}}]
        """,
        [
            ('storage[0].filestore.zone = "us-central1": this is not a zone. Write for example "us-central1-b".'),
        ],
    ),
    "zones that don't offer the machine": (
        """
        zones: [us-central1-b, us-central1-c]
        catalogue: {zones: {g2-standard-4: [us-central1-a, us-central1-b, us-east4-a], e2-standard-4: [us-east4-a]}}
        pools:
          - {name: p, machineType: g2-standard-4, zones: [us-central1-c], maxNodes: 1}
          - {name: q, machineType: g2-standard-4, maxNodes: 1}
        """,
        [
            (
                'pools[0].zones[0] = "us-central1-c": catalogue.zones says that g2-standard-4 is offered in '
                "us-central1-a, us-central1-b, us-east4-a. Write one of: us-central1-a, us-central1-b."
            ),
            (
                "pools[1].zones: catalogue.zones says that g2-standard-4 is offered in us-central1-a, "
                "us-central1-b, us-east4-a, not in us-central1-c, where the cluster's nodes are. Write one "
                "of: us-central1-a, us-central1-b."
            ),
            (
                "systemPool.zones: catalogue.zones says that e2-standard-4 is offered in us-east4-a, not in "
                "us-central1-b, us-central1-c, where the cluster's nodes are. Choose another machine type, "
                "or another region."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

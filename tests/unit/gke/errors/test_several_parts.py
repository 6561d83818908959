"""Errors of several parts of a specification at once."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "everything at once, in spite of required fields": (
        """
        project: My Project
        zones: []
        pools:
          - {name: p, machineType: n2-standard-9, maxNodes: 1}
          - {name: q, machineType: g2-standard-4, nodes: 2, capacity: flex-start}
        database: {highAvailability: true, backups: "no"}
        """,
        [
            "zones = []: there are too few items. Give at least 1.",
            (
                'project = "My Project": this is not the id of a project. Write what `gcloud projects list` '
                "shows as PROJECT_ID."
            ),
            (
                "database.backups = false: the second instance is kept up by backups and "
                "the log between them. Write true, or leave highAvailability out."
            ),
            (
                'pools[0].machineType = "n2-standard-9": there is no such machine type. Did you mean '
                '"n2-standard-96" or "n2d-standard-96" or "n2-standard-8"?'
            ),
            (
                "pools[1].nodes = 2: with capacity flex-start nodes come and go, so GKE keeps no fixed "
                "number. Write maxNodes instead."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

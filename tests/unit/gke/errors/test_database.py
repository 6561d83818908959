"""The database in Cloud SQL."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "Cloud SQL without backups in two zones": (
        """
        database: {highAvailability: true, backups: false}
        """,
        [
            (
                "database.backups = false: the second instance is kept up by backups and "
                "the log between them. Write true, or leave highAvailability out."
            ),
        ],
    ),
    "Cloud SQL of another edition": (
        """
        database: {edition: ENTERPRISE_PLUS}
        """,
        [
            ('database.tier: edition ENTERPRISE_PLUS has no such machine. Write for example "db-perf-optimized-N-2".'),
        ],
    ),
    "unknown Cloud SQL machines": (
        """
        database: {tier: db-custom-3-8192}
        """,
        [
            (
                'database.tier = "db-custom-3-8192": edition ENTERPRISE has no such machine. Write 1 CPU, or '
                "an even number up to 96."
            ),
        ],
    ),
    "too much memory for Cloud SQL": (
        """
        database: {tier: db-custom-2-65536}
        """,
        [
            (
                'database.tier = "db-custom-2-65536": edition ENTERPRISE has no such machine. With 2 CPUs '
                "write 3840 to 13312 MiB, a multiple of 256."
            ),
        ],
    ),
    "a flag that slurmdbd needs": (
        """
        database: {flags: {innodb_lock_wait_timeout: "50", "--sort": "1"}}
        """,
        [
            (
                'database.flags = {"innodb_lock_wait_timeout": "50", "--sort": "1"}: slurmdbd needs '
                "innodb_lock_wait_timeout to be 900, and it is set so. Leave it out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

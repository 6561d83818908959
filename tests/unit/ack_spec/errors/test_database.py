"""The database in RDS for MySQL."""

import pytest

from tests.unit.ack_spec.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "database": (
        """
        database: {highAvailability: true, instanceType: mysql.n2.medium.1, diskGib: 42,
          parameters: {innodb_lock_wait_timeout: '50', Big: '1'}}
        """,
        [
            "database.diskGib = 42: RDS sells disks in steps of 5 GiB. Write 40 or 45.",
            (
                'database.parameters.innodb_lock_wait_timeout = "50": slurmdbd needs it to be 900, which is '
                "set already. Leave it out."
            ),
            ('database.parameters.Big = "1": RDS has no such parameter. Write it as MySQL does, in lower case.'),
            (
                'database.instanceType = "mysql.n2.medium.1": this type has no second instance, and '
                "highAvailability is true. Write one that ends in .2c, or highAvailability: false."
            ),
            (
                "database.highAvailability = true: its second instance would be in cn-hangzhou-h too, the "
                "only zone. Add a zone to zones, or leave highAvailability out."
            ),
        ],
    ),
    "second instance without a zone": (
        """
        database: {highAvailability: true}
        """,
        [
            (
                "database.highAvailability = true: its second instance would be in cn-hangzhou-h too, the "
                "only zone. Add a zone to zones, or leave highAvailability out."
            ),
        ],
    ),
    "disk above its largest": (
        """
        zones: [cn-hangzhou-h, cn-hangzhou-i]
        database: {highAvailability: true, diskGib: 1000}
        """,
        [
            "database.largestDiskGib: it is below diskGib, 1000. Write 1000 or more.",
        ],
    ),
    "a Basic edition that grows": (
        """
        database: {largestDiskGib: 1000}
        """,
        [
            "database.largestDiskGib = 1000: only the disk of an instance with highAvailability grows automatically. "
            "Leave it out and enlarge diskGib when it is needed; or write highAvailability: true.",
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

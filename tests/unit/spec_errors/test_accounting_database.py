"""The accounting database."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "backups": (
        """
        name: c
        accounting:
          database:
            backup: {schedule: daily, retention: 30d, s3: {bucket: b-1, endpoint: 'https://s3', accessKeyId:
              {name: s, key: i}, secretAccessKey: {name: s, key: k}}}
        """,
        [
            (
                'accounting.database.backup.schedule = "daily": this is not a schedule. Write five fields, for example '
                '"0 3 * * *".'
            ),
            (
                'accounting.database.backup.retention = "30d": this is not a duration. Write for example "15m", "24h" '
                'or "1h30m"; days are not a unit here.'
            ),
            (
                'accounting.database.backup.s3.endpoint = "https://s3": this is not a host. Write it without scheme '
                'and path, for example "minio:9000".'
            ),
            (
                "accounting.database.backup = {}: only mariadb-operator takes backups here. Write kind "
                '"mariadb-operator", or leave it out.'
            ),
        ],
    ),
    "backups without mariadb-operator": (
        """
        name: c
        accounting: {database: {backup: {retention: 24h}}}
        """,
        [
            (
                'accounting.database.backup = {"retention": "24h"}: only mariadb-operator takes backups here. Write '
                'kind "mariadb-operator", or leave it out.'
            ),
        ],
    ),
    "outside database without address": (
        """
        name: c
        accounting: {database: {kind: external}}
        """,
        [
            "accounting.database.host: an external database needs a host. Add its host name or address.",
            (
                "accounting.database.passwordSecret: the password of an external database can't be derived. "
                "Add passwordSecret: {name: ..., key: ...}, a Secret in the cluster's namespace."
            ),
        ],
    ),
    "PostgreSQL": (
        """
        name: c
        accounting: {database: {kind: postgresql, host: h}}
        """,
        [
            (
                'accounting.database.kind = "postgresql": this is not one of the choices. Write one of: '
                "'in-cluster', 'mariadb-operator' or 'external'."
            ),
        ],
    ),
    "two Galera servers": (
        """
        name: c
        accounting: {database: {kind: mariadb-operator, replicas: 2}}
        """,
        [
            "accounting.database.replicas = 2: two Galera servers can't form a quorum. Write 1, or 3 or more.",
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected

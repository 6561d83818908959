"""The accounting database."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
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

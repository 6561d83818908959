"""How login pods are replaced."""

from typing import Any

import pytest

from tests.unit.manifests.rendered import WHOLE, rendered_by_kind


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (None, None),
        ({}, {"type": "RollingUpdate"}),
        ({"type": "Recreate"}, {"type": "Recreate"}),
        (
            {"maxUnavailable": 0, "maxSurge": 1},
            {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}},
        ),
    ],
)
def test_login_pods_are_replaced_as_is_stated(stated: dict[str, Any] | None, expected: dict[str, Any] | None) -> None:
    login = {"name": "login", **({} if stated is None else {"updateStrategy": stated})}
    objects = rendered_by_kind(**{**WHOLE, "operatorVersion": "1.2.2", "loginSets": [login]})
    assert objects["LoginSet"]["spec"].get("strategy") == expected

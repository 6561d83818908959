"""What is warned of with ack-slurm-operator: what is in Slinky's images and pods has no meaning here."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from tests.stack_configuration import read
from tests.unit.ack.test_stack_config import on_slinky, stack


def codes(settings: dict[str, Any]) -> set[str | None]:
    with pytest.raises(SpecError) as caught:
        read(settings)
    return {error.code for error in caught.value.errors}


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("windows-of-jobs-have-their-keys", {"slurmConf": {"extra": {"PrologFlags": "Contain,X11"}}}),
        ("logs-are-where-containers-read-them", {"slurmConf": {"extra": {"SlurmdLogFile": "/var/log/slurm/d.log"}}}),
        ("operator-release-has-no-known-defects", {"operatorVersion": "1.1.0"}),
    ],
)
def test_what_is_told_of_slinkys_images_and_pods_alone(code: str, fields: dict[str, Any]) -> None:
    changes = [(("cluster", field), value) for field, value in fields.items()]
    as_errors = (("warningsAsErrors",), True)
    assert code in codes(on_slinky(as_errors, *changes))
    assert code not in codes(stack(as_errors, *changes))

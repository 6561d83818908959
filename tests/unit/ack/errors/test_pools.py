"""Node pools: names, labels, taints, passwords and disks."""

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.errors import SpecError
from tests.unit.ack.errors.harness import BASE


def test_a_password_is_never_shown() -> None:
    with pytest.raises(SpecError) as caught:
        load_ack({**BASE, "pools": [{"name": "p", "instanceTypes": ["ecs.g8i.xlarge"], "password": "Hush1234"}]})
    assert "Hush1234" not in str(caught.value)

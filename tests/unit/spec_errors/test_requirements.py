"""Lines of slurm.conf that need other lines or files, and forms of values."""

from typing import Any

import pytest
import yaml

from pulumi_slurm.loading import load
from tests.unit.spec_errors.harness import errors_of


def test_an_image_of_ones_own_may_have_plugins_of_its_own() -> None:
    text = "{name: c, slurmConf: {extra: {JobSubmitPlugins: ours}}, controller: {image: example.com/slurmctld:1}}"
    assert load(yaml.safe_load(text))
    assert errors_of(text.replace("image: example.com/slurmctld:1", "")) != []


KEYS = {name: {"existing": {"name": "site-keys", "key": f"{name}.key"}} for name in ("slurm", "jwt")}


@pytest.mark.parametrize(
    "more",
    [
        {"slurmConf": {"schedulerParameters": ["max_job_bf=50", "bf_max_job_test=50"]}},
        {
            "slurmConf": {"extra": {"HashPlugin": "hash/sha3"}},
            "accounting": {"external": {"host": "db.example.org", "port": 6819}},
            "keys": KEYS,
        },
        {"slurmConf": {"extra": {"MaxNodeCount": 3}}},
    ],
)
def test_lines_that_slurmctld_starts_with(more: dict[str, Any]) -> None:
    load({"name": "c", "nodeSets": [{"name": "a", "machine": {"cpus": 2, "memory": "4Gi"}, "replicas": 3}], **more})

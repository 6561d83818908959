"""A preview warns of releases of Slurm with a mistake by which daemons end."""

from typing import Any

import pytest

from pulumi_slurm.errors import collected_warnings
from pulumi_slurm.loading import load

IMAGE = "registry.example.org/slurmctld"
OUTSIDE = {
    "controller": {"external": {"host": "slurmctld.example.org", "port": 6817}},
    "keys": {"slurm": {"existing": {"name": "k", "key": "s"}}, "jwt": {"existing": {"name": "k", "key": "j"}}},
}


@pytest.mark.parametrize(
    ("cluster", "path"),
    [
        ({"slurmVersion": "25.11.4"}, "slurmVersion"),
        ({"slurmVersion": "25.11.0"}, "slurmVersion"),
        ({"slurmVersion": "25.11.5"}, None),
        ({"slurmVersion": "25.11"}, None),
        ({"slurmVersion": "26.05.0", "operatorVersion": "1.1.3"}, None),
        ({"slurmVersion": "25.11.4", "monitoring": {"metrics": False}}, None),
        ({"slurmVersion": "25.11.4", **OUTSIDE}, None),
        ({"slurmVersion": "25.11.4", "controller": {"slurmVersion": "25.11.8"}}, None),
        ({"slurmVersion": "25.11.8", "controller": {"slurmVersion": "25.11.4"}}, "controller.slurmVersion"),
        ({"slurmVersion": "25.11.4", "images": {"tag": "25.11.8-ubuntu24.04"}}, None),
        ({"images": {"tag": "25.11.2-mine"}}, "images.tag"),
        ({"images": {"tag": "25.11.2-mine"}, "controller": {"image": f"{IMAGE}:25.11.8"}}, None),
        ({"controller": {"image": f"{IMAGE}:25.11.3@sha256:{'0' * 64}"}}, "controller.image"),
    ],
)
def test_a_slurmctld_that_metrics_end_is_warned_of(cluster: dict[str, Any], path: str | None) -> None:
    with collected_warnings() as warnings:
        load({"name": "hpc", **cluster})
    texts = [str(one) for one in warnings if one.code == "metrics-outlive-removed-partitions"]
    assert [text.partition(" = ")[0] for text in texts] == ([path] if path else [])
    assert all("Take 25.11.5 or a later release, or write monitoring: {metrics: false}." in text for text in texts)

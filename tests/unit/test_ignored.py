"""Warnings of what Slurm ignores without a word: files that nothing reads."""

from typing import Any

import pytest

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster

TOPOLOGY_CONF = {"topology.conf": "SwitchName=a Nodes=cpu-0\n"}


def warned(**fields: Any) -> list[str]:
    errors = check_cluster(SlurmSpec(name="c", **fields))
    return [str(error) for error in errors if error.severity is Severity.WARNING]


@pytest.mark.parametrize(
    ("files", "lines", "text"),
    [(TOPOLOGY_CONF, {"TopologyPlugin": "topology/flat"}, "Slurm doesn't read it without a TopologyPlugin that does")],
)
def test_a_file_that_nothing_reads(files: dict[str, str], lines: dict[str, str], text: str) -> None:
    (warning,) = warned(configFiles=files, slurmConf={"extra": lines})
    assert text in warning


@pytest.mark.parametrize(("files", "lines"), [(TOPOLOGY_CONF, {"TopologyPlugin": "topology/tree"})])
def test_a_file_that_is_read(files: dict[str, str], lines: dict[str, str]) -> None:
    assert warned(configFiles=files, slurmConf={"extra": lines}) == []

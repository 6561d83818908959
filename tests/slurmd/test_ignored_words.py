"""Words that we warn of: slurmctld starts, and has nothing of them, or something else."""

from typing import Any

import pytest

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster
from tests.slurmd.cluster import Cluster
from tests.slurmd.observations import Observation, has
from tests.slurmd.operator_files import files
from tests.slurmd.refusal import NODE_SETS

IGNORED: dict[str, tuple[dict[str, Any], Observation]] = {
    "what is private": ({"PrivateData": "jbos"}, has("PrivateData", "none")),
    "the age of jobs": ({"MinJobAge": 1}, has("MinJobAge", "2 sec")),
    "a width": ({"TreeWidth": 0}, has("TreeWidth", "16")),
    "a frequency": ({"CpuFreqDef": "Fast"}, has("CpuFreqDef", "Unknown")),
}


@pytest.mark.parametrize("name", IGNORED)
def test_slurmctld_ignores_what_we_warn_of(cluster: Cluster, name: str) -> None:
    lines, observation = IGNORED[name]
    errors = check_cluster(SlurmSpec.model_validate({"name": "c", "slurmConf": {"extra": lines}}))
    assert [(error.path[-1], error.severity) for error in errors] == [(key, Severity.WARNING) for key in lines]
    text = "".join(f"{key}={value}\n" for key, value in lines.items())
    cluster.start_controller(files(NODE_SETS + text))
    assert observation(cluster), cluster.run("scontrol", "show", "config")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("bf_interval=abc", "Invalid SchedulerParameters bf_interval: 0"),
        ("bf_window=x", "Invalid SchedulerParameters bf_window: 0"),
    ],
)
def test_slurmctld_reads_no_number(cluster: Cluster, parameters: str, message: str) -> None:
    (warning,) = check_cluster(
        SlurmSpec.model_validate({"name": "c", "slurmConf": {"schedulerParameters": [parameters]}})
    )
    assert "Slurm reads no number" in warning.problem
    cluster.start_controller(files(f"{NODE_SETS}SchedulerParameters={parameters}\n"))
    assert cluster.controller.daemon
    cluster.controller.daemon.eventually_says(message)

"""A cluster that Slinky's chart made, taken over by a stack while a job runs, on a cluster of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.container_images import SLINKY, SLURM_TAG
from devcluster.real_nodes import RealNode
from devcluster.toolchain import Toolchain
from tests.e2e import slinky_chart
from tests.e2e.objects import Objects
from tests.jobs.conftest import running
from tests.jobs.slurm import Daemons
from tests.shipped_stacks import shipped
from tests.waiting import equals, eventually

NODE = RealNode("cpu-0", 0, labels={"pulumi-slurm/pool": "cpu"})


def container(daemon: str) -> dict[str, Any]:
    return {"image": {"repository": f"{SLINKY}/{daemon}", "tag": SLURM_TAG}}


LOGFILE = {"image": {"repository": "docker.io/library/alpine", "tag": "3.22"}}
VALUES = {
    "configFiles": {"cgroup.conf": shipped("local")["slurm:cluster"]["configFiles"]["cgroup.conf"]},
    "controller": {
        "slurmctld": container("slurmctld"),
        "reconfigure": container("slurmctld"),
        "logfile": LOGFILE,
        "extraConfMap": {"KillWait": 45},
    },
    "restapi": {"slurmrestd": container("slurmrestd")},
    "nodesets": {
        "slinky": {
            "slurmd": {**container("slurmd"), "resources": {"limits": {"cpu": "2", "memory": "4Gi"}}},
            "logfile": LOGFILE,
        }
    },
}
STATE = ("sinfo", "-h", "-N", "-o", "%N %T")


@pytest.fixture(scope="module")
def cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(Cluster(tmp_path_factory.mktemp("adopted"), tools, nodes=(), real_nodes=(NODE,))) as own:
        yield own


@pytest.fixture(scope="module")
def objects(cluster: Cluster) -> Objects:
    return Objects(cluster.api)


@pytest.fixture
def slurm(cluster: Cluster) -> Daemons:
    return Daemons(cluster, "slurm")


def lives(slurm: Daemons) -> dict[str, list[Any]]:
    """Return since when each container of each daemon's pod runs."""
    daemons = ("slurmctld", "slurmrestd", "slurmd")
    return {
        pod["metadata"]["name"]: [
            [pod["metadata"]["uid"], status["name"], status["restartCount"], status["state"]["running"]["startedAt"]]
            for status in pod["status"]["containerStatuses"]
        ]
        for daemon in daemons
        for pod in slurm.pods(daemon)
    }


@pytest.mark.repeats("tests/unit/adopting/test_every_release.py, with real daemons and a job")
def test_a_running_job_notices_nothing(
    tools: Toolchain, cluster: Cluster, objects: Objects, slurm: Daemons, tmp_path: Path
) -> None:
    objects.namespace("slurm")
    slinky_chart.install(tools, cluster, objects, tmp_path, "slurm", VALUES)
    eventually("its node", lambda: slurm.answer("slurmctld", *STATE), equals("slinky-0 idle"))
    slurm.inside("slurmctld", "sbatch", "--chdir=/tmp", "--wrap=sleep 3600")
    shown = ("squeue", "-h", "-o", "%i %T %S %N")
    (job,) = eventually(
        "its job",
        lambda: slurm.answer("slurmctld", *shown).splitlines(),
        lambda lines: len(lines) == 1 and "RUNNING" in lines[0],
    )
    before = lives(slurm)
    assert len(before) == 3

    program, _ = slinky_chart.adopt(tools, cluster, objects, "slurm", tmp_path)
    assert not program.up().replaced
    assert program.preview(None, "--expect-no-changes").changes == {}
    assert lives(slurm) == before
    assert slurm.inside("slurmctld", *shown).strip() == job

    slurm.inside("slurmctld", "scancel", job.split()[0])
    eventually("its node", lambda: slurm.answer("slurmctld", *STATE), equals("slinky-0 idle"))
    assert slurm.inside("slurmctld", "srun", "hostname").strip() == "slinky-0"
    program.destroy()
    assert {"slurm-auth-slurm", "slurm-auth-jwt"} <= objects.names("Secret", "slurm")
    assert "statesave-slurm-controller-0" in objects.names("PersistentVolumeClaim", "slurm")

"""`pulumi-slurm status` on real daemons: each kind of reason, and jobs that wait."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.loading import load
from pulumi_slurm_cli.proof.node_states import Kind
from pulumi_slurm_cli.status import screen_of, status_of
from pulumi_slurm_cli.status.reasons import Writer, kept_from_jobs
from pulumi_slurm_cli.status.status import Gpus, Status
from pulumi_slurm_cli.status.waits import users_of, waits_of
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.operator_files import CPU_AND_GPU, SLURMDBD_CONF, files
from tests.slurmd.proof_bed import InHost
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site
from tests.unit.status.status_worlds import pod

pytestmark = ON_THE_NEWEST
CPU = {f"cpu-{number}": "Features=cpu" for number in range(3)}
GPU = {"gpu-0": "Features=gpu Gres=gpu:a100:2"}
REASONS = {
    "cpu-0": "slurm-operator: Node kind-1 was cordoned",
    "cpu-1": "pulumi-slurm: ecc: 12 errors | on gpu 1\ncpu-9|idle|x\x1b[31m",
    "cpu-2": "a fan",
}
SPEC, _ = load(
    {
        "name": "c",
        "accounting": {},
        "slurmConf": {"defMemPerCpu": 100},
        "nodeSets": [{"name": "cpu", "machine": {"cpus": 2, "memory": "1Gi"}, "partition": {"default": True}}],
    }
)


@dataclass(frozen=True, kw_only=True)
class WithPods(InHost):
    """Has the pods of the control plane too."""

    def objects(self, *_: object, **__: object) -> list[Any]:
        """Return pods as kubectl lists them."""
        return [pod("slurmctld", self.host.name), pod("slurmrestd", "c-restapi-x", "CrashLoopBackOff")]


@pytest.fixture(scope="module")
def cluster(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(image, tmp_path_factory.mktemp("status")) as site:
        cluster = Cluster(site)
        cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
        cluster.start_controller(with_device_files(files(CPU_AND_GPU, accounting=True), {"gpu-[0-9]": 2}, "a100"))
        cluster.start_workers({**CPU, **GPU}, gpus={"gpu-0": 2})
        for name, reason in REASONS.items():
            cluster.run("scontrol", "update", f"nodename={name}", "state=drain", f"reason={reason}")
        for options in (("--partition=gpu", "--gres=gpu:1"), ("--partition=cpu,all", "--array=0-9"), ("--hold",)):
            cluster.run("sbatch", "--output=/dev/null", *options, "--wrap=sleep 600", user=JOB_USER)
        daemon = cluster.controller.daemon
        assert daemon
        states = ("squeue", "--noheader", "--states=RUNNING", "--format=%T")
        daemon.eventually("a job that runs", lambda: cluster.run(*states).split(), lambda rows: len(rows) == 1)
        yield cluster


def status_now(cluster: Cluster) -> Status:
    return status_of(SPEC, WithPods(host=cluster.controller.host))


def test_all_is_read_and_shown(cluster: Cluster) -> None:
    status = status_now(cluster)
    reading = status.reading
    assert reading is not None
    assert {node.name: node.kind for node in reading.nodes} == {**dict.fromkeys(CPU, Kind.DRAINED), "gpu-0": Kind.MIXED}
    kept = {group.nodes: (group.writer, group.name, group.reason) for group in kept_from_jobs(reading.nodes)}
    assert kept == {
        ("cpu-0",): (Writer.OPERATOR, "", "Node kind-1 was cordoned"),
        ("cpu-1",): (Writer.CHECK, "ecc", REASONS["cpu-1"].partition("ecc: ")[2]),
        ("cpu-2",): (Writer.PERSON, "root", "a fan"),
    }
    assert all(node.reason_at and abs(reading.now - node.reason_at) < 600 for node in reading.nodes if node.reason)
    gpus = Gpus.of(reading.nodes)
    assert (gpus.total, gpus.allocated, gpus.free) == (2, 1, 1)
    assert {(wait.reason, wait.count) for wait in waits_of(reading.waiting)} >= {("JobHeldUser", 1)}
    assert users_of(reading.waiting) == [(JOB_USER, 11)]
    assert {one.name: (len(one.nodes), one.waiting) for one in status.partitions()} == {
        "all": (4, 10),
        "cpu": (3, 11),
        "gpu": (1, 0),
    }
    assert [ping.answers for ping in (*reading.slurmctld, *reading.slurmdbd)] == [True, True]
    assert None not in (reading.threads, reading.database_queue)
    lines = screen_of(status)
    assert len(lines) <= 24
    assert "! slurmrestd: 1 pod is not ready: c-restapi-x (CrashLoopBackOff)" in lines


def test_slurmctld_that_does_not_answer_is_told(cluster: Cluster) -> None:
    daemon = cluster.controller.daemon
    assert daemon
    daemon.stop()
    status = status_now(cluster)
    assert status.reading is not None
    assert status.reading.partitions is None
    lines = screen_of(status)
    assert lines[1] == "! slurmctld does not answer: jobs go on, and none starts"
    assert re.match(r"slurmctld +primary down on c-controller-0; 1 of 1 pods ready", lines[4]), lines

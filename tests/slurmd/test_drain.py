"""Partitions and node sets that leave a specification while they have jobs: what the Job before the change does."""

import copy
import subprocess
import time
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.version import Series
from tests.doc_blocks import blocks
from tests.slurmd.cluster import Cluster
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import rendered_files
from tests.slurmd.sacctmgr import SacctmgrPod, drain_job
from tests.slurmd.scontrol import show_nodes, show_partitions
from tests.slurmd.site import Site
from tests.waiting import equals

pytestmark = ON_THE_NEWEST

MACHINE = {"cpus": 2, "memory": "1Gi"}
ALL: dict[str, Any] = {
    "name": "c",
    "nodeSets": [{"name": "cpu", "machine": MACHINE}, {"name": "gpu", "machine": MACHINE, "partition": {}}],
    "partitions": [
        {"name": "all", "nodeSets": ["ALL"], "default": True},
        {"name": "short", "nodeSets": ["cpu"]},
        {"name": "closed", "nodeSets": ["cpu"], "state": "DRAIN"},
    ],
    "slurmConf": {"defMemPerCpu": 100},
}


def without(partition: str | None, node_set: str | None) -> dict[str, Any]:
    config = copy.deepcopy(ALL)
    config["partitions"] = [item for item in config["partitions"] if item["name"] != partition]
    config["nodeSets"] = [item for item in config["nodeSets"] if item["name"] != node_set]
    return config


class Drain:
    """A cluster, and the Jobs of one update after another."""

    def __init__(self, site: Site) -> None:
        self.series = Series.of(site.image.version)
        self.cluster = Cluster(site)
        self.cluster.start_controller(rendered_files(load(ALL)[0], self.series))
        self.cluster.start_workers({"cpu-0": "Features=cpu", "gpu-0": "Features=gpu", "gpu-1": "Features=gpu"})
        self.pod = SacctmgrPod(site)

    def run(self, config: dict[str, Any], key: bytes = b"j" * 64) -> subprocess.CompletedProcess[str]:
        """Run the Job of an update."""
        manifests = drain_job(config)
        done = self.pod.run_drain_job(manifests, jwt_key=key)
        assert done.stderr == ""
        if done.returncode == 0:
            self.pod.keep_for_the_next(manifests)
        return done

    def sbatch(self, *arguments: str) -> str:
        command = ("sbatch", "--parsable", "--output=/dev/null", *arguments, "--wrap=sleep 3600")
        return self.cluster.run(*command, user=JOB_USER).strip()

    def states(self) -> dict[str, str]:
        rows = self.cluster.run("squeue", "--noheader", "--all", "--format=%i %T").splitlines()
        return dict(row.split() for row in rows)

    def partition_states(self) -> dict[str, str]:
        return {name: shown["State"] for name, shown in show_partitions(self.cluster.controller.host).items()}

    def drained(self) -> set[str]:
        nodes = show_nodes(self.cluster.controller.host)
        return {name for name, shown in nodes.items() if "DRAIN" in shown["State"]}


@pytest.fixture
def drain(site: Site) -> Drain:
    return Drain(site)


UP = {"all": "UP", "short": "UP", "closed": "DRAIN", "gpu": "UP"}


def test_what_has_jobs_does_not_go_and_comes_back_as_it_was(drain: Drain) -> None:
    cluster = drain.cluster
    assert drain.run(ALL).stdout == ""
    jobs = {
        "short": drain.sbatch("--partition=short"),
        "waiting": drain.sbatch("--partition=short", "--hold"),
        "elsewhere": drain.sbatch("--partition=short,all", "--hold"),
        "gpu": drain.sbatch("--partition=all", "--nodelist=gpu-0"),
    }
    cluster.run("scontrol", "update", "NodeName=gpu-1", "State=DRAIN", "Reason=a fan")
    daemon = cluster.controller.daemon
    assert daemon
    begun = {jobs["short"]: "RUNNING", jobs["waiting"]: "PENDING", jobs["elsewhere"]: "PENDING", jobs["gpu"]: "RUNNING"}
    daemon.eventually("jobs in their states", drain.states, equals(begun))

    refused = drain.run(without("short", "gpu"))
    assert refused.returncode == 1
    (documented,) = blocks("drained")
    lines = documented.text.splitlines()
    assert lines[:2] == ["partition gpu: job 12, RUNNING", "node set gpu: job 12, RUNNING"]
    assert refused.stdout.splitlines() == [
        f"partition short: job {jobs['waiting']}, PENDING",
        f"partition short: job {jobs['short']}, RUNNING",
        f"node set gpu: job {jobs['gpu']}, RUNNING",
        *lines[2:],
    ]
    assert drain.states() == begun
    assert drain.partition_states() == {**UP, "short": "DRAIN", "gpu": "DRAIN"}
    assert drain.drained() == {"gpu-0", "gpu-1"}

    # Put back: as it was, but for what others have drained.
    assert drain.run(ALL).returncode == 0
    assert drain.partition_states() == UP
    assert drain.drained() == {"gpu-1"}
    assert drain.states() == begun

    assert drain.run(without("short", "gpu")).returncode == 1
    cluster.run("scancel", jobs["short"], jobs["waiting"], jobs["gpu"])
    daemon.eventually("their end", drain.states, equals({jobs["elsewhere"]: "PENDING"}))
    assert drain.run(without("short", "gpu")).stdout == ""
    cluster.reconfigure(rendered_files(load(without("short", "gpu"))[0], drain.series))
    assert drain.partition_states() == {"all": "UP", "closed": "DRAIN"}
    # slurmctld takes the partition from a job that waits for several; until 24.11 it ends that one too.
    assert drain.states() == ({jobs["elsewhere"]: "PENDING"} if drain.series > Series(24, 11) else {})
    # The nodes have the reason until they go. A node set of the same name is not drained by it.
    assert drain.drained() == {"gpu-0", "gpu-1"}
    assert "The node set gpu is no longer drained: gpu-0" in drain.run(ALL).stdout
    assert drain.drained() == {"gpu-1"}

    # What a check of health has found, an update doesn't end.
    cluster.run("scontrol", "update", "NodeName=gpu-0", "State=DRAIN", "Reason=pulumi-slurm: gpu: GPU 3 is lost")
    assert drain.run(ALL).stdout == ""
    assert drain.drained() == {"gpu-0", "gpu-1"}


def test_nothing_goes_without_an_answer_of_slurmctld(drain: Drain) -> None:
    assert drain.run(ALL).returncode == 0
    refused = drain.run(without("short", None), key=b"k" * 64)
    assert refused.returncode == 1
    assert "whether there are jobs in what leaves the configuration: partition short\n" in refused.stdout
    assert "Protocol authentication error" in refused.stdout
    assert "Rotate keys" in refused.stdout
    # Nothing leaves: what could be set back is not worth a failure.
    assert drain.run(ALL, key=b"k" * 64).returncode == 0
    drain.cluster.controller.stop()
    assert drain.run(ALL).returncode == 0
    away = drain.run(without(None, "gpu"))
    assert away.returncode == 1
    (documented,) = blocks("no-answer")
    assert away.stdout == documented.text


def test_a_stated_option_lets_things_go_without_an_answer(drain: Drain) -> None:
    assert drain.run(ALL).returncode == 0
    assumed = {**without("short", "gpu"), "controller": {"assumeNoJobs": True}}
    job = drain.sbatch("--partition=short")
    daemon = drain.cluster.controller.daemon
    assert daemon
    daemon.eventually("the job", drain.states, equals({job: "RUNNING"}))
    # Who answers is believed.
    assert f"partition short: job {job}, RUNNING" in drain.run(assumed).stdout
    drain.cluster.controller.stop()
    passed = drain.run(assumed)
    assert passed.returncode == 0
    assert "controller.assumeNoJobs lets the change go on" in passed.stdout


def test_the_job_waits_for_a_slurmctld_that_comes_back(drain: Drain) -> None:
    assert drain.run(ALL).returncode == 0
    job = drain.sbatch("--partition=short")
    controller = drain.cluster.controller
    assert controller.daemon
    controller.daemon.eventually("the job", drain.states, equals({job: "RUNNING"}))
    controller.stop()
    waiting = drain.pod.start_drain_job(drain_job(without("short", None)))
    # More than for what waiting doesn't mend.
    time.sleep(5)
    assert waiting.running, waiting.log
    drain.cluster.start_controller(rendered_files(load(ALL)[0], drain.series), keep_state=True)
    assert waiting.wait_end() == 1
    assert f"partition short: job {job}, RUNNING" in waiting.log
    assert drain.states() == {job: "RUNNING"}

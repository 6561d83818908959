"""Prologs that fail: what becomes of the job and of the node."""

from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import Host
from tests.slurmd.rendered import here, rendered_files
from tests.slurmd.site import Site
from tests.waiting import eventually, has

PROLOG = "#!/bin/sh\n[ ! -e /tmp/broken ]\n"
NODES = {"cpu-0": "Feature=cpu", "cpu-1": "Feature=cpu"}


def spec_with(**fields: Any) -> SlurmSpec:
    cluster = {
        "name": "c",
        "nodeSets": [{"name": "cpu", "machine": {"cpus": 1, "memory": "300Mi"}, "replicas": 2}],
        "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
        "confine": {"cores": False, "memory": False, "devices": False},
        **fields,
    }
    return here(load(cluster)[0])


@pytest.fixture
def cluster(site: Site) -> Cluster:
    return Cluster(site)


def started(cluster: Cluster, **fields: Any) -> list[Host]:
    """Start a cluster with two workers, and return their hosts."""
    series = Series.of(cluster.site.image.version)
    cluster.start_controller(rendered_files(spec_with(**fields), series))
    cluster.start_workers(NODES)
    return [cluster.workers[name].host for name in NODES]


def job_of(cluster: Cluster, *options: str) -> str:
    """Submit a user's job, and return its number."""
    command = ["sbatch", "--parsable", "--output=/dev/null", "--chdir=/tmp", "--wrap=true", *options]
    return cluster.controller.host.run(command, user=JOB_USER).strip()


def job(cluster: Cluster, number: str) -> str:
    return cluster.run("scontrol", "--oneliner", "show", "job", number)


def reason(cluster: Cluster, node: str) -> str:
    return cluster.run("sinfo", "--noheader", f"--nodes={node}", "--format=%E").strip()


def test_a_job_goes_on_elsewhere_when_its_prolog_has_failed_on_a_node(cluster: Cluster) -> None:
    first, _ = started(cluster, hooks={"prolog": {"10-check.sh": PROLOG}}, slurmConf={"schedulerParameters": ["defer"]})
    assert "SchedulerParameters=defer,nohold_on_prolog_fail" in cluster.controller.host.read("/etc/slurm/slurm.conf")
    first.write("/tmp/broken", "")
    number = job_of(cluster, "--exclude=cpu-1")
    eventually("its failure", lambda: job(cluster, number), has("JobState=PENDING Reason=BeginTime "))
    assert cluster.node_state("cpu-0") in ("drained", "draining")
    assert reason(cluster, "cpu-0") == "Prolog error"
    # It would wait two minutes.
    cluster.run("scontrol", "update", f"jobid={number}", "starttime=now", "excnodelist=")
    done = eventually("its end", lambda: job(cluster, number), has("JobState=COMPLETED"))
    assert " NodeList=cpu-1 " in done


def test_a_job_waits_for_somebody_without_the_word(cluster: Cluster) -> None:
    """Why the word is there."""
    spec = spec_with(hooks={"prolog": {"10-check.sh": PROLOG}})
    files = rendered_files(spec, Series.of(cluster.site.image.version))
    files["slurm.conf"] = f"{files['slurm.conf']!s}SchedulerParameters=defer\n"
    cluster.start_controller(files)
    cluster.start_workers(NODES)
    cluster.workers["cpu-0"].host.write("/tmp/broken", "")
    number = job_of(cluster, "--exclude=cpu-1")
    eventually("being held", lambda: job(cluster, number), has("JobState=PENDING Reason=launch_failed_requeued_held "))

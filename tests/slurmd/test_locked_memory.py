"""Locked memory, which RDMA needs: a user's job has as much as the machine gives, however little login nodes have.

Containers begin with 8 MiB or 64 KiB, and so do slurmd and srun here.
"""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render as objects
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.ack_pods import AckCluster
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import KEYS
from tests.slurmd.differences import most_locked_memory
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import here, rendered_files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker

LITTLE = "64"
"""KiB."""
PRINTED = "ulimit -l; ulimit -H -l"
SUPERVISED = '#!/bin/sh\nwhile :; do slurmd -D "$@" & echo $! >/run/supervised; wait $!; done\n'
"""Slinky's start script in short: it gives slurmd the operator's arguments, and starts it again when it ends."""


def cluster_with(machine: dict[str, Any], **slurm_conf: Any) -> dict[str, Any]:
    return {
        "name": "c",
        "nodeSets": [{"name": "cpu", "machine": {"cpus": 1, "memory": "300Mi", **machine}}],
        "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
        "slurmConf": {"extra": slurm_conf},
        "confine": {"cores": False, "memory": False, "devices": False},
    }


def started(cluster: Cluster, settings: dict[str, Any]) -> Worker:
    """Start slurmctld with our lines, and a worker by the command of its NodeSet, with the operator's arguments."""
    spec, pools = load(settings)
    (node_set,) = (item for item in objects(spec, pools) if item["kind"] == "NodeSet")
    cluster.start_controller(rendered_files(here(spec), Series.of(cluster.site.image.version)))
    worker = Worker(cluster.site, "cpu-0")
    cluster.workers["cpu-0"] = worker
    worker.host.write("/etc/slurm/slurm.key", KEYS["slurm.key"], mode=0o600)
    worker.host.write("/usr/local/bin/entrypoint.sh", SUPERVISED, mode=0o755)
    command = [
        word.replace("unlimited", most_locked_memory())
        for word in node_set["spec"]["slurmd"].get("command", ["entrypoint.sh"])
    ]
    arguments = ["-Z", "--conf-server", cluster.server, "--conf", "Feature=cpu"]
    path = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    limited = ["sh", "-c", f'ulimit -S -l {LITTLE}; exec "$@"', "sh", *command, *arguments]
    worker.daemon = worker.host.start(limited, env=path)
    cluster.wait_idle("cpu-0")
    return worker


def limits_of_a_job(cluster: Cluster, submit: str = "srun") -> list[str]:
    """Return the limits of a user's job, soft and hard, in KiB."""
    script = f"ulimit -S -l {LITTLE}; cd /tmp; {submit} sh -c '{PRINTED}'"
    return cluster.controller.host.run(["sh", "-c", script], user=JOB_USER).split()


@pytest.fixture
def new_cluster(site: Site) -> Cluster:
    return Cluster(site)


@ON_THE_NEWEST
def test_jobs_lock_memory_where_machines_have_rdma(new_cluster: Cluster) -> None:
    worker = started(new_cluster, cluster_with({"rdma": True}))
    most = [most_locked_memory()] * 2
    assert limits_of_a_job(new_cluster) == most
    assert limits_of_a_job(new_cluster, "salloc --quiet srun") == most
    out = "/tmp/batch.out"
    limits = f"ulimit -S -l {LITTLE}; sbatch --quiet --wait --output={out} --wrap='{PRINTED}'"
    new_cluster.controller.host.run(["sh", "-c", limits], user=JOB_USER)
    assert worker.host.read(out).split() == most
    # slurmd replaces itself, and is started again where it has ended.
    new_cluster.run("scontrol", "reconfigure")
    assert limits_of_a_job(new_cluster) == most
    before = worker.host.read("/run/supervised")
    worker.host.run(["kill", f"-{signal.SIGKILL.value}", before.strip()])
    assert worker.daemon
    worker.daemon.eventually("started again", lambda: worker.host.read("/run/supervised"), lambda now: now != before)
    new_cluster.wait_idle("cpu-0")
    assert limits_of_a_job(new_cluster) == most


@ON_THE_NEWEST
def test_jobs_lock_little_memory_on_other_machines(new_cluster: Cluster) -> None:
    started(new_cluster, cluster_with({}))
    assert limits_of_a_job(new_cluster)[0] == LITTLE


@ON_THE_NEWEST
@pytest.mark.parametrize(
    ("lines", "is_passed_on"),
    [
        ({"PropagateResourceLimitsExcept": "CORE,NOFILE"}, False),
        ({"PropagateResourceLimitsExcept": "NONE"}, False),
        ({"PropagateResourceLimits": "NONE"}, False),
        ({"PropagateResourceLimits": "NOFILE"}, False),
        ({"PropagateResourceLimits": "ALL"}, False),
        # Which is warned of.
        ({"PropagateResourceLimits": "NOFILE,MEMLOCK"}, True),
    ],
)
def test_lines_of_a_user_on_limits(new_cluster: Cluster, lines: dict[str, str], is_passed_on: bool) -> None:
    started(new_cluster, cluster_with({"resources": {"rdma/hca": "1"}}, **lines))
    assert limits_of_a_job(new_cluster)[0] == (LITTLE if is_passed_on else most_locked_memory())


@pytest.fixture
def ack_cluster(images: dict[str, SlurmImage], tmp_path: Path) -> Iterator[AckCluster]:
    machine = {"cpus": 1, "memory": "300Mi", "resources": {"aliyun/erdma": "1"}}
    node_sets = [{"name": "cpu", "machine": machine, "replicas": 1, "partition": {"default": True}}]
    spec, pools = load({"name": "hpc", "namespace": "jobs", "nodeSets": node_sets})
    ack = AckSlurmSpec.model_validate({"slurmVersion": "24.11.5"})
    assert list(check_ack_slurm(spec, pools, ack)) == []
    with Site(images["24.11"], tmp_path) as site:
        yield AckCluster(site, spec, pools, ack)


def test_jobs_lock_memory_with_ack_slurm_operator(ack_cluster: AckCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its containers have 64 KiB, and its own munge, files and start scripts."""
    ack_cluster.start_slurmctld()
    start = f"ulimit -S -l {LITTLE}; sed -i 's/ulimit -l unlimited/ulimit -l {most_locked_memory()}/' /start.sh"
    ack_cluster.start_worker("cpu", 0, before=start)
    ack_cluster.wait_for("hpc-worker-cpu-0", "idle")
    script = f"ulimit -S -l {LITTLE}; cd /tmp; srun sh -c '{PRINTED}'"
    limits = ack_cluster.controller.run(["sh", "-c", script], user=JOB_USER).split()
    assert limits == [most_locked_memory()] * 2

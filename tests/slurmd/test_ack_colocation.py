"""Colocation by ack-slurm-operator, with real daemons and a node_features/k8s_resources that does as Alibaba's."""

from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.loading import load
from tests.slurmd.ack_pods import AckCluster
from tests.slurmd.site import Site
from tests.slurmd.test_ack import MACHINE, complaints
from tests.waiting import has

CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "namespace": "jobs",
    "nodeSets": [
        {"name": "cpu", "machine": MACHINE, "replicas": 1, "weight": 5},
        {"name": "later", "machine": MACHINE, "replicas": 1},
        {"name": "none", "machine": MACHINE, "replicas": 0},
    ],
    "partitions": [
        {"name": "all", "nodeSets": ["ALL"]},
        {"name": "steady", "nodeSets": ["cpu"], "default": True},
        {"name": "late", "nodeSets": ["later"]},
        {"name": "empty", "nodeSets": ["none"]},
    ],
}


@pytest.fixture(scope="module")
def cluster(images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[AckCluster]:
    spec, pools = load(CLUSTER)
    ack = AckSlurmSpec.model_validate({"slurmVersion": "24.11.5", "copilot": {}})
    assert list(check_ack_slurm(spec, pools, ack)) == []
    with Site(images["24.11"], tmp_path_factory.mktemp("ack-colocation")) as site:
        cluster = AckCluster(site, spec, pools, ack)
        cluster.start_slurmctld()
        cluster.start_worker("cpu", 0)
        cluster.wait_for("hpc-worker-cpu-0", "idle")
        yield cluster


def test_workers_are_idle_and_nobody_complains(cluster: AckCluster) -> None:
    assert "NodeFeaturesPlugins     = node_features/k8s_resources" in cluster.run("scontrol", "show", "config")
    assert "ActiveFeatures=k8s" in cluster.run("scontrol", "show", "node", "hpc-worker-cpu-0")
    for name in ("slurmctld", "hpc-worker-cpu-0"):
        assert complaints(cluster.daemons[name].complaints) == [], name


def test_partitions_have_the_nodes_of_their_node_sets(cluster: AckCluster) -> None:
    def nodes(partition: str) -> set[str]:
        return set(cluster.run("sinfo", "--noheader", "--Node", f"--partition={partition}", "--format=%N").split())

    assert nodes("steady") == {"hpc-worker-cpu-0"}
    assert nodes("late") == {"hpc-worker-later-0"}
    assert nodes("all") == {"hpc-worker-cpu-0", "hpc-worker-later-0"}
    assert nodes("empty") == set()


def test_a_node_stays_valid_when_the_copilot_changes_its_counters(cluster: AckCluster) -> None:
    """The copilot does so through slurmrestd; `scontrol reconfigure` has the node register again."""
    assert "k8scpu,k8smemory" in cluster.run("scontrol", "show", "config")
    cluster.run("scontrol", "update", "NodeName=hpc-worker-cpu-0", "Gres=k8scpu:1,k8smemory:300")
    assert srun(cluster, "--gres=k8scpu:1,k8smemory:200", "hostname").strip() == "hpc-worker-cpu-0"
    refused = cluster.controller.attempt(["srun", "--immediate=5", "--gres=k8scpu:2", "hostname"], user=JOB_USER)
    assert refused.returncode
    cluster.run("scontrol", "reconfigure")
    cluster.wait_for("hpc-worker-cpu-0", "idle")
    assert srun(cluster, "hostname").strip() == "hpc-worker-cpu-0"


def test_a_job_waits_for_a_worker_that_has_not_registered_yet(cluster: AckCluster) -> None:
    command = ["sbatch", "--parsable", "--partition=late", "--output=/dev/null", "--wrap=srun hostname"]
    job = cluster.run(*command, user=JOB_USER).strip()
    show = ["scontrol", "show", "job", job]
    daemon = cluster.daemons["slurmctld"]
    daemon.eventually("the job waiting for its node", lambda: cluster.run(*show), has("JobState=CONFIGURING"))
    cluster.start_worker("later", 0)
    daemon.eventually("the job's end", lambda: cluster.run(*show), has("JobState=COMPLETED"))
    # Nothing but the operator starts or ends workers of these groups.
    assert cluster.calls() == []


def srun(cluster: AckCluster, *arguments: str) -> str:
    return cluster.run("srun", "--quiet", *arguments, user=JOB_USER)

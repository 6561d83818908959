"""How many workers an autoscaler asks for: its query in a real Prometheus, on the metrics of a real slurmctld."""

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.nodes_wanted import nodes_wanted
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import for_this_machine
from tests.slurmd.exposition import serve
from tests.slurmd.operator_files import files
from tests.slurmd.prometheus import Prometheus
from tests.slurmd.site import Site
from tests.waiting import equals

PATHS = 2
"""How many paths of metrics autoscalers ask for."""
SERIES = "26.05"
"""slurmctld has metrics from 25.11 on."""
PARTITIONS = """\
MetricsType=metrics/openmetrics
SchedulerParameters=sched_interval=1
NodeSet=cpu Feature=cpu
NodeSet=gpu Feature=gpu
PartitionName=cpu Nodes=cpu,gpu Default=YES MaxTime=UNLIMITED
"""
TOLERANCE = 0.1


def query(namespace: str = "slurm", name: str = "cpu", **autoscaling: Any) -> str:
    """Return the query of the ScaledObject that is rendered for a node set."""
    scaling = {"maxReplicas": 500, "prometheusAddress": "http://prometheus:9090", **autoscaling}
    node_set = {"name": name, "machine": {"cpus": 2, "memory": "1Gi"}, "partition": {}, "autoscaling": scaling}
    spec, _ = load({"name": "c", "namespace": namespace, "nodeSets": [node_set]})
    (scaler,) = (manifest for manifest in render(spec) if manifest["kind"] == "ScaledObject")
    (trigger,) = scaler["spec"]["triggers"]
    assert (trigger["metricType"], trigger["metadata"]["threshold"]) == ("AverageValue", "1")
    return str(trigger["metadata"]["query"])


def replicas(wanted: float, current: int) -> int:
    """Return what a HorizontalPodAutoscaler makes of an external metric with an AverageValue of 1.

    As GetExternalPerPodMetricReplicas does in pkg/controller/podautoscaler/replica_calculator.go of Kubernetes.
    """
    if abs(1 - wanted / current) <= TOLERANCE:
        return current
    return math.ceil(wanted)


class Scaled:
    """A cluster with Prometheus beside it."""

    def __init__(self, site: Site) -> None:
        self.cluster = Cluster(site)
        controller = self.cluster.controller.host
        # The Service by which a Prometheus of the program's own finds it.
        site.alias(controller, "c-slurmctld.own")
        # The same slurmctld three times: as itself, as a second scrape of it, and as the cluster of another namespace.
        targets = {"c-controller:6817": "slurm", f"{controller.address}:6817": "slurm", f"{controller.name}:6817": "b"}
        self.prometheus = Prometheus(site, targets)

    def wait(self, wanted: list[float], **autoscaling: Any) -> None:
        """Wait until the query has this result."""
        self.wait_for(query(**autoscaling), wanted)

    def wait_for(self, text: str, wanted: list[float]) -> None:
        """Wait until a query has this result."""
        self.prometheus.daemon.eventually(f"{wanted} from {text}", lambda: self.prometheus.values(text), equals(wanted))

    def wait_running(self, job: str) -> None:
        """Wait until a job runs."""
        command = ("squeue", "--noheader", f"--jobs={job}", "--format=%T")
        self.prometheus.daemon.eventually(
            "the job running", lambda: self.cluster.run(*command).strip(), equals("RUNNING")
        )

    def sbatch(self, *arguments: str) -> str:
        command = ("sbatch", "--parsable", "--output=/dev/null", *arguments, "--wrap=sleep 3600")
        return self.cluster.run(*command, user=JOB_USER).strip()


@pytest.fixture(scope="module")
def scaled(images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scaled]:
    with Site(images[SERIES], tmp_path_factory.mktemp("scaled")) as site:
        yield Scaled(site)


def test_workers_are_wanted_for_running_and_for_pending_jobs(scaled: Scaled) -> None:
    cluster = scaled.cluster
    # Without metrics there is no result, and KEDA changes nothing.
    scaled.wait([])
    cluster.start_controller(for_this_machine(files(PARTITIONS)))
    scaled.wait([0])
    scaled.wait([0], namespace="own")
    # A job of several nodes, where there is none.
    first = scaled.sbatch("--nodes=3", "--exclusive")
    scaled.wait([3])
    # Held jobs don't count, whatever their size.
    scaled.sbatch("--nodes=7", "--hold")
    cluster.start_workers({f"cpu-{number}": "Features=cpu" for number in range(3)})
    scaled.wait_running(first)
    # Running jobs keep their nodes, and those of other node sets are not counted.
    cluster.start_workers({"gpu-0": "Features=gpu"})
    other = scaled.sbatch("--nodelist=gpu-0", "--exclusive")
    scaled.wait([3])
    # One for each pending job and each task of an array, or for every second one.
    scaled.sbatch("--array=1-4", "--exclusive")
    scaled.wait([7])
    scaled.wait([5], jobsPerReplica=2)
    scaled.wait([], namespace="nonesuch")
    # What other workers have room for starts none of these: with 3 of the others, of which one has a job, 2 of the 4.
    for others, wanted in ((3, 5), (9, 3), (1, 7)):
        text = nodes_wanted("slurm", "cpu", "cpu-", 1, [("gpu-", others)])
        scaled.wait_for(text, [wanted])
    cluster.run("scancel", first, other)
    cluster.run("scancel", f"--user={JOB_USER}")
    scaled.wait([0])


def test_drained_workers_are_no_room_for_pending_jobs(scaled: Scaled) -> None:
    """As a health check or an administrator leaves them: they are replicas that take no job."""
    cluster = scaled.cluster
    if not cluster.workers:
        cluster.start_controller(for_this_machine(files(PARTITIONS)))
        cluster.start_workers({f"cpu-{number}": "Features=cpu" for number in range(3)})
    cluster.wait_idle("cpu-0")
    cluster.run("scontrol", "update", "NodeName=cpu-0", "State=DRAIN", "Reason=health")
    # Without pending jobs an idle worker may go as before.
    scaled.wait([0])
    cluster.run("scontrol", "update", "NodeName=cpu-[1-2]", "State=DRAIN", "Reason=health")
    job = scaled.sbatch("--nodes=1", "--constraint=cpu", "--exclusive")
    scaled.wait([4])
    # What is left of a worker that is gone. One that runs would be back at once.
    gone = cluster.workers["cpu-2"]
    assert gone.daemon
    gone.daemon.stop()
    cluster.run("scontrol", "update", "NodeName=cpu-2", "State=DOWN", "Reason=gone")
    scaled.wait([3])
    # In a partition with workers that take jobs first: one of them has room, or none as it is drained.
    scaled.wait_for(nodes_wanted("slurm", "cpu", "cpu-", 1, [("gpu-", 1)]), [2])
    cluster.run("scontrol", "update", "NodeName=cpu-[0-1]", "State=RESUME")
    scaled.wait_running(job)
    scaled.wait([1])
    cluster.run("scancel", job)
    scaled.wait([0])
    gone.start(cluster.server, "Features=cpu")
    cluster.run("scontrol", "update", "NodeName=cpu-2", "State=RESUME")
    cluster.wait_idle("cpu-2")


@pytest.mark.parametrize("line", ["PrivateData=jobs", "MetricsAuthUsers=alice"])
def test_metrics_that_we_refuse_to_keep_private_would_be_lost(scaled: Scaled, line: str) -> None:
    scaled.cluster.start_controller(for_this_machine(files(f"{PARTITIONS}{line}\n")))
    prometheus = scaled.prometheus
    prometheus.daemon.eventually(
        "being refused", prometheus.errors, lambda errors: all("status 401" in error for error in errors)
    )
    scaled.wait([])


def test_metrics_stay_where_private_data_is_ignored_for_them(scaled: Scaled) -> None:
    lines = f"{PARTITIONS}PrivateData=jobs\nMetricsParameters=ignore_private_data\n"
    scaled.cluster.start_controller(for_this_machine(files(lines)))
    scaled.wait([0])
    prometheus = scaled.prometheus
    prometheus.daemon.eventually("scraping all", prometheus.healthy_targets, equals(4 * PATHS))


def test_the_autoscaler_comes_to_what_is_wanted_from_any_number(images: dict[str, SlurmImage], tmp_path: Path) -> None:
    sizes = [
        (nodes, busy, pending, drained)
        for nodes, pending in product((1, 2, 9, 10, 19, 20, 29, 100), (0, 1, 2, 15))
        for busy in {0, nodes // 2, nodes - 1, nodes}
        for drained in {0, nodes - busy}
    ]
    names = {f"p{index}x": size for index, size in enumerate(sizes)}
    text = "".join(metrics(name, *size) for name, size in names.items())
    with Site(images[SERIES], tmp_path) as site, serve(site, "slurmctld", text) as address:
        prometheus = Prometheus(site, {address: "slurm"})
        prometheus.daemon.eventually("scraping", prometheus.healthy_targets, equals(PATHS))
        for name, (nodes, busy, pending, drained) in names.items():
            (wanted,) = prometheus.values(query(name=name))
            count = replicas(wanted, nodes)
            said = (nodes, busy, pending, drained, wanted)
            kept = busy + (drained if pending else 0)
            # All that wait can start, no node with a job goes, and a tenth more than needed is the most.
            assert kept + pending <= count or (not pending and count == nodes), said
            assert count <= max(nodes, kept + pending + nodes // 10), said
            if kept + pending < 0.9 * nodes:
                assert count <= kept + max(pending, kept // 10 + 1), said
            # All others are records of nodes that are gone.
            assert not kept or replicas(wanted, kept) >= kept + pending, said


def metrics(name: str, nodes: int, busy: int, pending: int, drained: int) -> str:
    """Return metrics as slurmctld has them of a partition, and of its nodes by their names."""
    per_node = "".join(
        f'slurm_node_cpus{{node="{name}-{number}"}} 4\n'
        f'slurm_node_cpus_alloc{{node="{name}-{number}"}} {4 if number < busy else 0}\n'
        for number in range(nodes)
    )
    return per_node + "".join(
        f'slurm_partition_{metric}{{partition="{name}"}} {value}\n'
        for metric, value in {
            "nodes": nodes,
            "jobs_max_job_nodes_nohold": min(pending, 1),
            "jobs_pending": pending,
            "jobs_hold": 0,
            "nodes_drained": drained,
            "nodes_down": 0,
        }.items()
    )

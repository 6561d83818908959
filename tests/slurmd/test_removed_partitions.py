"""A partition that goes while slurmctld remembers jobs in it, as when a node set with a partition of its own goes."""

import http.client
from concurrent.futures import ThreadPoolExecutor

import pytest

from devcluster.slurm_images import JOB_USER
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import CPU_AND_GPU, files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rest import enter_network
from tests.slurmd.site import Site
from tests.waiting import HANGS, equals

pytestmark = ON_THE_NEWEST

METRICS = {Series(24, 11): "", Series(26, 5): "MetricsType=metrics/openmetrics\n"}
JOBS = {
    "finished": ("--wait", "--wrap=true"),
    "running": ("--wrap=sleep 3600",),
    "pending": ("--hold", "--wrap=sleep 3600"),
}
SBATCH = ("sbatch", "--parsable", "--partition=gone", "--output=/dev/null")


@pytest.fixture
def series(site: Site) -> Series:
    return Series.of(site.image.version)


def test_slurmctld_goes_on_and_ends_the_jobs_of_a_removed_partition(site: Site, series: Series) -> None:
    conf = f"{CPU_AND_GPU}{METRICS[series]}"
    cluster = Cluster(site)
    cluster.start_controller(files(f"{conf}PartitionName=gone Nodes=gpu\n"))
    cluster.start_workers({"gpu-0": "Features=gpu"})
    numbers = {state: cluster.run(*SBATCH, *job, user=JOB_USER).strip() for state, job in JOBS.items()}
    daemon = cluster.controller.daemon
    assert daemon
    begun = {"running": "RUNNING", "pending": "PENDING", "finished": "COMPLETED"}
    daemon.eventually("one job in each state", lambda: states(cluster, numbers), equals(begun))
    cluster.reconfigure(files(conf))
    after = states(cluster, numbers)
    assert after["pending"] == "NODE_FAIL"
    assert after["running"] in ("COMPLETING", "NODE_FAIL")
    assert after["finished"] == "COMPLETED"
    if METRICS[series]:
        # What ended slurmctld before 25.11.5.
        assert b'slurm_partition_jobs{partition="cpu"} 0' in metrics(cluster)
    cluster.start_controller(files(conf), keep_state=True)
    assert states(cluster, numbers)["finished"] == "COMPLETED"


def test_drained_first_the_jobs_of_a_partition_end_as_they_should(site: Site, series: Series) -> None:
    conf = f"{CPU_AND_GPU}{METRICS[series]}"
    cluster = Cluster(site)
    cluster.start_controller(files(f"{conf}PartitionName=gone Nodes=gpu\n"))
    cluster.start_workers({"gpu-0": "Features=gpu"})
    job = cluster.run(*SBATCH, "--wrap=until [ -e /tmp/end ]; do sleep 0.1; done", user=JOB_USER).strip()
    daemon = cluster.controller.daemon
    assert daemon
    daemon.eventually("a job", lambda: states(cluster, {"it": job}), equals({"it": "RUNNING"}))
    cluster.reconfigure(files(f"{conf}PartitionName=gone Nodes=gpu State=DRAIN\n"))
    refused = cluster.controller.host.attempt([*SBATCH, "--wrap=true"], user=JOB_USER)
    assert "Required partition not available" in refused.stderr
    cluster.workers["gpu-0"].host.write("/tmp/end", "")
    daemon.eventually("its end", lambda: states(cluster, {"it": job}), equals({"it": "COMPLETED"}))
    cluster.reconfigure(files(conf))
    assert states(cluster, {"it": job}) == {"it": "COMPLETED"}


def states(cluster: Cluster, numbers: dict[str, str]) -> dict[str, str]:
    """Return the states of jobs."""
    rows = cluster.run("squeue", "--noheader", "--all", "--states=all", "--format=%i %T").splitlines()
    by_number = dict(row.split() for row in rows)
    return {name: by_number.get(number, "") for name, number in numbers.items()}


def metrics(cluster: Cluster) -> bytes:
    """Return slurmctld's metrics of partitions."""

    def ask() -> bytes:
        enter_network(cluster.controller.host.pid)
        connection = http.client.HTTPConnection("127.0.0.1", 6817, timeout=HANGS)
        connection.request("GET", "/metrics/partitions")
        return connection.getresponse().read()

    with ThreadPoolExecutor(max_workers=1) as threads:
        return threads.submit(ask).result()

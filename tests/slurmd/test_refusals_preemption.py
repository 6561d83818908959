"""Ways of a partition to be preempted that we refuse: Slurm starts with them, and jobs are not preempted so."""

import time
from collections.abc import Callable

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import files
from tests.slurmd.refusal import refused_at
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST

LOW = {"plain": "", "within": "PreemptMode=WITHIN", "suspend": "PreemptMode=SUSPEND", "cancel": "PreemptMode=CANCEL"}
"""Partitions of low priority, each over one node, and what they say of preemption."""
PREEMPTING = "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\n"
OFTEN = "SchedulerParameters=bf_interval=1,sched_interval=1\n"
LONG_ENOUGH = 2.0
"""Seconds in which the scheduler looks at all jobs again."""


@pytest.fixture(scope="module")
def preempted(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the states of low jobs by partition, some time after jobs of high priority came."""
    with Site(image, tmp_path_factory.mktemp("preempting")) as site:
        return after_high_jobs(Cluster(site), PREEMPTING, ["plain", "within", "suspend"], preempted="plain")


def after_high_jobs(cluster: Cluster, lines: str, names: list[str], preempted: str | None = None) -> dict[str, str]:
    sets = "".join(f"NodeSet={name} Feature={name}\n" for name in names)
    low = "".join(f"PartitionName={name} Nodes={name} {LOW[name]}\n" for name in names)
    high = "".join(f"PartitionName=high-{name} Nodes={name} PriorityTier=9\n" for name in names)
    cluster.start_controller(files(sets + low + high + OFTEN + lines))
    cluster.start_workers({f"{name}-0": f"Features={name}" for name in names})
    submit(cluster, names)
    wait_for(cluster, f"{names} running", lambda states: all(states.get(name) == "RUNNING" for name in names))
    submit(cluster, [f"high-{name}" for name in names])
    if preempted:
        wait_for(cluster, f"{preempted} ending", lambda states: states.get(preempted, "COMPLETING") == "COMPLETING")
    time.sleep(LONG_ENOUGH)
    return states(cluster)


def submit(cluster: Cluster, partitions: list[str]) -> None:
    for name in partitions:
        command = ("sbatch", f"--partition={name}", "--exclusive", "--output=/dev/null", "--wrap=sleep 3600")
        cluster.run(*command, user=JOB_USER)


def states(cluster: Cluster) -> dict[str, str]:
    return dict(line.split() for line in cluster.run("squeue", "--noheader", "--format=%P %T").splitlines())


def wait_for(cluster: Cluster, subject: str, until: Callable[[dict[str, str]], bool]) -> None:
    daemon = cluster.controller.daemon
    assert daemon
    daemon.eventually(subject, lambda: states(cluster), until)


def test_within_is_no_way_to_preempt(preempted: dict[str, str]) -> None:
    spec = "partitions: [{name: within, nodeSets: [cpu], preemptMode: WITHIN}]"
    assert refused_at(spec) == ["partitions[0].preemptMode"]
    assert preempted["within"] == "RUNNING"


def test_nothing_is_suspended_without_the_gang_scheduler(preempted: dict[str, str]) -> None:
    conf = "{preemptType: preempt/partition_prio, preemptMode: CANCEL}"
    spec = f"{{slurmConf: {conf}, partitions: [{{name: suspend, nodeSets: [cpu], preemptMode: SUSPEND}}]}}"
    assert refused_at(spec) == ["partitions[0].preemptMode"]
    # Slurm 24.11 cancels the job, 26.05 leaves it alone.
    assert preempted.get("suspend") != "SUSPENDED"


def test_nothing_is_preempted_without_a_type(site: Site) -> None:
    spec = "partitions: [{name: cancel, nodeSets: [cpu], preemptMode: CANCEL}]"
    assert refused_at(spec) == ["partitions[0].preemptMode"]
    states = after_high_jobs(Cluster(site), "", ["cancel"])
    assert states == {"cancel": "RUNNING", "high-cancel": "PENDING"}

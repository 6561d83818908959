"""Jobs on dynamic nodes that slurmd has registered with the operator's arguments, and what accounting knows of them."""

import re
from collections.abc import Iterator

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.operator_files import CPU_AND_GPU, SLURMDBD_CONF, files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST

CPU = {f"cpu-{number}": "Features=cpu" for number in range(4)}
GPU = {"gpu-0": "Features=gpu Gres=gpu:a100:2"}
ENFORCED = "AccountingStorageEnforce=associations,limits,qos\n"


@pytest.fixture(scope="module")
def cluster(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(image, tmp_path_factory.mktemp("jobs")) as site:
        cluster = Cluster(site)
        cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
        configured = with_device_files(files(CPU_AND_GPU + ENFORCED, accounting=True), {"gpu-[0-9]": 2}, "a100")
        cluster.start_controller(configured)
        cluster.start_workers({**CPU, **GPU}, gpus={"gpu-0": 2})
        cluster.run("sacctmgr", "--immediate", "add", "account", "physics")
        cluster.run("sacctmgr", "--immediate", "add", "user", JOB_USER, "account=physics")
        cluster.run("sacctmgr", "--immediate", "add", "qos", "high")
        yield cluster


def srun(cluster: Cluster, *arguments: str) -> str:
    return cluster.run("srun", "--quiet", *arguments, user=JOB_USER)


def refusal(cluster: Cluster, *arguments: str) -> str:
    done = cluster.controller.host.attempt(["srun", "--immediate=5", *arguments, "hostname"], user=JOB_USER)
    assert done.returncode
    return done.stderr


def test_nodes_are_in_the_partitions_of_their_node_sets(cluster: Cluster) -> None:
    assert cluster.nodes("cpu") == set(CPU)
    assert cluster.nodes("gpu") == set(GPU)
    assert cluster.nodes("all") == {**CPU, **GPU}.keys()


@pytest.mark.parametrize(("partition", "nodes"), [("cpu", CPU), ("gpu", GPU), ("all", {**CPU, **GPU})])
def test_a_job_runs_in_each_partition(cluster: Cluster, partition: str, nodes: dict[str, str]) -> None:
    assert srun(cluster, f"--partition={partition}", "hostname").strip() in nodes


def test_a_job_runs_on_four_nodes(cluster: Cluster) -> None:
    assert sorted(srun(cluster, "--nodes=4", "hostname").split()) == sorted(CPU)


@pytest.mark.parametrize(("plugin", "rank"), [("pmi2", "PMI_RANK"), ("pmix", "PMIX_RANK")])
def test_the_tasks_of_mpi_on_two_nodes_get_their_ranks(cluster: Cluster, plugin: str, rank: str) -> None:
    if plugin not in cluster.run("srun", "--mpi=list").split():
        pytest.skip(f"Debian's package of this release has no {plugin}")
    ranks = srun(cluster, f"--mpi={plugin}", "--nodes=2", "--ntasks=2", "printenv", rank)
    assert sorted(ranks.split()) == ["0", "1"]


def test_an_array_runs_every_task(cluster: Cluster) -> None:
    command = [
        "sbatch",
        "--wait",
        "--parsable",
        "--array=1-6%4",
        "--output=/dev/null",
        "--wrap=exit $SLURM_ARRAY_TASK_ID",
    ]
    done = cluster.controller.host.attempt(command, user=JOB_USER)
    job = done.stdout.strip()
    assert re.fullmatch(r"\d+", job), done.stderr
    row = _accounted(cluster, job, "JobID,ExitCode", rows=6)
    assert row == {f"{job}_{task}|{task}:0" for task in range(1, 7)}


def test_a_job_gets_the_gpus_that_it_asks_for(cluster: Cluster) -> None:
    show = "echo $CUDA_VISIBLE_DEVICES; scontrol show job --details $SLURM_JOB_ID"
    one = srun(cluster, "--partition=gpu", "--gres=gpu:a100:1", "sh", "-c", show)
    assert re.match(r"[01]\n", one)
    assert "GRES=gpu:a100:1(IDX:" in one
    assert srun(cluster, "--partition=gpu", "--gres=gpu:2", "sh", "-c", show).startswith("0,1\n")


def test_a_job_that_asks_for_too_much_is_refused(cluster: Cluster) -> None:
    assert "Memory specification can not be satisfied" in refusal(cluster, "--mem=900T")
    assert "Invalid generic resource (gres) specification" in refusal(cluster, "--gres=fpga:1")
    assert "Requested node configuration is not available" in refusal(cluster, "--partition=gpu", "--gres=gpu:3")


def test_a_job_of_a_wrong_qos_or_account_is_refused(cluster: Cluster) -> None:
    assert "Invalid qos specification" in refusal(cluster, "--qos=high")
    assert "Invalid qos specification" in refusal(cluster, "--qos=nonesuch")
    assert "Invalid account or account/partition combination" in refusal(cluster, "--account=chemistry")


def test_accounting_knows_jobs_with_their_gpus(cluster: Cluster) -> None:
    job = srun(cluster, "--partition=gpu", "--gres=gpu:2", "sh", "-c", "echo $SLURM_JOB_ID").strip()
    (row,) = _accounted(cluster, job, "JobID,User,Account,Partition,State,NodeList,AllocTRES", rows=1)
    assert row.startswith(f"{job}|{JOB_USER}|physics|gpu|COMPLETED|gpu-0|")
    assert "gres/gpu=2" in row


def _accounted(cluster: Cluster, job: str, fields: str, *, rows: int) -> set[str]:
    """Return the rows of a job that has ended; accounting hears of it a little later than who waits for it."""
    host = cluster.controller.host
    daemon = cluster.controller.daemon
    assert daemon
    command = [
        "sacct",
        "--allocations",
        "--noheader",
        "--parsable2",
        "--jobs",
        job,
        "--state=CD,F",
        f"--format={fields}",
    ]
    command += ["--starttime=now-1hour", "--endtime=now"]
    subject = f"{rows} rows of job {job} in accounting"
    found = daemon.eventually(subject, lambda: host.run(command).splitlines(), lambda found: len(found) == rows)
    return set(found)

"""The shipped stack on real daemons, as the operator has set them up: nodes, jobs, accounts, tokens."""

from collections.abc import Iterator

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.loading import load
from tests.shipped_stacks import shipped
from tests.slurmd.cluster import Cluster
from tests.slurmd.operated.operator import Made, Operator
from tests.slurmd.operated.running import Running
from tests.slurmd.site import Site

ACCOUNTS = {
    "qos": [{"name": "short", "maxWall": "1:00:00"}],
    "accounts": [{"name": "physics", "qos": ["normal", "short"], "users": [JOB_USER]}],
}


@pytest.fixture(scope="package")
def made(operator: Operator) -> Made:
    settings = shipped("local")
    spec, pools = load({**settings["slurm:cluster"], "accounting": ACCOUNTS}, settings["slurm:pools"])
    return operator.everything(spec.model_copy(update={"namespace": "shipped"}), pools)


@pytest.fixture(scope="module")
def cluster(made: Made, image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(image, tmp_path_factory.mktemp("shipped")) as site:
        running = Running(site)
        cluster = running.start(made)
        running.set_accounts(made)
        running.start_workers(cluster, made)
        cluster.start_rest(running.fitted(made, made.slurmrestd), accounting=True)
        yield cluster


def srun(cluster: Cluster, *arguments: str) -> str:
    return cluster.run("srun", "--quiet", *arguments, user=JOB_USER).strip()


def test_partitions_hold_the_nodes_of_their_node_sets(cluster: Cluster) -> None:
    assert cluster.nodes("all") == {"cpu-0", "cpu-1", "gpu-0"}
    assert cluster.nodes("gpu") == {"gpu-0"}


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["--partition=all", "--nodes=3"], {"cpu-0", "cpu-1", "gpu-0"}),
        (["--partition=gpu"], {"gpu-0"}),
        (["--constraint=nvlink"], {"gpu-0"}),
    ],
    ids=["all", "gpu", "nvlink"],
)
def test_jobs_run_where_they_belong(cluster: Cluster, arguments: list[str], nodes: set[str]) -> None:
    assert set(srun(cluster, *arguments, "hostname").split()) == nodes


def test_a_job_gets_its_gpus(cluster: Cluster) -> None:
    devices = srun(cluster, "--gpus=h100:3", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES").split(",")
    assert len(set(devices)) == 3
    assert set(devices) <= set("01234567")


def test_accounts_and_qos_are_in_the_database(cluster: Cluster) -> None:
    show = ["sacctmgr", "--noheader", "--parsable2", "show"]
    assert cluster.run(*show, "qos", "where", "name=short", "format=Name,MaxWall") == "short|01:00:00\n"
    shown = cluster.run(*show, "association", "where", f"user={JOB_USER}", "format=Cluster,Account,QOS")
    assert shown == "slurm|physics|normal,short\n"


def test_the_operators_token_is_accepted(cluster: Cluster, made: Made) -> None:
    assert cluster.rest
    status, answer = cluster.rest.get("nodes", made.tokens["admin"])
    assert status == 200, answer
    assert {node["name"] for node in answer["nodes"]} == {"cpu-0", "cpu-1", "gpu-0"}
    status, _ = cluster.rest.get("nodes", made.tokens["admin"][:-4])
    assert status != 200

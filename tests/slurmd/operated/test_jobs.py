"""The shipped stack on real daemons, as the operator has set them up: nodes, jobs, accounts, tokens."""

from collections.abc import Iterator

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.loading import load
from tests.shipped_stacks import shipped
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import CommandError
from tests.slurmd.operated.operated_cluster import OperatedClusters
from tests.slurmd.operated.operator import Operator, OperatorFiles
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST

ACCOUNTS = {
    "qos": [{"name": "short", "maxWall": "1:00:00"}],
    "accounts": [{"name": "physics", "qos": ["normal", "short"], "users": [JOB_USER]}],
}


@pytest.fixture(scope="package")
def operator_files(operator: Operator) -> OperatorFiles:
    settings = shipped("local")
    spec, pools = load({**settings["slurm:cluster"], "accounting": ACCOUNTS}, settings["slurm:pools"])
    return operator.everything(spec.model_copy(update={"namespace": "shipped"}), pools)


@pytest.fixture(scope="module")
def cluster(
    operator_files: OperatorFiles, image: SlurmImage, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    with Site(image, tmp_path_factory.mktemp("shipped")) as site:
        clusters = OperatedClusters(site)
        cluster = clusters.start(operator_files)
        clusters.set_accounts(operator_files)
        clusters.start_workers(cluster, operator_files)
        cluster.start_rest(clusters.for_release(operator_files, operator_files.slurmrestd), accounting=True)
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
    show = ("sh", "-c", "echo $CUDA_VISIBLE_DEVICES")
    assert srun(cluster, "--gpus=h100:2", *show) == "0,1"
    assert srun(cluster, "--gpus=h100:1", *show) in ("0", "1")


def test_a_job_can_open_its_own_gpus_alone(cluster: Cluster) -> None:
    """Nothing is behind the device files, so opening one that is allowed fails too, but otherwise."""
    command = "for gpu in /dev/nvidia*; do cat $gpu; done 2>&1; echo $CUDA_VISIBLE_DEVICES"
    *messages, devices = srun(cluster, "--gpus=h100:1", "sh", "-c", command).splitlines()
    refused = {line for line in messages if "Operation not permitted" in line}
    assert len(refused) == 1, messages
    assert not any(f"/dev/nvidia{number}:" in line for number in devices.split(",") for line in refused)


def test_a_job_is_ended_at_its_memory_and_the_node_stays(cluster: Cluster) -> None:
    use = "head --bytes=200M /dev/zero | tail --bytes=200M | wc --bytes"
    with pytest.raises(CommandError, match="Out Of Memory"):
        srun(cluster, "--mem=50M", "sh", "-o", "pipefail", "-c", use)
    assert srun(cluster, "--mem=500M", "sh", "-c", use) == str(200 * 1024**2)


def test_accounts_and_qos_are_in_the_database(cluster: Cluster) -> None:
    show = ["sacctmgr", "--noheader", "--parsable2", "show"]
    assert cluster.run(*show, "qos", "where", "name=short", "format=Name,MaxWall") == "short|01:00:00\n"
    association = cluster.run(*show, "association", "where", f"user={JOB_USER}", "format=Cluster,Account,QOS")
    assert association == "slurm|physics|normal,short\n"


def test_the_operators_token_is_accepted(cluster: Cluster, operator_files: OperatorFiles) -> None:
    assert cluster.rest
    status, answer = cluster.rest.get("nodes", operator_files.tokens["admin"])
    assert status == 200, answer
    assert {node["name"] for node in answer["nodes"]} == {"cpu-0", "cpu-1", "gpu-0"}
    status, _ = cluster.rest.get("nodes", operator_files.tokens["admin"][:-4])
    assert status != 200

"""slurm-operator 1.0.1 replaced by 1.1.0 while a job runs, on a cluster of its own: both as pods of their own charts.

Of 1.0.1 the toolchain has no webhook. Certificates are made by the chart, since there is no cert-manager.
"""

import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster import container_images, pods
from devcluster.api import ApiError
from devcluster.cluster import Cluster
from devcluster.container_images import SLINKY
from devcluster.real_nodes import RealNode
from devcluster.toolchain import Toolchain
from tests.e2e.objects import Objects, ready
from tests.e2e.program import Program, Settings
from tests.jobs.conftest import running
from tests.jobs.slurm import Daemons
from tests.shipped_stacks import shipped
from tests.waiting import equals, eventually

pytestmark = pytest.mark.repeats("tests/e2e/test_operator_upgrade.py, with real daemons and a job")

NODE = RealNode("cpu-0", 0, labels={"pulumi-slurm/pool": "cpu"})
PROGRAMS = {
    f"{SLINKY}/slurm-operator:1.0.1": ("slurm-operator-previous", "slurm-operator-previous"),
    f"{SLINKY}/slurm-operator:1.1.0": ("slurm-operator", "slurm-operator"),
    f"{SLINKY}/slurm-operator-webhook:1.1.0": ("slurm-operator", "slurm-operator-webhook"),
}
"""Image -> part of the toolchain, program in it."""
SLURMCTLD, WORKER = "slurm-controller-0", "slurm-worker-cpu-0"


@pytest.fixture(scope="module")
def cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(
        Cluster(tmp_path_factory.mktemp("upgraded"), tools, operator=None, nodes=(), real_nodes=(NODE,))
    ) as own:
        for image, (part, program) in PROGRAMS.items():
            import_program(own, image, tools.path(part) / program)
        yield own


def import_program(cluster: Cluster, image: str, program: Path) -> None:
    """Give the node an image that holds one program and nothing else."""
    layer, archive = cluster.folder / "layer.tar", cluster.folder / "image.tar"
    with tarfile.open(layer, "w") as file:
        file.add(program, "program")
    container_images.write_archive(archive, [layer], {image: ("/program",)})
    command = [*pods.inside(cluster.processes, NODE.name), "ctr", "--namespace=k8s.io", "images", "import", "-"]
    with archive.open("rb") as stream:
        subprocess.run(command, stdin=stream, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def slurm(cluster: Cluster) -> Daemons:
    return Daemons(cluster, "slurm")


@pytest.fixture(scope="module")
def program(tools: Toolchain, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tools, tmp_path_factory.mktemp("upgrade"), cluster.kubeconfig)


def settings(tools: Toolchain, release: str, **values: Any) -> Settings:
    """Return the configuration of a small cluster without accounting, and of the operator's chart."""
    local = shipped("local")
    whole = local["slurm:cluster"]
    charts = tools.path("charts") / f"slurm-operator-{release}" / "helm"
    return {
        "slurm:kind": "kubernetes",
        "slurm:operator": {
            "operatorChart": str(charts / "slurm-operator"),
            "crdsChart": str(charts / "slurm-operator-crds"),
            "installCertManager": False,
            "values": {"certManager": {"enabled": False}, **values},
        },
        "slurm:pools": local["slurm:pools"][:1],
        "slurm:cluster": {
            "name": "slurm",
            "operatorVersion": release,
            "slurmVersion": whole["slurmVersion"],
            "nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 1, "wait": True}],
            "partitions": [{"name": "main", "nodeSets": ["ALL"], "default": True}],
            "configFiles": {"cgroup.conf": whole["configFiles"]["cgroup.conf"]},
        },
    }


def test_a_job_runs_on_while_the_operator_is_replaced(tools: Toolchain, program: Program, slurm: Daemons) -> None:
    def run(*words: str) -> str:
        return slurm.inside("slurmctld", *words)

    def node() -> str:
        return slurm.answer("slurmctld", "sinfo", "-h", "-N", "-o", "%N %T")

    program.up(settings(tools, "1.0.1", webhook={"enabled": False}))
    eventually("the node", node, equals("cpu-0 idle"))
    assert "accounting storage is disabled" in slurm.inside("slurmctld", "sacct", code=1)
    script = "until [ -e /tmp/end ]; do sleep 1; done"
    job = run("sbatch", "--parsable", "--chdir=/tmp", f"--wrap={script}").strip()
    eventually("the job", lambda: run("squeue", "-h", "-t", "RUNNING", "-o", "%i").strip(), equals(job))
    before = slurm.uids()

    # As the page on upgrades says: else the newer release takes the worker for one of another scaling mode.
    labels = {"metadata": {"labels": {"nodeset.slinky.slurm.net/scaling-mode": "StatefulSet"}}}
    worker = f"/api/v1/namespaces/slurm/pods/{WORKER}"
    slurm.cluster.api.request("PATCH", worker, labels, "application/merge-patch+json")
    upgraded = program.up(settings(tools, "1.1.0", webhook={"replicas": 1}))
    # The newer release writes gres.conf itself, so that the ConfigMap of files is another.
    assert upgraded.replaced == {"slurm-configFile"}
    objects = Objects(slurm.cluster.api)
    newer = {f"{SLINKY}/slurm-operator:1.1.0", f"{SLINKY}/slurm-operator-webhook:1.1.0"}

    def images() -> set[str]:
        return {pod["spec"]["containers"][0]["image"] for pod in objects.all("Pod", "slinky") if ready(pod)}

    eventually("the programs of 1.1.0 alone", images, equals(newer))
    path = objects.kind("Controller").path("slurm", "slurm")
    with pytest.raises(ApiError, match=r"controller-v1beta1\S* denied the request"):
        slurm.cluster.api.request("PATCH", path, {"spec": {"clusterName": "no"}}, "application/merge-patch+json")

    slurm.wait_for_another(SLURMCTLD, before)
    eventually("the worker is to be replaced", node, equals("cpu-0 draining"))
    assert slurm.uids()[WORKER] == before[WORKER]
    slurm.inside("slurmd", "touch", "/tmp/end")
    ended = {"JobState=COMPLETED", "Restarts=0"}
    eventually("the job's end", lambda: run("scontrol", "show", "job", job).split(), ended.issubset)
    slurm.wait_for_another(WORKER, before)
    eventually("its node", node, equals("cpu-0 idle"))
    assert run("srun", "hostname").strip() == "cpu-0"

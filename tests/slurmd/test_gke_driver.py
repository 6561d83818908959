"""Jobs find NVIDIA's driver where GKE mounts it, with nothing but what the stack adds to Slurm's files."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.slurm_spec import with_google_services
from pulumi_slurm.gke.rules import checked_gke
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import Host
from tests.slurmd.operator_files import files
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site

SERIES = "26.05"
"""The older of the images sends no TaskProlog to its nodes."""
PAGE = Path(__file__).parents[2] / "docs" / "gke.md"
FIRST_JOB = "nvidia-smi -L"
NVIDIA_SMI = """\
#!/bin/sh
errors=$(LD_PRELOAD=libnvidia-ml.so.1 /bin/true 2>&1)
if [ "$errors" ]; then echo "$errors" >&2; exit 12; fi
echo "GPU 0: NVIDIA L4"
"""
"""A program in the place of NVIDIA's, which like it needs a library that the linker has to find."""


@pytest.fixture(scope="module")
def cluster(images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(images[SERIES], tmp_path_factory.mktemp("driver")) as site:
        yield gke_cluster(site, {"l4": "g2-standard-4", "cpu": "n2-standard-8"})


def gke_cluster(site: Site, machine_types: Mapping[str, str]) -> Cluster:
    """Start a cluster that a stack makes on pools of these machines, with a worker and a partition of each name."""
    pools = [
        {"name": name, "machineType": machine_type, "nodes": 1, **({} if name == "cpu" else {"capacity": "spot"})}
        for name, machine_type in machine_types.items()
    ]
    place = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}
    google = GkeSpec.model_validate({**place, "name": "c", "pools": pools})
    node_sets: list[dict[str, Any]] = [{"name": name, "pool": name, "partition": {}} for name in machine_types]
    versions = {"slurmVersion": SERIES, "operatorVersion": "1.2.1"}
    slurm = SlurmSpec.model_validate({"name": "c", **versions, "nodeSets": node_sets})
    complete = with_google_services(GkePlan.of(checked_gke(google)), checked(slurm), "c")
    cluster = Cluster(site)
    # gres.conf of these tests names device files in place of asking a driver.
    rendered = {**rendered_files(complete, Series.of(SERIES)), "gres.conf": files()["gres.conf"]}
    cluster.start_controller(rendered)
    cluster.start_workers({f"{name}-0": f"Features={name}" for name in machine_types})
    for name in machine_types.keys() - {"cpu"}:
        mount_driver(cluster.workers[f"{name}-0"].host)
    return cluster


def mount_driver(host: Host) -> None:
    """Put NVIDIA's files where GKE's device plugin mounts them, and nowhere else."""
    host.write("/usr/local/nvidia/bin/nvidia-smi", NVIDIA_SMI, mode=0o755)
    library = next(host.root.glob("usr/lib/*-linux-gnu/libm.so.6"))
    host.write("/usr/local/nvidia/lib64/libnvidia-ml.so.1", library.read_bytes())


def test_the_first_job_of_the_guide_runs(cluster: Cluster) -> None:
    (command,) = re.findall(rf"-- (srun .*{FIRST_JOB})$", PAGE.read_text(), re.MULTILINE)
    # Without a GPU on the host, none is asked for.
    words = [word for word in command.split() if not word.startswith("--gpus")]
    assert cluster.run(*words, user=JOB_USER) == "GPU 0: NVIDIA L4\n"


def test_batch_jobs_and_their_steps_find_the_driver(cluster: Cluster) -> None:
    script = f"#!/bin/sh\n{FIRST_JOB}\nsrun {FIRST_JOB}\nprintenv LD_LIBRARY_PATH\n"
    host = cluster.controller.host
    folder = ["--chdir=/tmp", "--output=/tmp/job", "--wait", "--partition=l4", "--export=ALL,LD_LIBRARY_PATH=/mine"]
    done = host.attempt(["sbatch", *folder], user=JOB_USER, text=script)
    output = (cluster.workers["l4-0"].host.root / "tmp/job").read_text()
    assert done.returncode == 0, f"{done.stderr}{output}"
    # The user's own folder stays behind the driver's; a step runs in the job's environment and adds it once more.
    assert output == f"{'GPU 0: NVIDIA L4' + chr(10)}" * 2 + "/usr/local/nvidia/lib64:/mine\n"


def test_jobs_on_nodes_without_gpus_keep_their_environment(cluster: Cluster) -> None:
    path = ["srun", "--partition=cpu", "--export=ALL,LD_LIBRARY_PATH=/mine", "printenv", "LD_LIBRARY_PATH"]
    assert cluster.run(*path, user=JOB_USER) == "/mine\n"

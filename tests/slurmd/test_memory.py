"""The memory of a job that asks for none: all that slurmd leaves to jobs, or a default."""

import re

from devcluster.slurm_images import JOB_USER
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.operator_files import CPU_AND_GPU, files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST


def test_a_job_gets_a_share_of_its_node_by_a_default_alone(site: Site) -> None:
    cluster = Cluster(site)
    cluster.start_controller(files())
    cluster.start_workers({"cpu-0": "Features=cpu CPUs=2 RealMemory=2048 MemSpecLimit=128"})
    assert memory_of_a_job(cluster) == "1920M"
    cluster.reconfigure(files(f"DefMemPerCPU=500\n{CPU_AND_GPU}"))
    assert memory_of_a_job(cluster) == "500M"
    # By one that is more than an even share no job has all CPUs, and by one that is more than all none starts.
    cluster.reconfigure(files(f"DefMemPerCPU=1000\n{CPU_AND_GPU}"))
    assert refused(cluster, "--cpus-per-task=2")
    assert memory_of_a_job(cluster) == "1000M"
    cluster.reconfigure(files(f"DefMemPerCPU=1921\n{CPU_AND_GPU}"))
    assert refused(cluster)


def test_a_job_on_a_gpu_by_a_default_for_each(site: Site) -> None:
    cluster = Cluster(site)
    worker = {"gpu-0": "Features=gpu CPUs=2 RealMemory=2048 MemSpecLimit=128 Gres=gpu:a100:2"}
    for default, refuses_one, refuses_all in ((960, False, False), (1000, False, True), (1921, True, True)):
        conf = files(f"DefMemPerGPU={default}\n{CPU_AND_GPU}")
        cluster.start_controller(with_device_files(conf, {"gpu-0": 2}, "a100"))
        cluster.start_workers(worker, gpus={"gpu-0": 2})
        assert refused(cluster, "--partition=gpu", "--gpus=1") == refuses_one, default
        assert refused(cluster, "--partition=gpu", "--gpus=2") == refuses_all, default


def refused(cluster: Cluster, *options: str) -> bool:
    """Return whether slurmctld takes no such job; another one runs to its end."""
    done = cluster.controller.host.attempt(["srun", *options, "true"], user=JOB_USER)
    assert not done.returncode or "Requested node configuration is not available" in done.stderr, done.stderr
    return bool(done.returncode)


def memory_of_a_job(cluster: Cluster) -> str:
    shown = cluster.run("srun", "--quiet", "sh", "-c", "scontrol show job $SLURM_JOB_ID", user=JOB_USER)
    found = re.search(r"AllocTRES=cpu=1,mem=(\w+)", shown)
    assert found, shown
    return found[1]

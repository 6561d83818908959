"""What becomes of a job whose node leaves its partition, as `cluster_effects` in the command's reviews says it."""

from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import CPU_AND_GPU, files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site
from tests.waiting import equals, eventually

pytestmark = ON_THE_NEWEST

WITHOUT_GPU = CPU_AND_GPU.replace("PartitionName=all Nodes=ALL", "PartitionName=all Nodes=cpu")


def test_a_job_goes_on_and_others_start_on_the_nodes_that_are_left(site: Site) -> None:
    cluster = Cluster(site)
    cluster.start_controller(files())
    cluster.start_workers({"cpu-0": "Features=cpu", "gpu-0": "Features=gpu"})
    cluster.wait_idle("gpu-0")

    def submit(*options: str) -> str:
        words = ("sbatch", "--parsable", "--output=/dev/null", "--partition=all", *options, "--wrap=sleep 600")
        return cluster.run(*words).strip()

    def state(job: str) -> str:
        return cluster.run("squeue", "--noheader", f"--jobs={job}", "--format=%T").strip()

    running = submit("--nodelist=gpu-0")
    eventually("the job", lambda: state(running), equals("RUNNING"))
    waiting = submit("--nodelist=gpu-0", "--exclusive")
    cluster.reconfigure(files(WITHOUT_GPU))
    eventually("the partition", lambda: cluster.nodes("all"), equals({"cpu-0"}))
    assert state(running) == "RUNNING"
    assert state(waiting) == "PENDING"
    cluster.run("scancel", running)
    other = submit()
    eventually("a job on the node that is left", lambda: state(other), equals("RUNNING"))
    assert state(waiting) == "PENDING"

"""Changes of the configuration while jobs run: what takes effect, which pods are replaced, and that no job ends."""

from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.jobs.waiting import eventually


def test_a_limit_of_a_partition(changed: Program, settings: Settings, slurm: Slurm, long_job: int) -> None:
    before = slurm.uids()
    settings["slurm:cluster"]["partitions"][0]["maxTime"] = "2-00:00:00"
    changed.up(settings)
    eventually("the limit", lambda: "MaxTime=2-00:00:00" in slurm.run("scontrol", "show", "partition", "all"))
    assert slurm.uids() == before
    assert slurm.is_running(long_job)


def test_the_jwt_key_replaces_slurmctld_and_slurmdbd_alone(
    changed: Program, settings: Settings, slurm: Slurm, long_job: int
) -> None:
    before = slurm.uids()
    settings["slurm:cluster"]["keys"] = {"jwt": {"generation": 2}}
    changed.up(settings)
    new = {"slurm-controller-0", "slurm-accounting-0"}
    # The operator replaces them a moment after the update.
    eventually("their new pods", lambda: replaced(before, slurm.uids()) == new)
    slurm.wait_for_pods()
    assert replaced(before, slurm.uids()) == new
    assert slurm.is_running(long_job)
    slurm.run("srun", "-w", "cpu-1", "true")


def test_a_busy_worker_goes_after_its_job(changed: Program, settings: Settings, slurm: Slurm) -> None:
    job = slurm.start_job("-w", "cpu-0")
    node_set = settings["slurm:cluster"]["nodeSets"][0]
    node_set |= {"replicas": 0, "wait": False}
    changed.up(settings)
    eventually("the idle one is gone", lambda: "cpu-1" not in slurm.nodes())
    eventually("the busy one drains", lambda: slurm.nodes().get("cpu-0") == "draining")
    slurm.end_jobs()
    slurm.wait_for(job, "COMPLETED")
    eventually("it is gone too", lambda: slurm.nodes() == {"gpu-0": "idle"})


def test_a_node_set_is_not_removed_while_it_has_a_job(changed: Program, settings: Settings, slurm: Slurm) -> None:
    job = slurm.start_job("-w", "gpu-0")
    cluster = settings["slurm:cluster"]
    cluster["nodeSets"], cluster["partitions"] = cluster["nodeSets"][:1], cluster["partitions"][:1]
    refused = changed.up(settings, check=False)
    assert refused.code != 0
    assert f"node set gpu: job {job}, RUNNING" in refused.output
    eventually("its node drains", lambda: slurm.nodes().get("gpu-0") == "draining")
    slurm.end_jobs()
    slurm.wait_for(job, "COMPLETED")
    changed.up(settings)
    eventually("the node is gone", lambda: set(slurm.nodes()) == {"cpu-0", "cpu-1"})
    assert slurm.state(job) == "COMPLETED"


def replaced(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """Return the pods that are new; none while one is missing."""
    return {name for name in before if before[name] != after[name]} if before.keys() <= after.keys() else set()

"""Changes of the configuration while jobs run: what takes effect, which pods are replaced, and that no job ends."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.slurm_operator import MANAGER
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.drifting import findings
from tests.jobs.slurm import Slurm
from tests.programs import needs
from tests.waiting import eventually, eventually_nothing, has


@needs("kubectl")
def test_limits_and_lines_replace_no_pod(
    changed: Program, settings: Settings, slurm: Slurm, long_job: int, tmp_path: Path
) -> None:
    def waits() -> list[tuple[str, str]]:
        state = changed.run("stack", "export").output
        listed = findings(settings, slurm.cluster.kubeconfig, tmp_path, state)
        return [(finding["kind"], finding["subject"]) for finding in listed]

    before = slurm.uids()
    cluster = settings["slurm:cluster"]
    cluster["partitions"][0]["maxTime"] = "2-00:00:00"
    cluster["slurmConf"] = {"schedulerParameters": ["bf_interval=17"], "extra": {"KillWait": 45}}
    assert waits() == [("ours", "partition all"), ("ours", "slurm.conf")]
    changed.up(settings)
    eventually("the limit", lambda: slurm.run("scontrol", "show", "partition", "all"), has("MaxTime=2-00:00:00"))
    slurm.wait_for_line("SchedulerParameters = bf_interval=17")
    slurm.wait_for_line("KillWait = 45 sec")
    slurm.wait_for_file("cpu-0", "slurm.conf", "KillWait=45")
    assert slurm.uids() == before
    assert slurm.is_running(long_job)
    assert waits() == []
    slurm.run("srun", "-w", "cpu-1", "true")


@pytest.mark.from_any_settings
def test_a_busy_worker_goes_after_its_job(changed: Program, settings: Settings, slurm: Slurm) -> None:
    job = slurm.start_job("-w", "cpu-0")
    node_set = settings["slurm:cluster"]["nodeSets"][0]
    node_set |= {"replicas": 0, "wait": False}
    changed.up(settings)
    # The idle one goes at once.
    slurm.wait_for_nodes({"cpu-0": "draining", "gpu-0": "idle"})
    slurm.end_jobs()
    slurm.wait_for(job, "COMPLETED")
    slurm.wait_for_nodes({"gpu-0": "idle"})


@pytest.mark.from_any_settings
def test_a_node_set_is_not_removed_while_it_has_a_job(
    changed: Program, settings: Settings, slurm: Slurm, objects: Objects
) -> None:
    job = slurm.start_job("-w", "gpu-0")
    worker = slurm.uids()["slurm-worker-gpu-0"]
    cluster = settings["slurm:cluster"]
    cluster["nodeSets"], cluster["partitions"] = cluster["nodeSets"][:1], cluster["partitions"][:1]
    with slurmctld_away(slurm):
        unanswered = changed.up(settings, check=False)
    assert unanswered.code != 0
    assert "slurmctld doesn't say whether there are jobs in what leaves the configuration: node set gpu" in (
        unanswered.output
    )
    assert "controller.assumeNoJobs" in unanswered.output
    assert slurm.uids()["slurm-worker-gpu-0"] == worker
    assert slurm.is_running(job)

    refused = changed.up(settings, check=False)
    assert refused.code != 0
    assert f"node set gpu: job {job}, RUNNING" in refused.output
    assert objects.find("NodeSet", "slurm", "slurm-worker-gpu")
    assert "nodeSet gpu\n" in objects.get("ConfigMap", "slurm", "slurm-drain-last")["data"]["parts"]
    slurm.wait_for_node("gpu-0", "draining")
    slurm.end_jobs()
    slurm.wait_for(job, "COMPLETED")
    assert "slurm-drain-job" in changed.up(settings).replaced
    assert "nodeSet gpu\n" not in objects.get("ConfigMap", "slurm", "slurm-drain-last")["data"]["parts"]
    slurm.wait_for_nodes({"cpu-0": "idle", "cpu-1": "idle"})
    assert slurm.state(job) == "COMPLETED"


@contextlib.contextmanager
def slurmctld_away(slurm: Slurm) -> Iterator[None]:
    """End slurmctld's pod, and the operator, which would bring it back."""

    def scale(replicas: int) -> None:
        path = f"/apis/apps/v1/namespaces/{slurm.namespace}/statefulsets/slurm-controller"
        slurm.cluster.api.request("PATCH", path, {"spec": {"replicas": replicas}}, "application/merge-patch+json")

    slurm.cluster.stop_process(MANAGER)
    try:
        scale(0)
        eventually_nothing("slurmctld", lambda: slurm.pods("slurmctld"))
        yield
    finally:
        scale(1)
        slurm.cluster.start_process(MANAGER)
        slurm.wait_for_pods()


@pytest.mark.from_any_settings
def test_an_image_that_is_nowhere_fails_the_update(changed: Program, settings: Settings, slurm: Slurm) -> None:
    """In its time, and in the words of the pod."""
    for pool in settings["slurm:pools"]:
        pool["readyWithin"] = "40s"
    cpu, gpu = settings["slurm:cluster"]["nodeSets"]
    broken = {"name": "broken", "pool": "cpu", "replicas": 1, "image": "registry.invalid/slurmd:none"}
    settings["slurm:cluster"]["nodeSets"] = [{**cpu, "replicas": 1, "wait": False}, broken, gpu]
    run = changed.up(settings, check=False)
    assert run.code != 0
    assert "the update waited 40s for a worker of broken, in vain." in run.output
    assert re.search(
        "slurm-worker-broken-0: container slurmd, (ErrImagePull|ImagePullBackOff): .*registry.invalid", run.output
    )
    slurm.wait_for_nodes({"cpu-0": "idle", "gpu-0": "idle"})
    # It holds the node that the next update needs, and Pulumi deletes last.
    settings["slurm:cluster"]["nodeSets"].remove(broken)
    changed.up(settings)

"""What ends while jobs run: a daemon, the API server, the engine in the middle of an update, a node."""

import os
import signal
import subprocess

import pytest

from devcluster import pods
from devcluster.cluster import API_SERVER
from devcluster.readiness import node_ready
from tests.e2e.objects import Object, Objects, ready
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.waiting import eventually, eventually_nothing, has


@pytest.mark.parametrize("daemons", [("slurmctld",), ("slurmdbd", "mariadb")], ids=" and ".join)
def test_jobs_outlive_daemons(slurm: Slurm, long_job: int, daemons: tuple[str, ...]) -> None:
    before = slurm.uids()
    ended = [pod["metadata"]["name"] for daemon in daemons for pod in slurm.pods(daemon)]
    assert len(ended) == len(daemons)
    for name in ended:
        slurm.cluster.api.delete(f"/api/v1/namespaces/{slurm.namespace}/pods/{name}")
    for name in ended:
        slurm.wait_for_another(name, before)
    slurm.wait_for_pods()
    after = slurm.first_job("-w", "cpu-1")
    slurm.wait_for(after, "COMPLETED")
    assert slurm.is_running(long_job)


@pytest.mark.repeats("tests/jobs/test_failures.py, with daemons in place of the API server")
def test_jobs_outlive_the_api_server(program: Program, slurm: Slurm) -> None:
    before = slurm.uids()
    job = slurm.start_job("-w", "cpu-0", then="srun hostname")
    slurm.cluster.stop_process(API_SERVER)
    try:
        assert not slurm.cluster.api.ready()
    finally:
        slurm.cluster.start_process(API_SERVER)
    slurm.end_jobs()
    slurm.wait_for(job, "COMPLETED")
    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}
    assert slurm.uids() == before


@pytest.mark.repeats("tests/e2e/test_interruptions.py, with real daemons")
def test_an_update_is_finished_after_the_engine_was_killed(
    changed: Program, settings: Settings, slurm: Slurm, objects: Objects
) -> None:
    job = slurm.start_job("-w", "cpu-0", then="srun hostname")
    key = objects.get("Secret", "slurm", "slurm-auth-jwt")["data"]
    cluster = settings["slurm:cluster"]
    cluster["partitions"][0]["maxTime"] = "2-00:00:00"
    cluster["nodeSets"][1]["features"] = ["changed"]
    cluster["keys"] = {"jwt": {"generation": 2}}
    changed.configure(settings)
    engine = changed.engine
    command = changed.command(engine, "up", "--yes", "--skip-preview")
    with subprocess.Popen(command, env=engine.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        # What depends on it comes later in the update.
        eventually(
            "the new key",
            lambda: objects.get("Secret", "slurm", "slurm-auth-jwt")["data"],
            lambda data: data != key,
            promptly=True,
        )
        assert process.poll() is None, "the update was over before it could be interrupted"
        os.kill(process.pid, signal.SIGKILL)
    # As `make up` begins: pulumi would say that the stack is locked, or find its state half written.
    engine.release()
    changed.up()
    assert changed.up(None, "--refresh", "--expect-no-changes").changes == {}
    eventually("the limit", lambda: slurm.run("scontrol", "show", "partition", "all"), has("MaxTime=2-00:00:00"))
    # While the operator replaces the worker, after the update, Slurm has no such node.
    eventually("the feature", lambda: slurm.said("scontrol", "show", "node", "gpu-0"), has("changed"))
    slurm.end_jobs()
    slurm.wait_for(job, "COMPLETED")


@pytest.mark.repeats("tests/jobs/test_failures.py, with a node in place of its daemons")
@pytest.mark.from_any_settings
def test_a_node_that_dies_comes_back(slurm: Slurm) -> None:
    # Its worker is the only pod of Slurm's on it.
    node = "gpu-0"
    ended = slurm.submit("sleep 3600", "-w", node, "--no-requeue")
    slurm.wait_for(ended, "RUNNING")
    process = f"node-{node}"
    slurm.cluster.stop_process(process)
    try:
        eventually(
            "Kubernetes misses the node", lambda: kubernetes_node(slurm, node), lambda seen: not node_ready(seen)
        )
    finally:
        slurm.cluster.start_process(process)
    started = {node: slurm.cluster.processes.started(process)}
    worker = f"slurm-worker-{node}"
    assert worker in pods.restarting(slurm.cluster.api, started)
    # What `make up` waits for. Meanwhile the pod is pending for a while, since its init containers run again.
    eventually_nothing("pods that are restarting", lambda: pods.restarting(slurm.cluster.api, started))
    # By then it is usually ready. One that kubelet refuses, as the plugin of its devices comes later, is made anew.
    eventually(
        "the worker, ready",
        lambda: slurm.pods("slurmd"),
        lambda found: worker in {pod["metadata"]["name"] for pod in found if ready(pod)},
    )
    eventually("Kubernetes has it back", lambda: kubernetes_node(slurm, node), node_ready)
    slurm.wait_for(ended, "NODE_FAIL")
    slurm.wait_for_node(node, "idle")
    slurm.run("srun", "-w", node, "true")


def kubernetes_node(slurm: Slurm, node: str) -> Object:
    return slurm.cluster.api.get(f"/api/v1/nodes/{node}")

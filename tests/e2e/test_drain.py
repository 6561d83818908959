"""A Job that fails before partitions and node sets go: what its user sees, and that the next update runs it again."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from devcluster.cluster import Cluster
from tests.e2e.conftest import NewProgram
from tests.e2e.objects import Object, Objects, uid
from tests.e2e.program import Settings
from tests.e2e.stack_settings import CPU_NODES, MAIN, small
from tests.e2e.test_interruptions import kill_in_mid_update
from tests.waiting import eventually, eventually_nothing

NAME = "drained"
LABEL = "tests/slurmctld"
MESSAGE = "partition short: job 12, RUNNING"


def settings(**cluster: Any) -> Settings:
    """Return the settings of a cluster whose slurmctld, and so this Job, runs where the label is."""
    return small(NAME, controller={"pod": {"nodeSelector": {LABEL: "here"}}}, **cluster)


@pytest.mark.repeats("tests/jobs/test_changes.py, with what slurmctld and its Job say made up")
def test_an_update_that_would_end_jobs_fails_and_can_be_repeated(
    new_program: NewProgram, objects: Objects, cluster: Cluster
) -> None:
    program = new_program(NAME)
    more = {
        "nodeSets": [CPU_NODES, {"name": "gpu", "pool": "gpu"}],
        "partitions": [MAIN, {"name": "short", "nodeSets": ["cpu"]}],
    }
    label(cluster, "here")
    program.up(settings(**more))
    first = objects.get("Job", NAME, f"{NAME}-drain-job")
    assert first["status"]["succeeded"] == 1
    assert program.preview().changes == {}

    # No node runs anything here: one without the label leaves the pod to the test, which says what the script would.
    label(cluster, None)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(program.up, settings(), check=False)
        (pod,) = eventually("its pod", lambda: [item for item in pods(objects) if uid(first) not in owners(item)])
        fail(cluster, objects, pod)
        refused = running.result()
    assert refused.code != 0
    assert MESSAGE in refused.output
    assert objects.find("NodeSet", NAME, f"{NAME}-worker-gpu")
    assert "PartitionName=short " in objects.get("ConfigMap", NAME, f"{NAME}-config")["data"]["slurm.conf"]
    assert "partition short" in objects.get("ConfigMap", NAME, f"{NAME}-drain-last")["data"]["parts"]

    label(cluster, "here")
    assert f"{NAME}-drain-job" in program.preview().resources("replace")
    assert f"{NAME}-drain-job" in program.up().replaced
    eventually_nothing("the node set", lambda: objects.find("NodeSet", NAME, f"{NAME}-worker-gpu"))
    assert "partition short" not in objects.get("ConfigMap", NAME, f"{NAME}-drain-last")["data"]["parts"]
    assert program.preview().changes == {}

    # What was there before comes back by another Job, not by the finished one that had the same content.
    second = objects.get("Job", NAME, f"{NAME}-drain-job")
    program.up(settings(**more))
    assert uid(objects.get("Job", NAME, f"{NAME}-drain-job")) not in {uid(first), uid(second)}
    label(cluster, None)


@pytest.mark.repeats("tests/e2e/test_interruptions.py, with a Job under way")
def test_a_job_that_a_killed_engine_has_left_is_deleted_by_hand(
    new_program: NewProgram, objects: Objects, cluster: Cluster
) -> None:
    """As docs/troubleshooting.md says: a Job can't change, and the engine doesn't know that it is there."""
    name = "left"
    selector = {"controller": {"pod": {"nodeSelector": {LABEL: "here"}}}}
    more = small(name, partitions=[MAIN, {"name": "short", "nodeSets": ["cpu"]}], **selector)
    program = new_program(name)
    job = f"{name}-drain-job"
    label(cluster, "here")
    program.up(more)
    first = uid(objects.get("Job", name, job))
    label(cluster, None)
    kill_in_mid_update(
        program,
        small(name, **selector),
        "the next Job",
        lambda: objects.find("Job", name, job),
        lambda it: uid(it) != first,
    )
    label(cluster, "here")
    program.engine.release()
    assert "field is immutable" in program.up(more, check=False).output
    path = f"{objects.kind('Job').path(name, job)}?propagationPolicy=Background"
    cluster.api.request("DELETE", path)
    eventually_nothing("the Job", lambda: objects.find("Job", name, job))
    program.up(more)
    assert program.preview().changes == {}
    program.up(small(name, **selector))
    assert "partition short" not in objects.get("ConfigMap", name, f"{name}-drain-last")["data"]["parts"]
    label(cluster, None)


def label(cluster: Cluster, value: str | None) -> None:
    """Let pods of slurmctld be scheduled on one node, or on none."""
    body = {"metadata": {"labels": {LABEL: value}}}
    cluster.api.request("PATCH", "/api/v1/nodes/system-0", body, "application/merge-patch+json")


def pods(objects: Objects) -> list[Object]:
    return [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{NAME}-drain-job-")]


def owners(pod: Object) -> set[str]:
    return {reference["uid"] for reference in pod["metadata"]["ownerReferences"]}


def fail(cluster: Cluster, objects: Objects, pod: Object) -> None:
    """Give a pod the status that the kubelet gives it when its script has failed."""
    (container,) = pod["spec"]["containers"]
    ended = {"exitCode": 1, "reason": "Error", "message": f"{MESSAGE}\nThese jobs would end"}
    status = {
        "phase": "Failed",
        "conditions": [
            {"type": "PodScheduled", "status": "True"},
            {"type": "Initialized", "status": "True"},
            {"type": "Ready", "status": "False", "reason": "PodFailed"},
            {"type": "ContainersReady", "status": "False", "reason": "PodFailed"},
        ],
        "containerStatuses": [
            {
                "name": container["name"],
                "image": container["image"],
                "imageID": "",
                "ready": False,
                "restartCount": 0,
                "state": {"terminated": ended},
            }
        ],
    }
    path = f"{objects.kind('Pod').path(NAME, pod['metadata']['name'])}/status"
    cluster.api.request("PATCH", path, {"status": status}, "application/merge-patch+json")

"""Errors of Google during an update: they are reported, nothing is lost, and the next `up` completes the update.

One project for all tests, whose stack comes up through the first of them.
"""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.clouds.gcp import nodes
from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import made_up
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.kind import Scope
from tests.clouds.surroundings import CloudProgram
from tests.e2e.objects import Object, Objects, ready
from tests.e2e.program import Run, Settings
from tests.waiting import eventually, eventually_nothing, has

NAME = "faulty"
STACK = "urn:pulumi:gke::slurm::"
POOL_TYPE = "gcp:container/nodePool:NodePool"
OTHER_FAULT = pytest.mark.repeats("tests/clouds/test_gke_faults.py, with a fault at another time")


CPU: dict[str, Any] = {"name": "cpu", "machineType": "n2-standard-8", "nodes": 1}
L4: dict[str, Any] = {"name": "l4", "machineType": "g2-standard-8", "nodes": 1}
WITHOUT_NODE_SET: dict[str, Any] = {"name": "more", "machineType": "n2-standard-8", "nodes": 0}


def settings(*more_pools: dict[str, Any], gpus: bool = True, **cpu: Any) -> Settings:
    """Return the settings of a small stack: with a pool of GPUs, more pools, and additional fields of its CPU pool."""
    pools = [{**CPU, **cpu}, *([L4] if gpus else [])]
    return made_up(
        [*pools, *more_pools],
        name=NAME,
        namespace=NAME,
        nodeSets=[{"name": pool["name"], "pool": pool["name"], "replicas": 1} for pool in pools],
        partitions=[{"name": "main", "nodeSets": ["ALL"], "default": True}],
    )


def test_a_project_whose_quotas_are_too_small_is_left_alone(google: Google, tmp_path: Path) -> None:
    program = CloudProgram(google, tmp_path / "gke", stack="gke")
    looking = settings()
    looking["slurm:gke"]["preflight"] = True
    unread = program.preview(looking)
    assert "the project's quotas could not be read: " in unread.output
    assert "Cloud Quotas API has not been used in project some-project" in unread.output
    google.cloud.set(quotas={"SSD_TOTAL_GB": 250, "NVIDIA_L4_GPUS": 0}, enabledByHand=["cloudquotas.googleapis.com"])
    refused = program.run("up", "--yes", "--skip-preview", check=False)
    assert refused.code != 0
    assert "Traceback" not in refused.output
    for quota, needed in (("SSD-TOTAL-GB", 300), ("NVIDIA-L4-GPUS", 1)):
        assert f"{quota}-per-project-region in us-central1" in refused.output
        assert f"the cluster needs {needed} at once" in refused.output
    assert not list(google.cloud.all())


def test_a_zone_without_the_machines_is_left_alone(google: Google, tmp_path: Path) -> None:
    program = CloudProgram(google, tmp_path / "gke", stack="gke")
    looking = settings()
    looking["slurm:gke"]["preflight"] = True
    google.cloud.set(enabledByHand=["cloudquotas.googleapis.com", "compute.googleapis.com"])
    assert "machine type" not in program.preview(looking).output
    google.cloud.set(machineTypesNotIn={"us-central1-b": [L4["machineType"]]})
    refused = program.run("up", "--yes", "--skip-preview", check=False)
    assert refused.code != 0
    assert "Google has no such machine type in us-central1-b" in refused.output
    assert not list(google.cloud.all())


@pytest.fixture(scope="module")
def program(module_google: Google, tmp_path_factory: pytest.TempPathFactory) -> CloudProgram:
    return CloudProgram(module_google, tmp_path_factory.mktemp("gke"), stack="gke")


@pytest.fixture
def cloud(module_google: Google) -> Iterator[Cloud]:
    yield module_google.cloud
    module_google.cloud.heal()


@pytest.fixture
def up(program: CloudProgram, cloud: Cloud) -> CloudProgram:
    """The program of a stack that is up, also where its first test was left out."""
    if ("NodePool", "l4") not in cloud.resources():
        program.up(settings())
    return program


REFUSED = {
    ("permission", "RouterNat", "faulty-nat"): (
        "faulty-nat",
        "Error 403: Required 'compute.routers.update' permission for 'projects/some-project'",
    ),
    ("unavailable", "Cluster", "faulty"): ("faulty-cluster", "Error 503: The service is currently unavailable"),
}
"""A fault, and which resource of the program it fails with what."""


@pytest.mark.repeats("tests/e2e/test_interruptions.py, with calls of a cloud that fail")
def test_a_stack_comes_up_through_faults(program: CloudProgram, cloud: Cloud, objects: Objects) -> None:
    program.configure(settings(gpus=False))
    check_that_the_next_up_creates_what_was_refused(program, cloud)
    check_that_up_continues_after_its_machine_has_crashed(program, cloud)

    program.configure(settings())
    cloud.fault("quota", "NodePool", "l4")
    failed = program.up(check=False)
    assert failed.code != 0
    message = 'Error 403: Insufficient regional quota to satisfy request: resource "NVIDIA_L4_GPUS"'
    assert message in errors(failed)["faulty-l4-pool"]
    assert ("NodePool", "l4") not in cloud.resources()
    assert in_state(program) == in_cloud(cloud)

    cloud.fault("stockout", "NodePool", "l4")
    failed = program.up(check=False)
    assert failed.code != 0
    assert 'NodePool l4 was created in the error state "ERROR"' in errors(failed)["faulty-l4-pool"]
    assert ("NodePool", "l4") in cloud.resources()
    assert in_state(program) == in_cloud(cloud)
    assert node_names(objects, "l4") == []

    repaired = program.up()
    assert repaired.resources("update") >= {"faulty-l4-pool"}, str(repaired)
    assert "faulty-l4-pool" not in repaired.replaced, str(repaired)
    check_resources_exist_once(program, cloud, objects)
    check_up_changes_nothing(program)


def check_that_the_next_up_creates_what_was_refused(program: CloudProgram, cloud: Cloud) -> None:
    """Neither resource depends on the other, so one or both fail in the first update, and else the second in the next.

    The first node pool depends on both.
    """
    for fault in REFUSED:
        cloud.fault(*fault)
    seen: set[str] = set()
    while cloud.faults_to_come():
        failed = program.up(check=False)
        assert failed.code != 0
        messages = errors(failed)
        for resource, message in REFUSED.values():
            if message in messages.get(resource, ""):
                seen.add(resource)
        assert ("Network", NAME) in cloud.resources()
        assert in_state(program) == in_cloud(cloud)
    assert seen == {resource for resource, _ in REFUSED.values()}
    assert not [resource for _, resource in cloud.resources() if resource == "system"]


def check_that_up_continues_after_its_machine_has_crashed(program: CloudProgram, cloud: Cloud) -> None:
    """The provider is killed with the engine, before Google has received the request for the pool.

    In the next update Google takes its time for this pool, and the others are asked for when it is there.
    """
    kill_at_a_slow_pool(program, cloud, "system", and_its_provider=True)
    assert ("NodePool", "system") not in cloud.resources()
    program.engine.release()
    cloud.fault("slow", "NodePool", "system", seconds=5)
    repaired = program.up()
    assert repaired.changes.keys() == {"create"}, str(repaired)
    pools = {line["name"]: line for line in cloud.done("create") if line["type"] == POOL_TYPE}
    assert pools["system"]["ended"] - pools["system"]["began"] >= 5
    assert pools["system"]["ended"] <= pools["cpu"]["began"]


@OTHER_FAULT
def test_resources_of_a_killed_engine_can_be_imported(up: CloudProgram, cloud: Cloud, objects: Objects) -> None:
    """Google continues its operations. Pulumi doesn't have their results, so the resource has to be imported."""
    up.configure(settings(WITHOUT_NODE_SET))
    kill_at_a_slow_pool(up, cloud, "more", and_its_provider=False)
    eventually("the pool whose result is lost", lambda: [line["name"] for line in cloud.done("create")], has("more"))
    up.engine.release()
    failed = up.up(check=False)
    pool_id = "projects/some-project/locations/us-central1/clusters/faulty/nodePools/more"
    assert f"{pool_id} - already exists" in errors(failed)["faulty-more-pool"]
    parent = ("--parent", f"parent={STACK}slurm:index:GkeNodePool::faulty-more")
    provider = ("--provider", f"google={STACK}pulumi:providers:gcp::google")
    options = ("--protect=false", "--generate-code=false", "--yes", "--skip-preview")
    up.run("import", POOL_TYPE, "faulty-more-pool", pool_id, *parent, *provider, *options)
    imported = up.up()
    assert imported.replaced == set(), str(imported)
    assert [line["name"] for line in cloud.done("create")].count("more") == 1
    wait_for_workers(objects)
    assert in_state(up) == in_cloud(cloud)
    check_up_changes_nothing(up)


@OTHER_FAULT
def test_a_pool_that_was_deleted_for_a_refused_one_is_created_again(
    up: CloudProgram, cloud: Cloud, objects: Objects
) -> None:
    cloud.fault("quota", "NodePool", "cpu")
    failed = up.up(settings(WITHOUT_NODE_SET, capacity="spot"), check=False)
    assert failed.code != 0
    assert "Insufficient regional quota" in errors(failed)["faulty-cpu-pool"]
    assert ("NodePool", "cpu") not in cloud.resources()
    assert in_state(up) == in_cloud(cloud)

    repaired = up.up()
    assert repaired.replaced <= {"faulty-cpu-pool"}, str(repaired)
    assert cloud.find("NodePool", "cpu").state["nodeConfig"]["spot"] is True
    wait_for_workers(objects)
    check_up_changes_nothing(up)


def test_resources_that_were_deleted_by_hand_are_created_again(
    up: CloudProgram, cloud: Cloud, objects: Objects
) -> None:
    pool = cloud.find("NodePool", "l4")
    for resource in (pool, cloud.find("Firewall", "faulty-internal"), cloud.find("RouterNat", "faulty-nat")):
        cloud.remove(resource)
    nodes.remove_all(pool, Scope(cloud))
    repaired = up.up(None, "--refresh")
    assert repaired.resources("create") == {"faulty-l4-pool", "faulty-internal", "faulty-nat"}, str(repaired)
    assert repaired.changes["create"] == 3
    assert repaired.replaced == set()
    assert in_state(up) == in_cloud(cloud)
    wait_for_workers(objects)


def kill_at_a_slow_pool(program: CloudProgram, cloud: Cloud, pool: str, *, and_its_provider: bool) -> None:
    """Run `up`, and kill the engine with SIGKILL while it waits for a node pool.

    No other operation runs then: the first pool depends on all resources before it, and all others depend on it; a
    further one without a node set is all that is new.
    """
    cloud.fault("slow", "NodePool", pool, seconds=15)
    engine = program.engine
    command = program.command(engine, "up", "--yes", "--skip-preview")
    with subprocess.Popen(
        command, env=engine.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        eventually_nothing("faults that have not happened, as the pool is not asked for", cloud.faults_to_come)
        assert process.poll() is None, "the update was over before it could be interrupted"
        started = in_session(process.pid)
        process.kill()
        for process_id in started if and_its_provider else ():
            with suppress(ProcessLookupError):
                os.kill(process_id, signal.SIGKILL)


def in_session(session: int) -> list[int]:
    """Return the ids of the processes of a session."""
    process_ids = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(ProcessLookupError):
            if os.getsid(int(folder.name)) == session:
                process_ids.append(int(folder.name))
    return process_ids


def check_resources_exist_once(program: CloudProgram, cloud: Cloud, objects: Objects) -> None:
    """Check a stack that is up: nothing was created twice, nothing is lost, and workers run."""
    created = [line for line in cloud.done() if line["operation"] in {"create", "create in part"}]
    counts = Counter((line["type"], line["name"]) for line in created)
    # A member's name is that of the account, which has several roles.
    twice = {resource for resource, count in counts.items() if count > 1 and "IAMMember" not in resource[0]}
    assert twice == set()
    wait_for_workers(objects)
    assert in_state(program) == in_cloud(cloud)


def check_up_changes_nothing(program: CloudProgram) -> None:
    again = program.up(None, "--refresh")
    assert again.changes == {}, str(again)


def in_cloud(cloud: Cloud) -> set[tuple[str, str]]:
    """Return types and ids of the resources in Google Cloud."""
    return {(resource.token, resource.id) for resource in cloud.all()}


def in_state(program: CloudProgram) -> set[tuple[str, str]]:
    """Return types and ids of Google's resources in Pulumi's state, without those that wait for a replacement."""
    resources = [resource for resource in program.resources() if resource["type"].startswith("gcp:")]
    return {(resource["type"], resource["id"]) for resource in resources if not resource.get("pendingReplacement")}


def wait_for_workers(objects: Objects) -> None:
    """Wait until every pool has its node, with a ready worker on it."""

    def workers_and_nodes() -> tuple[list[Object], list[str]]:
        pods = [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{NAME}-worker-")]
        return pods, sorted([*node_names(objects, "cpu"), *node_names(objects, "l4")])

    def are_ready(seen: tuple[list[Object], list[str]]) -> bool:
        pods, names = seen
        return len(pods) == 2 and names == sorted(pod["spec"].get("nodeName", "") for pod in pods if ready(pod))

    eventually("a worker on the node of each pool", workers_and_nodes, are_ready)


def node_names(objects: Objects, pool: str) -> list[str]:
    return [node["metadata"]["name"] for node in objects.all("Node", labels={nodes.POOL_LABEL: pool})]


def errors(run: Run) -> dict[str, str]:
    """Return the error messages by the names of their resources."""
    messages: dict[str, str] = {}
    for event in run.events:
        diagnostic = event.get("diagnosticEvent", {})
        if diagnostic.get("severity") == "error":
            name = diagnostic.get("urn", "").rpartition("::")[2]
            messages[name] = messages.get(name, "") + diagnostic["message"]
    return messages

"""What goes wrong at Google's in mid-update: it is named, nothing is lost, and the next `up` ends the rest.

Each test has a project of its own.
"""

import os
import signal
import subprocess
from collections import Counter
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
from tests.e2e.objects import Objects, ready
from tests.e2e.program import Run, Settings
from tests.e2e.waiting import eventually

NAME = "faulty"
STACK = "urn:pulumi:gke::slurm::"
POOL_TYPE = "gcp:container/nodePool:NodePool"


def settings(**cpu: Any) -> Settings:
    """Return the settings of a small stack, with more about its CPU pool."""
    return made_up(
        [
            {"name": "cpu", "machineType": "n2-standard-8", "nodes": 1, **cpu},
            {"name": "l4", "machineType": "g2-standard-8", "nodes": 1},
        ],
        name=NAME,
        namespace=NAME,
        nodeSets=[
            {"name": "cpu", "pool": "cpu", "replicas": 1},
            {"name": "l4", "pool": "l4", "replicas": 1},
        ],
        partitions=[{"name": "main", "nodeSets": ["ALL"], "default": True}],
    )


@pytest.fixture
def program(google: Google, tmp_path: Path) -> CloudProgram:
    made = CloudProgram(google, tmp_path / "gke", stack="gke")
    made.configure(settings())
    return made


@pytest.mark.parametrize(
    ("fault", "kind", "name", "resource", "message"),
    [
        (
            "quota",
            "NodePool",
            "l4",
            "faulty-l4-pool",
            'Error 403: Insufficient regional quota to satisfy request: resource "NVIDIA_L4_GPUS"',
        ),
        (
            "permission",
            "RouterNat",
            "faulty-nat",
            "faulty-nat",
            "Error 403: Required 'compute.routers.update' permission for 'projects/some-project'",
        ),
        ("unavailable", "Cluster", "faulty", "faulty-cluster", "Error 503: The service is currently unavailable"),
    ],
    ids=["quota", "permission", "unavailable"],
)
def test_what_was_refused_is_made_by_the_next_up(
    program: CloudProgram,
    cloud: Cloud,
    objects: Objects,
    fault: str,
    kind: str,
    name: str,
    resource: str,
    message: str,
) -> None:
    cloud.fault(fault, kind, name)
    failed = program.up(check=False)
    assert failed.code != 0
    assert message in errors(failed)[resource]
    assert (kind, name) not in cloud.resources()
    assert ("Network", NAME) in cloud.resources()
    assert in_state(program) == in_cloud(cloud)

    mended = program.up()
    assert mended.changes.keys() == {"create"}, str(mended)
    everything_is_there_once(program, cloud, objects)


def test_a_pool_for_which_there_were_no_machines_is_mended_in_place(
    program: CloudProgram, cloud: Cloud, objects: Objects
) -> None:
    cloud.fault("stockout", "NodePool", "l4")
    failed = program.up(check=False)
    assert failed.code != 0
    assert 'NodePool l4 was created in the error state "ERROR"' in errors(failed)["faulty-l4-pool"]
    assert ("NodePool", "l4") in cloud.resources()
    assert in_state(program) == in_cloud(cloud)
    assert node_names(objects, "l4") == []

    mended = program.up()
    assert mended.resources("update") == {"faulty-l4-pool"}, str(mended)
    assert mended.replaced == set()
    everything_is_there_once(program, cloud, objects)
    nothing_is_left_to_do(program)


def test_a_slow_operation_is_waited_for(program: CloudProgram, cloud: Cloud, objects: Objects) -> None:
    cloud.fault("slow", "Cluster", NAME, seconds=5)
    program.up()
    made = {(each["type"].rpartition(":")[2], each["name"]): each for each in cloud.done("create")}
    assert made["Cluster", NAME]["ended"] <= min(
        each["began"] for (kind, _), each in made.items() if kind == "NodePool"
    )
    everything_is_there_once(program, cloud, objects)


def test_a_pool_that_went_for_one_that_was_refused_comes_back(
    program: CloudProgram, cloud: Cloud, objects: Objects
) -> None:
    program.up()
    cloud.fault("quota", "NodePool", "cpu")
    failed = program.up(settings(capacity="spot"), check=False)
    assert failed.code != 0
    assert "Insufficient regional quota" in errors(failed)["faulty-cpu-pool"]
    assert ("NodePool", "cpu") not in cloud.resources()
    assert in_state(program) == in_cloud(cloud)

    mended = program.up()
    assert mended.replaced <= {"faulty-cpu-pool"}, str(mended)
    assert cloud.find("NodePool", "cpu").state["nodeConfig"]["spot"] is True
    wait_for_workers(objects)
    nothing_is_left_to_do(program)


def test_what_was_deleted_by_hand_comes_back(program: CloudProgram, cloud: Cloud, objects: Objects) -> None:
    program.up()
    pool = cloud.find("NodePool", "l4")
    for each in (pool, cloud.find("Firewall", "faulty-internal"), cloud.find("RouterNat", "faulty-nat")):
        cloud.remove(each)
    nodes.remove_all(pool, Scope(cloud))
    mended = program.up(None, "--refresh")
    assert mended.resources("create") == {"faulty-l4-pool", "faulty-internal", "faulty-nat"}, str(mended)
    assert mended.changes["create"] == 3
    assert mended.replaced == set()
    assert in_state(program) == in_cloud(cloud)
    wait_for_workers(objects)


def test_up_goes_on_after_its_machine_has_died(program: CloudProgram, cloud: Cloud, objects: Objects) -> None:
    """The provider dies with the engine, before Google has heard of the pool."""
    kill_at_a_slow_pool(program, cloud, and_its_provider=True)
    assert ("NodePool", "system") not in cloud.resources()
    program.engine.release()
    program.up()
    everything_is_there_once(program, cloud, objects)
    nothing_is_left_to_do(program)


def test_what_google_has_made_for_a_killed_engine_is_taken_over(
    program: CloudProgram, cloud: Cloud, objects: Objects
) -> None:
    """Google goes on with what it was asked for. Pulumi doesn't know whether it did, and has to be told."""
    kill_at_a_slow_pool(program, cloud, and_its_provider=False)
    eventually("the pool of which the engine won't hear", lambda: ("NodePool", "system") in cloud.resources())
    program.engine.release()
    failed = program.up(check=False)
    made = "projects/some-project/locations/us-central1/clusters/faulty/nodePools/system"
    assert f"{made} - already exists" in errors(failed)["faulty-system-pool"]
    where = ("--parent", f"parent={STACK}slurm:index:GkeSystemPool::faulty-system")
    by = ("--provider", f"google={STACK}pulumi:providers:gcp::google")
    how = ("--protect=false", "--generate-code=false", "--yes", "--skip-preview")
    program.run("import", POOL_TYPE, "faulty-system-pool", made, *where, *by, *how)
    taken_over = program.up()
    assert taken_over.replaced == set(), str(taken_over)
    everything_is_there_once(program, cloud, objects)
    nothing_is_left_to_do(program)


def kill_at_a_slow_pool(program: CloudProgram, cloud: Cloud, *, and_its_provider: bool) -> None:
    """Run `up`, and kill the engine with SIGKILL while it waits for the first node pool.

    Nothing else goes on then: the pool needs all that was made before, and all that is to come needs the pool.
    """
    cloud.fault("slow", "NodePool", "system", seconds=5)
    engine = program.engine
    command = program.command(engine, "up", "--yes", "--skip-preview")
    with subprocess.Popen(
        command, env=engine.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        eventually("the pool is asked for", cloud.all_faults_happened)
        assert process.poll() is None, "the update was over before it could be interrupted"
        started = in_session(process.pid)
        process.kill()
        for each in started if and_its_provider else ():
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)


def in_session(session: int) -> list[int]:
    """Return the ids of the processes of a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(ProcessLookupError):
            if os.getsid(int(folder.name)) == session:
                found.append(int(folder.name))
    return found


def everything_is_there_once(program: CloudProgram, cloud: Cloud, objects: Objects) -> None:
    """Check a stack that is up: nothing was made twice, nothing is lost, and workers run."""
    created = [each for each in cloud.done() if each["operation"] in {"create", "create in part"}]
    made = Counter((each["type"], each["name"]) for each in created)
    # A member's name is that of the account, which has several roles.
    twice = {what for what, times in made.items() if times > 1 and "IAMMember" not in what[0]}
    assert twice == set()
    wait_for_workers(objects)
    assert in_state(program) == in_cloud(cloud)


def nothing_is_left_to_do(program: CloudProgram) -> None:
    again = program.up(None, "--refresh")
    assert again.changes == {}, str(again)


def in_cloud(cloud: Cloud) -> set[tuple[str, str]]:
    """Return types and ids of what Google has."""
    return {(each.token, each.id) for each in cloud.all()}


def in_state(program: CloudProgram) -> set[tuple[str, str]]:
    """Return types and ids of what Pulumi knows to be Google's, without what it has deleted to make it anew."""
    known = [each for each in program.resources() if each["type"].startswith("gcp:")]
    return {(each["type"], each["id"]) for each in known if not each.get("pendingReplacement")}


def wait_for_workers(objects: Objects) -> None:
    """Wait until each pool has its node, and on it a worker that is ready."""

    def there() -> bool:
        workers = [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{NAME}-worker-")]
        places = sorted(pod["spec"].get("nodeName", "") for pod in workers if ready(pod))
        return len(workers) == 2 and places == sorted([*node_names(objects, "cpu"), *node_names(objects, "l4")])

    eventually("a worker on the node of each pool", there)


def node_names(objects: Objects, pool: str) -> list[str]:
    return [node["metadata"]["name"] for node in objects.all("Node", labels={nodes.POOL_LABEL: pool})]


def errors(run: Run) -> dict[str, str]:
    """Return the error messages by the names of their resources."""
    found: dict[str, str] = {}
    for event in run.events:
        said = event.get("diagnosticEvent", {})
        if said.get("severity") == "error":
            name = said.get("urn", "").rpartition("::")[2]
            found[name] = found.get(name, "") + said["message"]
    return found

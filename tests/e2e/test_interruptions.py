"""An engine that is killed, and an API server that goes away, in the middle of an update."""

import os
import signal
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from devcluster.cluster import API_SERVER, Cluster
from tests.e2e.conftest import NewProgram
from tests.e2e.objects import Object, Objects, uid
from tests.e2e.program import Program, Settings
from tests.e2e.stack_settings import CPU_NODES, small
from tests.waiting import eventually

ROTATED = {"keys": {"slurm": {"generation": 2}, "jwt": {"generation": 2}}}


def kill_in_mid_update(
    program: Program,
    settings: Settings,
    subject: str,
    look: Callable[[], Object | None],
    until: Callable[[Object], object] = bool,
) -> None:
    """Run `up` and kill the engine with SIGKILL as soon as an object is seen, or is as wanted."""
    program.configure(settings)
    engine = program.engine
    command = program.command(engine, "up", "--yes", "--skip-preview")
    with subprocess.Popen(command, env=engine.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        eventually(subject, look, until, promptly=True)
        assert process.poll() is None, "the update was over before it could be interrupted"
        os.kill(process.pid, signal.SIGKILL)


def test_up_recovers_from_engines_that_were_killed(new_program: NewProgram, objects: Objects) -> None:
    """At the first bring-up, in a later update, and while it wrote its state."""
    name = "killed"
    program = new_program(name, warm=False)
    kill_in_mid_update(program, small(name), "the Controller", lambda: objects.find("Controller", name, name))
    controller = uid(objects.get("Controller", name, name))
    # `make up` does this, since it knows that no other run is going on.
    program.engine.release()
    program.up()
    assert uid(objects.get("Controller", name, name)) == controller
    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}

    before = objects.get("Secret", name, f"{name}-auth-jwt")
    # What was made by the engine that died can still be changed.
    more = small(name, nodeSets=[{**CPU_NODES, "replicas": 2}], **ROTATED)
    kill_in_mid_update(
        program,
        more,
        "the new key",
        lambda: objects.get("Secret", name, f"{name}-auth-jwt"),
        lambda secret: secret["data"] != before["data"],
    )
    program.engine.release()
    program.up()
    assert uid(objects.get("Secret", name, f"{name}-auth-jwt")) == uid(before)
    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}
    program.up(small(name))
    assert objects.get("Secret", name, f"{name}-auth-jwt")["data"] == before["data"]

    # What a kill leaves once in many: the state is whole, and what the engine notes beside it is empty.
    states = program.engine.home / "state" / ".pulumi" / "stacks"
    beside = [*states.rglob("local.json.attrs")]
    assert beside
    for file in beside:
        file.write_bytes(b"")
    assert "EOF" in program.up(None, check=False).output
    program.engine.release()
    assert program.up(None, "--expect-no-changes").changes == {}


@pytest.mark.repeats("tests/e2e/test_interruptions.py, with the API server in place of the engine")
def test_up_survives_a_restart_of_the_api_server(new_program: NewProgram, objects: Objects, cluster: Cluster) -> None:
    name = "restarted"
    program = new_program(name, warm=False)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(program.up, small(name), check=False)
        eventually("the Controller", lambda: objects.find("Controller", name, name), promptly=True)
        cluster.stop_process(API_SERVER)
        cluster.start_process(API_SERVER)
        first = running.result()
    if first.code != 0:
        assert "Traceback" not in first.output, str(first)
        program.up()
    assert objects.get("StatefulSet", name, f"{name}-controller")["status"]["readyReplicas"] == 1
    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}

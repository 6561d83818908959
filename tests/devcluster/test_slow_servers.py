"""Servers and nodes that are slow, busy or gone when something is asked of them."""

import asyncio
import os
import signal
import socket
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from devcluster import pods, relay
from devcluster.api import Api, ApiError
from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT
from devcluster.processes import ProcessTable
from tests.waiting import HANGS, eventually

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("method", "status", "requests"), [("GET", 503, 2), ("PATCH", 504, 2), ("POST", 429, 2), ("POST", 503, 1)]
)
def test_what_may_be_asked_again_is(monkeypatch: pytest.MonkeyPatch, method: str, status: int, requests: int) -> None:
    """What a POST makes may be there although the answer was an error."""
    sent = []

    def answer(*_arguments: Any, **_options: Any) -> dict[str, Any]:
        sent.append(method)
        if len(sent) == 1:
            raise ApiError(status, "busy")
        return {}

    monkeypatch.setattr(Api, "_request", answer)
    api = object.__new__(Api)
    if requests == 1:
        with pytest.raises(DevclusterError, match="503: busy"):
            api.request(method, "/api")
    else:
        api.request(method, "/api")
    assert len(sent) == requests


def test_a_node_that_does_not_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(DevclusterError, match="the node cpu-0 does not run"):
        pods.inside(ProcessTable(tmp_path), "cpu-0")


def test_nobody_waits_at_the_relay_for_a_server_that_was_killed() -> None:
    async def ask() -> bytes:
        inside = ThreadPoolExecutor(1)
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            port = server.getsockname()[1]
            relaying = await asyncio.start_server(partial(relay._relay, inside, port), "127.0.0.1", 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", relaying.sockets[0].getsockname()[1])
            killed, _ = await asyncio.get_running_loop().sock_accept(server)
            # Closed as the kernel closes connections of a process that is killed with something unread: by a reset.
            killed.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            killed.close()
            answer = await asyncio.wait_for(reader.read(), HANGS)
            writer.close()
            relaying.close()
            return answer

    assert asyncio.run(ask()) == b""


def test_a_pipe_is_held_that_is_made_later(tmp_path: Path) -> None:
    pipe = tmp_path / "slurmctld.log"
    script = CHECKOUT / "devcluster" / "images" / "hold-log.sh"
    with subprocess.Popen(["bash", str(script), str(pipe)], start_new_session=True) as holding:
        holding.wait()
        try:
            os.mkfifo(pipe)
            eventually("somebody who reads the pipe", lambda: opened(pipe), lambda error: error == "")
        finally:
            os.killpg(holding.pid, signal.SIGKILL)


def opened(pipe: Path) -> str:
    """Return what opening a pipe for writing says; "" where somebody reads it, so that a writer doesn't wait."""
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError as error:
        return str(error)
    return ""

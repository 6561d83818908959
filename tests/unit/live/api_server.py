"""Stand-ins: an API server with a Service behind its proxy, and a kubectl that passes requests on to it."""

import http.server
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pulumi_slurm_cli import kubectl

Request = tuple[str, str, Mapping[str, str]]
"""Method, path and headers, whose names are in lower case."""


@dataclass(frozen=True)
class ApiServer:
    """An API server that answers as it is told to, and the requests that it got."""

    port: int
    requests: list[Request]

    def kubeconfig(self, folder: Path) -> Path:
        """Write a kubeconfig for it."""
        file = folder / "kubeconfig"
        cluster = {"name": "c", "cluster": {"server": f"http://127.0.0.1:{self.port}"}}
        context = {"name": "mine", "context": {"cluster": "c", "user": "u"}}
        users = [{"name": "u", "user": {"token": "of-kubernetes"}}]
        config = {"apiVersion": "v1", "kind": "Config", "clusters": [cluster], "contexts": [context], "users": users}
        file.write_text(json.dumps(config))
        return file


@contextmanager
def api_server(answer: Callable[[str], tuple[int, Any]]) -> Iterator[ApiServer]:
    """Serve what `answer` says to a path: a status, and JSON or text."""
    requests: list[Request] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append((self.command, self.path, {name.lower(): value for name, value in self.headers.items()}))
            status, content = answer(self.path)
            payload = (content if isinstance(content, str) else json.dumps(content)).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield ApiServer(server.server_port, requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


KUBECTL = f"""\
#!{sys.executable}
import os, pathlib, socket, sys
pathlib.Path(__file__).with_name("pid").write_text(str(os.getpid()))
pathlib.Path(__file__).with_name("asked").write_text(" ".join(sys.argv[1:]))
(name,) = (word.partition("=")[2] for word in sys.argv if word.startswith("--unix-socket="))
listener = socket.socket(socket.AF_UNIX)
listener.bind(name)
listener.listen()
print("Starting to serve on", name, flush=True)
while True:
    connection, _ = listener.accept()
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{{}}")
    connection.close()
"""
"""A kubectl that answers each request with an empty object; it writes its process id beside itself."""


def put_kubectl(folder: Path, text: str = KUBECTL) -> Path:
    """Write a program called kubectl into a folder, and return where it writes its process id."""
    program = folder / "kubectl"
    program.write_text(text)
    program.chmod(0o755)
    return folder / "pid"


WAITS_FOR_A_LOGIN = (
    "kubectl: no end after 1 s, but it said: Open http://login. See that `kubectl get namespaces` works with this "
    "context, and needs no login"
)
"""What is said of a kubectl that waits for one."""


def put_waiting_kubectl(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a kubectl that asks for a login, and waits without end, in the place of all others, with a second for it."""
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(kubectl, "SECONDS_TO_LOG_IN", 1)
    monkeypatch.setattr(kubectl, "SECONDS", 0)
    return put_kubectl(
        folder, f"#!/bin/sh\nprintf %s $$ >{folder}/pid; echo 'Open http://login' >&2; exec sleep 3600\n"
    )

"""A process that has imported Pulumi's SDKs, and forks itself for each program that a language host wants to run.

It is run as a file, by the Python of the programs, with the path of its socket and the modules that it imports. For a
host that connects it forks a process that has the program as its child: this sends the program's id and, at the end,
its exit code, and ends a program whose host is gone. It ends when its standard input does, which is when the tests end.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
from typing import Any

PROCESS = "PULUMI_SLURM_WARM_PROCESS"
"""The variable with the socket of the process, and the Python that it runs by."""


def main(path: str, modules: list[str]) -> None:
    """Serve until the tests end; a program that was forked returns from here as any other program ends."""
    gc.disable()
    for module in modules:
        # The clouds' SDKs import a module in full when something of it is asked for.
        hasattr(importlib.import_module(module), "loaded")
    gc.freeze()
    gc.enable()
    # What it forks is awaited by nobody.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(100)
    print("ready", flush=True)
    while sys.stdin not in select.select([sys.stdin, server], [], [])[0]:
        connection, _ = server.accept()
        if os.fork() == 0:
            server.close()
            _start(connection)
            return
        connection.close()


def _start(connection: socket.socket) -> None:
    """Start the program that a host asks for; return in the program's process alone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request, (stdout, stderr) = _request(connection)
    program = os.fork()
    if program:
        for stream in (stdout, stderr):
            os.close(stream)
        connection.sendall(f"{program}\n".encode())
        ended = os.pidfd_open(program)
        if ended not in select.select([ended, connection.fileno()], [], [])[0]:
            # A host sends nothing more, so it has been killed.
            os.kill(program, signal.SIGTERM)
        _, status = os.waitpid(program, 0)
        # A host that has been killed waits for nothing.
        with contextlib.suppress(OSError):
            connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os._exit(0)
    connection.close()
    os.setpgid(0, 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for stream, number in ((nothing, 0), (stdout, 1), (stderr, 2)):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["env"])
    script, *arguments = request["arguments"]
    sys.argv = [script, *arguments]
    packages = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.path[:0] = [os.path.dirname(script), *packages]
    runpy.run_path(script, run_name="__main__")


def _request(connection: socket.socket) -> tuple[dict[str, Any], tuple[int, int]]:
    """Return what is to be run, and where its output goes."""
    first, streams, _, _ = socket.recv_fds(connection, 65536, 2)
    text = first
    while not text.endswith(b"\n"):
        text += connection.recv(65536)
    stdout, stderr = streams
    return json.loads(text), (stdout, stderr)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

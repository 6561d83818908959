"""Pulumi's language host for Python, which has programs forked from a process with Pulumi's SDKs imported.

It is run by its file, as `devcluster/language_host.py` is.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from devcluster.language_host import Command, PythonHost, Running, serve
from tests.e2e.warm.process import PROCESS


class WarmHost(PythonHost):
    """Runs programs by the process, where they are of its Python."""

    def start(self, command: Command, env: Mapping[str, str], *, apart: bool) -> Running:
        """Start a program, or a plugin, which begins as always."""
        path, python = os.environ[PROCESS].split(os.pathsep)
        if not apart or command.words[0] != python:
            return super().start(command, env, apart=apart)
        return Forked(path, command, env)


class Forked:
    """A program that the process has forked."""

    def __init__(self, path: str, command: Command, env: Mapping[str, str]) -> None:
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(path)
        self.stdout, stdout = _pipe()
        self.stderr, stderr = _pipe()
        request = {"arguments": command.words[1:], "folder": command.folder, "env": dict(env)}
        text = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(self._connection, [text], [stdout, stderr])
        self._connection.sendall(text[sent:])
        for stream in (stdout, stderr):
            os.close(stream)
        self._answers = self._connection.makefile()
        self._id = int(self._answers.readline())
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, as that of a `subprocess.Popen`."""
        if self._code is None:
            self._connection.settimeout(timeout)
            try:
                self._code = int(self._answers.readline())
            except TimeoutError as error:
                raise subprocess.TimeoutExpired("the program", timeout or 0.0) from error
        return self._code

    def terminate(self) -> None:
        """Tell the program to end."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """End the program at once."""
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if self._code is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._id, number)


def _pipe() -> tuple[IO[bytes], int]:
    reading, writing = os.pipe()
    return open(reading, "rb"), writing


if __name__ == "__main__":
    serve(WarmHost)

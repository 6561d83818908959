"""A process that holds namespaces for as long as the test runner lives."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Sequence


class NamespaceError(Exception):
    """They could not be created; the text is the program's output."""


class NamespaceHolder:
    """A program that says "ready" and then waits for the end of its input: that of the runner, or `close`."""

    def __init__(self, subject: str, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout
        output = self._process.stdout.readline()
        if output != "ready\n":
            raise NamespaceError(f"{subject} could not be created: {output}{self._process.stdout.read()}")

    @property
    def pid(self) -> int:
        """The program's number."""
        return self._process.pid

    def close(self) -> None:
        """End its input, and wait for its own end."""
        assert self._process.stdin
        assert self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

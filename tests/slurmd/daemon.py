"""A program that stays: its log, whether it lives, waiting for it, ending it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from tests import waiting
from tests.waiting import T

GRACE = 60.0
"""Seconds between SIGTERM and SIGKILL of a slurmd: 26.05 may hang when it is told to end just as a connection closes.
Others save their state in between, which tests go on with."""


class DaemonError(AssertionError):
    """A daemon has ended, or what was waited for did not come; the text ends with its last words."""


class Daemon:
    """Made by `Host.start`."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], log_file: Path) -> None:
        self.name = name
        self._process = process
        self._log_file = log_file
        self.needs: Sequence[Daemon] = ()
        """Others without which it does nothing but wait for them."""

    def __str__(self) -> str:
        return self.name

    @property
    def log(self) -> str:
        """What it has printed so far."""
        return self._log_file.read_text(errors="replace")

    @property
    def complaints(self) -> list[str]:
        """The lines of its log that are errors, without time and program name."""
        words = ("error: ", "fatal: ", "[ERROR]", "ERROR:")
        found = [(line, word) for line in self.log.splitlines() for word in words if word in line]
        return [line[line.index(word) :] for line, word in found]

    @property
    def running(self) -> bool:
        """Whether it lives."""
        return self._process.poll() is None

    @property
    def returncode(self) -> int | None:
        """How it has ended, or None."""
        return self._process.poll()

    def eventually(self, subject: str, look: Callable[[], T | None], until: Callable[[T], object] = bool) -> T:
        """Look until what is seen is as wanted, and return it; raise DaemonError when the daemon ends before."""

        def still_runs() -> None:
            for daemon in (self, *self.needs):
                if not daemon.running:
                    raise DaemonError(f"{daemon.name} ended before {self.name} was {subject}: {daemon._last_words()}")

        try:
            return waiting.eventually(subject, look, until, after_each=still_runs)
        except waiting.WaitedInVainError as error:
            raise DaemonError(f"{self.name}: {error}; {self._last_words()}") from None

    def eventually_says(self, text: str) -> None:
        """Wait until its log has this text."""
        self.eventually(f"saying {text!r}", lambda: self.log, waiting.has(text))

    def wait_end(self) -> int:
        """Wait until it has ended by itself and return its code; raise DaemonError when it goes on."""
        try:
            return self._process.wait(waiting.HANGS)
        except subprocess.TimeoutExpired:
            raise DaemonError(f"{self.name} still runs after {waiting.HANGS:.0f} s: {self._last_words()}") from None

    def last_words(self) -> str:
        """Wait until it has ended by itself with an error, and return the errors of its log.

        What a daemon refuses may end it after it has begun to answer: threads read their own options.
        """
        code = self.wait_end()
        # It is 1, unless a thread that it has already started crashes while it exits, which happens now and then.
        assert code, f"{self.name} ended with {code}: {self._last_words()}"
        return self._last_words()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        # `nsenter` has forked the program, because a process enters a pid namespace only by a child.
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for pid in children.read_text().split():
                os.kill(int(pid), number)

    def stop(self) -> None:
        """End it as a service manager would: SIGTERM, and SIGKILL for a slurmd that stays.

        Raises:
            DaemonError: where another one stays, whose state may not be saved.
        """
        self.signal(signal.SIGTERM)
        if not self.name.startswith("slurmd "):
            self.wait_end()
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self.kill()

    def kill(self) -> None:
        """End it at once."""
        self.signal(signal.SIGKILL)
        self._process.wait()

    def wait(self) -> None:
        """Collect it when its machine has gone."""
        self._process.wait()

    def _last_words(self) -> str:
        lines = [line.strip() for line in self.log.splitlines() if line.strip()]
        complaints = self.complaints
        # What one thread dies of stands before what others say until all are ended.
        fatal = [line for line in complaints[:-6] if line.startswith("fatal: ")]
        return " | ".join([*fatal, *complaints[-6:]] or lines[-4:] or ["no output"])

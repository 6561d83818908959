"""Progress of long steps: what runs, for how long, and how many steps remain.

On a terminal one line is rewritten; elsewhere (a log, CI) a running step prints a line every 15 seconds. Standard
library only, because the bootstrap uses it before the virtual environment exists.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

PLAIN_INTERVAL = 15.0
TERMINAL_INTERVAL = 0.5


def spoken(seconds: float) -> str:
    """Return a duration as a person says it: `3.2 s` or `4 min 05 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"


class Progress:
    """Prints the steps of one task; `total` is how many there will be."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._total = total
        self._done = 0
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time the block as one step and keep saying that it runs."""
        position = f"[{self._done + 1}/{self._total}] {name}"
        began = time.monotonic()
        finished = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(position, began, finished), daemon=True)
        if not self._terminal:
            self._write(f"{position} …\n")
        ticker.start()
        try:
            yield
        except BaseException:
            finished.set()
            ticker.join()
            if self._terminal:
                self._write("\r\033[K")
            raise
        finished.set()
        ticker.join()
        self._done += 1
        remaining = self._total - self._done
        after = f", {remaining} to go" if remaining else ""
        self._write(("\r\033[K" if self._terminal else "") + f"{position}: {spoken(time.monotonic() - began)}{after}\n")

    def _tick(self, position: str, began: float, finished: threading.Event) -> None:
        interval = TERMINAL_INTERVAL if self._terminal else PLAIN_INTERVAL
        while not finished.wait(interval):
            elapsed = spoken(time.monotonic() - began)
            remaining = self._total - self._done - 1
            if self._terminal:
                self._write(f"\r\033[K{position} … {elapsed}, {remaining} after it")
            else:
                self._write(f"{position} … {elapsed} so far, {remaining} after it\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

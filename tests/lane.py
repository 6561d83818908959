"""What a run of pytest says of itself while it goes on: how far it is, and what each file of tests takes.

Loaded with ``-p tests.lane --account=FILE``; the test that runs is in a file beside that, with the ending ``.now``.
Processor time is that of pytest and of all that it has started, servers included, and wherever they have put
themselves: it is read from the kernel's table of processes, so it takes no root.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAUSE = 1.0
"""Seconds between two writes of the file, at the least."""
TICK = 1 / os.sysconf("SC_CLK_TCK")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--account", type=Path, help="a file for what was run so far, and what it took")


def pytest_configure(config: pytest.Config) -> None:
    file: Path | None = config.getoption("account")
    if file:
        config.pluginmanager.register(Account(file), "account")


class Account:
    """Keeps the file up to date."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._now = file.with_suffix(".now")
        self._written = 0.0
        self._current = ""
        self._cpu = 0.0
        self._data: dict[str, Any] = {"total": 0, "done": 0, "failed": [], "files": {}}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._data["total"] = len(session.items)
        self._write()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        file = item.location[0]
        if file != self._current:
            # A look at all processes takes some milliseconds, so there is one for a file.
            self._current, self._cpu = file, processor_time()
        # In a file of its own, so that it is cheap to say before each test, which may hang.
        self._now.write_text(item.nodeid)
        counted = self._data["files"].setdefault(file, {"tests": 0, "wall": 0.0, "cpu": 0.0})
        began = time.monotonic()
        yield
        counted["tests"] += 1
        counted["wall"] += time.monotonic() - began
        self._data["done"] += 1
        if nextitem is None or nextitem.location[0] != file:
            # What is killed with its node takes its time along, so a file at whose end nodes end has too little.
            counted["cpu"] += max(0.0, processor_time() - self._cpu)
            self._current = ""
        self._write(PAUSE)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = self._data["files"].get(report.location[0])
        if file is not None:
            file[report.when] = file.get(report.when, 0.0) + report.duration
        if report.failed:
            self._data["failed"].append(f"{report.nodeid} ({report.when})")
            self._write()

    def pytest_sessionfinish(self) -> None:
        self._write()

    def _write(self, pause: float = 0.0) -> None:
        if time.monotonic() - self._written < pause:
            return
        self._written = time.monotonic()
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(self._data))
        new.replace(self._file)


def processor_time() -> float:
    """Return the processor seconds of this process and of all below it, those that have ended included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
        except OSError:
            continue
        fields = stat[stat.rfind(")") + 2 :].split()
        process = int(folder.name)
        parents[process] = int(fields[1])
        # Its own, and that of children that have ended and been waited for.
        ticks[process] = sum(map(int, fields[11:15]))
    below = {os.getpid()}
    grown = True
    while grown:
        more = {process for process, parent in parents.items() if parent in below} - below
        below |= more
        grown = bool(more)
    return sum(ticks.get(process, 0) for process in below) * TICK

"""Background processes that outlive the launcher: started, recognised and stopped by what is written down about them.

A process is known by its pid together with the kernel's start time and the boot it belongs to, so a recycled pid is
never signalled. Nothing here knows what the programs are.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devcluster import json_files
from devcluster.errors import DevclusterError

OWNER = "PULUMI_SLURM_OWNER"
"""The variable with the cluster's folder, which all of its processes have in their environment."""
INSTANCES = Path("/proc/sys/fs/inotify/max_user_instances")
NO_INSTANCE = b"too many open files"
"""What a process says that gets no inotify instance (EMFILE of inotify_init1 in fs/notify/inotify/inotify_user.c)."""
GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL. The data is throwaway, so a drawn-out shutdown would only cost time."""


@dataclass(frozen=True)
class Command:
    """One program to keep running."""

    name: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


class ProcessTable:
    """The processes of one cluster; their records and logs lie in its folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._run = folder / "run"
        self._logs = folder / "logs"
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def log(self, name: str) -> Path:
        """Return the file that holds a process's output."""
        return self._logs / f"{name}.log"

    def names(self) -> list[str]:
        """Return the names of all recorded processes, alive or not."""
        return sorted(file.stem for file in self._run.glob("*.json"))

    def running(self, name: str, argv: tuple[str, ...] | None = None) -> bool:
        """Say whether the process lives (and, when `argv` is given, was started with exactly these arguments)."""
        record = self._record(name)
        return record is not None and (argv is None or tuple(record["argv"]) == argv)

    def pid(self, name: str) -> int:
        """Return the id of a process that lives."""
        record = self._record(name)
        if not record:
            raise KeyError(name)
        return int(record["pid"])

    def started(self, name: str) -> float:
        """Return when a process that lives was started, in seconds since the epoch."""
        if not self.running(name):
            raise KeyError(name)
        return (self._run / f"{name}.json").stat().st_mtime

    def start(self, command: Command) -> bool:
        """Start the process unless it already runs as wanted; say whether it was started now."""
        if self.running(command.name, command.argv):
            return False
        self.stop([command.name])
        for folder in (self._run, self._logs):
            folder.mkdir(parents=True, exist_ok=True)
        with self.log(command.name).open("ab") as log:
            written = os.fstat(log.fileno()).st_size
            process = subprocess.Popen(
                command.argv,
                env={**os.environ, **command.env, OWNER: str(self._folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # A session of its own: Ctrl-C on the launcher's terminal must not reach it.
                start_new_session=True,
            )
        self._children[command.name] = process
        record = {
            "pid": process.pid,
            "started": _start_time(process.pid),
            "boot": _boot(),
            "argv": command.argv,
            "log": written,
        }
        json_files.write(self._run / f"{command.name}.json", record)
        return True

    def stop(self, names: Iterable[str]) -> None:
        """End these processes: all get SIGTERM at once, what is left after the grace time gets SIGKILL."""
        wanted = list(names)
        for name in wanted:
            self._signal(name, signal.SIGTERM)
        deadline = time.monotonic() + GRACE
        while any(self.running(name) for name in wanted) and time.monotonic() < deadline:
            time.sleep(0.02)
        for name in wanted:
            self._signal(name, signal.SIGKILL)
        while any(self.running(name) for name in wanted):
            time.sleep(0.02)
        for name in wanted:
            self._children.pop(name, None)
            (self._run / f"{name}.json").unlink(missing_ok=True)

    def end_unrecorded(self) -> None:
        """End what a launcher started that was killed before it could write that down."""
        end_with_environment(OWNER, str(self._folder))

    def wait(self, name: str, ready: Callable[[], bool], seconds: float) -> None:
        """Wait until `ready`; a process that ends or takes too long is an error that shows its last words.

        One that has no inotify instance may get it when another cluster ends, so that is said and waited for.
        """
        deadline = time.monotonic() + seconds
        place, hint = int(json_files.read(self._run / f"{name}.json", {}).get("log", 0)), ""
        while not ready():
            running = self.running(name)
            # What is new since the last look: a node says much until it is ready.
            output = self._said_since(name, place)
            place += len(output)
            if NO_INSTANCE in output and not hint:
                hint = _hint()
                print(f"warning: {name} is not ready{hint}", file=sys.stderr, flush=True)
            if not running:
                words = self._last_words(name)
                raise DevclusterError(f"{name} ended at start: {words}{hint} (all of it: {self.log(name)})")
            if time.monotonic() > deadline:
                raise DevclusterError(f"{name} is not ready after {seconds:.0f} s{hint}: see {self.log(name)}")
            time.sleep(0.03)

    def _said_since(self, name: str, place: int) -> bytes:
        with self.log(name).open("rb") as log:
            log.seek(place)
            return log.read()

    def _last_words(self, name: str) -> str:
        lines = [line for line in self.log(name).read_text(errors="replace").splitlines() if line.strip()]
        telling = [line for line in lines[-60:] if "rror" in line or "fatal" in line or "panic" in line]
        return (telling or lines or ["no output"])[-1].strip()[:300]

    def _signal(self, name: str, number: signal.Signals) -> None:
        record = self._record(name)
        if record:
            with contextlib.suppress(ProcessLookupError):
                os.kill(record["pid"], number)

    def _record(self, name: str) -> dict[str, Any] | None:
        child = self._children.get(name)
        if child:
            child.poll()  # Reaps it, so that an ended child does not stay as a zombie.
        record: dict[str, Any] | None = json_files.read(self._run / f"{name}.json", None)
        if record is None:
            return None
        # None is the time of one that had ended before it could be written down.
        started = _start_time(record["pid"])
        alive = started is not None and record["started"] == started and record["boot"] == _boot()
        return record if alive else None


def _hint() -> str:
    """Return what to do about a lack of inotify instances, for the end of a sentence."""
    return (
        f": too many open files: a user may have {INSTANCES.read_text().strip()} inotify instances at once, and "
        "several clusters with real nodes need more: end others with `make down`, or raise "
        "fs.inotify.max_user_instances with sysctl"
    )


def end_with_environment(variable: str, value: str) -> None:
    """End the processes that have been started with a variable of this value: SIGTERM, and SIGKILL after the grace."""
    wanted = f"{variable}={value}".encode()
    deadline = time.monotonic() + GRACE
    number = signal.SIGTERM
    while pids := [pid for pid in _pids() if wanted in _environment_of(pid)]:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(0.05)
        if time.monotonic() > deadline:
            number = signal.SIGKILL


def _pids() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _environment_of(pid: int) -> list[bytes]:
    """Return the environment that a process was started with, empty for those of other users and those that ended."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def _start_time(pid: int) -> int | None:
    """Return the kernel's start time of a live process, in ticks since boot."""
    try:
        # The name in parentheses may hold anything, so the fields are counted from behind it.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in {"Z", "X"} else int(fields[19])

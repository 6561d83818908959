"""The tests in several lanes, each a run of pytest with servers of its own, a few of them at once.

Each lane often waits for an engine, an API server, a daemon, and meanwhile others have the processors. What a lane
prints goes into a file of its own; here a line a minute says how far each is, and at the end come the failures, what
each tier took, and the last line of each run.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devcluster.errors import Terminated
from devcluster.folders import CHECKOUT
from devcluster.progress import spoken

OF_SLURMD_WAITING = tuple(f"tests/slurmd/test_{name}.py" for name in ("drift", "rehearsal", "review"))
"""Tests on daemons that wait for jobs most of the time."""
OF_ENGINES = tuple(
    f"tests/e2e/test_{name}.py"
    for name in ("operator_chart", "operator_upgrade", "other_languages", "example", "make", "picture", "policies")
)
"""Tests that take a third of the time of e2e, most of them on clusters of their own or on none."""
OF_CHANGES = tuple(
    f"tests/e2e/test_{name}.py"
    for name in (
        *("adopting", "changes", "cluster_name", "existing_cluster", "interruptions", "namespaces", "rename"),
        *("rotation", "webhook_cache"),
    )
)
"""Tests of what becomes of a stack that is changed, which wait for pods of theirs."""
OF_COMMANDS = tuple(
    f"tests/unit/{name}" for name in ("adopting", "check", "commands", "drift", "importing", "rehearsal", "review")
)
"""Tests of the command, which use a whole processor."""
OF_OPERATED, OF_OWN_CLUSTERS = "tests/slurmd/operated", "tests/jobs/own_cluster"


def _without(folder: str, *paths: str) -> tuple[str, ...]:
    """Return the arguments of pytest for a folder, of which other lanes have some paths."""
    return folder, *(f"--ignore={path}" for path in paths)


LANES: Mapping[str, Sequence[str]] = {
    "slurmd": _without("tests/slurmd", OF_OPERATED, *OF_SLURMD_WAITING),
    "clouds": ("tests/clouds",),
    "jobs": _without("tests/jobs", OF_OWN_CLUSTERS),
    "pure": (*_without("tests/unit", *OF_COMMANDS), "tests/devcluster"),
    "changes": OF_CHANGES,
    "e2e": _without("tests/e2e", *OF_ENGINES, *OF_CHANGES),
    "engines": OF_ENGINES,
    "waiting": (*OF_SLURMD_WAITING, "tests/gpu"),
    "nodes": (OF_OWN_CLUSTERS,),
    "components": ("tests/components", OF_OPERATED),
    "commands": OF_COMMANDS,
}
"""What each lane runs. They begin in this order: the longest first, and last those that wait for nothing."""
AT_ONCE = len(os.sched_getaffinity(0)) + 3
"""How many lanes run at a time. Three may wait for something; but a cluster works even while nobody asks it anything,
and with all lanes at once on two cores their clusters took a third of both."""
EVERY_TEST = "--repeats"
"""The option of pytest for tests that show again what others show; see tests/conftest.py."""
OPTIONS_WITH_A_VALUE = frozenset({"-k", "-m", "-n", "-o", "-p", "-W", "-c"})
PAUSE = 60.0
"""Seconds between two lines about a lane."""
ENDING = 180.0
"""Seconds in which an interrupted lane ends its servers; after that it is interrupted again."""
CACHE = Path(".pytest_cache")
EVIDENCE = "pulumi-slurm-tests-"
"""How the name of the folder begins, below that for temporary files, with what lanes print and failed tests leave."""
MUCH_MEMORY = 16e9
"""Bytes with which the servers of all lanes may take more memory for less work."""


def run(arguments: Sequence[str], env: Mapping[str, str], *, every: bool = False) -> int:
    """Run what the arguments for pytest select, or everything; return the exit code.

    With arguments there is one run, so that its output is what one expects of pytest. Without, tests that only show
    again what another one shows are left out, unless it is to be ``every`` test.
    """
    options = [EVERY_TEST] if every else []
    if arguments:
        named = [word for word in _places(arguments) if (CHECKOUT / word.split("::")[0]).exists()]
        every_folder = [word for lane in LANES.values() for word in lane if not word.startswith("-")]
        folders = [] if named else every_folder
        # Nothing that failed is nothing to run, and not everything in one lane.
        nothing = ["--lfnf=none"] if {"--lf", "--last-failed"} & set(arguments) else []
        return _ended(_start([*folders, *options, *nothing, *arguments], env))
    evidence = Path(tempfile.mkdtemp(prefix=EVIDENCE))
    try:
        code = _lanes(options, env, evidence)
    finally:
        _remember_failures(list(LANES))
    if code == 0:
        shutil.rmtree(evidence)
    return code


def _places(arguments: Sequence[str]) -> list[str]:
    """Return the arguments that are neither an option of pytest nor the value of one."""
    pairs = zip(("", *arguments), arguments, strict=False)
    return [word for before, word in pairs if not word.startswith("-") and before not in OPTIONS_WITH_A_VALUE]


@dataclass(frozen=True)
class Lane:
    """One run among several."""

    name: str
    process: subprocess.Popen[bytes]
    output: Path
    account: Path

    def report(self) -> dict[str, Any]:
        """Return what the run has written of itself so far; see tests/lane.py."""
        try:
            report: dict[str, Any] = json.loads(self.account.read_text())
        except (OSError, ValueError):
            return {"total": 0, "done": 0, "failed": [], "files": {}}
        return report

    @property
    def runs(self) -> bool:
        """Whether it hasn't ended."""
        return self.process.poll() is None

    def progress(self) -> str:
        """Return a line that says how far it is."""
        report = self.report()
        if not self.runs:
            return f"{self.name}: ended with exit code {self.process.returncode}"
        failed = f", {len(report['failed'])} failed" if report["failed"] else ""
        try:
            now = self.account.with_suffix(".now").read_text()
        except OSError:
            now = ""
        return f"{self.name}: {report['done']} of {report['total']}{failed}, at {now or 'the beginning'}"

    @property
    def last_line(self) -> str:
        """The line in which pytest sums a run up."""
        lines = self.output.read_text(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "no output")


def _lanes(options: Sequence[str], env: Mapping[str, str], evidence: Path) -> int:
    began = time.monotonic()
    seed = f"--randomly-seed={random.randrange(2**32)}"  # noqa: S311 - it orders tests
    print(f"{', '.join(LANES)} run, {AT_ONCE} at a time, by {seed}; what each prints is in {evidence}.", flush=True)
    lanes: list[Lane] = []
    to_begin = deque(LANES.items())
    try:
        shown = time.monotonic()
        reported: set[str] = set()
        while to_begin or any(lane.runs for lane in lanes):
            while to_begin and sum(lane.runs for lane in lanes) < AT_ONCE:
                name, folders = to_begin.popleft()
                lanes.append(_lane(name, [*folders, *options, seed], env, evidence))
            time.sleep(0.5)
            for test in [test for lane in lanes for test in lane.report()["failed"] if test not in reported]:
                reported.add(test)
                print(f"FAILED {test}", flush=True)
            if time.monotonic() - shown > PAUSE:
                shown += PAUSE
                minutes = spoken(time.monotonic() - began)
                later = [f"{name}: waits for one that ends" for name, _ in to_begin]
                for line in (*(lane.progress() for lane in lanes), *later):
                    print(f"[{minutes}] {line}", flush=True)
    finally:
        _end([lane.process for lane in lanes])
    code = max(abs(lane.process.wait()) for lane in lanes)
    for lane in lanes:
        if lane.process.returncode:
            print(f"\n{lane.name}:\n{lane.output.read_text(errors='replace')}", flush=True)
    print("\n".join(_table(lanes)))
    for lane in lanes:
        print(f"{lane.name}: {lane.last_line}")
    print(f"{spoken(time.monotonic() - began)} in all", flush=True)
    if code:
        print(f"What the lanes printed, and what failed tests have left, is in {evidence}.", flush=True)
    return code


def _lane(name: str, arguments: Sequence[str], env: Mapping[str, str], evidence: Path) -> Lane:
    output, account = evidence / f"{name}.log", evidence / f"{name}.json"
    options = ["-p", "tests.lane", f"--account={account}", f"--evidence={evidence}", "-o", f"cache_dir={CACHE / name}"]
    with output.open("wb") as stream:
        process = _start([*arguments, *options], env, stream.fileno())
    return Lane(name, process, output, account)


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Interrupt what still runs, as Ctrl-C does to a run that is shown: pytest then ends the tests' servers.

    What hasn't ended after a while is interrupted again: a program of Pulumi that lost its exception waits for ever.
    """
    while running := [process for process in processes if process.poll() is None]:
        for process in running:
            process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            until = time.monotonic() + ENDING
            for process in running:
                process.wait(max(0.0, until - time.monotonic()))


def _start(arguments: Sequence[str], env: Mapping[str, str], output: int | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=CHECKOUT,
        env={**_fewer_collections(), **(_one_thread() if output is not None else {}), **os.environ, **env},
        stdin=subprocess.DEVNULL if output is not None else None,
        stdout=output,
        stderr=output,
        # In a session of its own no Ctrl-C reaches it but ours: two would cut its cleaning up short.
        start_new_session=output is not None,
    )


def _fewer_collections() -> dict[str, str]:
    """Return the variable by which servers and engines in Go collect garbage less often, where there is much memory.

    It took an eighth of kube-apiserver's processor time.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"GOGC": "300"} if memory > MUCH_MEMORY else {}


def _one_thread() -> dict[str, str]:
    """Return the variable by which a server or engine in Go looks for no work on a second core.

    Dozens of them run in the lanes, and other lanes have that core.
    """
    return {"GOMAXPROCS": "1"}


def _ended(process: subprocess.Popen[bytes]) -> int:
    """Return the exit code of a process; after a Ctrl-C, which it has got too, it is waited for all the same."""
    try:
        return process.wait()
    except KeyboardInterrupt as interruption:
        if isinstance(interruption, Terminated):
            process.send_signal(signal.SIGINT)
        process.wait()
        raise


def _remember_failures(names: Sequence[str]) -> None:
    """Put the failures of all lanes where `pytest --lf` looks for them, which is run without lanes."""
    place = Path("v") / "cache" / "lastfailed"
    failures: dict[str, bool] = {}
    for name in names:
        with contextlib.suppress(OSError, ValueError):
            failures |= json.loads((CHECKOUT / CACHE / name / place).read_text())
    # A test whose file has gone can't be run again; if no other had failed, pytest would run all.
    failures = {test: failed for test, failed in failures.items() if (CHECKOUT / test.split("::")[0]).exists()}
    file = CHECKOUT / CACHE / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(failures, indent=2))


def _table(lanes: Sequence[Lane]) -> Iterator[str]:
    """Yield what each tier took: tests, seconds by the clock, and seconds of processors with all that it started."""
    tiers: dict[str, list[float]] = {}
    for lane in lanes:
        for file, took in lane.report()["files"].items():
            tier = "/".join(Path(file).parts[:2])
            sums = tiers.setdefault(tier, [0, 0.0, 0.0])
            for place, key in enumerate(("tests", "wall", "cpu")):
                sums[place] += took[key]
    width = max(map(len, tiers), default=0)
    yield f"\n{'tier':<{width}} {'tests':>6} {'seconds':>8} {'processor seconds':>18}"
    for tier, (tests, wall, cpu) in tiers.items():
        yield f"{tier:<{width}} {tests:>6.0f} {wall:>8.0f} {cpu:>18.0f}"

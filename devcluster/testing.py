"""The tests in several runs at once.

Those with simulated clouds, and those on real nodes, take as long as nearly all others, and like these they often wait:
for an engine, an API server, a daemon. Side by side, on two cores, they take little more than the longest of them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from devcluster.errors import Terminated
from devcluster.folders import CHECKOUT

SHOWN = ("tests/unit", "tests/devcluster", "tests/components", "tests/slurmd", "tests/e2e")
BESIDE = ("tests/clouds", "tests/jobs")


def run(arguments: Sequence[str], env: Mapping[str, str]) -> int:
    """Run what the arguments for pytest select, or everything; return the exit code.

    With arguments there is one run, so that its output is what one expects of pytest.
    """
    if arguments:
        named = [word for word in arguments if not word.startswith("-") and (CHECKOUT / word.split("::")[0]).exists()]
        return _ended(_start([*([] if named else [*SHOWN, *BESIDE]), *arguments], env))
    print(f"{' and '.join(BESIDE)} run at the same time, and are shown when the others are done.", flush=True)
    with tempfile.TemporaryDirectory(prefix="pulumi-slurm-tests-") as files, contextlib.ExitStack() as ending:
        runs = [_beside(folder, env, Path(files) / Path(folder).name, ending) for folder in BESIDE]
        code = _ended(_start(SHOWN, env))
        for folder, process in zip(BESIDE, runs, strict=True):
            print(f"\n{folder}:", flush=True)
            _follow(Path(files) / Path(folder).name, process)
            code = code or process.wait()
    return code


def _beside(folder: str, env: Mapping[str, str], file: Path, ending: contextlib.ExitStack) -> subprocess.Popen[bytes]:
    """Start a run of its own, which writes into a file and is over when `ending` is."""
    with file.open("wb") as output:
        process = _start([folder, "-o", f"cache_dir=.pytest_cache/{file.name}"], env, output.fileno())
    ending.callback(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        # As Ctrl-C does to the one that is shown: pytest then ends the servers that tests have started. Where a shell
        # has let it ignore that, in the background, it goes on to its end.
        process.send_signal(signal.SIGINT)
    process.wait()


def _start(arguments: Sequence[str], env: Mapping[str, str], output: int | None = None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pytest", *arguments]
    beside = output is not None
    return subprocess.Popen(
        command,
        cwd=CHECKOUT,
        env={**os.environ, **env},
        stdout=output,
        stderr=output,
        # In a session of its own no Ctrl-C reaches it but ours: two would cut its cleaning up short.
        start_new_session=beside,
    )


def _ended(process: subprocess.Popen[bytes]) -> int:
    """Return the exit code of a process; after a Ctrl-C, which it has got too, it is waited for all the same."""
    try:
        return process.wait()
    except KeyboardInterrupt as interruption:
        if isinstance(interruption, Terminated):
            process.send_signal(signal.SIGINT)
        process.wait()
        raise


def _follow(file: Path, process: subprocess.Popen[bytes]) -> None:
    """Show what a process writes into a file, from its beginning to its end."""
    with file.open("rb") as stream:
        ended = False
        while not ended:
            ended = process.poll() is not None
            shutil.copyfileobj(stream, sys.stdout.buffer)
            sys.stdout.flush()
            time.sleep(0.5)

"""The tests in two runs at once.

Those with simulated clouds take as long as nearly all others, and like these they often wait: for an engine, an API
server, a daemon. Side by side, on two cores, both take little more than the longer of them.
"""

from __future__ import annotations

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
BESIDE = ("tests/clouds",)


def run(arguments: Sequence[str], env: Mapping[str, str]) -> int:
    """Run what the arguments for pytest select, or everything; return the exit code.

    With arguments there is one run, so that its output is what one expects of pytest.
    """
    if arguments:
        named = [word for word in arguments if not word.startswith("-") and (CHECKOUT / word.split("::")[0]).exists()]
        return _ended(_start([*([] if named else [*SHOWN, *BESIDE]), *arguments], env))
    print(f"{BESIDE[0]} runs at the same time, and is shown when the others are done.", flush=True)
    with tempfile.NamedTemporaryFile(prefix="pulumi-slurm-tests-") as said:
        beside = _start([*BESIDE, "-o", "cache_dir=.pytest_cache/beside"], env, said.fileno())
        try:
            code = _ended(_start(SHOWN, env))
            print(f"\n{BESIDE[0]}:", flush=True)
            _follow(Path(said.name), beside)
        finally:
            if beside.poll() is None:
                # As Ctrl-C does to the other one: pytest then ends the servers that tests have started. Where a shell
                # has let it ignore that, in the background, it goes on to its end.
                beside.send_signal(signal.SIGINT)
            beside_code = beside.wait()
    return code or beside_code


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

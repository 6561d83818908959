"""`python -m pulumi_slurm`: called within the process of the tests, or started as a user starts it.

A call takes milliseconds, and a new process half a second, most of it for imports. So only tests of what a process
alone can show start one.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import TextIO

from devcluster.folders import PYTHON_PATH
from pulumi_slurm_cli.__main__ import main


@dataclass(frozen=True)
class Result:
    """The exit code of a command, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Result:
    """Call the command with some arguments."""
    stdout, stderr = StringIO(), StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            # argparse ends the process when it cannot read the arguments.
            code = int(end.code or 0)
    return Result(code, stdout.getvalue(), stderr.getvalue())


def run_as_process(
    *arguments: object,
    stdin: str | None = None,
    stdout: TextIO | int = subprocess.PIPE,
    environment: Mapping[str, str] | None = None,
) -> Result:
    """Start the command in a process of its own, with some more variables in its environment."""
    process = subprocess.run(
        _command(arguments),
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**_environment(), **(environment or {})},
        check=False,
    )
    return Result(process.returncode, process.stdout, process.stderr)


def run_without_reader(*arguments: object) -> Result:
    """Start the command in a process of its own, whose output nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        process = subprocess.run(
            _command(arguments), stdout=writer, stderr=subprocess.PIPE, text=True, env=_environment(), check=False
        )
    finally:
        os.close(writer)
    return Result(process.returncode, "", process.stderr)


def _command(arguments: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", "pulumi_slurm", *map(str, arguments)]


def _environment() -> dict[str, str]:
    """Return the environment of a user, in which Python keeps output until there is more of it."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**env, "PYTHONPATH": PYTHON_PATH}

"""`python -m pulumi_slurm`: called within the process of the tests, or started as a user starts it.

A call takes milliseconds, and a new process half a second, most of it for imports. So only tests of what a process
alone can show start one.
"""

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO

from devcluster.folders import CHECKOUT
from pulumi_slurm.__main__ import main


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


def run_as_process(*arguments: object) -> Result:
    """Start the command in a process of its own."""
    command = [sys.executable, "-m", "pulumi_slurm", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT / "components")}
    process = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    return Result(process.returncode, process.stdout, process.stderr)

"""Commands that a test needs to succeed."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from devcluster.folders import PYTHON_PATH


def run(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Return what a command prints; one that fails is an error that shows its output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def program(folder: Path, name: str, command: str) -> None:
    """Make a program of this name in a folder that is to be on PATH."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\nexec {command}\n")
    (folder / name).chmod(0o755)


PULUMI_SLURM = f'env PYTHONPATH={PYTHON_PATH} {sys.executable} -m pulumi_slurm "$@"'
"""The command `pulumi-slurm` of this checkout, as the package installs it."""

"""Programs that stand in for others: scripts in a folder that comes first on PATH."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from devcluster.folders import CHECKOUT, PYTHON_PATH


def write_script(folder: Path, name: str, module: str, environment: Mapping[str, str] | None = None) -> None:
    """Write a program that runs a module of this checkout with this Python."""
    folder.mkdir(parents=True, exist_ok=True)
    variables = {"PYTHONPATH": PYTHON_PATH, **(environment or {})}
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    start = f'exec {shlex.quote(sys.executable)} -m {module} "$@"'
    file = folder / name
    file.write_text("\n".join(["#!/bin/sh", *lines, f"cd {shlex.quote(str(CHECKOUT))}", start, ""]))
    file.chmod(0o755)

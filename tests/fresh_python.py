"""Code in a Python of its own, which has loaded nothing before."""

import json
import os
import subprocess
import sys

from devcluster.folders import PYTHON_PATH


def printed(code: str) -> str:
    """Return what some code prints that imports from this checkout."""
    env = {"PYTHONPATH": PYTHON_PATH, "PATH": os.defpath}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def modules_after(*steps: str) -> list[list[str]]:
    """Run steps one after another in one Python, and return the names of the modules loaded after each of them."""
    lines = ["import json, sys", "loaded = []"]
    for step in steps:
        lines += [step, "loaded.append(list(sys.modules))"]
    loaded: list[list[str]] = json.loads(printed("\n".join([*lines, "print(json.dumps(loaded))"])))
    return loaded

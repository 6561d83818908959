"""Commands that a test needs to succeed."""

import subprocess
from collections.abc import Mapping
from pathlib import Path


def run(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Return what a command prints; one that fails is an error that shows its output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout

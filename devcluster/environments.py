"""Virtual environments: one for each set of packages, kept in the cache, keyed by its lock and the Python that made it.

The launcher needs none of the clouds' SDKs. The engine looks for the plugin of every SDK that it finds installed, so a
program that uses one gets an environment of its own, and so do the tests, which use them all. The policy pack has one
beside the program's, since it needs an older protobuf.

Standard library only, because the bootstrap imports it before any virtual environment exists.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from enum import Enum
from pathlib import Path

from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT, cache_folder
from devcluster.locks import locked
from devcluster.progress import Progress

DISK = 1024**3
INSTALL = ("install", "--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--require-hashes")
"""How pip installs a lock. Not compiled: a program imports a small part of the SDKs, and Python compiles that itself.

Without dependencies, since a lock has them all: pip before 24.0 looks for `coverage[toml]`, which pytest-cov needs,
beside the lock's `coverage`, and finds a newer one, of which the lock has no hash.
"""


class Packages(Enum):
    """What an environment holds, by its lock file in locks/; every package is compared with its hash."""

    BASE = "base.lock"
    GKE = "gke.lock"
    ACK = "ack.lock"
    POLICY = "policy.lock"
    TESTS = "tests.lock"

    @property
    def lock(self) -> Path:
        """The lock file."""
        return CHECKOUT / "locks" / self.value


def environment(packages: Packages) -> Path:
    """Return the environment's Python; make the environment when it is missing or half made."""
    cache = cache_folder()
    lock = packages.lock
    key = hashlib.sha256(lock.read_bytes() + repr((sys.version, sys.base_prefix)).encode()).hexdigest()[:16]
    folder = cache / "venv" / key
    complete = folder / ".complete"
    if not complete.exists():
        with locked(cache / "venv.lock", "Python packages"):
            if not complete.exists():
                make_environment(folder, lock)
                complete.touch()
    return folder / "bin" / "python"


def make_environment(folder: Path, lock: Path) -> Path:
    """Make an environment with the packages of a lock, in place of what is in the folder; return its Python."""
    # An environment cannot be moved once it is made, so it grows in place and a mark says when it is whole.
    python = folder / "bin" / "python"
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder.parent).free
    if free < DISK:
        raise DevclusterError(
            f"the Python packages need 1 GiB of disk in {folder.parent}, {free / 1024**3:.1f} GiB are free: "
            "free some, or set PULUMI_SLURM_CACHE to a folder on a larger disk"
        )
    progress = Progress(2)
    with progress.step("making a virtual environment"):
        done = _run([sys.executable, "-m", "venv", str(folder)])
        if done.returncode:
            version = "{}.{}".format(*sys.version_info)
            raise DevclusterError(
                f"Python cannot make a virtual environment: install its venv module (Debian: apt install "
                f"python{version}-venv), then run it again ({_last(done)})"
            )
    with progress.step(f"installing the Python packages of {lock.name}"):
        done = _run([str(python), "-m", "pip", *INSTALL, "-r", str(lock)])
        if done.returncode:
            raise DevclusterError(
                f"Python packages cannot be installed: {_last(done)} (check the network and pip's index)"
            )
        done = _run([str(python), "-m", "pip", "check", "--disable-pip-version-check"])
        if done.returncode:
            raise DevclusterError(f"{lock.name} lacks a package that another one needs: {_last(done)}; run `make lock`")
    return python


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _last(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["no output"])[-1]

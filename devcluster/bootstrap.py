"""First step of every make target: the virtual environment, then the launcher inside it.

Run by any Python as `python3 devcluster/bootstrap.py COMMAND …`, so it uses the standard library only and its syntax
stays readable for Pythons that are too old, which then get told so. The environment lies in the cache, keyed by the
lock file and the Python that made it; every package is compared with its hash.
"""

from __future__ import annotations

import os
import sys

MINIMUM = (3, 11)
if sys.version_info < MINIMUM:
    sys.exit(
        "error: Python {}.{} or newer is needed, this is {}: run `make PYTHON=python3.12 …`, naming a newer one".format(
            *MINIMUM, sys.version.split()[0]
        )
    )

# Run as a file, so the folder to import from is not the one that Python has put first.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import hashlib  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import NoReturn  # noqa: E402

from devcluster.errors import DevclusterError  # noqa: E402
from devcluster.folders import CHECKOUT, cache_folder  # noqa: E402
from devcluster.locks import locked  # noqa: E402
from devcluster.progress import Progress  # noqa: E402

LOCK = CHECKOUT / "requirements.lock"
DISK = 1024**3


def environment() -> Path:
    """Return the virtual environment's Python; make the environment when it is missing or half made."""
    cache = cache_folder()
    key = hashlib.sha256(LOCK.read_bytes() + repr((sys.version, sys.base_prefix)).encode()).hexdigest()[:16]
    folder = cache / "venv" / key
    complete = folder / ".complete"
    python = folder / "bin" / "python"
    if not complete.exists():
        with locked(cache / "venv.lock", "Python packages"):
            if not complete.exists():
                _make(folder, python)
                complete.touch()
    return python


def _make(folder: Path, python: Path) -> None:
    # An environment cannot be moved once it is made, so it grows in place and a mark says when it is whole.
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
    with progress.step("installing Python packages"):
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        done = _run([*install, "-r", str(LOCK)])
        if done.returncode:
            raise DevclusterError(
                f"Python packages cannot be installed: {_last(done)} (check the network and pip's index)"
            )


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _last(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["no output"])[-1]


def main() -> NoReturn:
    """Hand over to the launcher in the environment."""
    try:
        python = environment()
    except DevclusterError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print("\ninterrupted: run the same command again to go on", file=sys.stderr)
        sys.exit(130)
    os.chdir(CHECKOUT)
    os.execv(python, [str(python), "-m", "devcluster", *sys.argv[1:]])


if __name__ == "__main__":
    main()

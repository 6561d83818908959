"""Where things are kept: a cache shared by all checkouts, and a state folder for each checkout.

Standard library only, because the bootstrap imports it before the virtual environment exists. Nothing is created here
but folders, and a folder that cannot be written is reported with the variable that moves it elsewhere.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from devcluster.errors import DevclusterError

CHECKOUT = Path(__file__).resolve().parent.parent
SOURCES = ("components", "stacks", "cli")
"""The folders of the packages, from the ground up."""
PYTHON_PATH = os.pathsep.join(str(CHECKOUT / folder) for folder in (*SOURCES, "."))
"""Where Python finds what it imports from this checkout."""


def cache_folder() -> Path:
    """Return the folder for the virtual environment, the built parts and Go's caches."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return _writable(os.environ.get("PULUMI_SLURM_CACHE") or os.path.join(base, "pulumi-slurm"), "PULUMI_SLURM_CACHE")


def state_folder(checkout: Path = CHECKOUT) -> Path:
    """Return the folder for one checkout's cluster and Pulumi state; two checkouts never share one."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    name = hashlib.sha256(str(checkout).encode()).hexdigest()[:10]
    chosen = os.environ.get("PULUMI_SLURM_STATE") or os.path.join(base, "pulumi-slurm", name)
    return _writable(chosen, "PULUMI_SLURM_STATE")


def _writable(path: str, variable: str) -> Path:
    folder = Path(path).expanduser().absolute()
    try:
        # Keys and certificates live below, so nobody else may look in.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot create {folder} ({error.strerror}): make it writable, or set {variable} to a folder that is"
        raise DevclusterError(message) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise DevclusterError(f"cannot write in {folder}: make it writable, or set {variable} to a folder that is")
    return folder

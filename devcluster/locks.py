"""File locks, so that two runs at once wait for each other instead of breaking each other.

The kernel drops a lock when its holder ends, however it ends, so there is no stale lock to clean up. The file stays.
Standard library only, because the bootstrap imports it before the virtual environment exists.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from devcluster.errors import DevclusterError


@contextlib.contextmanager
def locked(file: Path, task: str) -> Iterator[None]:
    """Hold an exclusive lock on `file` for the block; while another run holds it, say so and wait.

    Raises:
        DevclusterError: The file is another user's, as after a run by `sudo` with the same cache folder.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except PermissionError:
        raise DevclusterError(
            f"{task}: cannot open {file}, which is another user's: give {file.parent} to yourself as a whole, "
            "or set PULUMI_SLURM_CACHE and PULUMI_SLURM_STATE to folders of your own"
        ) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip() or "unknown"
            print(f"{task}: waiting for another run (pid {holder}) …", file=sys.stderr, flush=True)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)

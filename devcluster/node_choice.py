"""Whether the nodes of this checkout's cluster run pods, or are simulated by kwok."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from devcluster import container_images, debian, root_filesystems
from devcluster.errors import DevclusterError
from devcluster.folders import cache_folder
from devcluster.golang import GIB, available_memory

REAL, SIMULATED = "real", "simulated"
CPUS = 2
MEMORY = 4 * GIB
"""What the pods of Pulumi.local.yaml take, measured, with room for jobs."""
DISK = 4 * GIB
"""What the images take while they are built."""


def real(folder: Path) -> bool:
    """Return whether the cluster in a folder has real nodes."""
    return _present(folder) == REAL


def decide(folder: Path, asked: str | None) -> str | None:
    """Settle which nodes the cluster in a folder has, and return a line that says why where it is new.

    Without a wish they are real wherever the machine allows it.

    Raises:
        DevclusterError: if the machine doesn't allow real nodes that were asked for, or the cluster has the other kind.
    """
    if asked not in {None, REAL, SIMULATED}:
        raise DevclusterError(f"NODES={asked} is not a choice: use {REAL} or {SIMULATED}")
    present = _present(folder)
    if present and (asked is None or (folder / "kubeconfig").exists()):
        if asked not in {None, present}:
            raise DevclusterError(f"this checkout's cluster has {present} nodes: `make down` first, then NODES={asked}")
        return None
    missing = [] if asked == SIMULATED else obstacles(folder)
    if missing and asked == REAL:
        raise DevclusterError("real nodes can't run here: " + "; ".join(missing))
    chosen = SIMULATED if asked == SIMULATED or missing else REAL
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _file(folder).write_text(chosen)
    if chosen == REAL:
        return "Nodes: real ones, whose pods run (NODES=simulated takes fewer resources, and runs no job)."
    reason = "; ".join(missing) or "as NODES says"
    return f"Nodes: simulated, so pods run nothing and no job can: {reason}."


def obstacles(folder: Path) -> list[str]:
    """Return what keeps this machine from real nodes for a cluster in a folder, each with a fix."""
    built = root_filesystems.NODE.folder.exists() and container_images.folder().exists()
    missing = debian.obstacles(built=built)
    cpus = len(os.sched_getaffinity(0))
    if cpus < CPUS:
        missing.append(f"workers need {CPUS} CPUs, this machine has {cpus}: use a larger one")
    memory = available_memory()
    if memory < MEMORY:
        missing.append(f"{memory / GIB:.1f} GiB of memory are free, pods take {MEMORY // GIB}: end other programs")
    if not built:
        free = shutil.disk_usage(root_filesystems.NODE.folder.parent.parent).free
        if free < DISK:
            missing.append(f"{free / GIB:.1f} GiB of disk are free, images take {DISK // GIB}: make room")
    places = {"PULUMI_SLURM_STATE": folder, **({} if built else {"PULUMI_SLURM_CACHE": cache_folder()})}
    return missing or [obstacle for name, place in places.items() for obstacle in _overlay_obstacles(place, name)]


def _overlay_obstacles(folder: Path, variable: str) -> list[str]:
    """Return what keeps containerd from having its images in a folder: an overlay can't be on another one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="overlay-", dir=folder) as probe:
        script = "mkdir lower upper work root && mount -t overlay o -o lowerdir=lower,upperdir=upper,workdir=work root"
        command = ("unshare", "--mount", "sh", "-c", script)
        process = subprocess.run(command, cwd=probe, capture_output=True, text=True, check=False)
    if process.returncode == 0:
        return []
    error = " ".join(process.stderr.split())
    return [f"no overlay can be mounted in {folder} ({error}): set {variable} to a folder on a disk"]


def _present(folder: Path) -> str | None:
    if _file(folder).exists():
        return _file(folder).read_text().strip()
    # A cluster that an older release has started.
    return SIMULATED if (folder / "kubeconfig").exists() else None


def _file(folder: Path) -> Path:
    return folder / "node-choice"

"""The ports of one cluster, all on the loopback, chosen at the first start and kept in a file.

They lie below the range from which the kernel takes ports for outgoing connections, so between a stop and a start no
passing connection occupies one. The API server's port is the one that others note down (kubeconfig, Pulumi's state): if
another program has taken it, that is an error. Nothing depends on the others, so a taken one is replaced.

A server listens seconds after its port was chosen, and clusters may start at the same time. So all clusters of a cache
folder are noted there, and none takes what another one has chosen.
"""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Collection
from pathlib import Path

from devcluster import json_files
from devcluster.errors import DevclusterError
from devcluster.folders import cache_folder
from devcluster.locks import locked

RANGE = range(20000, 30000)
API = "kube-apiserver"
NAMES = (
    "etcd",
    "etcd-peer",
    API,
    "kube-controller-manager",
    "kube-scheduler",
    "slurm-operator",
    "slurm-operator-webhook",
    "slurm-operator-webhook-health",
    "slurm-rest",
)


def choose(file: Path, in_use_by_us: Collection[str]) -> dict[str, int]:
    """Return a port for each name; `in_use_by_us` are the names whose process of ours is running."""
    register = cache_folder() / "ports.json"
    with locked(register.with_suffix(".lock"), "ports"):
        noted = [Path(path) for path in json_files.read(register, [])]
        others = {path: ports for path in noted if path != file and (ports := _noted(path)) is not None}
        chosen = _choose(file, in_use_by_us, {port for ports in others.values() for port in ports})
        json_files.write(register, [str(path) for path in (*others, file)])
    return chosen


def _noted(file: Path) -> Collection[int] | None:
    """Return the ports of another cluster; None where it is gone, and none where another user keeps them to himself."""
    try:
        return json_files.read(file, {}).values() or None
    except PermissionError:
        return ()


def _choose(file: Path, in_use_by_us: Collection[str], used_ports: Collection[int]) -> dict[str, int]:
    kept: dict[str, int] = json_files.read(file, {})
    ports = dict(kept)
    for name in NAMES:
        if name in ports and (name in in_use_by_us or _free(ports[name])):
            continue
        if name == API and name in ports:
            raise DevclusterError(
                f"port {ports[name]}, which this checkout's API server uses, is taken by another program: "
                "end that program, or give up this cluster with `make down` and start anew"
            )
        ports[name] = _another({*ports.values(), *used_ports})
    if ports != kept:
        json_files.write(file, ports)
    return ports


def _free(port: int) -> bool:
    with contextlib.closing(socket.socket()) as probe:
        # As servers do, so that connections lingering from the last run do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _another(used_ports: Collection[int]) -> int:
    for port in random.sample(RANGE, 200):
        if port not in used_ports and _free(port):
            return port
    raise DevclusterError(f"no free port between {RANGE.start} and {RANGE.stop} on the loopback: end some programs")

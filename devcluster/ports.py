"""The ports of one cluster, all on the loopback, chosen at the first start and kept in a file.

They lie below the range from which the kernel takes ports for outgoing connections, so between a stop and a start no
passing connection occupies one. The API server's port is the one that others note down (kubeconfig, Pulumi's state): if
another program has taken it, that is an error. Nothing depends on the others, so a taken one is replaced.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
from collections.abc import Collection
from pathlib import Path

from devcluster.errors import DevclusterError

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
    kept: dict[str, int] = json.loads(file.read_text()) if file.exists() else {}
    ports = dict(kept)
    for name in NAMES:
        if name in ports and (name in in_use_by_us or _free(ports[name])):
            continue
        if name == API and name in ports:
            raise DevclusterError(
                f"port {ports[name]}, which this checkout's API server uses, is taken by another program: "
                "end that program, or give up this cluster with `make down` and start anew"
            )
        ports[name] = _another(set(ports.values()))
    if ports != kept:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(ports, indent=1))
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


def _another(taken: Collection[int]) -> int:
    for port in random.sample(RANGE, 200):
        if port not in taken and _free(port):
            return port
    raise DevclusterError(f"no free port between {RANGE.start} and {RANGE.stop} on the loopback: end some programs")

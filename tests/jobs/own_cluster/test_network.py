"""The network of a cluster with real nodes, where the program that makes it is slow or fails."""

import os
import shutil
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.errors import DevclusterError
from devcluster.real_nodes import DEFAULT_REAL_NODES
from devcluster.toolchain import Toolchain
from tests.jobs.conftest import running


def put_first(monkeypatch: pytest.MonkeyPatch, folder: Path, program: str, script: str) -> None:
    """Have a script run wherever a program is called by its name."""
    folder.mkdir()
    (folder / program).write_text(f"#!/bin/sh\n{script}\n")
    (folder / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def small(folder: Path, tools: Toolchain) -> Cluster:
    return Cluster(folder, tools, operator=None, nodes=(), real_nodes=DEFAULT_REAL_NODES[:1])


@pytest.mark.repeats("tests/jobs/own_cluster/test_readme.py, with a slow network")
def test_nothing_starts_before_it_is_there(tools: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the control plane would be in the machine's own network."""
    put_first(monkeypatch, tmp_path / "bin", "unshare", f'sleep 1\nexec {shutil.which("unshare")} "$@"')
    with running(small(tmp_path / "cluster", tools)) as cluster:
        networks = {
            name: os.readlink(f"/proc/{cluster.processes.pid(name)}/ns/net")
            for name in ("network", "etcd", "kube-apiserver", "kube-scheduler")
        }
    assert len(set(networks.values())) == 1, networks
    assert os.readlink("/proc/self/ns/net") not in networks.values()


def test_one_that_cannot_be_made_is_told(tools: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_first(monkeypatch, tmp_path / "bin", "ip", "echo 'RTNETLINK error: no bridges here' >&2\nexit 2")
    cluster = small(tmp_path / "cluster", tools)
    with (
        pytest.raises(DevclusterError, match="network ended at start: RTNETLINK error: no bridges here"),
        running(cluster),
    ):
        pass

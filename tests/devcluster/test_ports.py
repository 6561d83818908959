"""Ports are kept from start to start; a taken one is replaced, except the API server's."""

import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster import json_files, ports
from devcluster.errors import DevclusterError

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULUMI_SLURM_CACHE", str(tmp_path / "cache"))


def _occupy(port: int) -> socket.socket:
    server = socket.socket()
    server.bind(("127.0.0.1", port))
    server.listen()
    return server


def test_ports_are_distinct_and_kept(tmp_path: Path) -> None:
    chosen = ports.choose(tmp_path / "ports.json", ())
    assert len(set(chosen.values())) == len(ports.NAMES)
    assert ports.choose(tmp_path / "ports.json", ()) == chosen


def test_a_taken_port_is_replaced_and_the_rest_kept(tmp_path: Path) -> None:
    chosen = ports.choose(tmp_path / "ports.json", ())
    with _occupy(chosen["etcd"]):
        again = ports.choose(tmp_path / "ports.json", ())
    assert again["etcd"] != chosen["etcd"]
    assert {**again, "etcd": 0} == {**chosen, "etcd": 0}


def test_no_cluster_takes_what_another_has_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything listens: servers do so seconds later."""
    monkeypatch.setattr("random.sample", lambda some, count: list(some)[:count])
    first, second = (ports.choose(tmp_path / name / "ports.json", ()) for name in ("first", "second"))
    assert not set(first.values()) & set(second.values())
    (tmp_path / "first" / "ports.json").unlink()
    assert ports.choose(tmp_path / "third" / "ports.json", ()) == first


def test_the_api_servers_taken_port_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    port = ports.choose(tmp_path / "ports.json", ())[ports.API]
    with _occupy(port):
        with pytest.raises(DevclusterError, match=f"port {port}.*end that program, or .*make down"):
            ports.choose(tmp_path / "ports.json", ())
        assert ports.choose(tmp_path / "ports.json", {ports.API})[ports.API] == port


@contextlib.contextmanager
def another_users(*files: Path) -> Iterator[None]:
    """Let this process be another user than the one of these files, which only that one may open."""
    root = os.geteuid() == 0
    for file in files:
        # Files of the user's own are closed to him by their mode, which root passes over.
        file.chmod(0o600 if root else 0)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder into which every user may write."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    monkeypatch.setenv("PULUMI_SLURM_CACHE", str(folder))
    yield folder
    shutil.rmtree(folder)


def test_what_another_user_has_chosen_stays_noted(shared: Path) -> None:
    first = shared / "first.json"
    ports.choose(first, ())
    (shared / "ports.lock").unlink()
    with another_users(first):
        chosen = ports.choose(shared / "second.json", ())
    assert len(set(chosen.values())) == len(ports.NAMES)
    assert json_files.read(shared / "ports.json", []) == [str(first), str(shared / "second.json")]


def test_a_lock_of_another_user_is_an_error_with_a_remedy(shared: Path) -> None:
    ports.choose(shared / "first.json", ())
    with (
        another_users(shared / "ports.lock"),
        pytest.raises(DevclusterError, match=r"ports: cannot open .*ports\.lock, which is another user's: give .* set"),
    ):
        ports.choose(shared / "second.json", ())

"""Ports are kept from start to start; a taken one is replaced, except the API server's."""

import socket
from pathlib import Path

import pytest

from devcluster import ports
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

"""Which nodes a new cluster has, and what is said of it."""

import os
from pathlib import Path

import pytest

from devcluster import node_choice
from devcluster.errors import DevclusterError

pytestmark = pytest.mark.unit


def test_what_was_chosen_stays_until_down(tmp_path: Path) -> None:
    assert node_choice.decide(tmp_path, "simulated") == (
        "Nodes: simulated, so pods run nothing and no job can: as NODES says."
    )
    assert not node_choice.real(tmp_path)
    assert node_choice.decide(tmp_path, None) is None
    (tmp_path / "kubeconfig").touch()
    with pytest.raises(DevclusterError, match=r"has simulated nodes: `make down` first, then NODES=real"):
        node_choice.decide(tmp_path, "real")


def test_a_cluster_of_an_older_release_has_simulated_nodes(tmp_path: Path) -> None:
    (tmp_path / "kubeconfig").touch()
    assert node_choice.decide(tmp_path, None) is None
    assert not node_choice.real(tmp_path)


def test_another_word_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DevclusterError, match="NODES=kwok is not a choice: use real or simulated"):
        node_choice.decide(tmp_path, "kwok")


def test_without_root_nodes_are_simulated_and_it_is_said_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    said = node_choice.decide(tmp_path, None)
    assert said
    assert "need root: run it as root" in said
    assert not node_choice.real(tmp_path)


def test_real_nodes_that_were_asked_for_are_not_replaced_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    with pytest.raises(DevclusterError, match=r"real nodes can't run here: .*workers need 2 CPUs, this machine has 1"):
        node_choice.decide(tmp_path, "real")
    assert not node_choice.real(tmp_path)

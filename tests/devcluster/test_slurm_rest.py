"""The simulated slurmrestd: ready worker pods are idle nodes, drains are remembered, a new pod is a new node."""

import json
from typing import Any, cast

import pytest

from devcluster.api import Api
from devcluster.slurm_rest import Slurm, answer

pytestmark = pytest.mark.unit

URL = "http://slurm-restapi.slurm:6820/slurm/v0.0.44"


class FakeApi:
    def __init__(self, *pods: dict[str, Any]) -> None:
        self.pods = list(pods)

    def get(self, path: str) -> dict[str, Any]:
        assert path.startswith("/api/v1/namespaces/slurm/pods?")
        return {"items": self.pods}


def _pod(name: str, uid: str = "1", ready: str = "True", **spec: Any) -> dict[str, Any]:
    conditions = [{"type": "Ready", "status": ready}]
    return {"metadata": {"name": name, "uid": uid}, "spec": spec, "status": {"conditions": conditions}}


def _slurm(*pods: dict[str, Any]) -> tuple[Slurm, FakeApi]:
    api = FakeApi(*pods)
    return Slurm(cast(Api, api)), api


def _names(slurm: Slurm) -> list[str]:
    return [node["name"] for node in answer(slurm, "GET", f"{URL}/nodes/", b"")[1]["nodes"]]


def test_nodes_are_named_as_the_operator_names_them() -> None:
    slurm, _ = _slurm(
        _pod("plain"),
        _pod("p", hostname="gpu-7"),
        _pod("q", hostNetwork=True, nodeName="k8s-1"),
        _pod("no", ready="False"),
    )
    assert _names(slurm) == ["plain", "gpu-7", "k8s-1"]


def test_drain_and_undrain() -> None:
    slurm, _ = _slurm(_pod("a"))
    drain = json.dumps({"state": ["DRAIN"], "reason": "slurm-operator: scale-in"}).encode()
    assert answer(slurm, "POST", f"{URL}/node/a", drain)[0] == 200
    node = answer(slurm, "GET", f"{URL}/node/a", b"")[1]["nodes"][0]
    assert node["state"] == ["IDLE", "DRAIN"]
    assert node["reason"] == "slurm-operator: scale-in"
    answer(slurm, "POST", f"{URL}/node/a", b'{"state": ["UNDRAIN"], "reason": "x"}')
    node = answer(slurm, "GET", f"{URL}/node/a", b"")[1]["nodes"][0]
    assert (node["state"], node["reason"]) == (["IDLE"], "")


def test_a_new_pod_of_the_same_name_is_not_drained() -> None:
    slurm, api = _slurm(_pod("a", uid="1"))
    answer(slurm, "POST", f"{URL}/node/a", b'{"state": ["DRAIN"]}')
    api.pods = [_pod("a", uid="2")]
    assert answer(slurm, "GET", f"{URL}/node/a", b"")[1]["nodes"][0]["state"] == ["IDLE"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/node/none", 404),
        ("POST", "/node/none", 404),
        ("DELETE", "/node/a", 404),
        ("GET", "/jobs/", 200),
        ("GET", "/ping/", 200),
        ("GET", "/elsewhere", 404),
    ],
)
def test_other_requests(method: str, path: str, status: int) -> None:
    slurm, _ = _slurm(_pod("a"))
    assert answer(slurm, method, URL + path, b"")[0] == status

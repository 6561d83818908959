"""What tests say when they have waited in vain."""

from typing import Any

import pytest

from tests import waiting
from tests.waiting import WaitedInVainError, equals, eventually, eventually_nothing, has, shown

POD: dict[str, Any] = {
    "kind": "Pod",
    "metadata": {"namespace": "slurm", "name": "slurm-worker-cpu-0", "uid": "1"},
    "spec": {"containers": [{"name": "slurmd"}]},
    "status": {
        "phase": "Pending",
        "conditions": [
            {"type": "Initialized", "status": "True"},
            {"type": "Ready", "status": "False", "reason": "ContainersNotReady", "message": "unready: [slurmd]"},
        ],
        "initContainerStatuses": [{"name": "log", "state": {"terminated": {"exitCode": 1, "reason": "Error"}}}],
        "containerStatuses": [
            {"name": "slurmd", "state": {"waiting": {"reason": "ImagePullBackOff", "message": "no such image"}}},
            {"name": "sidecar", "state": {"running": {}}},
        ],
    },
}
SHOWN_POD = (
    "Pod/slurm/slurm-worker-cpu-0, Pending, not Ready (ContainersNotReady: unready: [slurmd]), "
    "log terminated: Error 1, slurmd waiting: ImagePullBackOff no such image"
)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "HANGS", 0.0)
    monkeypatch.setattr(waiting, "SHORTEST_PAUSE", 0.0)


def test_what_comes_is_returned() -> None:
    looks = iter([None, "", "one", "two"])
    assert eventually("a word", lambda: next(looks)) == "one"
    assert eventually("another", lambda: next(looks), has("w")) == "two"
    stays = iter([["some"], []])
    eventually_nothing("some", lambda: next(stays))


@pytest.mark.usefixtures("short")
def test_what_does_not_come_is_named_with_what_was_seen_last() -> None:
    with pytest.raises(WaitedInVainError, match=r"within 0 s: the node is idle; last seen: 'down'$"):
        eventually("the node is idle", lambda: "down", equals("idle"))
    with pytest.raises(WaitedInVainError, match=r"within 0 s: it is there; last seen: None$"):
        eventually("it is there", lambda: None)
    with pytest.raises(WaitedInVainError, match=r"within 0 s: no more jobs; last seen: \['1'; '2'\]$"):
        eventually_nothing("jobs", lambda: ["1", "2"])


def test_nobody_waits_for_what_is_known_not_to_come() -> None:
    def ended() -> None:
        raise ChildProcessError("slurmctld has ended")

    with pytest.raises(ChildProcessError, match="slurmctld has ended"):
        eventually("an answer", lambda: "", after_each=ended)


def test_objects_are_shown_by_how_they_are() -> None:
    going = {"metadata": {"name": "c", "deletionTimestamp": "now"}, "status": {"replicas": 2, "readyReplicas": 1}}
    assert shown([POD, going]) == f"[{SHOWN_POD}; c, is being deleted, replicas=2, readyReplicas=1]"
    assert shown({"b": ({1},)}) == "{'b': [{1}]}"
    assert shown({"b": 1, "a": 2}.keys()) == "{'a'; 'b'}"


def test_of_what_is_long_both_ends_are_shown() -> None:
    text = shown("a" * 5000 + "z" * 5000)
    assert len(text) < 3100
    assert text.startswith("'aaa")
    assert text.endswith("zzz'")

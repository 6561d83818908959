"""What a failed update says of workers that don't come, by the status of their pods."""

from typing import Any

import pytest

from pulumi_slurm.slinky.worker_wait import pod_reason

SCHEDULED = {"type": "PodScheduled", "status": "True"}
NOT_READY = {"type": "Ready", "status": "False", "reason": "ContainersNotReady"}


def waiting(reason: str, text: str | None = None, **last: Any) -> dict[str, Any]:
    state = {"waiting": {"reason": reason, **({"message": text} if text else {})}}
    return {"name": "slurmd", "state": state, "lastState": {"terminated": last} if last else {}}


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ({"phase": "Running", "conditions": [SCHEDULED, {"type": "Ready", "status": "True"}]}, None),
        (
            {"conditions": [{"type": "PodScheduled", "status": "False", "message": "0/3 nodes are available."}]},
            "no node takes it: 0/3 nodes are available.",
        ),
        (
            {"containerStatuses": [waiting("ErrImagePull", "registry.example.org/slurmd:1: not found")]},
            "container slurmd, ErrImagePull: registry.example.org/slurmd:1: not found",
        ),
        (
            {"containerStatuses": [waiting("CreateContainerConfigError", 'secret "sssd" not found')]},
            'container slurmd, CreateContainerConfigError: secret "sssd" not found',
        ),
        (
            {"containerStatuses": [waiting("CrashLoopBackOff", "back-off 5m0s", exitCode=1, message="no cgroup2\n")]},
            "container slurmd ended with 1: no cgroup2",
        ),
        (
            {"containerStatuses": [waiting("CrashLoopBackOff", "back-off 5m0s", exitCode=137)]},
            "container slurmd ended with 137, see `kubectl logs --previous`",
        ),
        (
            {
                "initContainerStatuses": [waiting("ErrImagePull", "not found")],
                "containerStatuses": [waiting("PodInitializing")],
            },
            "container slurmd, ErrImagePull: not found",
        ),
        ({"phase": "Running", "conditions": [SCHEDULED, NOT_READY]}, "it is Running, and not ready"),
        ({}, "it is Pending, and not ready"),
    ],
)
def test_why_a_pod_is_not_ready(status: dict[str, Any], reason: str | None) -> None:
    assert pod_reason(status) == reason

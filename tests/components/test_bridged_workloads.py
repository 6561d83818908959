"""What the components for workloads of Slurm Bridge register: annotations, schedulers, labels, devices."""

from collections.abc import Callable
from typing import Any

import pulumi
import pytest

from pulumi_slurm.bridge import BridgedJob, BridgedJobSet, BridgedLeaderWorkerSet, BridgedPodGroup
from tests.components.conftest import Build, Registered
from tests.components.loosely import loosely

WORK = {"account": "physics", "userId": "alice", "timeLimit": "1:00:00"}
PREFIX = "slurmjob.slinky.slurm.net/"
NOTED = {f"{PREFIX}account": "physics", f"{PREFIX}user-id": "alice", f"{PREFIX}timelimit": "60"}
MADE_IS_DONE = {"pulumi.com/waitFor": "jsonpath={.metadata.uid}", "pulumi.com/patchForce": "true"}
MAIN = {"name": "main", "image": "busybox:stable"}
POD = {"schedulerName": "default-scheduler", "containers": [MAIN, {**MAIN, "name": "side"}]}
METADATA = {"name": "work", "namespace": "research", "annotations": {"example.org/kind": "try"}}
GPUS = {"count": 2, "deviceClass": "gpu.nvidia.com"}
PLACED = {
    "schedulerName": "slurm",
    "containers": [
        {**MAIN, "resources": {"limits": {"deviceclass.resource.kubernetes.io/gpu.nvidia.com": "2"}}},
        {**MAIN, "name": "side"},
    ],
}
COMMON = {"metadata": METADATA, "slurm": WORK, "schedulerName": "slurm", "gpus": GPUS}


def run(build: Build, program: Callable[[], Any]) -> list[Registered]:
    return [item for item in build(program) if item.typ.startswith("kubernetes:")]


@pytest.mark.parametrize(
    ("component", "typ", "spec", "placed"),
    [
        (
            BridgedJob,
            "kubernetes:batch/v1:Job",
            {"parallelism": 2, "template": {"spec": POD}},
            {"parallelism": 2, "template": {"spec": PLACED}},
        ),
        (
            BridgedJobSet,
            "kubernetes:jobset.x-k8s.io/v1alpha2:JobSet",
            {"replicatedJobs": [{"name": "a", "template": {"spec": {"template": {"spec": POD}}}}]},
            {"replicatedJobs": [{"name": "a", "template": {"spec": {"template": {"spec": PLACED}}}}]},
        ),
        (
            BridgedLeaderWorkerSet,
            "kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet",
            {"leaderWorkerTemplate": {"size": 3, "leaderTemplate": {"spec": POD}, "workerTemplate": {"spec": POD}}},
            {
                "leaderWorkerTemplate": {
                    "size": 3,
                    "leaderTemplate": {"spec": PLACED},
                    "workerTemplate": {"spec": PLACED},
                }
            },
        ),
    ],
)
def test_annotations_are_on_the_object_and_its_pods_are_for_slurm(
    build: Build, component: Any, typ: str, spec: dict[str, Any], placed: dict[str, Any]
) -> None:
    (made,) = run(build, lambda: component("work", {**COMMON, "spec": spec}))
    assert made.typ == typ
    annotations = {**MADE_IS_DONE, "example.org/kind": "try", **NOTED}
    assert made.inputs["metadata"] == {"name": "work", "namespace": "research", "annotations": annotations}
    assert made.inputs["spec"] == placed


def test_a_group_and_its_pods(build: Build) -> None:
    labelled = {"metadata": {"labels": {"app": "a"}}, "spec": POD}
    labels: list[Any] = []

    def program() -> None:
        group = loosely(BridgedPodGroup)("pair", {**COMMON, "pods": [labelled, {"spec": POD}]})
        group.pod_labels.apply(labels.append)

    group, *pods = run(build, program)
    assert group.typ == "kubernetes:scheduling.x-k8s.io/v1alpha1:PodGroup"
    assert group.inputs["spec"] == {"minMember": 2}
    assert NOTED.items() <= group.inputs["metadata"]["annotations"].items()
    ours = {"scheduling.x-k8s.io/pod-group": "work"}
    assert labels == [ours]
    assert [pod.inputs["metadata"] for pod in pods] == [
        {
            "namespace": "research",
            "labels": own,
            "annotations": {**MADE_IS_DONE, f"{PREFIX}user-id": "alice"},
        }
        for own in ({"app": "a", **ours}, ours)
    ]
    assert all(pod.inputs["spec"] == PLACED and group.urn in pod.depends_on for pod in pods)


def test_a_group_may_wait_for_pods_of_others(build: Build) -> None:
    (group,) = run(build, lambda: BridgedPodGroup("pair", {"metadata": METADATA, "spec": {"minMember": 2}}))
    assert group.inputs["spec"] == {"minMember": 2}


def test_values_may_be_outputs_and_stay_secret(build: Build) -> None:
    secret = pulumi.Output.secret("HUNTER2")
    container = {**MAIN, "image": pulumi.Output.from_input("busybox:1.37"), "env": [{"name": "A", "value": secret}]}
    template = {"spec": {"containers": [container]}}
    (made,) = run(build, lambda: BridgedJob("work", {"metadata": METADATA, "spec": {"template": template}}))
    spec = made.inputs["spec"]
    assert pulumi.runtime.rpc.is_rpc_secret(spec)
    (placed,) = pulumi.runtime.rpc.unwrap_rpc_secret(spec)["template"]["spec"]["containers"]
    assert placed["image"] == "busybox:1.37"
    assert placed["env"] == [{"name": "A", "value": "HUNTER2"}]

"""What the arguments of workloads refuse of their pods and metadata, and what they warn of."""

from types import MappingProxyType
from typing import Any

import pulumi
import pytest

from pulumi_slurm.bridge import (
    BridgedJobArgs,
    BridgedJobSetArgs,
    BridgedLeaderWorkerSetArgs,
    BridgedPodGroupArgs,
)
from pulumi_slurm.bridge.pods import pod_template
from pulumi_slurm.bridge.workload import WorkloadArgs
from pulumi_slurm.errors import SpecError
from pulumi_slurm.model.bridge_work import BridgedGpusSpec

DRA_CPU = "deviceclass.resource.kubernetes.io/dra.cpu"
MAIN = {"name": "main", "image": "busybox:stable"}
POD = {"containers": [MAIN]}


def job(**arguments: Any) -> dict[str, Any]:
    return {"spec": {"template": arguments}}


def job_set(**arguments: Any) -> dict[str, Any]:
    return {"spec": {"replicatedJobs": [{"name": "a", "template": {"spec": {"template": arguments}}}]}}


def leader(**arguments: Any) -> dict[str, Any]:
    return {"spec": {"leaderWorkerTemplate": {"leaderTemplate": arguments, "workerTemplate": {"spec": POD}}}}


def worker(**arguments: Any) -> dict[str, Any]:
    return {"spec": {"leaderWorkerTemplate": {"workerTemplate": arguments}}}


def pod(**arguments: Any) -> dict[str, Any]:
    return {"pods": [arguments]}


EVERY_KIND = pytest.mark.parametrize(
    ("model", "around", "path"),
    [
        (BridgedJobArgs, job, "spec.template"),
        (BridgedJobSetArgs, job_set, "spec.replicatedJobs[0].template.spec.template"),
        (BridgedLeaderWorkerSetArgs, leader, "spec.leaderWorkerTemplate.leaderTemplate"),
        (BridgedLeaderWorkerSetArgs, worker, "spec.leaderWorkerTemplate.workerTemplate"),
        (BridgedPodGroupArgs, pod, "pods[0]"),
    ],
)


def refusal(model: type[WorkloadArgs], arguments: dict[str, Any]) -> list[str]:
    with pytest.raises(SpecError) as refused:
        model(**{"metadata": {"namespace": "research"}, **arguments})
    return [line.removeprefix("  - ") for line in str(refused.value).splitlines()[1:]]


@EVERY_KIND
def test_pods_that_admission_refuses_are_refused(model: type[WorkloadArgs], around: Any, path: str) -> None:
    metadata = {
        "labels": {"scheduler.slinky.slurm.net/slurm-jobid": "3"},
        "annotations": {"slinky.slurm.net/slurm-node": "n", "slurmjob.slinky.slurm.net/account": "physics"},
    }
    spec = {
        "schedulerName": "volcano",
        "nodeName": "n",
        "resourceClaims": [],
        "initContainers": [{**MAIN, "resources": {"requests": {"cpu": 1}}}],
        "containers": [{**MAIN, "resources": {"limits": {DRA_CPU: 2, "nvidia.com/gpu": 1, "amd.com/gpu": 1}}}],
    }
    itself = "the bridge itself writes this, and refuses it from users. Leave it out."
    assert refusal(model, around(metadata=metadata, spec=spec)) == [
        f'{path}.metadata.labels["scheduler.slinky.slurm.net/slurm-jobid"] = "3": {itself}',
        f'{path}.metadata.annotations["slinky.slurm.net/slurm-node"] = "n": {itself}',
        f'{path}.metadata.annotations["slurmjob.slinky.slurm.net/account"] = "physics": the bridge doesn\'t read it on '
        "the pods of a workload. Write it as account of slurm.",
        f'{path}.spec.schedulerName = "volcano": Slurm wouldn\'t see pods of another scheduler. Leave it out.',
        f'{path}.spec.nodeName = "n": the bridge empties it, since Slurm chooses the node. Leave it out.',
        f"{path}.spec.resourceClaims: the bridge refuses pods with claims. Write gpus, or "
        "deviceclass.resource.kubernetes.io/<class> in a container's limits.",
        f"{path}.spec.initContainers[0].resources: the bridge refuses pods with CPUs of both kinds. Write cpu or "
        f"{DRA_CPU}.",
        f"{path}.spec.containers: Slurm would be asked for one of amd.com/gpu, nvidia.com/gpu alone. Request GPUs of "
        "one kind.",
    ]


@EVERY_KIND
def test_pods_have_to_be_known_their_values_do_not(model: type[WorkloadArgs], around: Any, path: str) -> None:
    secret = pulumi.Output.secret("HUNTER2")
    assert refusal(model, around(spec=secret)) == [
        f"{path}.spec: this is no mapping. Write a mapping; values within may be Outputs."
    ]
    assert refusal(model, around()) == [f"{path}.spec: this field is required. Write a mapping."]
    assert refusal(model, around(spec={"containers": []})) == [
        f"{path}.spec.containers: a pod has a container. Write containers."
    ]
    assert refusal(model, around(spec={**POD, "nodeName": secret})) == [
        f"{path}.spec.nodeName: the bridge empties it, since Slurm chooses the node. Leave it out."
    ]
    container = {"name": "main", "image": secret, "resources": secret}
    model(**{"metadata": {"name": secret}, **around(spec={"containers": [container], "volumes": secret})})


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (
            "slinky.slurm.net/job-name",
            "no release of the bridge since 1.0 reads this prefix. Write it as job_name of slurm.",
        ),
        ("slinky.slurm.net/job-nam", 'the bridge reads no annotation of this name. Did you mean "job-name"?'),
        (
            "slurmjob.slinky.slurm.net/time-limit",
            'the bridge reads no annotation of this name. Did you mean "timelimit"?',
        ),
        ("slurmjob.slinky.slurm.net/timelimit", "here nothing checks its value. Write it as time_limit of slurm."),
    ],
)
def test_annotations_of_slurm_are_written_as_fields(key: str, error: str) -> None:
    arguments = {**job(spec=POD), "metadata": {"annotations": {key: "x"}}}
    value = "" if "of this name" in error else ' = "x"'
    assert refusal(BridgedJobArgs, arguments) == [f'metadata.annotations["{key}"]{value}: {error}']
    BridgedJobArgs(**{**arguments, "metadata": {"annotations": {"example.org/kind": "x"}}})


def test_the_release_of_the_bridge_decides_what_it_reads() -> None:
    work = {**job(spec=POD), "slurm": {"priority": 5}}
    assert refusal(BridgedJobArgs, work) == [
        "slurm.priority = 5: bridge 1.1.2 ignores the annotation priority. Leave it out, or write version "
        '"1.2.0" or later.'
    ]
    BridgedJobArgs(metadata={}, version="1.2.1", **work)
    (error,) = refusal(BridgedJobArgs, {**work, "version": "0.4.1"})
    assert error.startswith('version = "0.4.1": this release of slurm-bridge is not known here.')


def test_gpus_are_said_once() -> None:
    both = {**job(spec=POD), "slurm": {"gres": "gpu:2"}, "gpus": {"count": 2}}
    assert refusal(BridgedJobArgs, both) == [
        'gpus = {"count": 2}: slurm.gres takes their place in what Slurm is asked for. Keep one of them.'
    ]
    other = [{**MAIN, "resources": {"limits": {"amd.com/gpu": 1}}}]
    assert refusal(BridgedJobArgs, {**job(spec={"containers": other}), "gpus": {"count": 2}}) == [
        "spec.template.spec.containers: Slurm would be asked for one of amd.com/gpu, nvidia.com/gpu alone. Request "
        "GPUs of one kind."
    ]


def test_gpus_replace_nothing_that_a_container_requests() -> None:
    gpus = {"gpus": {"count": 2}}
    path = "spec.template.spec.containers[0].resources"

    def refused(resources: Any) -> list[str]:
        return refusal(BridgedJobArgs, {**job(spec={"containers": [{**MAIN, "resources": resources}]}), **gpus})

    unknown = pulumi.Output.secret({"cpu": "1"})
    no_mapping = "this is no mapping. Write a mapping; values within may be Outputs."
    assert refused(unknown) == [f"{path}: {no_mapping}"]
    assert refused({"limits": unknown}) == [f"{path}.limits: {no_mapping}"]
    key = "nvidia.com/gpu"
    assert refused({"limits": {key: "4"}, "requests": {key: unknown}}) == [
        f'{path}.requests["{key}"]: gpus writes this key too. Keep one of them.',
        f'{path}.limits["{key}"] = "4": gpus writes this key too. Keep one of them.',
    ]
    second = {**MAIN, "name": "second", "resources": unknown}
    first = {**MAIN, "resources": MappingProxyType({"limits": {"cpu": unknown}, "requests": unknown})}
    template = {"spec": {"containers": [first, second]}}
    BridgedJobArgs(metadata={}, **job(**template), **gpus)
    placed = pod_template(template, "slurm", BridgedGpusSpec(count=2))
    limits = {"cpu": unknown, key: "2"}
    assert placed["spec"]["containers"] == [{**first, "resources": {"limits": limits, "requests": unknown}}, second]


def test_a_group_that_could_never_start_is_refused() -> None:
    assert refusal(BridgedPodGroupArgs, {"spec": {"minMember": 3}, "pods": [{"spec": POD}]}) == [
        "pods: with 1 pod Slurm would wait for ever, since spec.minMember is 3. Write 3 pods, or a smaller minMember."
    ]


@EVERY_KIND
def test_what_slurm_does_not_know_when_it_chooses_nodes_is_warned_of(
    model: type[WorkloadArgs], around: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    warned: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", warned.append)
    container = {
        **MAIN,
        "ports": [{"containerPort": 80}, {"containerPort": 81, "hostPort": 81}],
        "resources": {"limits": {"cpu": 1, "hugepages-2Mi": "2Mi", "nvidia.com/gpu": 1, "nvidia.com/mig-1g.5gb": 1}},
    }
    spec = {
        "nodeSelector": {"kubernetes.io/os": "linux", "disk": "ssd"},
        "affinity": pulumi.Output.from_input({}),
        "topologySpreadConstraints": [{"maxSkew": 1}],
        "containers": [container],
    }
    fields: dict[str, Any] = {"spec": {"minMember": 1}} if model is BridgedPodGroupArgs else {}
    model(metadata={}, slurm={"exclusive": False}, **{**fields, **around(spec=spec)})
    unseen, instead = (
        "Slurm chooses the node, and doesn't know of this;",
        "Write constraints or partition of slurm, and leave it out.",
    )
    assert warned == [
        f"{path}.spec.nodeSelector: {unseen} on a node without these labels its kubelet ends the pod when it is bound. "
        f"{instead}",
        f"{path}.spec.affinity: {unseen} on a node that a required nodeAffinity excludes its kubelet ends the pod when "
        f"it is bound. {instead}",
        f"{path}.spec.topologySpreadConstraints: {unseen} from 1.3 on the bridge refuses the pod. {instead}",
        f"{path}.spec.containers[0].ports[1].hostPort = 81: Slurm counts no ports; where another pod has this one, the "
        "kubelet ends the pod when it is bound. Leave it out, or let slurm have whole nodes, without exclusive=False.",
        f'{path}.spec.containers[0].resources = "nvidia.com/mig-1g.5gb": Slurm doesn\'t count this resource; where '
        "none is left, the kubelet ends the pod when it is bound. Let slurm have whole nodes, without exclusive=False, "
        "or request what Slurm counts: cpu, memory, GPUs.",
    ]


def test_what_every_node_meets_is_not_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulumi.log, "warn", pytest.fail)
    whole_node = {"ports": [{"hostPort": 80}], "resources": {"limits": {"nvidia.com/mig-1g.5gb": 1}}}
    spec = {
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "affinity": {},
        "topologySpreadConstraints": [],
        "containers": [{**MAIN, **whole_node}],
    }
    BridgedJobArgs(metadata={}, **job(spec=spec))


@pytest.mark.parametrize(
    ("more", "warns"),
    [
        ({}, False),
        ({"replicas": 2}, True),
        ({"replicas": pulumi.Output.from_input(1)}, True),
        ({"template": {"spec": {"parallelism": 2, "template": {"spec": POD}}}}, True),
        (
            {
                "replicas": 2,
                "template": {
                    "spec": {"template": {"metadata": {"labels": {"scheduling.x-k8s.io/pod-group": "a"}}, "spec": POD}}
                },
            },
            False,
        ),
    ],
)
def test_a_job_set_is_no_gang(more: dict[str, Any], warns: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", warned.append)
    part = {**job_set(spec=POD)["spec"]["replicatedJobs"][0], **more}
    BridgedJobSetArgs(metadata={}, spec={"replicatedJobs": [part]})
    expected = [
        "spec.replicatedJobs: each pod of a JobSet is a Slurm job of its own, and they may start at different times. "
        "Where they need each other, write BridgedPodGroup, or the label scheduling.x-k8s.io/pod-group on their pods."
    ]
    assert warned == (expected if warns else [])


def test_devices_are_of_known_classes_and_of_one_container() -> None:
    def container(name: str, device_class: str) -> dict[str, Any]:
        limits = {f"deviceclass.resource.kubernetes.io/{device_class}": 1}
        return {**MAIN, "name": name, "resources": {"limits": limits}}

    known, unknown = "gpu.nvidia.com", "fpga.example.com"
    key = f"deviceclass.resource.kubernetes.io/{known}"
    again = "the bridge starts no pod in which two containers have devices of one class. Request them in one container."
    two = {**POD, "containers": [container("a", known), container("b", known)]}
    assert refusal(BridgedJobArgs, job(spec=two)) == [f'spec.template.spec.containers[1].resources = "{key}": {again}']
    beside = {**job(spec={**POD, "containers": [MAIN, container("b", known)]})}
    beside["gpus"] = {"count": 1, "device_class": known}
    assert refusal(BridgedJobArgs, beside) == [f'spec.template.spec.containers[1].resources = "{key}": {again}']
    assert refusal(BridgedJobArgs, job(spec={**POD, "containers": [container("a", unknown)]})) == [
        f'spec.template.spec.containers[0].resources = "deviceclass.resource.kubernetes.io/{unknown}": the bridge '
        "registers no devices of this class in Slurm. Write one of: gpu.nvidia.com, gpu.example.com."
    ]
    assert refusal(BridgedJobArgs, {**job(spec=POD), "gpus": {"count": 1, "device_class": unknown}}) == [
        f'gpus.device_class = "{unknown}": the bridge registers no devices of this class in Slurm. Write one of: '
        "gpu.nvidia.com, gpu.example.com."
    ]


def test_keys_are_text() -> None:
    arguments = {**job(spec=POD), "metadata": {"annotations": {1: "x"}}}
    assert refusal(BridgedJobArgs, arguments) == [
        'metadata.annotations["1"] = "x": the key is no text. Write it in quotes.'
    ]


def test_pods_of_a_group_come_together() -> None:
    template = {"size": 2, "workerTemplate": {"spec": POD}}
    spec = {"leaderWorkerTemplate": template, "startupPolicy": "LeaderReady"}
    assert refusal(BridgedLeaderWorkerSetArgs, {"metadata": {}, "spec": spec}) == [
        'spec.startupPolicy = "LeaderReady": Slurm gets the job once all pods of a group are there, and workers would '
        'wait for their leader. Write "LeaderCreated".'
    ]

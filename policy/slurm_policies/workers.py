"""Policies on workers: what ends their pods while jobs run in them, and what is lost with a pod."""

import re
from collections.abc import Iterator
from typing import Any

from pulumi_slurm.errors import FieldError, Path
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy, whole_number
from slurm_policies.reading import UNKNOWN, at, is_number, is_true, items_at, number
from slurm_policies.types import ACK_SLURM_CLUSTER, NODE_SET


@policy(NODE_SET, level=Level.MANDATORY, severity=Severity.HIGH, ends_jobs=True)
def workers_with_jobs_are_protected(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Kubernetes evicts no worker on which a job runs.

    Source: the budget for pods with jobs, internal/builder/workerbuilder/worker_pdb.go of slurm-operator, v1.1.0.
    """
    if at(resource.inputs, "spec", "workloadDisruptionProtection") is False:
        yield FieldError(
            ("spec", "workloadDisruptionProtection"),
            False,
            "a drain of a Kubernetes node, as for its upgrade, ends the jobs on it",
            "Leave it out, or write true.",
        )


@policy(NODE_SET, level=Level.ADVISORY, severity=Severity.MEDIUM, ends_jobs=True)
def workers_are_updated_by_the_operator(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """The operator replaces workers, and drains each before.

    With OnDelete somebody deletes pods by hand, for which Kubernetes asks no budget:
    OnDeleteNodeSetStrategyType in api/v1beta1/nodeset_types.go of slurm-operator, v1.1.0.
    """
    if at(resource.inputs, "spec", "updateStrategy", "type") == "OnDelete":
        yield FieldError(
            ("spec", "updateStrategy", "type"),
            "OnDelete",
            "changes reach a worker when somebody deletes its pod, which ends the jobs in it",
            'Write "RollingUpdate", or drain each node in Slurm before its pod is deleted.',
        )


@policy(
    NODE_SET,
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    mostPercent=whole_number(
        50, "the largest part of the workers that may be away at once, in percent", minimum=1, maximum=100
    ),
)
def some_workers_stay_during_an_update(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """An update leaves enough workers for jobs to start on.

    The operator drains so many workers at once: `updateStrategy.rollingUpdate.maxUnavailable` of a NodeSet, in
    percent of its pods or as a number of them, api/v1beta1/nodeset_types.go of slurm-operator, v1.1.0.
    """
    path = ("spec", "updateStrategy", "rollingUpdate", "maxUnavailable")
    value = at(resource.inputs, *path)
    percent = _percent(value, at(resource.inputs, "spec", "replicas"))
    if percent is not None and percent > settings["mostPercent"]:
        yield FieldError(
            path,
            number(value),
            "a change of the node set drains so many workers at once, and no job starts until they are back",
            f'Write "{number(settings["mostPercent"])}%" or less; 25% is the default.',
        )


def _percent(value: Any, replicas: Any) -> float | None:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}%", value):
        return float(value[:-1])
    # One of one or two is no choice.
    if is_number(value) and is_number(replicas) and value > 1 and replicas > 0:
        return float(100 * value / replicas)
    return None


@policy(NODE_SET, ACK_SLURM_CLUSTER, level=Level.ADVISORY, severity=Severity.MEDIUM, ends_jobs=True)
def node_sets_have_workers(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A node set isn't scaled to 0 by its specification.

    The operator drains the workers that go, but it sees jobs by slurmrestd alone: without a RestApi it takes them for
    drained, `IsNodeDrained` in internal/controller/nodeset/slurmcontrol/slurmcontrol.go of slurm-operator, v1.1.0.
    ack-slurm-operator asks nobody. Those that an autoscaler scales have their number ignored by Pulumi.
    """
    if at(resource.inputs, "spec", "replicas") == 0 and "spec.replicas" not in resource.ignored:
        yield FieldError(("spec", "replicas"), 0, _NOBODY_LEFT, _SCALE)
    for index, group in enumerate(items_at(resource.inputs, "spec", "workerGroupSpecs")):
        path = ("spec", "workerGroupSpecs", index, "replicas")
        if at(group, "replicas") == 0 and f"spec.workerGroupSpecs[{index}].replicas" not in resource.ignored:
            yield FieldError(path, 0, _NOBODY_LEFT, _SCALE)


_NOBODY_LEFT = "all its workers go, and pending jobs of its partitions can't start"
_SCALE = "Write 1 or more; with an autoscaler, ignore changes of this field."


@policy(NODE_SET, level=Level.ADVISORY, severity=Severity.MEDIUM)
def volumes_of_workers_are_kept(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Volumes of workers outlive a smaller node set.

    Source: `persistentVolumeClaimRetentionPolicy` in api/v1beta1/nodeset_types.go of slurm-operator, v1.1.0.
    """
    claims = at(resource.inputs, "spec", "volumeClaimTemplates")
    for field in ("whenDeleted", "whenScaled"):
        path = ("spec", "persistentVolumeClaimRetentionPolicy", field)
        if claims and claims is not UNKNOWN and at(resource.inputs, *path) == "Delete":
            yield FieldError(
                path, "Delete", "what jobs wrote to a worker's volume goes with the worker", 'Write "Retain".'
            )


@policy(NODE_SET, ACK_SLURM_CLUSTER, level=Level.ADVISORY, severity=Severity.HIGH, ends_jobs=True)
def workers_have_a_limit_of_memory(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Slurm gives jobs the memory of the pod, not that of its whole host.

    Without a limit slurmd registers what its host has, and the kubelet ends pods when the host is full: entrypoint of
    the image slurmd in https://github.com/SlinkyProject/containers. ack-slurm-operator takes a worker's size from it.
    """
    containers: list[tuple[Path, Any]] = [(("spec", "slurmd"), at(resource.inputs, "spec", "slurmd"))]
    if resource.type.endswith(":SlurmCluster"):
        containers = [
            (("spec", "workerGroupSpecs", index, "template", "spec", "containers", 0), container)
            for index, group in enumerate(items_at(resource.inputs, "spec", "workerGroupSpecs"))
            if (container := at(group, "template", "spec", "containers", 0)) is not None
        ]
    for path, container in containers:
        if at(container, "resources", "limits", "memory") is None:
            yield FieldError(
                (*path, "resources", "limits", "memory"),
                FieldError.ABSENT,
                "Slurm counts on the memory of the whole host, and Kubernetes ends the pod with all its jobs when "
                "that is used up",
                'Write what the node has for pods, for example "57Gi".',
            )


_EVICTABLE = ("cluster-autoscaler.kubernetes.io/safe-to-evict", "goatscaler.io/safe-to-evict")


@policy(NODE_SET, ACK_SLURM_CLUSTER, level=Level.MANDATORY, severity=Severity.HIGH, ends_jobs=True)
def autoscalers_leave_workers_alone(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """No autoscaler of nodes is told that it may evict a worker.

    Sources: "What types of pods can prevent CA from removing a node?" in cluster-autoscaler/FAQ.md of
    https://github.com/kubernetes/autoscaler, and
    https://help.aliyun.com/en/ack/ack-managed-and-ack-dedicated/user-guide/faq-about-node-instant-scaling.
    """
    templates: list[tuple[Path, Any]] = [
        (("spec", "template"), at(resource.inputs, "spec", "template")),
        *(
            (("spec", "workerGroupSpecs", index, "template"), at(group, "template"))
            for index, group in enumerate(items_at(resource.inputs, "spec", "workerGroupSpecs"))
        ),
    ]
    for path, template in templates:
        for annotation in _EVICTABLE:
            value = at(template, "metadata", "annotations", annotation)
            if is_true(value):
                yield FieldError(
                    (*path, "metadata", "annotations", annotation),
                    value,
                    "an autoscaler removes nodes on which jobs run",
                    'Write "false".',
                )


POLICIES: tuple[Policy, ...] = (
    workers_with_jobs_are_protected,
    workers_are_updated_by_the_operator,
    some_workers_stay_during_an_update,
    node_sets_have_workers,
    volumes_of_workers_are_kept,
    workers_have_a_limit_of_memory,
    autoscalers_leave_workers_alone,
)

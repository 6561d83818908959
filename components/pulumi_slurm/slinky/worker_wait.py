"""What `pulumi up` waits for at a node set, and what it says where no worker comes."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi

from pulumi_slurm.kube.hook_names import hook_name
from pulumi_slurm.kube.resources import sdk_version
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec
from pulumi_slurm.model.machine import READY_WITHIN

_ALL_WITHIN = "1h"
"""Pulumi's ten minutes are too few for images of 20 GiB, which a quarter of the workers fetch at a time."""
_READS = 8
"""How many pods are read at most where workers are missing: they mostly lack the same."""
_SECONDS = 30
"""How long reading them may take, where the engine has no worker free for it."""


@dataclass(frozen=True)
class WorkerWait:
    """What the update of a node set waits for."""

    conditions: tuple[str, ...]
    """Of the NodeSet, in the form of the annotation pulumi.com/waitFor."""
    time: str
    """After which it fails, as a duration."""
    workers: str
    """Those that it waits for, in words."""
    pods: int
    """How many pods they are."""


def worker_wait(node_set: NodeSetSpec, pool: NodePoolSpec | None) -> WorkerWait | None:
    """Return what the update waits for; None where it waits for no worker.

    Of the operator's kinds only the NodeSet reports how many of its pods are ready, and how many are new. A number that
    is 0 isn't there: api/v1beta1/nodeset_types.go of https://github.com/SlinkyProject/slurm-operator at v1.1.0.
    """
    if pods := node_set.awaited_pods:
        awaited = ["readyReplicas", *(["updatedReplicas"] if node_set.awaits_new_pods else [])]
        conditions = tuple(f"jsonpath={{.status.{field}}}={pods}" for field in awaited)
        workers = f"all {pods} workers" if pods > 1 else "the worker"
        return WorkerWait(conditions, _ALL_WITHIN, f"{workers} of {node_set.name}", pods)
    within = (pool.ready_within if pool else READY_WITHIN) if node_set.awaits_first_pod else None
    if within is None:
        return None
    return WorkerWait(("jsonpath={.status.readyReplicas}",), within, f"a worker of {node_set.name}", 1)


def why_none_came(
    name: str, nodeset: Manifest, wait: WorkerWait, options_of_pod: Callable[[str], pulumi.ResourceOptions]
) -> pulumi.ErrorHook:
    """Return what tells the reasons of pods that aren't ready when the update of a node set fails.

    Pulumi itself says of an object of the operator's only that the time is over. ``options_of_pod`` returns the options
    by which a pod is read, by its name in Kubernetes.
    """

    async def tell(args: pulumi.ErrorHookArgs) -> bool:
        if args.failed_operation != "delete" and any("timed out" in error for error in args.errors):
            pods = _pod_names(nodeset, wait.pods)
            reasons = await _reasons(name, pods, nodeset["metadata"]["namespace"], options_of_pod)
            pulumi.log.error(_text(nodeset, wait, reasons))
        return False

    return pulumi.ErrorHook(hook_name(f"{name}-why-none-came"), tell)


class _Pod(pulumi.CustomResource):
    """A pod that is there, and that no update changes."""

    status: pulumi.Output[Any]

    def __init__(self, name: str, opts: pulumi.ResourceOptions) -> None:
        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(version=sdk_version()))
        super().__init__("kubernetes:core/v1:Pod", name, {"status": None}, opts)


def _pod_names(nodeset: Manifest, pods: int) -> list[str]:
    """Return the names of a NodeSet's first pods: GetOrdinalPodName in internal/controller/nodeset/utils/utils.go of
    https://github.com/SlinkyProject/slurm-operator at v1.1.0."""
    padding = nodeset["spec"].get("ordinalPadding", 0)
    return [f"{nodeset['metadata']['name']}-{ordinal:0{padding}d}" for ordinal in range(min(pods, _READS))]


async def _reasons(
    name: str, pods: Sequence[str], namespace: str, options_of_pod: Callable[[str], pulumi.ResourceOptions]
) -> list[str]:
    read = [_Pod(f"{name}-{pod}", options_of_pod(f"{namespace}/{pod}")) for pod in pods]
    statuses = await asyncio.gather(
        *(asyncio.wait_for(pod.status.future(), _SECONDS) for pod in read), return_exceptions=True
    )
    # One that can't be read has an error in place of a status.
    by_pod = {pod: status for pod, status in zip(pods, statuses, strict=True) if isinstance(status, Mapping)}
    reasons = {pod: pod_reason(status) for pod, status in by_pod.items()}
    return [f"{pod}: {reason}" for pod, reason in reasons.items() if reason]


def pod_reason(status: Any) -> str | None:
    """Return in words why a pod isn't ready, by its status; None where it is.

    In turn: what keeps it from a node, what keeps a container from its image or from starting, what ended one last.
    """
    conditions = {condition["type"]: condition for condition in status.get("conditions") or ()}
    if conditions.get("Ready", {}).get("status") == "True":
        return None
    scheduled = conditions.get("PodScheduled", {})
    if scheduled.get("status") == "False":
        return f"no node takes it: {scheduled.get('message') or scheduled.get('reason')}"
    return "; ".join(_of_containers(status)) or f"it is {status.get('phase', 'Pending')}, and not ready"


def _of_containers(status: Any) -> Iterator[str]:
    for field in ("initContainerStatuses", "containerStatuses"):
        for container in status.get(field) or ():
            waiting = (container.get("state") or {}).get("waiting") or {}
            ended = (container.get("lastState") or {}).get("terminated") or {}
            ended = ended or (container.get("state") or {}).get("terminated") or {}
            if ended.get("exitCode"):
                message = f": {ended['message'].strip()}" if ended.get("message") else ", see `kubectl logs --previous`"
                yield f"container {container['name']} ended with {ended['exitCode']}{message}"
            elif waiting.get("message"):
                yield f"container {container['name']}, {waiting['reason']}: {waiting['message']}"


def _text(nodeset: Manifest, wait: WorkerWait, reasons: Sequence[str]) -> str:
    (first, *_), namespace = _pod_names(nodeset, wait.pods), nodeset["metadata"]["namespace"]
    why = reasons or [f"Why: `kubectl -n {namespace} describe pod {first}`."]
    return "\n".join([f"the update waited {wait.time} for {wait.workers}, in vain.", *why, _WAY_OUT])


_WAY_OUT = "To go on without: `wait: false` at the node set. One that replaces another on a full pool needs that too."

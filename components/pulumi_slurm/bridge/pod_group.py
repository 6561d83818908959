"""BridgedPodGroup: pods that Slurm starts at once or not at all."""

from typing import Any, Unpack, overload

import pulumi
from pydantic import ValidationInfo, field_validator

from pulumi_slurm.bridge.dicts import BridgedPodGroupArgsDict
from pulumi_slurm.bridge.pods import POD_GROUP, pod_errors, pod_template
from pulumi_slurm.bridge.workload import WorkloadArgs, bridged_object, object_name, reader_of
from pulumi_slurm.errors import FieldError, raise_errors
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.kube.component import Component, Options
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.bridge_work import SUFFIXES, WORK_PREFIX

_USER = WORK_PREFIX + SUFFIXES["user_id"]


class BridgedPodGroupArgs(WorkloadArgs):
    """Arguments of `BridgedPodGroup`."""

    spec: dict[str, pulumi.Input[Any]] = {}
    """The specification of the PodGroup; by default `minMember` is the number of `pods`."""
    pods: list[dict[str, pulumi.Input[Any]]] = []
    """Its pods, each with `spec` and perhaps `metadata`. Other pods join by the label in `pod_labels`."""

    @field_validator("pods")
    @classmethod
    def _pods_suffice(cls, value: list[dict[str, Any]], info: ValidationInfo) -> list[dict[str, Any]]:
        errors: list[FieldError] = []
        reader = reader_of(info)
        for index, pod in enumerate(value):
            errors += pod_errors(pod, (index,), reader)
        min_member = info.data.get("spec", {}).get("minMember")
        if value and isinstance(min_member, int) and min_member > len(value):
            problem = (
                f"with {counted(len(value), 'pod')} Slurm would wait for ever, since spec.minMember is {min_member}"
            )
            fix = f"Write {min_member} pods, or a smaller minMember."
            errors.append(FieldError((), FieldError.ABSENT, problem, fix))
        raise_errors(errors, at=("pods",))
        return value


class BridgedPodGroup(Component[BridgedPodGroupArgs]):
    """A PodGroup of scheduler-plugins, whose CRD is installed, and its pods. All of them are one Slurm job.

    Each pod gets a node of its own.

    Example::

        pod = {"spec": {"restartPolicy": "Never", "containers": [{"name": "rank", "image": "busybox:stable"}]}}
        args = {
            "metadata": {"namespace": "research"},
            "slurm": {"account": "physics", "user_id": "alice", "time_limit": "10"},
            "pods": [pod, pod],
        }
        BridgedPodGroup("pair", args)
    """

    object_name: pulumi.Output[str]
    """The name of the PodGroup."""
    pod_labels: pulumi.Output[dict[str, str]]
    """The labels of pods that belong to it."""

    @overload
    def __init__(
        self, resource_name: str, args: BridgedPodGroupArgs | BridgedPodGroupArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[BridgedPodGroupArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        annotations = args.slurm.annotations()
        group = bridged_object(f"{self._name}-podgroup", _group(args), annotations, self.child())
        self.object_name = object_name(group)
        label = {POD_GROUP: self.object_name}
        # The bridge reads the group's alone; admission looks at each object by itself.
        user = {key: value for key, value in annotations.items() if key == _USER}
        namespace = {"namespace": args.metadata["namespace"]} if "namespace" in args.metadata else {}
        pods = []
        for index, pod in enumerate(args.pods):
            template = pod_template(pod, args.scheduler_name, args.gpus, **namespace, labels=label)
            manifest = {"apiVersion": "v1", "kind": "Pod", **template}
            pods.append(bridged_object(f"{self._name}-pod-{index}", manifest, user, self.child(group)))
        self.pod_labels = pulumi.Output.all(**label)
        self.finish(*(pods or [group]))


def _group(args: BridgedPodGroupArgs) -> Manifest:
    spec = {**({"minMember": len(args.pods)} if args.pods else {}), **args.spec}
    return {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup", "metadata": args.metadata, "spec": spec}

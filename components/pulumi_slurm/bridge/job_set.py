"""BridgedJobSet: a JobSet, several Jobs that belong together, whose pods Slurm schedules."""

from collections.abc import Mapping
from typing import Any, Unpack, overload

import pulumi
from pydantic import field_validator

from pulumi_slurm.bridge.dicts import BridgedJobSetArgsDict
from pulumi_slurm.bridge.pods import POD_GROUP
from pulumi_slurm.bridge.templates import EACH, Pattern
from pulumi_slurm.bridge.workload import WorkloadArgs, object_name
from pulumi_slurm.errors import FieldError, Severity, raise_errors
from pulumi_slurm.kube.component import Component, Options


class BridgedJobSetArgs(WorkloadArgs):
    """Arguments of `BridgedJobSet`."""

    @classmethod
    def _templates(cls) -> tuple[Pattern, ...]:
        return (("replicatedJobs", EACH, "template", "spec", "template"),)

    @field_validator("spec")
    @classmethod
    def _is_no_gang(cls, value: dict[str, Any]) -> dict[str, Any]:
        jobs = value.get("replicatedJobs")
        alone = [job for job in jobs if not _in_pod_group(job)] if isinstance(jobs, list) else []
        if len(alone) > 1 or any(_pods_of(job) != 1 for job in alone):
            problem = "each pod of a JobSet is a Slurm job of its own, and they may start at different times"
            fix = f"Where they need each other, write BridgedPodGroup, or the label {POD_GROUP} on their pods."
            warning = FieldError(("replicatedJobs",), FieldError.ABSENT, problem, fix, severity=Severity.WARNING)
            raise_errors([warning], at=("spec",))
        return value


def _pods_of(job: Any) -> Any:
    """Return the number of pods of a replicated Job that run at once; None where it isn't known."""
    replicas = _at(job).get("replicas", 1)
    parallelism = _at(job, "template", "spec").get("parallelism", 1)
    return replicas * parallelism if isinstance(replicas, int) and isinstance(parallelism, int) else None


def _in_pod_group(job: Any) -> bool:
    return POD_GROUP in _at(job, "template", "spec", "template", "metadata", "labels")


def _at(value: Any, *path: str) -> Mapping[str, Any]:
    for step in path:
        value = value.get(step, {}) if isinstance(value, Mapping) else {}
    return value if isinstance(value, Mapping) else {}


class BridgedJobSet(Component[BridgedJobSetArgs]):
    """A JobSet, where its controller and CRD are installed. Each of its pods is a Slurm job of its own.

    Example::

        pod = {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox:stable"}]}}
        args = {
            "metadata": {"namespace": "research"},
            "slurm": {"account": "physics", "user_id": "alice", "time_limit": "1:00:00"},
            "spec": {"replicatedJobs": [{"name": "part", "template": {"spec": {"template": pod}}}]},
        }
        BridgedJobSet("sweep", args)
    """

    object_name: pulumi.Output[str]
    """The name of the JobSet."""

    @overload
    def __init__(
        self, resource_name: str, args: BridgedJobSetArgs | BridgedJobSetArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[BridgedJobSetArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        workload = self._args.workload(f"{self._name}-jobset", "jobset.x-k8s.io/v1alpha2", "JobSet", self.child())
        self.object_name = object_name(workload)
        self.finish(workload)

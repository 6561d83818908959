"""BridgedJob: a Job of Kubernetes whose pods Slurm schedules."""

from typing import Any, Unpack, overload

import pulumi

from pulumi_slurm.bridge.dicts import BridgedJobArgsDict
from pulumi_slurm.bridge.templates import Pattern
from pulumi_slurm.bridge.workload import WorkloadArgs, object_name
from pulumi_slurm.kube.component import Component, Options


class BridgedJobArgs(WorkloadArgs):
    """Arguments of `BridgedJob`."""

    @classmethod
    def _templates(cls) -> tuple[Pattern, ...]:
        return (("template",),)


class BridgedJob(Component[BridgedJobArgs]):
    """A Job. Each of its pods is a Slurm job of its own.

    Example::

        container = {"name": "hello", "image": "busybox:stable", "command": ["echo", "hello"]}
        pod = {"spec": {"restartPolicy": "Never", "containers": [container]}}
        args = {
            "metadata": {"namespace": "research"},
            "slurm": {"account": "physics", "user_id": "alice", "time_limit": "10"},
            "spec": {"template": pod},
        }
        BridgedJob("hello", args)
    """

    object_name: pulumi.Output[str]
    """The name of the Job."""

    @overload
    def __init__(self, resource_name: str, args: BridgedJobArgs | BridgedJobArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[BridgedJobArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        workload = self._args.workload(f"{self._name}-job", "batch/v1", "Job", self.child())
        self.object_name = object_name(workload)
        self.finish(workload)

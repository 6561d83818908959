"""BridgedLeaderWorkerSet: groups of a leader and workers, which Slurm starts at once."""

from typing import Any, Unpack, overload

import pulumi
from pydantic import field_validator

from pulumi_slurm.bridge.dicts import BridgedLeaderWorkerSetArgsDict
from pulumi_slurm.bridge.templates import Pattern
from pulumi_slurm.bridge.workload import WorkloadArgs, object_name
from pulumi_slurm.errors import FieldError, raise_errors
from pulumi_slurm.kube.component import Component, Options


class BridgedLeaderWorkerSetArgs(WorkloadArgs):
    """Arguments of `BridgedLeaderWorkerSet`."""

    @classmethod
    def _templates(cls) -> tuple[Pattern, ...]:
        return (
            ("leaderWorkerTemplate", "leaderTemplate?"),
            ("leaderWorkerTemplate", "workerTemplate"),
        )

    @field_validator("spec")
    @classmethod
    def _pods_come_together(cls, value: dict[str, Any]) -> dict[str, Any]:
        if value.get("startupPolicy") == "LeaderReady":
            # PreFilterLWS in internal/utils/slurmjobir/leaderworkerset.go of slurm-bridge, v1.2.1.
            problem = "Slurm gets the job once all pods of a group are there, and workers would wait for their leader"
            raise_errors([FieldError(("startupPolicy",), value["startupPolicy"], problem, 'Write "LeaderCreated".')])
        return value


class BridgedLeaderWorkerSet(Component[BridgedLeaderWorkerSetArgs]):
    """A LeaderWorkerSet, where its controller and CRD are installed. Each group of `size` pods is one Slurm job.

    Example::

        server = {"name": "server", "image": "busybox:stable", "command": ["sleep", "infinity"]}
        args = {
            "metadata": {"namespace": "research"},
            "slurm": {"account": "physics", "user_id": "alice"},
            "gpus": {"count": 8},
            "spec": {"leaderWorkerTemplate": {"size": 3, "workerTemplate": {"spec": {"containers": [server]}}}},
        }
        BridgedLeaderWorkerSet("vllm", args)
    """

    object_name: pulumi.Output[str]
    """The name of the LeaderWorkerSet."""

    @overload
    def __init__(
        self,
        resource_name: str,
        args: BridgedLeaderWorkerSetArgs | BridgedLeaderWorkerSetArgsDict,
        opts: Options = None,
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[BridgedLeaderWorkerSetArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        workload = self._args.workload(
            f"{self._name}-leaderworkerset", "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", self.child()
        )
        self.object_name = object_name(workload)
        self.finish(workload)

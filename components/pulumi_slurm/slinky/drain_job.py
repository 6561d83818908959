"""DrainJob: partitions and node sets are drained before they go."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.drain_job import DrainJobPart


class DrainJobArgs(DrainJobPart, Args):
    """Arguments of `DrainJob`."""


class DrainJob(Component[DrainJobArgs]):
    """A check before partitions or node sets go: they take no new jobs, and the update fails while they have jobs.

    What has gone are partitions and node sets of the last time that are not in the arguments any more. What comes after
    it is changed only when it has succeeded.
    """

    def __init__(self, resource_name: str, args: DrainJobArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        objects = self.create_in_turn(self._args.manifests())
        self.finish(objects[-1])

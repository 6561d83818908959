"""SacctmgrJob: sacctmgr commands, run once for each content."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.sacctmgr_job import SacctmgrJobPart


class SacctmgrJobArgs(SacctmgrJobPart, Args):
    """Arguments of `SacctmgrJob`."""


class SacctmgrJob(Component[SacctmgrJobArgs]):
    """sacctmgr commands against the cluster's slurmdbd. It is ready once they have succeeded."""

    def __init__(self, resource_name: str, args: SacctmgrJobArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        objects = self.create_in_turn(self._args.manifests())
        self.finish(objects[-1])

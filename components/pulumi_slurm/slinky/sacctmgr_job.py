"""SacctmgrJob: sacctmgr commands, run once for each content."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.accounts import sacctmgr_job
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import AccountingSpec


class SacctmgrJobArgs(Args):
    """Arguments of `SacctmgrJob`."""

    cluster: ClusterRef
    """The cluster."""
    accounting: AccountingSpec = AccountingSpec()
    """Its accounting, for the placement of the pod."""
    role: str
    """What the commands are for, one word for the names of objects."""
    script: str
    """A shell script, run with the rights of SlurmUser; run again when it has changed or failed."""
    undo: str | None = None
    """Lines that undo the script. It finds them in /etc/slurm/undo, and the next one in /etc/slurm-last/undo."""


class SacctmgrJob(Component[SacctmgrJobArgs]):
    """sacctmgr commands against the cluster's slurmdbd. It is ready once they have succeeded."""

    def __init__(self, resource_name: str, args: SacctmgrJobArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        args = self._args
        manifests = sacctmgr_job(args.cluster, args.accounting, args.role, args.script, args.undo)
        objects = self.create_in_turn(manifests)
        self.finish(objects[-1])

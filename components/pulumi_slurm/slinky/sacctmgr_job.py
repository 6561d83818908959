"""SacctmgrJob: sacctmgr commands, run once for each content."""

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, component_inputs, create_in_turn, parse_args
from pulumi_slurm.manifests.accounts import sacctmgr_job
from pulumi_slurm.manifests.objects import ClusterRef


class SacctmgrJobArgs(Args):
    """Arguments of `SacctmgrJob`."""

    cluster: ClusterRef
    """The cluster."""
    accounting: spec.AccountingSpec = spec.AccountingSpec()
    """Its accounting, for the placement of the pod."""
    role: str
    """What the commands are for, one word for the names of objects."""
    script: str
    """A shell script, run with the rights of SlurmUser; run again when it has changed or failed."""


class SacctmgrJob(pulumi.ComponentResource):
    """sacctmgr commands against the cluster's slurmdbd. It is ready once they have succeeded."""

    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: SacctmgrJobArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(SacctmgrJobArgs, args)
        super().__init__("slurm:index:SacctmgrJob", name, component_inputs(args), opts)
        made = sacctmgr_job(args.cluster, args.accounting, args.role, args.script)
        self.ends = create_in_turn(name, made, self, opts)
        self.register_outputs({})

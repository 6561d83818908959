"""sacctmgr commands, run once for each content."""

from pulumi_slurm.manifests.accounts import sacctmgr_job
from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model import AccountingSpec


class SacctmgrJobPart(Part):
    """sacctmgr commands against the cluster's slurmdbd."""

    _with_line_breaks = frozenset({"script", "undo"})

    accounting: AccountingSpec = AccountingSpec()
    """The cluster's accounting, for the placement of the pod."""
    role: str
    """What the commands are for, one word for the names of objects."""
    script: str
    """A shell script, run with the rights of SlurmUser; run again when it has changed or failed."""
    undo: str | None = None
    """Lines that undo the script. It finds them in /etc/slurm/undo, and the next one in /etc/slurm-last/undo."""

    def manifests(self) -> Manifests:
        """Return the Job and its files."""
        return sacctmgr_job(self.cluster, self.accounting, self.role, self.script, self.undo)

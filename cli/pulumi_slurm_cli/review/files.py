"""What changes in Slurm's files, by meaning: the order of lines, and how they are cut, don't count."""

from collections.abc import Mapping

from pulumi_slurm.slurmconf.catalogue import Change, File
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.diff import Difference, compare
from pulumi_slurm_cli.review.cluster_change import ClusterChange


def changed_files(change: ClusterChange) -> Mapping[File, list[Difference]]:
    """Return the differences of each file that daemons in the cluster read, without files that are the same.

    Of a cluster that is new or goes, nothing: there is no other side to compare with.
    """
    before, after = change.before, change.after
    if before is None or after is None or after.spec.controller.external:
        return {}
    by_file = {
        file: compare(before.files.get(file, Conf(file)), after.files.get(file, Conf(file)), after.series)
        for file in dict.fromkeys([*before.files, *after.files])
        # slurmdbd comes and goes with its file.
        if file is not File.SLURMDBD or (file in before.files and file in after.files)
    }
    return {file: differences for file, differences in by_file.items() if differences}


OWN_EFFECTS = ("PartitionName=", "NodeSet=")
"""Lines of slurm.conf that follow from partitions and node sets, which have effects of their own."""


def unsafe_lines(change: ClusterChange) -> list[str]:
    """Return the keys whose change may lose jobs that run."""
    return [
        difference.key or difference.entry or ""
        for differences in changed_files(change).values()
        for difference in differences
        if difference.takes is Change.UNSAFE and not (difference.entry or "").startswith(OWN_EFFECTS)
    ]

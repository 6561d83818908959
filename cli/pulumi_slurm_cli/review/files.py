"""What changes in Slurm's files, by meaning: the order of lines, and how they are cut, don't count."""

from collections.abc import Mapping

from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.slurmconf.catalogue import Change, File
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.diff import Difference, compare
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.review.cluster_change import ClusterChange


def changed_files(change: ClusterChange) -> Mapping[File, list[Difference]]:
    """Return the differences of each file that daemons in the cluster read, without files that are the same.

    Of a cluster that is new or goes, nothing: there is no other side to compare with.
    """
    before, after = change.before, change.after
    if before is None or after is None or after.spec.controller.external:
        return {}
    old, new = slinky_files(before.spec, before.pools), slinky_files(after.spec, after.pools)
    series = Series.of(after.spec.controller.slurm_version or after.spec.slurm_version)
    by_file = {
        file: compare(old.get(file, Conf(file)), new.get(file, Conf(file)), series)
        for file in dict.fromkeys([*old, *new])
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

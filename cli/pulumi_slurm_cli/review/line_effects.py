"""What changed lines of Slurm's files mean for jobs."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.slurmconf.catalogue import Change, File
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.effect import Effect, Verdict
from pulumi_slurm_cli.review.files import OWN_EFFECTS, changed_files

IN_PLACE: Mapping[Change, str] = MappingProxyType(
    {
        Change.RECONFIGURE: "",
        Change.RESTART_SLURMCTLD: "They hold after the next restart of slurmctld.",
        Change.RESTART_SLURMD: "They hold on workers that start after it.",
        Change.RESTART_ALL: "They hold after the next restart of slurmctld and of each worker.",
        Change.RESTART_SLURMDBD: "They hold after the next restart of slurmdbd.",
        Change.UNSAFE: "Slurm may lose jobs that run.",
    }
)
"""When lines hold by what they take, where slurmctld reads its files anew and nothing restarts it."""


def line_effects(change: ClusterChange, holds: Mapping[Change, str] = IN_PLACE) -> Iterator[Effect]:
    """Yield what lines mean that follow from no partition and no node set; ``holds`` says when they do."""
    for file, differences_of_file in changed_files(change).items():
        remaining = [
            difference for difference in differences_of_file if not (difference.entry or "").startswith(OWN_EFFECTS)
        ]
        for takes in Change:
            keys = [difference.key or difference.entry or "" for difference in remaining if difference.takes is takes]
            if keys:
                verdict = Verdict.ENDS if takes is Change.UNSAFE else Verdict.RECONFIGURE
                names = ", ".join(dict.fromkeys(keys))
                becomes = f"{names} change{'s' if len(keys) == 1 else ''}"
                yield Effect(verdict, str(file or File.SLURM), becomes, holds[takes])

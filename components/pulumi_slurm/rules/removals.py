"""Rules on what leaves the specification."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns


@warns
def removals_wait_for_slurmctld(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of what lets partitions and node sets go while slurmctld doesn't say whether they have jobs."""
    if spec.controller.assume_no_jobs and not spec.controller.external:
        yield FieldError(
            ("controller", "assume_no_jobs"),
            True,
            "while slurmctld doesn't answer, partitions and node sets go with the jobs in them",
            "Leave it out again after the update for which it is there.",
        )


RULES: tuple[Rule, ...] = (removals_wait_for_slurmctld,)

"""Jobs on nodes that a cloud takes back: they have to be requeued.

What a partition's PreemptMode says is about jobs that other jobs push aside, and Slurm takes it only with a
PreemptType. When a cloud takes a spot node, slurmctld finds the node down and requeues its jobs, as long as they may be
requeued (JobRequeue, which is on by default; users can say otherwise for a job by --no-requeue) and silent nodes go
down at all (SlurmdTimeout).

This rule is the same for every cloud, whose own ones call it; it is not among those of `check_cluster`.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec


def jobs_are_requeued(slurm: SlurmSpec, *, lost: str, never_ending: str) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf with which jobs are lost, or never end, when a cloud takes a node.

    ``lost`` and ``never_ending`` are the problems of the two, and tell which nodes these are.
    """
    for key, value in slurm.slurm_conf.extra.items():
        if key.lower() == "jobrequeue" and value.strip() == "0":
            yield FieldError(
                ("slurm_conf", "extra", key),
                value,
                lost,
                "Leave it out; a job that must not run twice is submitted with --no-requeue.",
            )
    if slurm.slurm_conf.slurmd_timeout == 0:
        yield FieldError(("slurm_conf", "slurmd_timeout"), 0, never_ending, "Leave it out, or write seconds.")

"""Jobs on nodes that a cloud may reclaim have to be requeued.

A partition's PreemptMode is about jobs that other jobs preempt, and Slurm only accepts it with a PreemptType. When a
cloud reclaims a spot node, slurmctld sets the node down and requeues its jobs, provided that jobs may be requeued
(JobRequeue, which is on by default; --no-requeue switches it off for a single job) and that nodes that don't respond
are set down at all (SlurmdTimeout).

All clouds share this rule, and the rules of each cloud call it; it is not one of `check_cluster`.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec


def jobs_are_requeued(slurm: SlurmSpec, *, lost: str, never_ending: str) -> Iterator[FieldError]:
    """Refuse settings in slurm.conf with which jobs are lost, or never end, when a cloud reclaims a node.

    ``lost`` and ``never_ending`` are the texts of the two problems, which name the nodes concerned.
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
        yield FieldError(("slurm_conf", "slurmd_timeout"), 0, never_ending, "Leave it out, or write 1 or more.")

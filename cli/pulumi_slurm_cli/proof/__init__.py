"""Proofs: jobs that show whether a cluster does what its specification says."""

from pulumi_slurm_cli.proof.place import find_place
from pulumi_slurm_cli.proof.result import BAD, Result, Verdict
from pulumi_slurm_cli.proof.steps import LEVELS, results_of
from pulumi_slurm_cli.proof.trial import Trial

__all__ = ["BAD", "LEVELS", "Result", "Trial", "Verdict", "find_place", "results_of"]

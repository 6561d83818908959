"""From Slinky's chart to a stack: what Helm made, as settings whose objects are the same, and how they are imported."""

from pulumi_slurm_cli.adopting.adoption import Adoption, adopt
from pulumi_slurm_cli.adopting.import_file import not_as_written, with_ids, without_id
from pulumi_slurm_cli.adopting.live import LIVE_KINDS, LiveObjects
from pulumi_slurm_cli.adopting.ownership import commands, without_owners
from pulumi_slurm_cli.adopting.refusal import Refusal
from pulumi_slurm_cli.adopting.release import RECORDS, AdoptionError, Release, read_release
from pulumi_slurm_cli.adopting.shapes import wrong_shapes
from pulumi_slurm_cli.adopting.stack_file import stack_file

__all__ = [
    "LIVE_KINDS",
    "RECORDS",
    "Adoption",
    "AdoptionError",
    "LiveObjects",
    "Refusal",
    "Release",
    "adopt",
    "commands",
    "not_as_written",
    "read_release",
    "stack_file",
    "with_ids",
    "without_id",
    "without_owners",
    "wrong_shapes",
]

"""Time for nodes that a cloud has to make first."""

from typing import Any

from pulumi_slurm.model.slurm_conf import SlurmConfSpec
from pulumi_slurm.model.with_fields import with_fields

RESUME_TIMEOUT = "1800"
"""Seconds in which a GPU node that doesn't exist yet is made, gets its driver and pulls slurmd's image."""


def time_to_start(conf: SlurmConfSpec) -> dict[str, Any]:
    """Return what to change of a Slurm cluster whose nodes may not exist yet: nothing where it has a ResumeTimeout."""
    if "resumetimeout" in {key.lower() for key in conf.extra}:
        return {}
    return {"slurm_conf": with_fields(conf, extra={**conf.extra, "ResumeTimeout": RESUME_TIMEOUT})}

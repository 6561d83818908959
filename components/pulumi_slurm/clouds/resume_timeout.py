"""ResumeTimeout for nodes that a cloud has to create first."""

from typing import Any

from pulumi_slurm.model.slurm_conf import SlurmConfSpec
from pulumi_slurm.model.with_fields import with_fields

RESUME_TIMEOUT = "1800"
"""Seconds in which a GPU node is created, gets its driver installed and pulls slurmd's image."""


def resume_timeout_fields(conf: SlurmConfSpec) -> dict[str, Any]:
    """Return the fields to change in a Slurm cluster whose nodes may not exist yet; none if it has a ResumeTimeout."""
    if "resumetimeout" in {key.lower() for key in conf.extra}:
        return {}
    return {"slurm_conf": with_fields(conf, extra={**conf.extra, "ResumeTimeout": RESUME_TIMEOUT})}

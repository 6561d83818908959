"""A TaskProlog of ours, by which jobs get variables of the node they run on.

A job has the environment of whoever submits it, and none of slurmd's; what a TaskProlog prints as "export NAME=value"
is set for it, and where it fails the task ends (https://slurm.schedmd.com/prolog_epilog.html and
src/slurmd/slurmstepd/task.c of slurm-25-11-0-1).

From 25.11 on, slurmctld sends a TaskProlog without a folder to all nodes (CHANGELOG/slurm-25.11.md of Slurm), so
nothing needs to be mounted.
"""

from pathlib import PurePosixPath
from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.with_fields import with_fields

IN_BASH = "#!/bin/bash -p\n"
"""The first line of one in bash. With -p, bash reads no file that a job's BASH_ENV names."""
_VARIABLES = "${!NCCL_*} ${!OMPI_MCA_*} ${!UCX_*} ${!GLOO_*}"


def task_prolog_fields(slurm: SlurmSpec, path: str, script: str) -> dict[str, Any]:
    """Return the fields of a Slurm cluster with this TaskProlog.

    ``path`` is where Slurm finds it, and ends with its name among the cluster's configuration files. One of the user's
    takes the place of this one, for Slurm runs only one: then there are no fields.
    """
    conf = slurm.slurm_conf
    configured = {key.lower(): value for key, value in conf.extra.items()}.get("taskprolog", path)
    if configured != path:
        return {}
    return {
        "slurm_conf": with_fields(conf, extra={**conf.extra, "TaskProlog": path}),
        "config_files": {PurePosixPath(path).name: script, **slurm.config_files},
    }


def fast_network(condition: str, settings: str) -> str:
    """Return the last lines of a TaskProlog in bash that sets up NCCL, and what it stands on, where a condition holds.

    Both are of bash: the condition a command, and the settings lines, indented by four, that assign variables. Those
    whose names begin as in `_VARIABLES` are printed, unless the job has them already.
    """
    return f"""\

# On nodes with a fast network: NCCL's settings for it, and the interface for sockets. A job's own stay as they are.
fast_network() {{
    own=" {_VARIABLES} "
{settings}\
    for name in {_VARIABLES}; do
        case $own in
        *" $name "*) ;;
        *) echo "export $name=${{!name}}" ;;
        esac
    done
}}
if {condition}; then
    (fast_network)
fi
exit 0
"""

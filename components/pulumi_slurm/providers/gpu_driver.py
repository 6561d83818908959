"""How jobs find NVIDIA's programs and libraries on GKE's GPU nodes.

GKE runs no NVIDIA container toolkit. Its device plugin mounts the driver's folder of the node at /usr/local/nvidia and
sets no variable (cmd/nvidia_gpu/nvidia_gpu.go in https://github.com/GoogleCloudPlatform/container-engine-accelerators),
and neither PATH nor the linker's cache of Slinky's images has that folder. slurmd gets both variables from its pod, as
in helm/slurm/_vendor/google of https://github.com/SlinkyProject/slurm-operator. A job has the environment of whoever
submits it, so a TaskProlog adds the folder there; slurmstepd looks for the program after it has run
(src/slurmd/slurmstepd/task.c of slurm-25-11-0-1).

From 25.11 on, slurmctld sends a TaskProlog without a folder to all nodes (CHANGELOG/slurm-25.11.md of Slurm), so
nothing needs to be mounted.
"""

from types import MappingProxyType
from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.with_fields import with_fields

FOLDER = "/usr/local/nvidia"
TASK_PROLOG = "gke-task-prolog.sh"
"""The name of the TaskProlog among the cluster's configuration files."""

DRIVER_ENV = MappingProxyType(
    {
        "PATH": f"{FOLDER}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LD_LIBRARY_PATH": f"{FOLDER}/lib64",
    }
)
"""Variables of slurmd on nodes with GPUs."""

# The shell's own commands only: it runs with the user's PATH and LD_LIBRARY_PATH.
_SCRIPT = f"""\
# What is printed as "export NAME=value" is set for the task. Nodes without GPUs have no such folder.
if [ -d {FOLDER} ]; then
    echo "export PATH={FOLDER}/bin:$PATH"
    echo "export LD_LIBRARY_PATH={FOLDER}/lib64${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
fi
"""


def driver_fields(slurm: SlurmSpec, in_bash: str = "") -> dict[str, Any]:
    """Return the fields of a Slurm cluster with GPUs that let jobs find the driver.

    ``in_bash`` are further lines of the TaskProlog. One of the user's takes the place of this one: Slurm runs only one.
    """
    conf = slurm.slurm_conf
    configured = {key.lower(): value for key, value in conf.extra.items()}.get("taskprolog", TASK_PROLOG)
    if configured != TASK_PROLOG:
        return {}
    # With -p, bash reads no file that a job's BASH_ENV names.
    shell = "#!/bin/bash -p" if in_bash else "#!/bin/sh"
    return {
        "slurm_conf": with_fields(conf, extra={**conf.extra, "TaskProlog": TASK_PROLOG}),
        "config_files": {TASK_PROLOG: f"{shell}\n{_SCRIPT}{in_bash}", **slurm.config_files},
    }

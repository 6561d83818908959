"""How jobs find NVIDIA's programs and libraries on GKE's GPU nodes.

GKE runs no NVIDIA container toolkit. Its device plugin mounts the driver's folder of the node at /usr/local/nvidia and
sets no variable (cmd/nvidia_gpu/nvidia_gpu.go in https://github.com/GoogleCloudPlatform/container-engine-accelerators),
and neither PATH nor the linker's cache of Slinky's images has that folder. slurmd gets both variables from its pod, as
in helm/slurm/_vendor/google of https://github.com/SlinkyProject/slurm-operator. A TaskProlog adds the folder to both
in jobs; slurmstepd looks for the program after it has run (src/slurmd/slurmstepd/task.c of slurm-25-11-0-1).
"""

from types import MappingProxyType
from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.providers.task_prolog import IN_BASH, task_prolog_fields

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

    ``in_bash`` are further lines of the TaskProlog; see `task_prolog_fields` for one of the user's.
    """
    shell = IN_BASH if in_bash else "#!/bin/sh\n"
    return task_prolog_fields(slurm, TASK_PROLOG, f"{shell}{_SCRIPT}{in_bash}")

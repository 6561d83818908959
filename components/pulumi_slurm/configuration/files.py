"""Files beside slurm.conf: the user's, and those that the operator writes where the user has none."""

from collections.abc import Mapping

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.version import Series

WRITTEN_BY_OPERATOR = {
    "cgroup.conf": "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n",
    # slurmd looks for NVIDIA's devices by itself. Operators from 1.2 on leave this file to us.
    "gres.conf": "AutoDetect=nvidia\n",
}
"""By name. A file of the user's takes the place of one of these."""


def config_files(spec: SlurmSpec) -> dict[str, str]:
    """Return the files that are handed to the operator, by name."""
    if spec.operator.writes_plugins:
        return spec.config_files
    return {"gres.conf": WRITTEN_BY_OPERATOR["gres.conf"], **spec.config_files}


def parsed(files: Mapping[str, str], series: Series) -> dict[File, Conf]:
    """Return those of the files that have Slurm's own syntax."""
    return {File(name): parse(text, File(name), series) for name, text in files.items() if name in set(File)}

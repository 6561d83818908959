"""Configuration files other than slurm.conf: the user's, and those that the operator writes by default."""

from collections.abc import Mapping

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.version import Series

OPERATOR_FILES = {
    "cgroup.conf": "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n",
    # slurmd detects NVIDIA's devices by itself. Operators from 1.2 on don't write this file, so we do.
    "gres.conf": "AutoDetect=nvidia\n",
}
"""Files by name; a file of the user's replaces the one with the same name."""


def config_files(spec: SlurmSpec) -> dict[str, str]:
    """Return the files that are passed to the operator, by name."""
    if spec.operator.writes_plugins:
        return spec.config_files
    return {"gres.conf": OPERATOR_FILES["gres.conf"], **spec.config_files}


def parse_files(files: Mapping[str, str], series: Series) -> dict[File, Conf]:
    """Parse those of the files that have Slurm's own syntax."""
    return {File(name): parse(text, File(name), series) for name, text in files.items() if name in set(File)}

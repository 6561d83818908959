"""Files beside slurm.conf: the user's, and gres.conf where the operator's release doesn't write one."""

from pulumi_slurm.spec import SlurmSpec

DETECT_NVIDIA = "AutoDetect=nvidia\n"
"""The gres.conf that slurm-operator writes up to 1.1: slurmd looks for NVIDIA's devices by itself."""


def config_files(spec: SlurmSpec) -> dict[str, str]:
    """Return the files that are handed to the operator, by name."""
    if spec.operator.writes_plugins or "gres.conf" in spec.config_files:
        return spec.config_files
    return {**spec.config_files, "gres.conf": DETECT_NVIDIA}

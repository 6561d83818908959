"""What jobs are confined to: the options of cgroup.conf that matter for jobs beside each other on a node."""

from pulumi_slurm.model.base import Model


class ConfineSpec(Model):
    """What each job is confined to by cgroups, on all nodes. Slurm itself confines jobs to nothing by default.

    A `cgroup.conf` in `configFiles` replaces it.
    """

    cores: bool = True
    """Confine jobs to their CPU cores (ConstrainCores)."""
    memory: bool = True
    """End jobs that use more memory than they were allocated (ConstrainRAMSpace), rather than the whole pod."""
    devices: bool = True
    """Let jobs open only the GPUs that they were allocated (ConstrainDevices)."""

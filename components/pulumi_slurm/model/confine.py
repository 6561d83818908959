"""Confinement of jobs: the options of cgroup.conf that matter for jobs next to each other on a node.

RealMemory less MemSpecLimit, which Slinky's image derives, is the limit of slurmd's own container (POD_MEMORY in
schedmd/slurm/25.11/ubuntu24.04/files/usr/local/bin/slurmd-entrypoint.sh of SlinkyProject/containers). With cgroup v2
the kernel then ends all processes of a container that reaches it: `singleProcessOOMKill` in
https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/.
"""

from pulumi_slurm.model.base import Model


class ConfineSpec(Model):
    """Confinement of each job by cgroups, on all nodes. Slurm itself confines jobs to nothing by default.

    A `cgroup.conf` in `configFiles` replaces it.
    """

    cores: bool = True
    """Confine jobs to their CPU cores (ConstrainCores)."""
    memory: bool = True
    """End jobs that use more memory than they were allocated (ConstrainRAMSpace), rather than the whole pod. A job that
    is allocated all memory of its node, as without `--mem`, reaches the limit of slurmd's container first, and slurmd
    is killed with it: leave a part to slurmd by `defMemPerCpu` or `--mem`."""
    devices: bool = True
    """Let jobs open only the GPUs that they were allocated (ConstrainDevices)."""

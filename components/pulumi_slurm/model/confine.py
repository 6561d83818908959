"""Confinement of jobs: the options of cgroup.conf that matter for jobs next to each other on a node.

RealMemory less MemSpecLimit, which Slinky's image derives, is POD_MEMORY: the limit of slurmd's own container less what
slurmd needs (schedmd/slurm/25.11/ubuntu24.04/files/usr/local/bin/slurmd-entrypoint.sh of SlinkyProject/containers,
`memory_for_jobs` in derived/machines.py). With cgroup v2 the kernel ends all processes of a container that reaches its
limit: `singleProcessOOMKill` in https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/.
"""

from pulumi_slurm.model.base import Model


class ConfineSpec(Model):
    """Confinement of each job by cgroups, on all nodes. Slurm itself confines jobs to nothing by default.

    A `cgroup.conf` in `configFiles` replaces it.
    """

    cores: bool = True
    """Confine jobs to their CPU cores (ConstrainCores)."""
    memory: bool = True
    """End jobs that use more memory than they were allocated (ConstrainRAMSpace), rather than the whole pod. Of a pod's
    memory slurmd itself keeps a 64th, at least 128Mi and at most 4Gi; `POD_MEMORY` in a node set's `pod.env` is what
    jobs get, in MiB, where that doesn't suit."""
    devices: bool = True
    """Let jobs open only the GPUs that they were allocated (ConstrainDevices)."""

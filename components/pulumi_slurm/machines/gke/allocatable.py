"""The part of a machine that GKE leaves for pods.

Source: https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes. What is not in that formula is a
parameter here: what the kernel keeps, and what DaemonSets ask for.
"""

from math import inf

from pulumi_slurm.machines.allocatable import Allocatable, part_of_slices, slurmd_machine
from pulumi_slurm.machines.gke.machine_type import GkeMachineTypeSpec
from pulumi_slurm.model.machine import MachineSpec

_MEMORY_KEPT = ((4, 0.25), (4, 0.20), (8, 0.10), (112, 0.06), (inf, 0.02))
"""Of how many GiB, one slice after the other, GKE keeps which part."""
_CPUS_KEPT = ((1, 0.06), (1, 0.01), (2, 0.005), (inf, 0.0025))
"""The same for CPUs."""
_EVICTION_GIB = 100 / 1024
"""The kubelet evicts pods when less than 100 MiB are free, and so does not offer them."""

KERNEL_SHARE = 0.97
"""The part of a VM's memory that its kernel offers as the node's capacity.

The kernel hides 1 to 3 %. With 3 % the formula gives, for 16 GiB, 12.87 GiB: what Google's page shows for a real node.
"""


def allocatable(vcpus: float, memory_gib: float) -> Allocatable:
    """Return what GKE leaves of a node's capacity, by its formula alone."""
    kept = part_of_slices(memory_gib, _MEMORY_KEPT) + _EVICTION_GIB
    return Allocatable(vcpus - part_of_slices(vcpus, _CPUS_KEPT), memory_gib - kept)


def machine(
    machine_type: GkeMachineTypeSpec,
    *,
    kernel_share: float = KERNEL_SHARE,
    daemon_cpus: float = 0,
    daemon_memory_gib: float = 0,
) -> MachineSpec:
    """Return what a node of this type offers to slurmd: whole CPUs, MiB, and GPUs.

    ``daemon_cpus`` and ``daemon_memory_gib`` are what DaemonSets on the node ask for: logs, metrics, CSI, installers of
    GPU libraries. They are 0 here because `GkePoolSpec.reserved_cpus` and `reserved_memory` stand for them; give them
    where the result goes to a node set without a pool. Raises the field's error when too little would be left.
    """
    node = allocatable(machine_type.vcpus, machine_type.memory_gib * kernel_share)
    return slurmd_machine(
        node,
        machine_type.gpus,
        daemon_cpus=daemon_cpus,
        daemon_memory_gib=daemon_memory_gib,
        cloud="GKE",
        fix="Choose a larger machine type.",
    )

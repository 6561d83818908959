"""The part of a machine that ACK leaves for pods, from Kubernetes 1.28 on.

Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/resource-reservation-policy.
Before 1.28 ACK kept more; that formula is not here. A pool's own kubelet configuration replaces it, and ACK may change
it: nodes take the new one over when their pool is changed or upgraded.

What is not in the formula: what the kernel keeps, and what DaemonSets ask for, are parameters; for the kubelet's
eviction threshold see `_EVICTION_MIB`.
"""

from math import inf

from pulumi_slurm.machines.ack.machine_type import AckMachineTypeSpec
from pulumi_slurm.machines.ack.pods import max_pods as pods_with_terway
from pulumi_slurm.machines.allocatable import Allocatable, part_of_slices, slurmd_machine
from pulumi_slurm.model.machine import MachineSpec

_CPUS_KEPT = ((1, 0.06), (1, 0.01), (2, 0.005), (inf, 0.0025))
"""Of how many CPUs, one slice after the other, ACK keeps which part."""
_MIB_KEPT = 255
_MIB_KEPT_PER_POD = 11
_MOST_MEMORY_KEPT = 0.25
"""ACK keeps this part of the memory at most."""
_EVICTION_MIB = 300
"""The kubelet evicts pods when less is free, and so does not offer it.

ACK's page leaves the number to Kubernetes, whose default is 100. 300 is what is missing of the node in its example, and
https://github.com/cloudpilot-ai/karpenter-provider-alibabacloud, too, finds 200 more than the default on nodes.
"""

KERNEL_SHARE = 0.935
"""The part of a machine's memory that its kernel offers as the node's capacity.

karpenter-provider-alibabacloud assumes this for all types. ACK's page shows 0.945 for a node of 8 GiB, and 0.913
for one that seems to have 8 GiB; large machines should offer more. With too high a share pods of slurmd don't fit on
their nodes, with too low a one memory is left over.
"""

PODS_IF_UNKNOWN = 703
"""The number of pods to assume where a type's interfaces are not known: the most of any virtual machine here.

Bare metal can take more: state its `AckMachineTypeSpec.enis`.
"""


def allocatable(vcpus: float, memory_gib: float, max_pods: int) -> Allocatable:
    """Return what ACK leaves of a node's capacity; ``max_pods`` is how many pods the kubelet takes."""
    kept_mib = min(_MIB_KEPT_PER_POD * max_pods + _MIB_KEPT, _MOST_MEMORY_KEPT * memory_gib * 1024)
    return Allocatable(vcpus - part_of_slices(vcpus, _CPUS_KEPT), memory_gib - (kept_mib + _EVICTION_MIB) / 1024)


def machine(
    machine_type: AckMachineTypeSpec,
    *,
    kernel_share: float = KERNEL_SHARE,
    max_pods: int | None = None,
    daemon_cpus: float = 0,
    daemon_memory_gib: float = 0,
) -> MachineSpec:
    """Return what a node of this type offers to slurmd: whole CPUs, MiB, and GPUs.

    ``max_pods`` is how many pods the kubelet takes: with Flannel the number that the cluster was created with; none for
    Terway, where it follows from the type. ``daemon_cpus`` and ``daemon_memory_gib`` are what DaemonSets on the node
    ask for: Terway (with DataPath V2 0.5 CPUs and 0.5 GiB more), CSI, logs, metrics. They are 0 here because
    `AckPoolSpec.reserved_cpus` and `reserved_memory` stand for them; give them where the result goes to a node set
    without a pool. Raises the field's error when too little would be left.
    """
    pods = max_pods or pods_with_terway(machine_type) or PODS_IF_UNKNOWN
    node = allocatable(machine_type.vcpus, machine_type.memory_gib * kernel_share, pods)
    return slurmd_machine(
        node,
        machine_type.gpus,
        daemon_cpus=daemon_cpus,
        daemon_memory_gib=daemon_memory_gib,
        cloud="ACK",
        fix="Choose a larger instance type.",
    )

"""What ACK leaves of a node for pods: that of the least of the machines that the node may be."""

from collections.abc import Iterable

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.machines.ack import AckMachineTypeSpec, machine
from pulumi_slurm.model.machine import MachineSpec


def left_for_pods(plan: AckPlan, kinds: Iterable[AckMachineTypeSpec]) -> MachineSpec:
    """Return the CPUs and memory that each of the machines has for pods, and the GPUs of the first.

    Raises the field's error when one of them leaves nothing.
    """
    max_pods = plan.spec.network.pods_per_node if plan.spec.control_plane.cni is Cni.FLANNEL else None
    found = [machine(kind, max_pods=max_pods) for kind in kinds]
    least = min(found, key=lambda each: each.memory_mib)
    return MachineSpec(cpus=min(each.cpus for each in found), memory=least.memory, gpus=found[0].gpus)

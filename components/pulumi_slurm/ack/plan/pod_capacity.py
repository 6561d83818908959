"""The capacity for pods of the nodes of an ACK pool."""

from collections.abc import Iterable

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.machines.ack import AckMachineTypeSpec, machine
from pulumi_slurm.model.machine import MachineSpec


def pod_capacity(plan: AckPlan, machine_types: Iterable[AckMachineTypeSpec]) -> MachineSpec:
    """Return the CPUs and memory that pods can use on a node of any of the types, and the GPUs of the first type.

    Raises PydanticCustomError if ACK leaves nothing for pods on one of them.
    """
    max_pods = plan.spec.network.pods_per_node if plan.spec.control_plane.cni is Cni.FLANNEL else None
    machines = [machine(machine_type, max_pods=max_pods) for machine_type in machine_types]
    return MachineSpec(
        cpus=min(candidate.cpus for candidate in machines),
        memory=min(machines, key=lambda candidate: candidate.memory_mib).memory,
        gpus=machines[0].gpus,
    )

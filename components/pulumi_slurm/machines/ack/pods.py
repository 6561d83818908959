"""How many pods a node takes with Terway in its ordinary mode, where pods share network interfaces.

Source: "How to calculate the maximum number of pods per node" in ACK's page on Terway, and the examples of the page
that `allocatable` names. See also
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/adjusting-the-number-of-node-pools.
With Flannel the number is what the cluster was made with.
"""

from pulumi_slurm.errors import field_error
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.machines.ack.machine_type import AckMachineTypeSpec

_TOO_FEW = 11
"""A node with no more addresses for pods than this can't join the cluster."""
_ON_THE_HOSTS_NETWORK = 3


def terway_pods(machine_type: AckMachineTypeSpec) -> int | None:
    """Return the number of pods that get their own addresses, or None where the interfaces are not known."""
    enis = machine_type.enis
    return None if enis is None else (enis.count - 1) * enis.addresses


def max_pods(machine_type: AckMachineTypeSpec) -> int | None:
    """Return what ACK sets as the kubelet's maxPods, or None where the interfaces are not known."""
    pods = terway_pods(machine_type)
    return None if pods is None else pods + _ON_THE_HOSTS_NETWORK


def check_terway(machine_type: AckMachineTypeSpec) -> AckMachineTypeSpec:
    """Return a type whose nodes can join a cluster with Terway; raise the field's error for one that is too small."""
    pods = terway_pods(machine_type)
    if pods is not None and pods <= _TOO_FEW:
        raise field_error(
            f"{machine_type.name} has addresses for {counted(pods, 'pod')}, and with Terway ACK lets no node with "
            f"{_TOO_FEW} or fewer into the cluster",
            "Choose a larger instance type, or Flannel.",
        )
    return machine_type

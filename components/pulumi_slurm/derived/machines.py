"""The resources of each slurmd: those of its node set's machine, or its pool's minus the pool's reserve."""

from collections.abc import Sequence

from pulumi_slurm.model.machine import MIN_MEMORY_MIB, MachineSpec, NodePoolSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.units import quantity

_LEAST_RESERVE, _GREATEST_RESERVE = 128, 4096
"""What is left to slurmd of any worker, in MiB."""


def machine_of(node_set: NodeSetSpec, pools: Sequence[NodePoolSpec]) -> MachineSpec | None:
    """Return the resources of each slurmd of a node set, or None if neither its machine nor its pool is known."""
    machine = node_set.machine
    pool = next((pool for pool in pools if pool.name == node_set.pool), None)
    if machine is None:
        if pool is None:
            return None
        machine = machine_after_reserve(pool)
    elif pool and pool.machine.has_rdma and machine.rdma is None:
        # The network is the node's, whatever a worker has of the node.
        machine = machine.model_copy(update={"rdma": True})
    if machine.gpus and node_set.gpus is not None:
        gpus = machine.gpus.model_copy(update={"count": node_set.gpus}) if node_set.gpus else None
        machine = machine.model_copy(update={"gpus": gpus})
    return machine


def memory_for_jobs(machine: MachineSpec) -> int:
    """Return the MiB of a worker's pod that Slurm gives to jobs: slurmd, SSSD and SSH need the rest.

    Without a rest a job that is allocated all memory, as without ``--mem``, is ended by the limit of the pod in place
    of its own, and slurmd with it: see `pulumi_slurm.model.confine`. slurmstepd needs no part of the rest: it is
    counted as its job.
    """
    memory = machine.memory_mib
    return max(memory - min(max(memory // 64, _LEAST_RESERVE), _GREATEST_RESERVE), MIN_MEMORY_MIB)


def machine_after_reserve(pool: NodePoolSpec) -> MachineSpec:
    """Return the machine of a pool's nodes minus the pool's reserve; nothing may be left."""
    mib = max(pool.machine.memory_mib - int(quantity(pool.reserved_memory) / 1024**2), 0)
    return pool.machine.model_copy(update={"cpus": pool.machine.cpus - pool.reserved_cpus, "memory": f"{mib}Mi"})

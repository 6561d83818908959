"""ACK's node pools as node pools of the Slurm specification: CPUs, memory, GPUs, selector and taints.

Node sets refer to these pools by name, and the pods of workers get from them what schedules them on their nodes.
`reservedCpus` and `reservedMemory` of a pool are for ACK's own DaemonSets.
"""

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model import AckCapacity, AckPoolSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.ack.plan.pod_capacity import pod_capacity
from pulumi_slurm.ack.plan.taints import all_taints
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.clouds.pool import unread_pool
from pulumi_slurm.model import MachineSpec, NodePoolSpec
from pulumi_slurm.model.machine import slurmd_fits
from pulumi_slurm.model.units import quantity
from pulumi_slurm.model.with_fields import with_fields

NODE_POOL_ID_LABEL = "alibabacloud.com/nodepool-id"
"""The label of a node with the id of its pool, which ACK sets:
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/schedule-an-application-pod-to-a-specific-node-pool."""
SYSTEM_POOL = "system"
"""The name of the pool of Slurm's daemons in ACK; no other pool can have it."""


def node_pools(plan: AckPlan) -> list[NodePoolSpec]:
    """Return the node pools of the Slurm specification, in the order of the ACK specification, then those that exist.

    Pools with unknown instance types or with machines that are too small for ACK are left out. A reserve that is larger
    than the machine is ignored, so that it causes no other errors. `check_ack` reports all three. Existing pools that
    nobody has read have room for every node set.
    """
    pools = [pool for planned in plan.pools if (pool := _node_pool(plan, planned))]
    unread = [existing.name for existing in plan.spec.existing_pools if existing.found is None]
    return [*pools, *(unread_pool(name, NODE_POOL_ID_LABEL) for name in unread)]


def pools_from_zero(plan: AckPlan) -> list[str]:
    """Return the names of pools in which ACK may have to create the first node when a pod needs one."""
    return [planned.name for planned in plan.pools if planned.pool.starts_from_nothing]


def _node_pool(plan: AckPlan, planned: AckPlannedPool) -> NodePoolSpec | None:
    try:
        machine = pod_capacity(plan, planned.machine_types)
    except PydanticCustomError:
        return None
    fits = _reserve_fits(planned.pool, machine)
    if planned.pool.erdma:
        machine = with_fields(machine, resources={**machine.resources, "aliyun/erdma": "1"})
    return NodePoolSpec(
        name=planned.name,
        machine=machine,
        node_labels=_selector(plan, planned),
        taints=all_taints(planned),
        max_nodes=planned.pool.most_nodes,
        min_nodes=planned.pool.least_nodes,
        ready_within=planned.pool.awaited_within(is_promised=planned.pool.capacity is not AckCapacity.SPOT),
        reserved_cpus=planned.pool.reserved_cpus if fits else 0,
        reserved_memory=planned.pool.reserved_memory if fits else "0",
    )


def _selector(plan: AckPlan, planned: AckPlannedPool) -> dict[str, str]:
    """Return the label of a pool's nodes: ours, or that by which ACK tells its pools apart."""
    if not planned.exists:
        return {POOL_LABEL: planned.name}
    return {NODE_POOL_ID_LABEL: str(plan.spec.existing_pools[int(planned.at[1])].found_id)}


def _reserve_fits(pool: AckPoolSpec, machine: MachineSpec) -> bool:
    remaining_mib = machine.memory_mib - quantity(pool.reserved_memory) / 1024**2
    return slurmd_fits(machine.cpus - pool.reserved_cpus, remaining_mib)

"""GKE's node pools in the Slurm specification: their CPUs, memory, GPUs, selectors and taints.

Node sets refer to these pools by name, and everything that schedules a pod on their nodes is derived from them.
`reservedCpus` and `reservedMemory` of a pool are for GKE's own DaemonSets, for those of NCCL's plugins, which request
0.3 CPUs, and for GPUDirect's daemons, which request nothing.
"""

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.pool import unread_pool
from pulumi_slurm.gke.model import GkeCapacity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.node_machine import node_machine
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.plan.taints import all_taints
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.model import NodePoolSpec
from pulumi_slurm.model.with_fields import with_fields

_PROMISED = frozenset({GkeCapacity.ON_DEMAND, GkeCapacity.RESERVATION})
NODE_POOL_LABEL = "cloud.google.com/gke-nodepool"
"""The label that GKE sets to the name of a node's pool; no other is needed to select the nodes of a pool."""


def node_pools(plan: GkePlan) -> list[NodePoolSpec]:
    """Return a pool of the Slurm specification for every planned pool, in the same order.

    Pools of unknown machine types, and of machines that are too small for GKE, are omitted: `check_gke` reports both.
    Existing pools that nobody has read have room for every node set.
    """
    pools = [pool for planned in plan.pools if (pool := _node_pool(planned))]
    unread = [existing.name for existing in plan.spec.existing_pools if existing.found is None]
    return [*pools, *(unread_pool(name, NODE_POOL_LABEL) for name in unread)]


def _has_rdma(planned: GkePlannedPool) -> bool:
    """Return whether jobs lock memory for GPUDirect, RoCE or Falcon; of an existing pool the machine type alone tells.

    Google's own images of Slurm have no limit on these machines: examples/machine-learning of
    https://github.com/GoogleCloudPlatform/cluster-toolkit.
    """
    return planned.machine_type.fabric is not GkeFabric.NONE and (planned.pool.fabric or planned.exists)


def _node_pool(planned: GkePlannedPool) -> NodePoolSpec | None:
    try:
        machine = with_fields(node_machine(planned), rdma=_has_rdma(planned) or None)
    except PydanticCustomError:
        return None
    return NodePoolSpec(
        name=planned.name,
        machine=machine,
        node_labels={NODE_POOL_LABEL: planned.name},
        taints=all_taints(planned),
        max_nodes=planned.capacity_option.most_nodes,
        min_nodes=planned.capacity_option.least_nodes,
        ready_within=planned.pool.awaited_within(is_promised=planned.capacity_option.capacity in _PROMISED),
        reserved_cpus=planned.pool.reserved_cpus,
        reserved_memory=planned.pool.reserved_memory,
    )

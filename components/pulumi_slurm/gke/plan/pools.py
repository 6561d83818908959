"""GKE's node pools as Slurm's side knows them: CPUs, memory, GPUs, selector and taints of each.

Node sets refer to these pools by name, and everything that a pod needs to land on their nodes is derived from here.
`reservedCpus` and `reservedMemory` of a pool are for GKE's own DaemonSets, for those of NCCL's plugins, which ask for
0.3 CPUs, and for GPUDirect's daemons, which ask for nothing. See docs/verification.md.
"""

from pydantic_core import PydanticCustomError

from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.node_machine import node_machine
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.plan.taints import all_taints
from pulumi_slurm.model import NodePoolSpec

NODE_POOL_LABEL = "cloud.google.com/gke-nodepool"
"""The label by which GKE tells the nodes of its pools apart; no other is needed to select them."""


def node_pools(plan: GkePlan) -> list[NodePoolSpec]:
    """Return a pool for each that is planned, priorities's capacity options one by one, in the order in which they are
    stated.

    Pools of unknown machine types, and of machines that are too small for GKE, are left out: `check_gke` tells of both.
    """
    return [pool for planned in plan.pools if (pool := _node_pool(planned))]


def _node_pool(planned: GkePlannedPool) -> NodePoolSpec | None:
    try:
        machine = node_machine(planned)
    except PydanticCustomError:
        return None
    return NodePoolSpec(
        name=planned.name,
        machine=machine,
        node_labels={NODE_POOL_LABEL: planned.name},
        taints=all_taints(planned),
        max_nodes=planned.capacity_option.most_nodes,
        reserved_cpus=planned.pool.reserved_cpus,
        reserved_memory=planned.pool.reserved_memory,
    )

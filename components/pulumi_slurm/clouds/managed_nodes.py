"""The taint of nodes to which the bridge sends pods, from their first moment.

The bridge puts it on all nodes that Slurm knows, and it evicts pods. Nodes are born with it, so that fewer pods of
others start there before; the bridge takes it off while Slurm doesn't know a new node yet, see syncTaint in
internal/controller/node/node_sync.go. It takes the place of the taint of dedicated pools, which pods of the bridge
don't tolerate: the bridge gives them a toleration of its own taint alone. Source: docs/config.md and internal/scheduler
of https://github.com/SlinkyProject/slurm-bridge, v1.2.1.
"""

from typing import TypeVar

from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.clouds.pool import CloudPoolSpec
from pulumi_slurm.model import SlurmSpec, TaintEffect, TaintSpec
from pulumi_slurm.model.bridge import MANAGED_NODE

S = TypeVar("S", bound=CloudSpec)


def with_managed_nodes(cloud: S, slurm: SlurmSpec) -> S:
    """Return a cloud's specification with the taint on the pools of external nodes and of bridged node sets."""
    if slurm.bridge is None:
        return cloud
    names = {group.pool for group in slurm.bridge.external_nodes}
    names |= {node_set.pool for node_set in slurm.node_sets if node_set.bridged}
    taint = TaintSpec(key=MANAGED_NODE, value=slurm.bridge.scheduler_name, effect=TaintEffect.NO_EXECUTE)
    pools: list[CloudPoolSpec] = getattr(cloud, "pools", [])
    return cloud.model_copy(update={"pools": [_managed(pool, taint) if pool.name in names else pool for pool in pools]})


def _managed(pool: CloudPoolSpec, taint: TaintSpec) -> CloudPoolSpec:
    dedicated = pool.dedicated if "dedicated" in pool.model_fields_set else False
    return pool.model_copy(update={"taints": [*pool.taints, taint], "dedicated": dedicated})

"""Node sets on a pool with priorities: one for each capacity option.

`expand_priorities` turns a node set "gpu" on a pool with the capacity options reservation and spot into node sets
"gpu-reservation" and "gpu-spot". Because of their weights, Slurm fills the earlier capacity options first, and
partitions that name "gpu" get the capacity options that suit them (see `capacity_options`). Jobs request all of them
with `--constraint=gpu`, and one of them with `--constraint=spot`.

Replicas are distributed, best capacity option first. With autoscaling every capacity option has its own autoscaler,
and minReplicas and maxReplicas are distributed in the same way. KEDA's autoscalers look at the same pending jobs. Jobs
for which a capacity option of a fixed number of nodes has room start no nodes of the later ones. What is left starts
nodes of all others at once, since nobody knows which of them has machines: Slurm fills the earlier ones first, and the
others shrink again.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pulumi_slurm.configuration.node_sets import default_weight
from pulumi_slurm.gke.plan.capacity_options import (
    PoolsByPriority,
    host_prefix,
    node_set_name,
    pools_by_priority,
    unsuitable,
)
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.manifests.nodes_wanted import nodes_wanted
from pulumi_slurm.model import Autoscaler, NodeSetSpec, PartitionSpec, ScalingMode, SlurmSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.units import MAX_SLURM_INTEGER
from pulumi_slurm.model.with_fields import explicit_fields, with_fields
from pulumi_slurm.rules import checked

_WEIGHT_STEP = 10
"""How much more weight a capacity option has than the one before it: node sets of other pools fit in between."""


def expand_priorities(plan: GkePlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster with the node sets on pools with priorities replaced by one for each capacity option.

    Expects that `check_priorities` and `check_node_sets` report no errors. Raises SpecError if the result breaks a rule
    of the Slurm specification.
    """
    options_by_pool = pools_by_priority(plan)
    expanded_node_sets = [node_set for node_set in slurm.node_sets if node_set.pool in options_by_pool]
    if not expanded_node_sets:
        return slurm
    # The partitions of node sets come first, as in `partitions_of`: an autoscaler counts the jobs of the first one.
    partitions = [
        *(
            PartitionSpec(name=node_set.slurm_name, node_sets=[node_set.name], **explicit_fields(node_set.partition))
            for node_set in expanded_node_sets
            if node_set.partition
        ),
        *slurm.partitions,
    ]
    partitions = [_with_suitable_options(partition, slurm, options_by_pool) for partition in partitions]
    node_sets: list[NodeSetSpec] = []
    for node_set in slurm.node_sets:
        options = options_by_pool.get(node_set.pool or "")
        node_sets += _on_options(node_set, options, partitions, slurm.namespace) if options else [node_set]
    return checked(with_fields(slurm, node_sets=node_sets, partitions=partitions))


def _with_suitable_options(
    partition: PartitionSpec, slurm: SlurmSpec, options_by_pool: PoolsByPriority
) -> PartitionSpec:
    """Return a partition with those capacity options of its node sets that suit it; ALL is kept if all of them do."""
    has_all_node_sets = partition.node_sets == [ALL_NODE_SETS]
    names: list[str] = []
    is_reduced = False
    for node_set in slurm.node_sets:
        if not has_all_node_sets and node_set.name not in partition.node_sets:
            continue
        options = options_by_pool.get(node_set.pool or "")
        if options is None:
            names.append(node_set.name)
            continue
        suitable = [option for option in options if unsuitable(option, partition.name, partition) is None]
        is_reduced |= len(suitable) < len(options)
        names += [node_set_name(node_set, option) for option in suitable]
    of_node_sets = {node_set.name for node_set in slurm.node_sets}
    others = [nodes.name for nodes in slurm.external_nodes] if has_all_node_sets else partition.node_sets
    names += [name for name in others if name not in of_node_sets]
    return partition if has_all_node_sets and not is_reduced else with_fields(partition, node_sets=names)


def _on_options(
    node_set: NodeSetSpec, options: Sequence[GkePlannedPool], partitions: Sequence[PartitionSpec], namespace: str
) -> Iterator[NodeSetSpec]:
    fixed: list[tuple[str, int]] = []
    weight = node_set.weight
    if weight is None:
        weight = default_weight(gpus=options[0].machine_type.gpus is not None)
    bounds = _replica_bounds(node_set, options)
    for position, (option, option_bounds) in enumerate(zip(options, bounds, strict=True)):
        name, capacity = node_set_name(node_set, option), str(option.capacity_option.capacity)
        partition_names = [
            partition.name
            for partition in partitions
            if name in partition.node_sets or ALL_NODE_SETS in partition.node_sets
        ]
        changes: dict[str, Any] = {
            "name": name,
            "pool": option.name,
            "weight": min(weight + _WEIGHT_STEP * position, MAX_SLURM_INTEGER),
            "features": list(dict.fromkeys([*node_set.features, node_set.slurm_name, capacity])),
            "partition": None,
            **_replica_fields(node_set, *option_bounds, partition_names),
        }
        if node_set.host_name_prefix:
            changes["host_name_prefix"] = host_prefix(node_set, option)
        on_option = with_fields(node_set, **changes)
        yield _after_fixed_nodes(on_option, fixed, partition_names, namespace)
        if option.capacity_option.nodes is not None:
            fixed.append((on_option.host_name, on_option.max_replicas or 0))


def _after_fixed_nodes(
    node_set: NodeSetSpec, fixed: Sequence[tuple[str, int]], partitions: Sequence[str], namespace: str
) -> NodeSetSpec:
    """Return a node set whose autoscaler leaves pending jobs to nodes that exist anyway, as far as they have room."""
    scaling = node_set.autoscaling
    if scaling is None or scaling.kind is not Autoscaler.KEDA or scaling.query or not partitions:
        return node_set
    partition = scaling.partition or partitions[0]
    query = nodes_wanted(namespace, partition, node_set.host_name, scaling.jobs_per_replica, fixed)
    return with_fields(node_set, autoscaling=with_fields(scaling, query=query))


def _replica_bounds(node_set: NodeSetSpec, options: Sequence[GkePlannedPool]) -> list[tuple[int, int]]:
    """Return the minimum and the maximum number of replicas on each capacity option."""
    scaling = node_set.autoscaling
    nodes = [option.capacity_option.most_nodes for option in options]
    if scaling is None:
        # `replicas_on_priorities_are_stated` lets them be absent only where all nodes exist anyway.
        replicas = sum(nodes) if node_set.replicas is None else node_set.replicas
        return [(count, count) for count in _distributed(replicas, nodes)]
    max_replicas = _distributed(scaling.max_replicas, nodes)
    return list(zip(_distributed(scaling.min_replicas, max_replicas), max_replicas, strict=True))


def _distributed(replicas: int, limits: Sequence[int]) -> list[int]:
    """Distribute replicas over capacity options, the first ones up to their limits."""
    shares: list[int] = []
    for limit in limits:
        shares.append(min(replicas - sum(shares), limit))
    return shares


def _replica_fields(
    node_set: NodeSetSpec, min_replicas: int, max_replicas: int, partitions: Sequence[str]
) -> dict[str, Any]:
    if node_set.scaling_mode is ScalingMode.DAEMON_SET:
        return {}
    scaling = node_set.autoscaling
    if scaling is None or not max_replicas:
        return {"replicas": max_replicas, "autoscaling": None}
    if scaling.kind is Autoscaler.HPA:
        min_replicas = max(min_replicas, 1)
    # A capacity option that doesn't suit the configured partition uses the first one that it suits.
    partition = scaling.partition if scaling.partition in partitions else None
    autoscaling = with_fields(scaling, min_replicas=min_replicas, max_replicas=max_replicas, partition=partition)
    return {"autoscaling": autoscaling}

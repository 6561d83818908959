"""Node sets on a pool with a priorities: one for each way to get machines.

`expand_priorities` turns a node set "gpu" on a pool with the capacity options reservation and spot into node sets
"gpu-reservation" and "gpu-spot". Weights let Slurm fill the earlier capacity options first, and partitions that name
"gpu" get the capacity options that suit them (see `capacity options`). Jobs ask for all of them with
`--constraint=gpu`, and for one with `--constraint=spot`.

With an autoscaler each capacity option has one of its own, and minReplicas and maxReplicas are shared out, best
capacity option first. Those of KEDA look at the same pending jobs, so several capacity options can grow at once; Slurm
still fills the earlier ones first, and the others shrink again after `cooldownSeconds`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pulumi_slurm.gke.plan.capacity_options import (
    PoolsByPriority,
    host_prefix,
    node_set_name,
    pools_by_priority,
    unsuitable,
)
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model import Autoscaler, NodeSetSpec, PartitionSpec, ScalingMode, SlurmSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.units import MAX_SLURM_INTEGER
from pulumi_slurm.model.with_fields import explicit_fields, with_fields
from pulumi_slurm.rules import checked

_WEIGHT_OF_AN_OPTION = 10
"""How much heavier each capacity option is than the one before it, with room for node sets of other pools in
between."""


def expand_priorities(plan: GkePlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster with a node set for each capacity option in place of each that is on a pool with priorities.

    Expects that `check_priorities` and `check_node_sets` find nothing. Raises SpecError where the result breaks a rule
    of the Slurm specification.
    """
    known = pools_by_priority(plan)
    on_priorities = [node_set for node_set in slurm.node_sets if node_set.pool in known]
    if not on_priorities:
        return slurm
    # Node sets' own partitions come first, as they do for `partitions_of`: an autoscaler counts the first one's jobs.
    all_of_them = [
        *(
            PartitionSpec(name=node_set.slurm_name, node_sets=[node_set.name], **explicit_fields(node_set.partition))
            for node_set in on_priorities
            if node_set.partition
        ),
        *slurm.partitions,
    ]
    partitions = [_over_options(partition, slurm, known) for partition in all_of_them]
    node_sets: list[NodeSetSpec] = []
    for node_set in slurm.node_sets:
        options = known.get(node_set.pool or "")
        node_sets += _on_options(node_set, options, partitions) if options else [node_set]
    return checked(with_fields(slurm, node_sets=node_sets, partitions=partitions))


def _over_options(partition: PartitionSpec, slurm: SlurmSpec, known: PoolsByPriority) -> PartitionSpec:
    """Return a partition over those capacity options of its node sets that suit it; ALL stays where all of them do."""
    everything = partition.node_sets == [ALL_NODE_SETS]
    names: list[str] = []
    unsuited = False
    for node_set in slurm.node_sets:
        if not everything and node_set.name not in partition.node_sets:
            continue
        options = known.get(node_set.pool or "")
        if options is None:
            names.append(node_set.name)
            continue
        suited = [option for option in options if unsuitable(option, partition.name, partition) is None]
        unsuited |= len(suited) < len(options)
        names += [node_set_name(node_set, option) for option in suited]
    return partition if everything and not unsuited else with_fields(partition, node_sets=names)


def _on_options(
    node_set: NodeSetSpec, options: Sequence[GkePlannedPool], partitions: Sequence[PartitionSpec]
) -> Iterator[NodeSetSpec]:
    weight = 1 if node_set.weight is None else node_set.weight
    counts = _counts(node_set, options)
    for position, option in enumerate(options):
        name, capacity = node_set_name(node_set, option), str(option.capacity_option.capacity)
        inside = {p.name for p in partitions if name in p.node_sets or ALL_NODE_SETS in p.node_sets}
        changes: dict[str, Any] = {
            "name": name,
            "pool": option.name,
            "weight": min(weight + _WEIGHT_OF_AN_OPTION * position, MAX_SLURM_INTEGER),
            "features": list(dict.fromkeys([*node_set.features, node_set.slurm_name, capacity])),
            "partition": None,
            **_count_fields(node_set, *counts[position], inside),
        }
        if node_set.host_name_prefix:
            changes["host_name_prefix"] = host_prefix(node_set, option)
        yield with_fields(node_set, **changes)


def _counts(node_set: NodeSetSpec, options: Sequence[GkePlannedPool]) -> list[tuple[int, int]]:
    """Return the fewest and the most replicas on each capacity option."""
    scaling = node_set.autoscaling
    room = [option.capacity_option.most_nodes for option in options]
    if scaling is None:
        return [(nodes, nodes) for nodes in room]
    most = _shared_out(scaling.max_replicas, room)
    return list(zip(_shared_out(scaling.min_replicas, most), most, strict=True))


def _shared_out(amount: int, room: Sequence[int]) -> list[int]:
    shares: list[int] = []
    for most in room:
        shares.append(min(amount - sum(shares), most))
    return shares


def _count_fields(node_set: NodeSetSpec, fewest: int, most: int, partitions: set[str]) -> dict[str, Any]:
    if node_set.scaling_mode is ScalingMode.DAEMON_SET:
        return {}
    scaling = node_set.autoscaling
    if scaling is None or not most:
        return {"replicas": most, "autoscaling": None}
    if scaling.kind is Autoscaler.HPA:
        fewest = max(fewest, 1)
    # A capacity option that doesn't suit the partition whose jobs are counted follows the first one that it suits.
    counted = scaling.partition if scaling.partition in partitions else None
    return {"autoscaling": with_fields(scaling, min_replicas=fewest, max_replicas=most, partition=counted)}

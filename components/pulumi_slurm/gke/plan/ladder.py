"""Node sets on a pool with a ladder: one for each way to get machines.

`climb` turns a node set "gpu" on a pool with the rungs reservation and spot into node sets "gpu-reservation" and
"gpu-spot". Weights let Slurm fill the earlier rungs first, and partitions that name "gpu" get the rungs that suit them
(see `rungs`). Jobs ask for all of them with `--constraint=gpu`, and for one with `--constraint=spot`.

With an autoscaler each rung has one of its own, and minReplicas and maxReplicas are shared out, best rung first. Those
of KEDA look at the same pending jobs, so several rungs can grow at once; Slurm still fills the earlier ones first, and
the others shrink again after `cooldownSeconds`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.planned_pool import PlannedPool
from pulumi_slurm.gke.plan.rungs import Ladders, host_prefix, ladders, objection, rung_name
from pulumi_slurm.model import Autoscaler, NodeSet, Partition, ScalingMode, SlurmSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.units import LARGEST
from pulumi_slurm.model.with_fields import changed, stated
from pulumi_slurm.rules import checked

_WEIGHT_OF_A_RUNG = 10
"""How much heavier each rung is than the one before it, with room for node sets of other pools in between."""


def climb(gke: GkeSpec, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster with a node set for each rung in place of each that is on a pool with a ladder.

    Expects that `check_ladder` and `check_node_sets` find nothing. Raises SpecError where the result breaks a rule of
    the Slurm specification.
    """
    known = ladders(gke)
    on_ladders = [node_set for node_set in slurm.node_sets if node_set.pool in known]
    if not on_ladders:
        return slurm
    # Node sets' own partitions come first, as they do for `partitions_of`: an autoscaler counts the first one's jobs.
    all_of_them = [
        *(
            Partition(name=node_set.slurm_name, node_sets=[node_set.name], **stated(node_set.partition))
            for node_set in on_ladders
            if node_set.partition
        ),
        *slurm.partitions,
    ]
    partitions = [_over_rungs(partition, slurm, known) for partition in all_of_them]
    node_sets: list[NodeSet] = []
    for node_set in slurm.node_sets:
        rungs = known.get(node_set.pool or "")
        node_sets += _on_rungs(node_set, rungs, partitions) if rungs else [node_set]
    return checked(changed(slurm, node_sets=node_sets, partitions=partitions))


def _over_rungs(partition: Partition, slurm: SlurmSpec, known: Ladders) -> Partition:
    """Return a partition over those rungs of its node sets that suit it; ALL stays where all of them do."""
    everything = partition.node_sets == [ALL_NODE_SETS]
    names: list[str] = []
    unsuited = False
    for node_set in slurm.node_sets:
        if not everything and node_set.name not in partition.node_sets:
            continue
        rungs = known.get(node_set.pool or "")
        if rungs is None:
            names.append(node_set.name)
            continue
        suited = [rung for rung in rungs if objection(rung, partition.name, partition) is None]
        unsuited |= len(suited) < len(rungs)
        names += [rung_name(node_set, rung) for rung in suited]
    return partition if everything and not unsuited else changed(partition, node_sets=names)


def _on_rungs(node_set: NodeSet, rungs: Sequence[PlannedPool], partitions: Sequence[Partition]) -> Iterator[NodeSet]:
    weight = 1 if node_set.weight is None else node_set.weight
    counts = _counts(node_set, rungs)
    for position, rung in enumerate(rungs):
        name, capacity = rung_name(node_set, rung), str(rung.rung.capacity)
        inside = {p.name for p in partitions if name in p.node_sets or ALL_NODE_SETS in p.node_sets}
        changes: dict[str, Any] = {
            "name": name,
            "pool": rung.name,
            "weight": min(weight + _WEIGHT_OF_A_RUNG * position, LARGEST),
            "features": list(dict.fromkeys([*node_set.features, node_set.slurm_name, capacity])),
            "partition": None,
            **_count_fields(node_set, *counts[position], inside),
        }
        if node_set.host_name_prefix:
            changes["host_name_prefix"] = host_prefix(node_set, rung)
        yield changed(node_set, **changes)


def _counts(node_set: NodeSet, rungs: Sequence[PlannedPool]) -> list[tuple[int, int]]:
    """Return the fewest and the most replicas on each rung."""
    scaling = node_set.autoscaling
    room = [rung.rung.most_nodes for rung in rungs]
    if scaling is None:
        return [(nodes, nodes) for nodes in room]
    most = _shared_out(scaling.max_replicas, room)
    return list(zip(_shared_out(scaling.min_replicas, most), most, strict=True))


def _shared_out(amount: int, room: Sequence[int]) -> list[int]:
    shares: list[int] = []
    for most in room:
        shares.append(min(amount - sum(shares), most))
    return shares


def _count_fields(node_set: NodeSet, fewest: int, most: int, partitions: set[str]) -> dict[str, Any]:
    if node_set.scaling_mode is ScalingMode.DAEMON_SET:
        return {}
    scaling = node_set.autoscaling
    if scaling is None or not most:
        return {"replicas": most, "autoscaling": None}
    if scaling.kind is Autoscaler.HPA:
        fewest = max(fewest, 1)
    # A rung that doesn't suit the partition whose jobs are counted follows the first one that it suits.
    counted = scaling.partition if scaling.partition in partitions else None
    return {"autoscaling": changed(scaling, min_replicas=fewest, max_replicas=most, partition=counted)}

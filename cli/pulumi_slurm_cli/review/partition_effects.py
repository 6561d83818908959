"""What a change of partitions means for jobs."""

from collections.abc import Iterator

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptionsSpec, PartitionState, PreemptMode
from pulumi_slurm_cli.review.changed_settings import as_text, changed_settings
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.effect import Effect, Verdict


def partition_effects(old: ClusterSide, new: ClusterSide, *, drained: bool) -> Iterator[Effect]:
    """Yield what partitions that change, go and come mean; ``drained`` says whether an update waits for their jobs."""
    before, after = old.partitions, new.partitions
    for name in before:
        subject = f"partition {name}"
        if name not in after:
            verdict = Verdict.DRAINS if drained else Verdict.ENDS
            meaning = "The update drains it first, and fails as long as it has jobs." if drained else "Its jobs end."
            # slurmctld deletes them with their partition: src/slurmctld/reservation.c of SchedMD/slurm, slurm-25.11.
            yield Effect(verdict, subject, "goes", f"{meaning} Reservations of it are deleted.")
            continue
        if changed := changed_settings(before[name], after[name], PartitionOptionsSpec.model_fields):
            meaning = _of_state(after[name]) if "state" in changed else ""
            if "preemptMode" in changed and after[name].preempt_mode not in (None, PreemptMode.OFF):
                meaning = f"{meaning} From then on jobs of lower priority there can be preempted.".strip()
            yield Effect(Verdict.RECONFIGURE, subject, as_text(changed), meaning)
        yield from _of_node_sets(name, old.spec, new.spec)
    for name in after:
        if name not in before:
            yield Effect(Verdict.RECONFIGURE, f"partition {name}", "is new")


def _of_node_sets(name: str, old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    before, after = _node_sets_of(name, old), _node_sets_of(name, new)
    # Where only their names are others, here or in Slurm, what becomes of the node sets says it.
    if before.keys() != after.keys() and {*before.values()} != {*after.values()}:
        leaves = ALL_NODE_SETS not in after and before.keys() - after.keys()
        # As tests/slurmd/test_nodes_leave_a_partition.py asks slurmctld.
        meaning = "On nodes that leave it jobs go on, and no other of it starts." if leaves else ""
        words = f"nodeSets {', '.join(before)} → {', '.join(after)}"
        yield Effect(Verdict.RECONFIGURE, f"partition {name}", words, meaning)


def _node_sets_of(name: str, spec: SlurmSpec) -> dict[str, str]:
    """Return the node sets of a partition by their names, each with its name in Slurm."""
    slurm_names = {node_set.name: node_set.slurm_name for node_set in spec.node_sets}
    return {
        node_set: slurm_names.get(node_set, node_set)
        for partition in spec.partitions
        if partition.name == name
        for node_set in partition.node_sets
    }


def _of_state(options: PartitionOptionsSpec) -> str:
    return {
        PartitionState.UP: "",
        PartitionState.DOWN: "It takes jobs and starts none; those that run go on.",
        PartitionState.DRAIN: "It takes no new jobs; those in it go on.",
        PartitionState.INACTIVE: "It takes no jobs and starts none; those that run go on.",
    }[PartitionState(options.state)]

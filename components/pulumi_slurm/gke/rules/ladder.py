"""What is refused about ladders and the node sets on them.

Mistakes are found on either side: `check_ladder` gives those in the GKE specification, `check_node_sets` those in the
Slurm specification.
"""

import re
from collections.abc import Iterator, Sequence

from pulumi_slurm.errors import Mistake, Path
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.planned_pool import PlannedPool
from pulumi_slurm.gke.plan.rungs import Ladders, Objection, host_prefix, ladders, objection, rung_name
from pulumi_slurm.model import NodeSet, SlurmSpec
from pulumi_slurm.model.names import MAX_LABEL, node_set_object
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptions
from pulumi_slurm.rules.names import MOST_DIGITS
from pulumi_slurm.rules.partitions import all_partitions

_LONGEST_NODE_SET = 40
_LONGEST_PREFIX = 50
_FILES_WITH_NODES = ("topology.yaml", "topology.conf", "gres.conf")


def check_ladder(gke: GkeSpec, slurm: SlurmSpec) -> Iterator[Mistake]:
    """Yield rungs that no job could reach, since they suit no partition; paths begin at the GKE specification."""
    known = ladders(gke)
    for node_set in slurm.node_sets:
        for rung in known.get(node_set.pool or "", ()):
            objections = _unreachable(node_set, rung, slurm)
            if objections:
                yield Mistake(
                    (*rung.at, "capacity"),
                    rung.rung.capacity,
                    f'no job could run on it, as it suits no partition of the node set "{node_set.name}": '
                    + "; ".join(dict.fromkeys(each.why for each in objections)),
                    objections[0].remedy,
                )


def check_node_sets(gke: GkeSpec, slurm: SlurmSpec) -> Iterator[Mistake]:
    """Yield mistakes of node sets on ladders, and of their partitions; paths begin at the Slurm specification."""
    known = ladders(gke)
    for index, node_set in enumerate(slurm.node_sets):
        rungs = known.get(node_set.pool or "")
        if not rungs:
            continue
        at: Path = ("node_sets", index)
        if node_set.replicas is not None:
            yield Mistake(
                (*at, "replicas"),
                node_set.replicas,
                f'the pool "{node_set.pool}" has a ladder, whose rungs say how many nodes there are',
                "Leave it out.",
            )
        yield from _names_are_free(slurm, index, rungs)
        yield from _has_the_ladder_alone(slurm, index, rungs)
        yield from _files_name_no_node(slurm, node_set)
    yield from _partitions_keep_nodes(slurm, known)


def _unreachable(node_set: NodeSet, rung: PlannedPool, slurm: SlurmSpec) -> list[Objection]:
    """Return the objections of all partitions of a node set; nothing where one has none, or there is no partition."""
    found = [
        objection(rung, name, options)
        for at, name, options in all_partitions(slurm)
        if _holds(slurm, at, options, node_set)
    ]
    objections = [each for each in found if each]
    return objections if len(objections) == len(found) else []


def _holds(slurm: SlurmSpec, at: Path, options: PartitionOptions, node_set: NodeSet) -> bool:
    if options is node_set.partition:
        return True
    return at[0] == "partitions" and bool({ALL_NODE_SETS, node_set.name} & set(slurm.partitions[int(at[1])].node_sets))


def _names_are_free(slurm: SlurmSpec, index: int, rungs: Sequence[PlannedPool]) -> Iterator[Mistake]:
    node_set = slurm.node_sets[index]
    names = [rung_name(node_set, rung) for rung in rungs]
    longest = max(names, key=len)
    made = f"{node_set_object(slurm.name, longest)}-{'0' * max(MOST_DIGITS, node_set.ordinal_padding)}"
    over = max(len(longest) - _LONGEST_NODE_SET, len(made) - MAX_LABEL)
    if over > 0:
        yield Mistake(
            ("node_sets", index, "name"),
            node_set.name,
            f"with the ladder's rungs and the cluster's name it makes names such as \"{made}\", which are too long",
            f"Shorten it, or the cluster's name, by {over}.",
        )
    prefix = max((host_prefix(node_set, rung) for rung in rungs), key=len)
    if node_set.host_name_prefix and len(prefix) > _LONGEST_PREFIX:
        yield Mistake(
            ("node_sets", index, "host_name_prefix"),
            node_set.host_name_prefix,
            f'with the ladder\'s rungs it makes "{prefix}", {len(prefix)} characters of {_LONGEST_PREFIX}',
            f"Shorten it by {len(prefix) - _LONGEST_PREFIX}.",
        )
    taken = {*names, *(host_prefix(node_set, rung).strip("-") for rung in rungs)}
    for other, each in enumerate(slurm.node_sets):
        if other != index and {each.name, each.slurm_name} & taken:
            yield Mistake(
                ("node_sets", other, "name"),
                each.name,
                f'the node set "{node_set.name}" gets this name on its ladder',
                "Choose another name.",
            )


def _has_the_ladder_alone(slurm: SlurmSpec, index: int, rungs: Sequence[PlannedPool]) -> Iterator[Mistake]:
    pool = slurm.node_sets[index].pool
    if pool in {before.pool for before in slurm.node_sets[:index]}:
        return  # It is in the way itself.
    names = {pool, *(rung.name for rung in rungs)}
    for other, each in enumerate(slurm.node_sets):
        if other != index and each.pool in names:
            yield Mistake(
                ("node_sets", other, "pool"),
                each.pool,
                f'"{slurm.node_sets[index].name}" takes every node of the ladder of "{pool}", and other pods '
                "would stay Pending",
                "Give it a pool of its own.",
            )


def _files_name_no_node(slurm: SlurmSpec, node_set: NodeSet) -> Iterator[Mistake]:
    node = re.compile(rf"(?<![A-Za-z0-9-]){re.escape(node_set.host_name)}[0-9\[]")
    for file in _FILES_WITH_NODES:
        if node.search(slurm.config_files.get(file, "")):
            yield Mistake(
                ("config_files", file),
                "...",
                f'it names nodes of the node set "{node_set.name}", which have other names on the rungs of its pool\'s '
                "ladder",
                f'Write "{node_set.slurm_name}-<capacity>-<number>" for them.',
            )


def _partitions_keep_nodes(slurm: SlurmSpec, known: Ladders) -> Iterator[Mistake]:
    for at, name, options in all_partitions(slurm):
        held = [node_set for node_set in slurm.node_sets if _holds(slurm, at, options, node_set)]
        objections: list[Objection] = []
        for node_set in held:
            rungs = known.get(node_set.pool or "", ())
            found = [objection(rung, name, options) for rung in rungs]
            # A rung that suits no partition at all is told of by `check_ladder`.
            if not rungs or not all(found) or any(_unreachable(node_set, rung, slurm) for rung in rungs):
                break
            objections += [each for each in found if each]
        else:
            if objections:
                yield Mistake(
                    at,
                    name,
                    "no rung of its node sets' ladders suits it, so it would have no nodes: "
                    + "; ".join(dict.fromkeys(each.why for each in objections)),
                    objections[0].remedy,
                )

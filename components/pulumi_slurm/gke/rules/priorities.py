"""What is refused about pools with priorities and the node sets on them.

Errors are found on either side: `priorities_are_reachable` gives those in the GKE specification,
`node_sets_suit_priorities` those in the Slurm specification.
"""

import re
from collections.abc import Iterator, Sequence

from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.pool import GkeCapacityOptionSpec
from pulumi_slurm.gke.plan.capacity_options import (
    PoolsByPriority,
    Unsuitable,
    host_prefix,
    node_set_name,
    pools_by_priority,
    unsuitable,
)
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model import NodeSetSpec, SlurmSpec
from pulumi_slurm.model.names import MAX_LABEL, node_set_object
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptionsSpec
from pulumi_slurm.rules.names import MAX_ORDINAL_DIGITS
from pulumi_slurm.rules.partitions import all_partitions

_LONGEST_NODE_SET = 40
_LONGEST_PREFIX = 50
_FILES_WITH_NODES = ("topology.yaml", "topology.conf", "gres.conf")


def priorities_say_it_all(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse capacity and numbers of nodes beside priorities."""
    for index, pool in enumerate(plan.spec.pools):
        if not pool.priorities:
            continue
        for field in GkeCapacityOptionSpec.model_fields:
            if field in pool.model_fields_set and getattr(pool, field) is not None:
                yield FieldError(
                    ("pools", index, field),
                    getattr(pool, field),
                    "the capacity options of the pool say it, each for its own nodes",
                    f"Leave {to_camel(field)} out here, and state it in the capacity options.",
                    depends_on_fields=(("pools", index, "priorities"),),
                )


def priorities_are_reachable(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Yield capacity options that no job could reach, since they suit no partition; paths begin at the GKE
    specification."""
    known = pools_by_priority(plan)
    for node_set in slurm.node_sets:
        for option in known.get(node_set.pool or "", ()):
            objections = _unreachable(node_set, option, slurm)
            if objections:
                yield FieldError(
                    (*option.at, "capacity"),
                    option.capacity_option.capacity,
                    f'no job could run on it, as it suits no partition of the node set "{node_set.name}": '
                    + "; ".join(dict.fromkeys(each.why for each in objections)),
                    objections[0].fix,
                )


def node_sets_suit_priorities(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Yield errors of node sets on priorities, and of their partitions; paths begin at the Slurm specification."""
    known = pools_by_priority(plan)
    for index, node_set in enumerate(slurm.node_sets):
        options = known.get(node_set.pool or "")
        if not options:
            continue
        at: Path = ("node_sets", index)
        if node_set.replicas is not None:
            yield FieldError(
                (*at, "replicas"),
                node_set.replicas,
                f'the pool "{node_set.pool}" has priorities, whose capacity options say how many nodes there are',
                "Leave it out.",
            )
        yield from _names_are_free(slurm, index, options)
        yield from _has_the_priorities_alone(slurm, index, options)
        yield from _files_name_no_node(slurm, node_set)
    yield from _partitions_keep_nodes(slurm, known)


def _unreachable(node_set: NodeSetSpec, option: GkePlannedPool, slurm: SlurmSpec) -> list[Unsuitable]:
    """Return the objections of all partitions of a node set; nothing where one has none, or there is no partition."""
    found = [
        unsuitable(option, name, options)
        for at, name, options in all_partitions(slurm)
        if _holds(slurm, at, options, node_set)
    ]
    objections = [each for each in found if each]
    return objections if len(objections) == len(found) else []


def _holds(slurm: SlurmSpec, at: Path, options: PartitionOptionsSpec, node_set: NodeSetSpec) -> bool:
    if options is node_set.partition:
        return True
    return at[0] == "partitions" and bool({ALL_NODE_SETS, node_set.name} & set(slurm.partitions[int(at[1])].node_sets))


def _names_are_free(slurm: SlurmSpec, index: int, options: Sequence[GkePlannedPool]) -> Iterator[FieldError]:
    node_set = slurm.node_sets[index]
    names = [node_set_name(node_set, option) for option in options]
    longest = max(names, key=len)
    made = f"{node_set_object(slurm.name, longest)}-{'0' * max(MAX_ORDINAL_DIGITS, node_set.ordinal_padding)}"
    over = max(len(longest) - _LONGEST_NODE_SET, len(made) - MAX_LABEL)
    if over > 0:
        yield FieldError(
            ("node_sets", index, "name"),
            node_set.name,
            f'with the capacity options of its pool and the cluster\'s name it makes names such as "{made}", '
            f"which are too long",
            f"Shorten it, or the cluster's name, by {over}.",
        )
    prefix = max((host_prefix(node_set, option) for option in options), key=len)
    if node_set.host_name_prefix and len(prefix) > _LONGEST_PREFIX:
        yield FieldError(
            ("node_sets", index, "host_name_prefix"),
            node_set.host_name_prefix,
            f'with the capacity options of its pool it makes "{prefix}", {len(prefix)} characters of {_LONGEST_PREFIX}',
            f"Shorten it by {len(prefix) - _LONGEST_PREFIX}.",
        )
    taken = {*names, *(host_prefix(node_set, option).strip("-") for option in options)}
    for other, each in enumerate(slurm.node_sets):
        if other != index and {each.name, each.slurm_name} & taken:
            yield FieldError(
                ("node_sets", other, "name"),
                each.name,
                f'the node set "{node_set.name}" gets this name on its priorities',
                "Choose another name.",
            )


def _has_the_priorities_alone(slurm: SlurmSpec, index: int, options: Sequence[GkePlannedPool]) -> Iterator[FieldError]:
    pool = slurm.node_sets[index].pool
    if pool in {before.pool for before in slurm.node_sets[:index]}:
        return  # It is in the way itself.
    names = {pool, *(option.name for option in options)}
    for other, each in enumerate(slurm.node_sets):
        if other != index and each.pool in names:
            yield FieldError(
                ("node_sets", other, "pool"),
                each.pool,
                f'"{slurm.node_sets[index].name}" takes every node of the priorities of "{pool}", and other pods '
                "would stay Pending",
                "Give it a pool of its own.",
            )


def _files_name_no_node(slurm: SlurmSpec, node_set: NodeSetSpec) -> Iterator[FieldError]:
    node = re.compile(rf"(?<![A-Za-z0-9-]){re.escape(node_set.host_name)}[0-9\[]")
    for file in _FILES_WITH_NODES:
        if node.search(slurm.config_files.get(file, "")):
            yield FieldError(
                ("config_files", file),
                "...",
                f'it names nodes of the node set "{node_set.name}", which have other names on the capacity '
                "options of its pool",
                f'Write "{node_set.slurm_name}-<capacity>-<number>" for them.',
            )


def _partitions_keep_nodes(slurm: SlurmSpec, known: PoolsByPriority) -> Iterator[FieldError]:
    for at, name, options in all_partitions(slurm):
        held = [node_set for node_set in slurm.node_sets if _holds(slurm, at, options, node_set)]
        objections: list[Unsuitable] = []
        for node_set in held:
            capacity_options = known.get(node_set.pool or "", ())
            found = [unsuitable(option, name, options) for option in capacity_options]
            # A capacity option that suits no partition at all is told of by `priorities_are_reachable`.
            if (
                not capacity_options
                or not all(found)
                or any(_unreachable(node_set, option, slurm) for option in capacity_options)
            ):
                break
            objections += [each for each in found if each]
        else:
            if objections:
                yield FieldError(
                    at,
                    name,
                    "no capacity option of its node sets' priorities suits it, so it would have no nodes: "
                    + "; ".join(dict.fromkeys(each.why for each in objections)),
                    objections[0].fix,
                )

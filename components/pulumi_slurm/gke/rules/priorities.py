"""Pools with priorities, and the node sets on them.

`priorities_are_reachable` yields errors in the GKE specification, `node_sets_suit_priorities` those in the Slurm
specification.
"""

import re
from collections.abc import Iterator, Sequence

from pydantic.alias_generators import to_camel

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.errors.counts import counted
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
from pulumi_slurm.model import NodeSetSpec, ScalingMode, SlurmSpec
from pulumi_slurm.model.names import MAX_LABEL, MAX_PART_NAME, node_set_object
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptionsSpec
from pulumi_slurm.rules.names import MAX_ORDINAL_DIGITS
from pulumi_slurm.rules.run import Rule, warns

_MAX_PREFIX_LENGTH = 50
_FILES_WITH_NODES = ("topology.yaml", "topology.conf", "gres.conf")


def priorities_replace_capacity_fields(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse capacity and numbers of nodes in a pool with priorities."""
    for index, pool in enumerate(plan.spec.pools):
        if not pool.priorities:
            continue
        for field in GkeCapacityOptionSpec.model_fields:
            if field in pool.model_fields_set and getattr(pool, field) is not None:
                yield FieldError(
                    ("pools", index, field),
                    getattr(pool, field),
                    f"the pool has priorities, and {to_camel(field)} is a field of each of these",
                    f"Leave {to_camel(field)} out here, and set it in the priorities that need it.",
                    depends_on_fields=(("pools", index, "priorities"),),
                )


@warns
def later_priorities_start_at_once(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn about an autoscaler in front of several scaled capacity options, all of which start nodes for the same jobs.

    Why is in `pulumi_slurm.gke.plan.priorities`.
    """
    options_by_pool = pools_by_priority(plan)
    for index, node_set in enumerate(slurm.node_sets):
        options = options_by_pool.get(node_set.pool or "", ())
        scaled = [str(option.capacity_option.capacity) for option in options if option.capacity_option.nodes is None]
        if node_set.autoscaling and len(scaled) > 1:
            yield FieldError(
                ("node_sets", index, "autoscaling"),
                node_set.autoscaling,
                f'for the same waiting jobs the pool "{node_set.pool}" starts nodes of {" and ".join(scaled)} at once, '
                "and those that get no job cost until they are removed",
                "Keep one capacity option that scales; or write a node set and a pool for each, with partitions that "
                "jobs choose.",
            )


def priorities_are_reachable(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse capacity options that no job could reach because they suit no partition.

    Paths start at the GKE specification.
    """
    options_by_pool = pools_by_priority(plan)
    for node_set in slurm.node_sets:
        for option in options_by_pool.get(node_set.pool or "", ()):
            reasons = _unreachable(node_set, option, slurm)
            if reasons:
                yield FieldError(
                    (*option.at, "capacity"),
                    option.capacity_option.capacity,
                    f'no job could run on it, as it suits no partition of the node set "{node_set.name}": '
                    + _joined(reasons),
                    reasons[0].fix,
                )


def node_sets_suit_priorities(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse node sets, and their partitions, that don't suit the priorities of their pools.

    Paths start at the Slurm specification.
    """
    options_by_pool = pools_by_priority(plan)
    for index, node_set in enumerate(slurm.node_sets):
        options = options_by_pool.get(node_set.pool or "")
        if not options:
            continue
        nodes = sum(option.capacity_option.most_nodes for option in options)
        if node_set.replicas is not None and node_set.replicas > nodes:
            yield FieldError(
                ("node_sets", index, "replicas"),
                node_set.replicas,
                f'the capacity options of the pool "{node_set.pool}" have {counted(nodes, "node")}',
                f"Write {nodes} or less, or give the capacity options more nodes.",
            )
        yield from _names_are_unused(slurm, index, options)
        yield from _capacities_are_unused(slurm, node_set, options, options_by_pool)
        yield from _no_other_node_set_uses_the_pool(slurm, index, options)
        yield from _files_name_no_node(slurm, node_set)
    yield from _partitions_keep_nodes(slurm, options_by_pool)


def replicas_on_priorities_are_stated(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse node sets that would keep each node of their priorities running without that anybody asked for it.

    A worker is a pod, and its node stays as long as the pod does, with jobs or without. Nodes of a fixed number exist
    anyway. Paths start at the Slurm specification.
    """
    options_by_pool = pools_by_priority(plan)
    for index, node_set in enumerate(slurm.node_sets):
        options = options_by_pool.get(node_set.pool or "", ())
        scaled = [option.capacity_option for option in options if option.capacity_option.nodes is None]
        has_replicas = node_set.replicas is not None or node_set.autoscaling is not None
        if scaled and not has_replicas and node_set.scaling_mode is ScalingMode.STATEFUL_SET:
            nodes = sum(option.capacity_option.most_nodes for option in options)
            names = ", ".join(str(option.capacity) for option in scaled)
            yield FieldError(
                ("node_sets", index, "replicas"),
                FieldError.ABSENT,
                f"each worker keeps its node, with jobs or without, and {names} would always run in full: {nodes} "
                f'nodes of the pool "{node_set.pool}"',
                f"Write autoscaling with maxReplicas {nodes} or less, or state the number of replicas, which are "
                "distributed best capacity option first.",
                depends_on_fields=(("node_sets", index, "autoscaling"),),
            )


def _joined(reasons: Sequence[Unsuitable]) -> str:
    return "; ".join(dict.fromkeys(reason.problem for reason in reasons))


def _unreachable(node_set: NodeSetSpec, option: GkePlannedPool, slurm: SlurmSpec) -> list[Unsuitable]:
    """Return why the option suits no partition of a node set; nothing if it suits one, or if there is no partition."""
    results = [
        unsuitable(option, name, options)
        for at, name, options in all_partitions(slurm)
        if _is_in_partition(slurm, at, options, node_set)
    ]
    reasons = [reason for reason in results if reason]
    return reasons if len(reasons) == len(results) else []


def _is_in_partition(slurm: SlurmSpec, at: Path, options: PartitionOptionsSpec, node_set: NodeSetSpec) -> bool:
    if options is node_set.partition:
        return True
    return at[0] == "partitions" and bool({ALL_NODE_SETS, node_set.name} & set(slurm.partitions[int(at[1])].node_sets))


def _names_are_unused(slurm: SlurmSpec, index: int, options: Sequence[GkePlannedPool]) -> Iterator[FieldError]:
    node_set = slurm.node_sets[index]
    names = [node_set_name(node_set, option) for option in options]
    name = max(names, key=len)
    pod_name = f"{node_set_object(slurm.name, name)}-{'0' * max(MAX_ORDINAL_DIGITS, node_set.ordinal_padding)}"
    excess = max(len(name) - MAX_PART_NAME, len(pod_name) - MAX_LABEL)
    if excess > 0:
        yield FieldError(
            ("node_sets", index, "name"),
            node_set.name,
            f'with the capacity options of its pool and the cluster\'s name it results in names such as "{pod_name}", '
            f"which are too long",
            f"Shorten it, or the cluster's name, by {excess}.",
        )
    prefix = max((host_prefix(node_set, option) for option in options), key=len)
    if node_set.host_name_prefix and len(prefix) > _MAX_PREFIX_LENGTH:
        yield FieldError(
            ("node_sets", index, "host_name_prefix"),
            node_set.host_name_prefix,
            f'with the capacity options of its pool it becomes "{prefix}" of {len(prefix)} characters, and there is '
            f"room for {_MAX_PREFIX_LENGTH}",
            f"Shorten it by {len(prefix) - _MAX_PREFIX_LENGTH}.",
        )
    used_names = {*names, *(host_prefix(node_set, option).strip("-") for option in options)}
    for other_index, other in enumerate(slurm.node_sets):
        if other_index != index and {other.name, other.slurm_name} & used_names:
            yield FieldError(
                ("node_sets", other_index, "name"),
                other.name,
                f'the node set "{node_set.name}" gets this name on its priorities',
                "Choose another name.",
            )


def _capacities_are_unused(
    slurm: SlurmSpec, node_set: NodeSetSpec, options: Sequence[GkePlannedPool], options_by_pool: PoolsByPriority
) -> Iterator[FieldError]:
    """Refuse other nodes by the name of a capacity, which is a feature: see `features_name_no_other_nodes`."""
    capacities = {str(option.capacity_option.capacity) for option in options}
    others = [
        (("node_sets", index, "name"), other.slurm_name)
        for index, other in enumerate(slurm.node_sets)
        if other.pool not in options_by_pool
    ]
    others += [(("external_nodes", index, "name"), nodes.name) for index, nodes in enumerate(slurm.external_nodes)]
    for path, name in others:
        if name in capacities:
            problem = f'nodes of "{node_set.name}" have this capacity as a feature, and would come into its partitions'
            yield FieldError(path, name, problem, "Choose another name.")


def _no_other_node_set_uses_the_pool(
    slurm: SlurmSpec, index: int, options: Sequence[GkePlannedPool]
) -> Iterator[FieldError]:
    pool = slurm.node_sets[index].pool
    if pool in {previous.pool for previous in slurm.node_sets[:index]}:
        return  # The error of the first node set with this pool is about this one already.
    names = {pool, *(option.name for option in options)}
    for other_index, other in enumerate(slurm.node_sets):
        if other_index != index and other.pool in names:
            yield FieldError(
                ("node_sets", other_index, "pool"),
                other.pool,
                f'"{slurm.node_sets[index].name}" takes every node of the priorities of "{pool}", and other pods '
                "would stay Pending",
                "Use another pool for it.",
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


def _partitions_keep_nodes(slurm: SlurmSpec, options_by_pool: PoolsByPriority) -> Iterator[FieldError]:
    for at, name, options in all_partitions(slurm):
        reasons: list[Unsuitable] = []
        for node_set in slurm.node_sets:
            if not _is_in_partition(slurm, at, options, node_set):
                continue
            capacity_options = options_by_pool.get(node_set.pool or "", ())
            results = [unsuitable(option, name, options) for option in capacity_options]
            # `priorities_are_reachable` reports capacity options that suit no partition at all.
            if (
                not capacity_options
                or not all(results)
                or any(_unreachable(node_set, option, slurm) for option in capacity_options)
            ):
                break
            reasons += [reason for reason in results if reason]
        else:
            if reasons:
                yield FieldError(
                    at,
                    name,
                    "no capacity option of its node sets' priorities suits it, so it would have no nodes: "
                    + _joined(reasons),
                    reasons[0].fix,
                )


RULES: tuple[Rule, ...] = (priorities_replace_capacity_fields,)
RULES_WITH_SLURM: tuple[Rule, ...] = (
    replicas_on_priorities_are_stated,
    later_priorities_start_at_once,
)
RULES_OF_PRIORITIES: tuple[Rule, ...] = (priorities_are_reachable,)
RULES_OF_NODE_SETS: tuple[Rule, ...] = (node_sets_suit_priorities,)

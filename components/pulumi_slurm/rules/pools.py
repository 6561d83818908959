"""Rules on how node sets use node pools: the resources of nodes, their number, and other node sets on them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from pulumi_slurm.derived.machines import machine_after_reserve
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.machine import MachineSpec, NodePoolSpec, slurmd_fits
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import quantity
from pulumi_slurm.rules.machines import shared_memory_fits
from pulumi_slurm.rules.run import Rule


def node_sets_fit_their_pools(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse node sets that need more than their node pool has: pods, CPUs, memory or GPUs."""
    by_name = {pool.name: pool for pool in pools}
    needed: Counter[str] = Counter()
    for index, node_set in enumerate(spec.node_sets):
        at: Path = ("node_sets", index)
        if node_set.pool is None:
            continue
        pool = by_name.get(node_set.pool)
        if pool is None:
            yield FieldError(
                (*at, "pool"), node_set.pool, "there is no such node pool", nearest(node_set.pool, by_name)
            )
            continue
        yield from _machine_fits(node_set, pool, at)
        yield from _daemon_set_has_its_nodes(spec, index)
        if node_set.oversubscribe_node:
            continue
        max_replicas = node_set.max_replicas or 0
        used = needed[pool.name]
        needed[pool.name] += max_replicas
        if max_replicas and pool.max_nodes is not None and used + max_replicas > pool.max_nodes:
            nodes = counted(pool.max_nodes, "node")
            also = f", of which the node sets before it take {used}" if used else ""
            yield FieldError(
                (*at, *(("autoscaling", "max_replicas") if node_set.autoscaling else ("replicas",))),
                max_replicas,
                f'the pool "{pool.name}" has {nodes}{also}; pods beyond that would stay Pending',
                f"Write {max(pool.max_nodes - used, 0)} or less, or give the pool more nodes.",
            )


def bounds_of_pools_agree(pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse a minimum of nodes above their maximum."""
    for index, pool in enumerate(pools):
        if pool.min_nodes is not None and pool.max_nodes is not None and pool.min_nodes > pool.max_nodes:
            problem = f"it is above maxNodes, {pool.max_nodes}"
            fix = f"Write {pool.max_nodes} or less."
            yield FieldError((index, "min_nodes"), pool.min_nodes, problem, fix, ((index, "max_nodes"),))


def pools_are_distinguishable(pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse pools with the same name or overlapping labels, and reserves that leave nothing for slurmd."""
    for index, pool in enumerate(pools):
        machine = machine_after_reserve(pool)
        if not slurmd_fits(machine.cpus, machine.memory_mib):
            field = "reserved_cpus" if machine.cpus < 1 else "reserved_memory"
            yield FieldError(
                (index, field),
                getattr(pool, field),
                "this reserve leaves nothing of the machine for slurmd",
                f"Write less than the machine has, {counted(pool.machine.cpus, 'CPU')} and {pool.machine.memory}.",
                depends_on_fields=((index, "machine"),),
            )
        for earlier in pools[:index]:
            if pool.name == earlier.name:
                yield FieldError((index, "name"), pool.name, "this name is already used", "Choose another name.")
                continue
            for fewer, more in ((pool, earlier), (earlier, pool)):
                if fewer.node_labels.items() <= more.node_labels.items():
                    yield FieldError(
                        (index, "node_labels"),
                        pool.node_labels,
                        f'nodes of "{more.name}" carry all labels of "{fewer.name}", so pods meant for the one could '
                        "land on the other",
                        "Give each pool a label that no other has.",
                        depends_on_fields=((pools.index(earlier), "node_labels"),),
                    )
                    break


def _daemon_set_has_its_nodes(spec: SlurmSpec, index: int) -> Iterator[FieldError]:
    node_set = spec.node_sets[index]
    for other in spec.node_sets:
        if (
            other is not node_set
            and other.pool == node_set.pool
            and node_set.scaling_mode is ScalingMode.DAEMON_SET
            and not (node_set.pod.node_selector or node_set.pod.affinity or other.pod.node_selector)
            and (other.scaling_mode is not ScalingMode.DAEMON_SET or spec.node_sets.index(other) < index)
        ):
            yield FieldError(
                ("node_sets", index, "pool"),
                node_set.pool,
                f'with scalingMode DaemonSet it takes every node, and a node holds one slurmd: pods of "{other.name}" '
                "would stay Pending",
                "Give each a pool of its own, or tell their nodes apart by pod.nodeSelector.",
            )
            return


def _machine_fits(node_set: NodeSetSpec, pool: NodePoolSpec, at: Path) -> Iterator[FieldError]:
    available = machine_after_reserve(pool)
    if not slurmd_fits(available.cpus, available.memory_mib):
        return  # check_pool_list reports the error in the pool itself.
    node_text = f'a node of the pool "{pool.name}"'
    if node_set.machine is None:
        yield from shared_memory_fits(node_set, available, at)
    else:
        yield from _amounts_fit(node_set.machine, available, pool, node_text, at)
    yield from _gpus_fit(node_set, pool, node_text, at)


def _amounts_fit(
    machine: MachineSpec, available: MachineSpec, pool: NodePoolSpec, node_text: str, at: Path
) -> Iterator[FieldError]:
    """Refuse CPUs, memory and extended resources that no node of the pool has."""
    if machine.cpus > available.cpus:
        yield FieldError(
            (*at, "machine", "cpus"),
            machine.cpus,
            f"{node_text} has {counted(available.cpus, 'CPU')} to give, so the pods would stay Pending",
            f"Write {available.cpus} or less.",
        )
    if machine.memory_mib > available.memory_mib:
        yield FieldError(
            (*at, "machine", "memory"),
            machine.memory,
            f"{node_text} has {available.memory_mib}Mi to give, so the pods would stay Pending",
            f'Write "{available.memory_mib}Mi" or less.',
        )
    for name, amount in machine.resources.items():
        offered_amount = pool.machine.resources.get(name)
        if offered_amount and quantity(amount) > quantity(offered_amount):
            yield FieldError(
                (*at, "machine", "resources", name),
                amount,
                f"{node_text} has {offered_amount}, so the pods would stay Pending",
                f'Write "{offered_amount}" or less.',
            )


def _gpus_fit(node_set: NodeSetSpec, pool: NodePoolSpec, node_text: str, at: Path) -> Iterator[FieldError]:
    """Refuse GPUs that no node of the pool has."""
    machine, offered_gpus = node_set.machine, pool.machine.gpus
    gpu_count = offered_gpus.count if offered_gpus else 0
    if machine and machine.gpus:
        requested_gpus = machine.gpus
        if offered_gpus is None or requested_gpus.count > gpu_count:
            yield FieldError(
                (*at, "machine", "gpus", "count"),
                requested_gpus.count,
                f"{node_text} has {counted(gpu_count, 'GPU')}",
                "Write what it has, or leave machine out so that it is derived.",
            )
            return
        for field in ("type", "resource"):
            offered, requested = getattr(offered_gpus, field), getattr(requested_gpus, field)
            if offered and requested and requested != offered:
                yield FieldError(
                    (*at, "machine", "gpus", field),
                    requested,
                    f'{node_text} offers "{offered}", so slurmd would find other GRES than it is told',
                    f'Write "{offered}", or leave it out.',
                )
    if node_set.gpus and machine is None and node_set.gpus > gpu_count:
        yield FieldError(
            (*at, "gpus"),
            node_set.gpus,
            f"{node_text} has {counted(gpu_count, 'GPU')}, so the nodes would be invalid",
            f"Write {gpu_count} or less, or choose another pool.",
            depends_on_fields=((*at, "machine"),),
        )


RULES_WITH_POOLS: tuple[Rule, ...] = (node_sets_fit_their_pools,)
RULES_OF_POOLS: tuple[Rule, ...] = (
    pools_are_distinguishable,
    bounds_of_pools_agree,
)

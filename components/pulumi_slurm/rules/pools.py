"""How node sets use node pools: what a node has to give, how many there are, and who else runs there."""

from collections import Counter
from collections.abc import Iterator, Sequence

from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.machine import NodePoolSpec, slurmd_fits
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.machines import shared_memory_fits, usable


def node_sets_fit_their_pools(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Yield every error in how node sets use the node pools; paths begin at the specification."""
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
        yield from _a_daemon_set_is_alone(spec, index)
        most = node_set.max_replicas or 0
        others = needed[pool.name]
        needed[pool.name] += most
        if most and pool.max_nodes is not None and others + most > pool.max_nodes:
            also = f", of which the node sets before it take {others}" if others else ""
            yield FieldError(
                (*at, *(("autoscaling", "max_replicas") if node_set.autoscaling else ("replicas",))),
                most,
                f'the pool "{pool.name}" has {pool.max_nodes} nodes{also}; pods beyond that would stay Pending',
                f"Write {max(pool.max_nodes - others, 0)} or less, or raise the pool's maxNodes.",
            )


def pools_can_be_told_apart(pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Yield every error that shows between pools; paths begin at their list."""
    for index, pool in enumerate(pools):
        left = usable(pool)
        if not slurmd_fits(left.cpus, left.memory_mib):
            field = "reserved_cpus" if left.cpus < 1 else "reserved_memory"
            yield FieldError(
                (index, field),
                getattr(pool, field),
                "this reserve leaves nothing of the machine for slurmd",
                f"Write less than the machine has, {pool.machine.cpus} CPUs and {pool.machine.memory}.",
                depends_on_fields=((index, "machine"),),
            )
        for before in pools[:index]:
            if pool.name == before.name:
                yield FieldError((index, "name"), pool.name, "this name is used before", "Choose another name.")
                continue
            for fewer, more in ((pool, before), (before, pool)):
                if fewer.node_labels.items() <= more.node_labels.items():
                    yield FieldError(
                        (index, "node_labels"),
                        pool.node_labels,
                        f'nodes of "{more.name}" carry all labels of "{fewer.name}", so pods meant for the one could '
                        "land on the other",
                        "Give each pool a label that no other has.",
                        depends_on_fields=((pools.index(before), "node_labels"),),
                    )
                    break


def _a_daemon_set_is_alone(spec: SlurmSpec, index: int) -> Iterator[FieldError]:
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
    left = usable(pool)
    if not slurmd_fits(left.cpus, left.memory_mib):
        return  # The pool itself is wrong, and check_pool_list says so.
    if node_set.machine is None:
        yield from shared_memory_fits(node_set, left, at)
    where = f'a node of the pool "{pool.name}"'
    machine = node_set.machine
    if machine and machine.cpus > left.cpus:
        yield FieldError(
            (*at, "machine", "cpus"),
            machine.cpus,
            f"{where} has {left.cpus} CPUs to give, so the pods would stay Pending",
            f"Write {left.cpus} or less.",
        )
    if machine and machine.memory_mib > left.memory_mib:
        yield FieldError(
            (*at, "machine", "memory"),
            machine.memory,
            f"{where} has {left.memory_mib}Mi to give, so the pods would stay Pending",
            f'Write "{left.memory_mib}Mi" or less.',
        )
    offered = pool.machine.gpus
    has = offered.count if offered else 0
    if machine and machine.gpus:
        wanted = machine.gpus
        if offered is None or wanted.count > has:
            yield FieldError(
                (*at, "machine", "gpus", "count"),
                wanted.count,
                f"{where} has {has} GPUs",
                "Write what it has, or leave machine out so that it is derived.",
            )
            return
        for field in ("type", "resource"):
            offer, want = getattr(offered, field), getattr(wanted, field)
            if offer and want and want != offer:
                yield FieldError(
                    (*at, "machine", "gpus", field),
                    want,
                    f'{where} offers "{offer}", so slurmd would find other GRES than it is told',
                    f'Write "{offer}", or leave it out.',
                )
    if node_set.gpus and machine is None and node_set.gpus > has:
        yield FieldError(
            (*at, "gpus"),
            node_set.gpus,
            f"{where} has {has} GPUs, so slurmd would be invalid",
            f"Write {has} or less, or choose another pool.",
            depends_on_fields=((*at, "machine"),),
        )

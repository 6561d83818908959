"""What node pools cost a month, before and after: the least, with no more nodes than always run, and the most.

A worker keeps its node with and without jobs, so at least as many nodes run as a pool's node sets always have workers.

By list prices of one day: of the pool's region where the list has it, else of the region that stands beside the price.
What a stack's `catalogue` states instead is no input of a resource, and doesn't count here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pulumi_slurm.clouds.resources import Inputs, NodePoolResource
from pulumi_slurm.clouds.unread import known_at
from pulumi_slurm.model.node_set import ScalingMode
from pulumi_slurm_cli.review.clouds import node_pools, pools_by_provider, price_of
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.partition_sizes import node_set_sizes
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange

HOURS_A_MONTH = 730


@dataclass(frozen=True)
class PoolCost:
    """A node pool with what it costs."""

    pool: str
    machine: str
    """The machine type; of several the first, by which the price is."""
    spot: bool
    nodes: tuple[int, int] | None
    """The least and the most nodes; None where they aren't known."""
    price: float | None
    """Of one machine an hour; None where the catalogue has none."""
    currency: str = ""
    of: str = ""
    """The region and the day of the price."""

    @property
    def a_month(self) -> tuple[float, float] | None:
        """The least and the most that it costs a month."""
        if self.nodes is None or self.price is None:
            return None
        lowest, highest = (count * self.price * HOURS_A_MONTH for count in self.nodes)
        return lowest, highest


@dataclass(frozen=True)
class CostChange:
    """A node pool before and after; None where it isn't there."""

    before: PoolCost | None
    after: PoolCost | None


def cost_changes(changes: Iterable[ResourceChange], clusters: Iterable[ClusterChange]) -> list[CostChange]:
    """Return the cost of each node pool of a cloud, also of those that stay as they are.

    ``clusters`` have the workers that always run on them.
    """
    kinds, changes, clusters = node_pools(), [*changes], [*clusters]
    before = _Side(
        _workers(change.before for change in clusters),
        _regions((change.type, change.old) for change in changes if change.operation is not Operation.CREATE),
    )
    after = _Side(
        _workers(change.after for change in clusters),
        _regions((change.type, change.new) for change in changes if change.operation is not Operation.DELETE),
    )
    return [
        CostChange(
            None if change.operation is Operation.CREATE else _cost(kind, change.name, change.old, before),
            None if change.operation is Operation.DELETE else _cost(kind, change.name, change.new, after),
        )
        for change in changes
        if (kind := kinds.get(change.type))
    ]


@dataclass(frozen=True)
class _Side:
    """What stands before or after a change beside the pools' own inputs."""

    workers: Mapping[str, int]
    """How many workers always run on each pool."""
    regions: Mapping[str, str]
    """The region of a cloud's providers, by the type of its pools, where all of them have the same one."""


def _regions(inputs_of: Iterable[tuple[str, Inputs | None]]) -> dict[str, str]:
    pools = pools_by_provider()
    regions: dict[str, set[str]] = {}
    for kind, inputs in inputs_of:
        if kind in pools:
            regions.setdefault(pools[kind], set()).add(str(known_at(inputs, "region") or ""))
    return {pool: next(iter(names)) for pool, names in regions.items() if len(names) == 1}


def _workers(sides: Iterable[ClusterSide | None]) -> Counter[str]:
    """Return how many workers always run on each pool; those of a DaemonSet keep no node."""
    workers: Counter[str] = Counter()
    for side in sides:
        sizes = node_set_sizes(side)
        for node_set in side.spec.node_sets if side else ():
            if node_set.pool and node_set.scaling_mode is not ScalingMode.DAEMON_SET:
                workers[node_set.pool] += sizes[node_set.name].nodes.least or 0
    return workers


def _cost(pool: NodePoolResource, resource: str, inputs: Inputs | None, side: _Side) -> PoolCost | None:
    """Return what a pool costs by its inputs; ``resource`` is its name in the program."""
    if inputs is None:
        return None
    name, nodes = pool.name_of(inputs) or resource, pool.nodes(inputs)
    if nodes:
        min_nodes, max_nodes = nodes
        nodes = min(max(min_nodes, side.workers.get(name, 0)), max_nodes), max_nodes
    machine, spot = pool.machine_of(inputs), pool.spot(inputs) is not None
    price = price_of(pool, inputs, side.regions.get(pool.type, ""))
    return PoolCost(
        pool=name,
        machine=machine,
        spot=spot,
        nodes=nodes,
        price=price.spot if spot else price.on_demand,
        currency=price.currency,
        of=f"{price.region}, {price.as_of}" if price.as_of else "",
    )

"""What node pools cost a month, before and after: the least, with no more nodes than always run, and the most.

By list prices of one region on one day, as the catalogues of machine types have them with their sources. What a stack's
`catalogue` states instead is no input of a resource, so it doesn't count here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.clouds.resources import NodePoolResource
from pulumi_slurm_cli.review.clouds import node_pools, price_of
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
        least, most = (count * self.price * HOURS_A_MONTH for count in self.nodes)
        return least, most


@dataclass(frozen=True)
class CostChange:
    """A node pool before and after; None where it isn't there."""

    before: PoolCost | None
    after: PoolCost | None


def cost_changes(changes: Iterable[ResourceChange]) -> list[CostChange]:
    """Return the cost of each node pool of a cloud, also of those that stay as they are."""
    kinds = node_pools()
    return [
        CostChange(
            None if change.operation is Operation.CREATE else _cost(kinds[change.type], change.name, change.old),
            None if change.operation is Operation.DELETE else _cost(kinds[change.type], change.name, change.new),
        )
        for change in changes
        if change.type in kinds
    ]


def _cost(pool: NodePoolResource, resource: str, inputs: Mapping[str, Any] | None) -> PoolCost | None:
    """Return what a pool costs by its inputs; ``resource`` is its name in the program."""
    if inputs is None:
        return None
    machine, spot = pool.machine_of(inputs), pool.spot(inputs) is not None
    price = price_of(pool, machine)
    return PoolCost(
        pool=pool.name_of(inputs) or resource,
        machine=machine,
        spot=spot,
        nodes=pool.nodes(inputs),
        price=price.spot if spot else price.on_demand,
        currency=price.currency,
        of=f"{price.region}, {price.as_of}" if price.as_of else "",
    )

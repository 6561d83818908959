"""What node pools cost a month, before and after: the least, with no more nodes than always run, and the most.

By list prices of one region on one day, as the catalogues of machine types have them with their sources. What a stack's
`catalogue` states instead is no input of a resource, so it doesn't count here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.clouds.unread import known_at
from pulumi_slurm.machines.ack.catalogue import AckCatalogueSpec
from pulumi_slurm.machines.ack.machine_type import AckPriceSpec
from pulumi_slurm.machines.gke.catalogue import GkeCatalogueSpec
from pulumi_slurm.machines.gke.machine_type import GkePriceSpec
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange

HOURS_A_MONTH = 730
_GKE, _ACK = "gcp:container/nodePool:NodePool", "alicloud:cs/nodePool:NodePool"


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
    return [
        CostChange(
            None if change.operation is Operation.CREATE else _cost(change, change.old),
            None if change.operation is Operation.DELETE else _cost(change, change.new),
        )
        for change in changes
        if change.type in (_GKE, _ACK)
    ]


def _cost(change: ResourceChange, inputs: Mapping[str, Any] | None) -> PoolCost | None:
    if inputs is None:
        return None
    return _on_google(change, inputs) if change.type == _GKE else _on_alibaba(change, inputs)


def _on_google(change: ResourceChange, inputs: Mapping[str, Any]) -> PoolCost:
    machine = str(known_at(inputs, "nodeConfig", "machineType") or "")
    spot, pool = known_at(inputs, "nodeConfig", "spot") is True, str(known_at(inputs, "name") or change.name)
    built_in = GkeCatalogueSpec.built_in_types().get(machine)
    price = built_in.price if built_in else None
    return _with_price(pool, machine, spot, _google_nodes(inputs), price, "USD")


def _google_nodes(inputs: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the nodes of a pool: `nodeCount`, `minNodeCount` and `maxNodeCount` count those of each zone."""
    zones, scaling = inputs.get("nodeLocations") or [None], inputs.get("autoscaling") or {}
    # Neither is so while it isn't known.
    if not isinstance(zones, list) or not isinstance(scaling, Mapping):
        return None
    if not scaling:
        return _whole(inputs.get("nodeCount", inputs.get("initialNodeCount")), None, len(zones))
    if "totalMaxNodeCount" in scaling:
        return _whole(scaling.get("totalMinNodeCount", 0), scaling["totalMaxNodeCount"])
    return _whole(scaling.get("minNodeCount", 0), scaling.get("maxNodeCount", 0), len(zones))


def _on_alibaba(change: ResourceChange, inputs: Mapping[str, Any]) -> PoolCost:
    machine, pool = str(known_at(inputs, "instanceTypes", 0) or ""), known_at(inputs, "nodePoolName") or change.name
    spot = inputs.get("spotStrategy", "NoSpot") != "NoSpot"
    built_in = AckCatalogueSpec.built_in_types().get(machine)
    price = built_in.price if built_in else None
    return _with_price(str(pool), machine, spot, _alibabas_nodes(inputs), price, price.currency if price else "")


def _alibabas_nodes(inputs: Mapping[str, Any]) -> tuple[int, int] | None:
    scaling = inputs.get("scalingConfig") or {}
    if not isinstance(scaling, Mapping):
        return None
    if scaling.get("enable"):
        return _whole(scaling.get("minSize"), scaling.get("maxSize"))
    return _whole(inputs.get("desiredSize"), None)


def _with_price(
    pool: str,
    machine: str,
    spot: bool,
    nodes: tuple[int, int] | None,
    price: GkePriceSpec | AckPriceSpec | None,
    currency: str,
) -> PoolCost:
    hourly = None if price is None else price.spot if spot else price.on_demand
    of = f"{price.region}, {price.as_of}" if price else ""
    return PoolCost(pool, machine, spot, nodes, hourly, currency, of)


def _whole(least: Any, most: Any, times: int = 1) -> tuple[int, int] | None:
    """Return both as numbers, the second as the first where there is none; None where they aren't known."""
    try:
        low = int(least) * times
        return low, low if most is None else int(most) * times
    except (OverflowError, TypeError, ValueError):
        return None

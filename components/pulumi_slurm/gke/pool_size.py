"""How many nodes a node pool has: a fixed number, or as many as GKE's autoscaler adds."""

from dataclasses import dataclass

from pulumi_gcp import container


@dataclass(frozen=True)
class PoolSize:
    """The inputs of a node pool that set the number of its nodes."""

    node_count: int | None = None
    """A fixed number, in each zone."""
    initial_node_count: int | None = None
    """The number in each zone with which an autoscaled pool starts."""
    autoscaling: container.NodePoolAutoscalingArgs | None = None
    """The limits of GKE's autoscaler, in all zones together."""


def fixed(nodes: int, zones: int) -> PoolSize:
    """Return the size of a pool with a fixed number of nodes, which are spread evenly over the zones."""
    return PoolSize(node_count=nodes // zones)


def autoscaled(min_nodes: int, max_nodes: int, zones: int, *, any_zone: bool) -> PoolSize:
    """Return the size of a pool that has ``min_nodes`` to ``max_nodes`` nodes.

    With ``any_zone``, GKE uses machines of any zone that has them; otherwise it balances the zones.

    A pool with a minimum starts with it, in case GKE's autoscaler only fills a new pool when pods need it. A pool
    without a minimum has no initial number, which Google treats as 0.
    """
    per_zone = -(-min_nodes // zones)
    if per_zone * zones > max_nodes:
        per_zone = min_nodes // zones
    return PoolSize(
        initial_node_count=per_zone or None,
        autoscaling=container.NodePoolAutoscalingArgs(
            total_min_node_count=min_nodes,
            total_max_node_count=max_nodes,
            location_policy="ANY" if any_zone else "BALANCED",
        ),
    )

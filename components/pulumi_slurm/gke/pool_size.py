"""How many nodes a node pool has: a fixed number, or what GKE's autoscaler finds needed."""

from dataclasses import dataclass

from pulumi_gcp import container


@dataclass(frozen=True)
class PoolSize:
    """The inputs of a node pool that say how many nodes it has."""

    node_count: int | None = None
    """A fixed number, in each zone."""
    initial_node_count: int | None = None
    """With how many in each zone an autoscaled pool begins."""
    autoscaling: container.NodePoolAutoscalingArgs | None = None
    """The limits of GKE's autoscaler, in all zones together."""


def fixed(nodes: int, zones: int) -> PoolSize:
    """Return the size of a pool that always has ``nodes`` nodes, which are spread evenly over the zones."""
    return PoolSize(node_count=nodes // zones)


def autoscaled(least: int, most: int, zones: int, *, any_zone: bool) -> PoolSize:
    """Return the size of a pool that has ``least`` to ``most`` nodes.

    With ``any_zone``, GKE takes machines in whichever zone has them; else it balances the zones.

    A pool with a minimum begins with it, in case GKE's autoscaler fills a new pool only when pods need it. A pool
    without one states no first number, which Google takes for 0. See docs/verification.md.
    """
    per_zone = -(-least // zones)
    if per_zone * zones > most:
        per_zone = least // zones
    return PoolSize(
        initial_node_count=per_zone or None,
        autoscaling=container.NodePoolAutoscalingArgs(
            total_min_node_count=least,
            total_max_node_count=most,
            location_policy="ANY" if any_zone else "BALANCED",
        ),
    )

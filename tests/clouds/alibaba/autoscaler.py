"""ACK's autoscaling of nodes in small; the scaling group behind a pool fills its minimum up by itself."""

from typing import Any

from tests.clouds.simulator import autoscaler
from tests.clouds.simulator.autoscaler import Limits
from tests.clouds.simulator.cloud import Cloud, Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values

from . import nodes
from .clusters import NODE_POOL


class Autoscaler(autoscaler.Autoscaler):
    """Looks after the pools of an Alibaba Cloud in a thread; a context manager."""

    def __init__(self, cloud: Cloud) -> None:
        super().__init__(cloud, _Pools())


class _Pools:
    token = NODE_POOL

    def limits(self, pool: Stored) -> Limits | None:
        size = nodes.Size.of(pool)
        return Limits(size.least, size.most) if nodes.is_scaled(pool.state) else None

    def nodes(self, pool: Stored, scope: Scope) -> list[Values]:
        return nodes.of_pool(pool, scope)

    def template(self, pool: Stored, scope: Scope) -> Values | None:
        return nodes.template(pool, scope)

    def resize(self, pool: Stored, scope: Scope, wanted: int) -> None:
        nodes.resize(pool, scope, wanted)

    def remove(self, node: Values, scope: Scope) -> None:
        nodes.remove(node, scope)

    def pods(self, scope: Scope, selector: str) -> list[Any]:
        return nodes.pods(scope, selector)

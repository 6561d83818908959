"""The API server that stands in for those of a cloud's clusters, named by the setting "kubeconfig"."""

from functools import cache
from pathlib import Path
from typing import Any

from devcluster.api import Api
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values


def has_nodes(scope: Scope) -> bool:
    """Say whether there is an API server, and with it nodes that one can see."""
    return bool(scope.cloud.settings.get("kubeconfig"))


def api(scope: Scope) -> Api:
    """Return its client."""
    return _api(str(scope.cloud.settings["kubeconfig"]))


@cache
def _api(kubeconfig: str) -> Api:
    return Api(Path(kubeconfig))


def pods(scope: Scope, selector: str = "") -> list[Any]:
    """Return the pods that a field selector chooses."""
    found: list[Any] = api(scope).get(f"/api/v1/pods?fieldSelector={selector}")["items"]
    return found


def remove(node: Values, scope: Scope) -> None:
    """Remove a node."""
    api(scope).delete(f"/api/v1/nodes/{node['metadata']['name']}")

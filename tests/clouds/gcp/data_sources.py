"""Data sources: what exists, in the form in which Google's provider reports what it has only read.

There each block is a list, whose name is a plural, and what isn't set is empty, false or zero:
https://www.pulumi.com/registry/packages/gcp/api-docs/container/getcluster/.
"""

import importlib
import typing
from collections.abc import Iterator
from typing import Any

from pulumi import _types

from tests.clouds.gcp.clusters import CLUSTER, NODE_POOL
from tests.clouds.gcp.google import project, region
from tests.clouds.gcp.networks import SUBNETWORK
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Values

_EMPTY = {str: "", int: 0, float: 0.0, bool: False}


def get_cluster(arguments: Values, scope: Scope) -> Values:
    """Answer container.getCluster."""
    where = f"projects/{project(arguments, scope)}/locations/{arguments['location']}"
    path = f"{where}/clusters/{arguments['name']}"
    cluster = scope.cloud.get(CLUSTER, path)
    if cluster is None:
        raise CloudError(f"{path} not found")
    pools = [pool.state for pool in scope.cloud.all(NODE_POOL) if pool.id.startswith(f"{path}/")]
    return {**cluster_answer(cluster.state, pools), "id": path, "name": cluster.name}


def get_reservation(arguments: Values, scope: Scope) -> Values:
    """Answer compute.getReservation: of each reservation that it is ready, and nothing of its machines."""
    path = f"projects/{project(arguments, scope)}/zones/{arguments['zone']}/reservations/{arguments['name']}"
    return {
        "id": path,
        "name": arguments["name"],
        "zone": arguments["zone"],
        "specificReservationRequired": True,
        "specificReservations": [],
        "shareSettings": [],
        "status": "READY",
    }


def get_subnetwork(arguments: Values, scope: Scope) -> Values:
    """Answer compute.getSubnetwork."""
    where = f"projects/{project(arguments, scope)}/regions/{region(arguments, scope)}"
    path = f"{where}/subnetworks/{arguments['name']}"
    subnetwork = scope.cloud.get(SUBNETWORK, path)
    if subnetwork is None:
        raise CloudError(f"googleapi: Error 404: The resource '{path}' was not found, notFound")
    return {**subnetwork_answer(subnetwork.state), "id": path, "name": subnetwork.name}


def cluster_answer(cluster: Values, pools: list[Values]) -> Values:
    """Return what the provider says of a cluster with these properties and pools."""
    outputs = importlib.import_module("pulumi_gcp.container").GetClusterResult
    return _shaped({**cluster, "nodePools": pools}, outputs)


def subnetwork_answer(subnetwork: Values) -> Values:
    """Return what the provider says of a subnetwork with these properties."""
    outputs = importlib.import_module("pulumi_gcp.compute").GetSubnetworkResult
    return _shaped(subnetwork, outputs)


def _shaped(state: Values, outputs: type) -> Values:
    return {name: _value(state, name, kind) for name, kind in _types.output_type_types(outputs).items()}


def _value(state: Values, name: str, kind: Any) -> Any:
    value = next((state[key] for key in _spellings(name) if state.get(key) is not None), None)
    kind = (
        next((choice for choice in typing.get_args(kind) if choice is not type(None)), kind)
        if _optional(kind)
        else kind
    )
    if typing.get_origin(kind) in {list, typing.get_origin(typing.Sequence[str])}:
        (item,) = typing.get_args(kind)
        values = value if isinstance(value, list) else [] if value is None else [value]
        return [_shaped(each, item) if _types.is_output_type(item) else each for each in values]
    if value is None:
        return _EMPTY.get(kind, {} if typing.get_origin(kind) else None)
    return value


def _optional(kind: Any) -> bool:
    return type(None) in typing.get_args(kind)


def _spellings(name: str) -> Iterator[str]:
    """Yield the names that a property may have in the resource: a block of one item is called by the singular there."""
    yield name
    if name.endswith("ies"):
        yield f"{name[:-3]}y"
    if name.endswith("s"):
        yield name[:-1]

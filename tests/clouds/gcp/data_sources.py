"""Data sources: what exists, in the form in which Google's provider reports what it has only read.

There each block is a list, whose name is a plural, and what isn't set is empty, false or zero:
https://www.pulumi.com/registry/packages/gcp/api-docs/container/getcluster/.
"""

import importlib
import re

from tests.clouds.gcp.clusters import CLUSTER, NODE_POOL
from tests.clouds.gcp.google import asked_project, region
from tests.clouds.gcp.machines import machine_of
from tests.clouds.gcp.networks import SUBNETWORK
from tests.clouds.simulator.answers import shaped
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Values

_COMPUTE = "compute.googleapis.com"


def get_cluster(arguments: Values, scope: Scope) -> Values:
    """Answer container.getCluster."""
    where = f"projects/{asked_project(arguments, scope, 'container.googleapis.com')}/locations/{arguments['location']}"
    path = f"{where}/clusters/{arguments['name']}"
    cluster = scope.cloud.get(CLUSTER, path)
    if cluster is None:
        raise CloudError(f"{path} not found")
    pools = [pool.state for pool in scope.cloud.all(NODE_POOL) if pool.id.startswith(f"{path}/")]
    return {**cluster_answer(cluster.state, pools), "id": path, "name": cluster.name}


def get_machine_types(arguments: Values, scope: Scope) -> Values:
    """Answer compute.getMachineTypes: all that are asked for by name, without those that a test takes out of a zone."""
    where = asked_project(arguments, scope, _COMPUTE)
    zone = arguments["zone"]
    names = re.findall(r'name = "([^"]+)"', arguments["filter"])
    without = scope.cloud.settings.get("machineTypesNotIn", {}).get(zone, [])
    machines = {name: machine_of(name, scope) for name in names if name not in without}
    offered = [
        {"name": name, "guestCpus": machine.vcpus, "memoryMb": round(machine.memory_gib * 1024)}
        for name, machine in machines.items()
        if machine
    ]
    outputs = importlib.import_module("pulumi_gcp.compute").GetMachineTypesResult
    return {**shaped({"machineTypes": offered}, outputs), "id": f"projects/{where}/zones/{zone}", "zone": zone}


def get_reservation(arguments: Values, scope: Scope) -> Values:
    """Answer compute.getReservation: of each reservation that it is ready, and nothing of its machines."""
    where = asked_project(arguments, scope, _COMPUTE)
    path = f"projects/{where}/zones/{arguments['zone']}/reservations/{arguments['name']}"
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
    where = f"projects/{asked_project(arguments, scope, _COMPUTE)}/regions/{region(arguments, scope)}"
    path = f"{where}/subnetworks/{arguments['name']}"
    subnetwork = scope.cloud.get(SUBNETWORK, path)
    if subnetwork is None:
        raise CloudError(f"googleapi: Error 404: The resource '{path}' was not found, notFound")
    return {**subnetwork_answer(subnetwork.state), "id": path, "name": subnetwork.name}


def cluster_answer(cluster: Values, pools: list[Values]) -> Values:
    """Return what the provider says of a cluster with these properties and pools."""
    outputs = importlib.import_module("pulumi_gcp.container").GetClusterResult
    return shaped({**cluster, "nodePools": pools}, outputs)


def subnetwork_answer(subnetwork: Values) -> Values:
    """Return what the provider says of a subnetwork with these properties."""
    outputs = importlib.import_module("pulumi_gcp.compute").GetSubnetworkResult
    return shaped(subnetwork, outputs)

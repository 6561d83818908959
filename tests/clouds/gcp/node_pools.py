"""GKE's node pools, whose nodes are nodes of the real API server."""

import re
from collections.abc import Iterator
from typing import Any

from tests.clouds.gcp import nodes, quotas
from tests.clouds.gcp.capacity import POLICY, refused_capacity
from tests.clouds.gcp.clusters import NODE_POOL, cluster_of
from tests.clouds.gcp.google import GoogleKind, Reference, known_kind, project
from tests.clouds.gcp.machines import machine_of
from tests.clouds.gcp.networks import NETWORK, SUBNETWORK
from tests.clouds.gcp.projects import ACCOUNT
from tests.clouds.simulator.api_server import has_nodes
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Unknown, Values

_NODES_NAME = re.compile(r"[a-z]([-a-z0-9]{0,38}[a-z0-9])?")
_TOTAL = ("totalMinNodeCount", "totalMaxNodeCount")
_PER_ZONE = ("minNodeCount", "maxNodeCount")


@known_kind
class NodePool(GoogleKind):
    token = NODE_POOL
    api = "container.googleapis.com"
    longest_name = 40
    permission = "container.nodePools.create"
    partial = frozenset({"stockout"})
    references = (
        Reference("placementPolicy.policyName", POLICY, optional=True),
        Reference("nodeConfig.serviceAccount", ACCOUNT, holds=False),
        Reference("networkConfig.additionalNodeNetworkConfigs.network", NETWORK),
        Reference("networkConfig.additionalNodeNetworkConfigs.subnetwork", SUBNETWORK),
    )
    keys = {"nodeConfig.bootDiskKmsKey": "compute-system"}
    rules = Rules(unordered=("nodeLocations", "nodeConfig.oauthScopes", "nodeConfig.reservationAffinity.values"))
    values = {"placementPolicy.type": "COMPACT TYPE_UNSPECIFIED"}

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        if inputs.get("nodeCount") is not None and inputs.get("autoscaling"):
            yield ("nodeCount",), "this should not be used alongside autoscaling: each changes what the other has set"
        duration = (inputs.get("nodeConfig") or {}).get("maxRunDuration")
        if isinstance(duration, str) and not re.fullmatch(r"[0-9]+s", duration):
            yield ("nodeConfig", "maxRunDuration"), f"expected seconds such as 3600s, received {duration}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{cluster_of(inputs, scope).id}/nodePools/{inputs['name']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        cluster = cluster_of(inputs, scope)
        for problem in _refused(inputs, cluster, scope):
            raise CloudError(f"error creating NodePool: googleapi: Error 400: {problem}., badRequest")
        others = [pool for pool in scope.cloud.all(NODE_POOL) if old is None or pool.id != old.id]
        quotas.refuse_beyond_quota(quotas.needs(inputs), others, inputs, scope)

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        cluster = cluster_of(inputs, scope)
        zones = inputs.get("nodeLocations") or cluster.state["nodeLocations"]
        config = state.setdefault("nodeConfig", {})
        config["effectiveTaints"] = nodes.taints(config, queued=_queued(inputs), effects=nodes.GOOGLES)
        groups = [_group(cluster, str(state["name"]), zone, project(inputs, scope)) for zone in zones]
        initial = inputs.get("initialNodeCount") or inputs.get("nodeCount") or 0
        if old:
            # The provider sends it with a new pool only; no branch of its update has it:
            # google/services/container/resource_container_node_pool.go in terraform-provider-google at e03b762.
            state["maintenancePolicies"] = old.state.get("maintenancePolicies")
        return {
            "maxPodsPerNode": 110,
            "initialNodeCount": old.state["initialNodeCount"] if old else initial,
            "version": cluster.state["masterVersion"],
            "nodeCount": old.state["nodeCount"] if old else initial,
            **state,
            "location": cluster.state["location"],
            "nodeLocations": zones,
            "instanceGroupUrls": [group.replace("instanceGroupManagers", "instanceGroups") for group in groups],
            "managedInstanceGroupUrls": groups,
            "operation": "",
        }

    def follow(self, resource: Stored, scope: Scope) -> None:
        """Make nodes as they are wanted now; a pool for which Google has no machines gets none."""
        if resource.hidden.get("broken"):
            return
        with scope.cloud.locked("nodes"):
            begins = not resource.hidden.get("begun")
            node_count = nodes.beginning(resource) if begins else nodes.count(resource, scope)
            nodes.resize(resource, scope, nodes.Size.of(resource).fitting(node_count))
            if begins:
                resource.hidden["begun"] = True
                scope.cloud.put(resource)

    def forget(self, resource: Stored, scope: Scope) -> None:
        with scope.cloud.locked("nodes"):
            nodes.remove_all(resource, scope)

    def refreshed(self, resource: Stored, scope: Scope) -> Values:
        """Google counts the nodes, unless it is told not to."""
        if resource.state.get("ignoreNodeCountChanges") or not has_nodes(scope):
            return resource.state
        each_zone = nodes.count(resource, scope) // len(resource.state["nodeLocations"])
        return {**resource.state, "nodeCount": each_zone}

    def fail(self, fault: str, inputs: Values, scope: Scope) -> str:
        where, name = project(inputs, scope), inputs.get("name")
        texts = {
            "exists": f"resource - {self._id(inputs, scope)} - already exists",
            # The provider's own words; that Google is out of machines stands in its log only.
            "stockout": f'NodePool {name} was created in the error state "ERROR"',
            "quota": (
                f"error creating NodePool: googleapi: Error 403: Insufficient regional quota to satisfy request: "
                f"resource \"{_quota(inputs)}\": request requires '8.0' and is short '8.0'. "
                f"project has a quota of '0.0' with '0.0' available. View and manage quotas at "
                f"https://console.cloud.google.com/iam-admin/quotas?usage=USED&project={where}., forbidden"
            ),
        }
        text = texts.get(fault) or super().fail(fault, inputs, scope)
        return text if fault in texts else f"error creating NodePool: {text}"


def _refused(inputs: Values, cluster: Stored, scope: Scope) -> Iterator[str]:
    config, name = inputs.get("nodeConfig") or {}, str(inputs["name"])
    if not _NODES_NAME.fullmatch(name):
        yield f"Invalid value for field 'node_pool.name': '{name}'"
    zones = inputs.get("nodeLocations") or cluster.state["nodeLocations"]
    location = cluster.state["location"]
    for zone in zones:
        if not zone.startswith(f"{location}-") and zone != location:
            yield f"Zone {zone} is not in {location}"
    yield from _refused_size(inputs)
    yield from _refused_capacity(inputs, config, len(zones))
    yield from _refused_machine(inputs, config, scope)
    yield from refused_capacity(inputs, config, scope)
    if not 8 <= inputs.get("maxPodsPerNode", 110) <= 256:
        yield f"max_pods_per_node {inputs['maxPodsPerNode']} is not between 8 and 256"
    additional_networks = (inputs.get("networkConfig") or {}).get("additionalNodeNetworkConfigs")
    if additional_networks and not cluster.state.get("enableMultiNetworking"):
        yield "Additional node networks require multi-networking to be enabled on the cluster"
    if _enabled(config, "fastSocket") and not _enabled(config, "gvnic"):
        yield "Fast Socket requires gVNIC"
    if _enabled(config, "fastSocket") and not str(config.get("imageType", "COS_CONTAINERD")).startswith("COS"):
        yield "Fast Socket requires Container-Optimized OS"
    mode = (config.get("workloadMetadataConfig") or {}).get("mode")
    if mode == "GKE_METADATA" and not cluster.state.get("workloadIdentityConfig"):
        yield "GKE_METADATA requires that Workload Identity is enabled on the cluster"
    surge = inputs.get("upgradeSettings") or {}
    at_once = surge.get("maxSurge", 1) + surge.get("maxUnavailable", 0)
    if surge.get("strategy", "SURGE") == "SURGE" and not 1 <= at_once <= 20:
        yield "The sum of max_surge and max_unavailable must be between 1 and 20"


def _refused_size(inputs: Values) -> Iterator[str]:
    limits = inputs.get("autoscaling") or {}
    if any(name in limits for name in _TOTAL) and any(name in limits for name in _PER_ZONE):
        yield "Total and per-zone limits of autoscaling exclude each other"
    for min_field, max_field in (_TOTAL, _PER_ZONE):
        if limits.get(min_field, 0) > limits.get(max_field, limits.get(min_field, 0)):
            yield f"autoscaling.{min_field} is larger than autoscaling.{max_field}"
    if limits and not any(limits.get(field) for field in ("totalMaxNodeCount", "maxNodeCount")):
        yield "autoscaling needs a maximum above 0"
    if inputs.get("initialNodeCount") and inputs.get("nodeCount") is not None:
        yield f"Cannot set both initial_node_count and node_count on node pool {inputs['name']}"


def _refused_capacity(inputs: Values, config: Values, zones: int) -> Iterator[str]:
    flex, spot = config.get("flexStart"), config.get("spot")
    compact = (inputs.get("placementPolicy") or {}).get("type") == "COMPACT"
    reserved = (config.get("reservationAffinity") or {}).get("consumeReservationType")
    if compact and zones > 1:
        yield f"Compact placement requires one zone, and there are {zones}"
    if compact and _queued(inputs):
        yield "Compact placement excludes queued provisioning"
    if spot and flex:
        yield "Spot excludes flex-start"
    if (spot or flex or _queued(inputs)) and reserved not in {None, "NO_RESERVATION"}:
        yield "Spot, flex-start and queued provisioning exclude reservations"
    if reserved == "SPECIFIC_RESERVATION" and not (config["reservationAffinity"].get("values")):
        yield "SPECIFIC_RESERVATION needs the name of a reservation"
    if flex or _queued(inputs):
        if inputs.get("nodeCount") or inputs.get("initialNodeCount") or not inputs.get("autoscaling"):
            yield "Flex-start and queued provisioning begin with 0 nodes and need autoscaling"
        if (inputs.get("management") or {}).get("autoRepair", True):
            yield "Flex-start needs auto-repair to be off"
    if flex and int(str(config.get("maxRunDuration", "0s")).removesuffix("s")) > 7 * 24 * 3600:
        yield "max_run_duration of flex-start is 7 days at most"


def _refused_machine(inputs: Values, config: Values, scope: Scope) -> Iterator[str]:
    name = config.get("machineType", "e2-medium")
    machine_type = machine_of(name, scope)
    if machine_type is None:
        yield f"Machine type with name '{name}' does not exist in the zones of node pool {inputs['name']}"
        return
    accelerators: list[Any] = config.get("guestAccelerators") or []
    gpus = machine_type.gpus
    if gpus and (gpus.google_type, gpus.count) not in [(gpu["type"], gpu["count"]) for gpu in accelerators]:
        yield f"Machine type {name} has {gpus.count} {gpus.google_type}, and guest_accelerator has to say so"
    if accelerators and not gpus and not name.startswith("n1-"):
        yield f"Machine type {name} can't have GPUs"


def _queued(inputs: Values) -> bool:
    return _enabled(inputs, "queuedProvisioning")


def _enabled(values: Values, name: str) -> bool:
    enabled = (values.get(name) or {}).get("enabled")
    return bool(enabled) and not isinstance(enabled, Unknown)


def _quota(inputs: Values) -> str:
    accelerators = (inputs.get("nodeConfig") or {}).get("guestAccelerators") or []
    gpu = accelerators[0]["type"].removeprefix("nvidia-").removeprefix("tesla-") if accelerators else ""
    return f"NVIDIA_{gpu.replace('-', '_').upper()}_GPUS" if gpu else "CPUS"


def _group(cluster: Stored, pool: str, zone: str, where: str) -> str:
    name = nodes.group_name(cluster.name, pool, zone)
    return f"https://www.googleapis.com/compute/v1/projects/{where}/zones/{zone}/instanceGroupManagers/{name}"

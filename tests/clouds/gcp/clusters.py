"""GKE clusters."""

import base64
import ipaddress
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

from tests.clouds.gcp import nodes
from tests.clouds.gcp.google import ATTRIBUTION, GoogleKind, Reference, find, known_kind, project
from tests.clouds.gcp.networks import NETWORK, SUBNETWORK
from tests.clouds.gcp.projects import ACCOUNT, shared_vpc_problem
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

CLUSTER = "gcp:container/cluster:Cluster"
NODE_POOL = "gcp:container/nodePool:NodePool"
VERSION = "1.35.3-gke.1389000"
"""What each release channel of the simulation offers."""


@known_kind
class Cluster(GoogleKind):
    token = CLUSTER
    api = "container.googleapis.com"
    longest_name = 40
    labels = "resourceLabels"
    permission = "container.clusters.create"
    defaults = {"deletionProtection": True, "network": "default"}
    computed = (
        "controlPlaneEndpointsConfig.dnsEndpointConfig.endpoint",
        "masterAuth.clusterCaCertificate",
        "privateClusterConfig.privateEndpoint",
        "privateClusterConfig.publicEndpoint",
    )
    secret = (("masterAuth", "clientKey"),)
    references = (
        Reference("network", NETWORK),
        Reference("subnetwork", SUBNETWORK),
        Reference("nodeConfig.serviceAccount", ACCOUNT, holds=False),
    )
    keys = {"databaseEncryption.keyName": "container-engine-robot", "nodeConfig.bootDiskKmsKey": "compute-system"}
    rules = Rules(
        unordered=(
            "maintenancePolicy.maintenanceExclusions",
            "masterAuthorizedNetworksConfig.cidrBlocks",
            "nodeConfig.oauthScopes",
            "nodeLocations",
        ),
        by_last_part=("network", "subnetwork"),
    )
    # Of the cloud: its provider checks nothing.
    values = {
        "monitoringConfig.enableComponents": (
            "SYSTEM_COMPONENTS APISERVER SCHEDULER CONTROLLER_MANAGER STORAGE HPA POD DAEMONSET DEPLOYMENT STATEFULSET "
            "KUBELET CADVISOR DCGM JOBSET WORKLOADS"
        ),
    }

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        allocation = inputs.get("ipAllocationPolicy") or {}
        for one, other in (("clusterSecondaryRangeName", "clusterIpv4CidrBlock"),):
            if allocation.get(one) and allocation.get(other):
                yield ("ipAllocationPolicy", one), f"this conflicts with {other}"
        plane = (inputs.get("privateClusterConfig") or {}).get("masterIpv4CidrBlock")
        if isinstance(plane, str) and not plane.endswith("/28"):
            yield ("privateClusterConfig", "masterIpv4CidrBlock"), f"expected a /28, received {plane}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/locations/{_location(inputs, scope)}/clusters/{inputs['name']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if inputs.get("enableMultiNetworking") and inputs.get("datapathProvider") != "ADVANCED_DATAPATH":
            raise _invalid("Multi-networking requires Dataplane V2")
        pool = (inputs.get("workloadIdentityConfig") or {}).get("workloadPool")
        if pool and pool != f"{project(inputs, scope)}.svc.id.goog":
            raise _invalid(f"Workload pool {pool} is not allowed: currently, the only supported identity namespace is "
                           f"{project(inputs, scope)}.svc.id.goog")  # fmt: skip
        if pool is None and "nodeConfig" in inputs:
            mode = (inputs["nodeConfig"].get("workloadMetadataConfig") or {}).get("mode")
            if mode == "GKE_METADATA":
                raise _invalid("GKE_METADATA requires that Workload Identity is enabled on the cluster")
        if "initialNodeCount" not in inputs and not inputs.get("nodePools") and not inputs.get("enableAutopilot"):
            raise _invalid("Cluster.initial_node_count must be greater than zero")
        for problem in _refused_maintenance(inputs.get("maintenancePolicy") or {}):
            raise _invalid(problem)
        if old is None:
            _need_room(inputs, scope)

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        location = _location(inputs, scope)
        path = self.identify(inputs, scope)
        subnetwork = find(scope, SUBNETWORK, inputs.get("subnetwork", ""))
        ranges = _secondary_ranges(subnetwork)
        services = (inputs.get("ipAllocationPolicy") or {}).get("servicesSecondaryRangeName")
        address = str(next(ipaddress.IPv4Network(_plane(inputs)).hosts()))
        endpoints = state.setdefault("controlPlaneEndpointsConfig", {})
        endpoints.setdefault("dnsEndpointConfig", {})["endpoint"] = _dns_name(path, location, scope)
        state.setdefault("masterAuth", {})["clusterCaCertificate"] = _authority(scope)
        state.setdefault("privateClusterConfig", {})["privateEndpoint"] = address
        version = old.state["masterVersion"] if old else VERSION
        min_version = inputs.get("minMasterVersion")
        if min_version and "-gke." in min_version and _number(min_version) > _number(version):
            version = min_version
        return {
            "nodeLocations": [f"{location}-{letter}" for letter in "abc"],
            **state,
            "location": location,
            "endpoint": address,
            "masterVersion": version,
            "nodeVersion": version,
            "selfLink": f"https://container.googleapis.com/v1/{path}",
            "servicesIpv4Cidr": ranges.get(services or "", ""),
            "labelFingerprint": f"{zlib.crc32(json.dumps(state['effectiveLabels'], sort_keys=True).encode()):08x}",
            "operation": "",
            "effectiveLabels": {**state["effectiveLabels"], **ATTRIBUTION},
        }

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if state.get("deletionProtection") is not False:
            raise CloudError(
                "Cannot destroy cluster because deletion_protection is set to true. "
                "Set it to false to proceed with cluster deletion."
            )

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Delete its pools and their nodes with it."""
        for pool in scope.cloud.all(NODE_POOL):
            if pool.id.startswith(f"{resource.id}/"):
                scope.cloud.remove(pool)
                with scope.cloud.locked("nodes"):
                    nodes.remove_all(pool, scope)


def _refused_maintenance(policy: Values) -> Iterator[str]:
    """Yield what Google refuses of exclusions: "up to 20", as the SDK says, of which 3 exclude all upgrades."""
    exclusions = policy.get("maintenanceExclusions") or []
    options = [exclusion.get("exclusionOptions") or {} for exclusion in exclusions]
    if len(exclusions) > 20:
        yield "A cluster can have 20 maintenance exclusions"
    if sum(option.get("scope", "NO_UPGRADES") == "NO_UPGRADES" for option in options) > 3:
        yield "A cluster can have 3 maintenance exclusions with scope NO_UPGRADES"
    for exclusion, option in zip(exclusions, options, strict=True):
        if ("endTime" in exclusion) == ("endTimeBehavior" in option):
            yield "An exclusion has either an end time or an end time behavior"


def cluster_of(inputs: Values, scope: Scope) -> Stored:
    """Return the cluster of a node pool."""
    value = str(inputs["cluster"])
    where = f"projects/{project(inputs, scope)}/locations/{_location(inputs, scope)}"
    path = value if "/" in value else f"{where}/clusters/{value}"
    cluster = scope.cloud.get(CLUSTER, path)
    if cluster is None:
        raise CloudError(f"error creating NodePool: googleapi: Error 404: Not found: {path}., notFound")
    return cluster


def _location(inputs: Values, scope: Scope) -> str:
    location = inputs.get("location") or scope.config.get("zone") or scope.config.get("region")
    if not location:
        raise CloudError("Cannot determine location: set in this resource, or set provider-level 'zone' or 'region'.")
    return str(location)


def _need_room(inputs: Values, scope: Scope) -> None:
    """Refuse ranges that don't exist, or that overlap."""
    subnetwork = find(scope, SUBNETWORK, inputs.get("subnetwork", ""))
    if subnetwork is None:
        return
    if subnetwork.state["region"] not in _location(inputs, scope):
        raise _invalid(f"Subnetwork {subnetwork.name} is not in the region of {_location(inputs, scope)}")
    network = find(scope, NETWORK, inputs["network"])
    if network is None or find(scope, NETWORK, subnetwork.state["network"]) != network:
        raise _invalid(f"Subnetwork {subnetwork.name} is not in the network {inputs['network']}")
    host = str(subnetwork.state["project"])
    if host != project(inputs, scope) and (
        problem := shared_vpc_problem(host, subnetwork.name, project(inputs, scope), scope)
    ):
        raise CloudError(f"googleapi: Error 403: {problem}, forbidden")
    ranges = _secondary_ranges(subnetwork)
    allocation = inputs.get("ipAllocationPolicy") or {}
    for says, name in (("Pod", "clusterSecondaryRangeName"), ("Services", "servicesSecondaryRangeName")):
        if allocation.get(name) and allocation[name] not in ranges:
            raise _invalid(f'{says} secondary range "{allocation[name]}" not found in subnet "{subnetwork.name}"')
    plane = ipaddress.IPv4Network(_plane(inputs))
    for used_range in (subnetwork.state["ipCidrRange"], *ranges.values()):
        if plane.overlaps(ipaddress.IPv4Network(used_range)):
            raise _invalid(f"The given master_ipv4_cidr {plane} overlaps with an existing network {used_range}")


def _secondary_ranges(subnetwork: Stored | None) -> dict[str, str]:
    """Return the secondary ranges of a subnetwork by their names."""
    ranges = (subnetwork.state.get("secondaryIpRanges") or []) if subnetwork else []
    return {secondary_range["rangeName"]: secondary_range["ipCidrRange"] for secondary_range in ranges}


def _plane(inputs: Values) -> str:
    return (inputs.get("privateClusterConfig") or {}).get("masterIpv4CidrBlock") or "172.16.0.0/28"


def _dns_name(path: str, location: str, scope: Scope) -> str:
    """Return the DNS endpoint: that of the real API server that is used instead of GKE's, or an invented one."""
    server = scope.cloud.settings.get("apiServer")
    return server or f"gke-{zlib.crc32(path.encode()):08x}-123456789012.{location}.gke.goog"


def _authority(scope: Scope) -> str:
    file = scope.cloud.settings.get("kubeconfig")
    if not file:
        return base64.b64encode(b"SIMULATED").decode()
    return str(json.loads(Path(file).read_text())["clusters"][0]["cluster"]["certificate-authority-data"])


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.replace("-gke", "").split("."))


def _invalid(text: str) -> CloudError:
    return CloudError(f"googleapi: Error 400: {text}., badRequest")

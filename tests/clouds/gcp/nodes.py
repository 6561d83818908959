"""The nodes of a pool, as GKE creates them: names, labels, taints and capacities.

Labels and taints are those of
https://cloud.google.com/kubernetes-engine/docs/how-to/gpus,
https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms,
https://cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest and
https://cloud.google.com/kubernetes-engine/docs/how-to/prepare-arm-workloads-for-deployment; what is allocatable follows
the formula of `pulumi_slurm.machines.gke.allocatable`. Without an API server (the setting "kubeconfig"), a pool has no
nodes.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from tests.clouds.gcp import admission
from tests.clouds.gcp.machines import capacity, machine_of
from tests.clouds.simulator.api_server import api, has_nodes, remove
from tests.clouds.simulator.autoscaler import Limits
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values

POOL_LABEL = "cloud.google.com/gke-nodepool"
OWNER = "simulated-gke/pool"
"""The annotation with the id of the pool that a node belongs to."""
TEMPLATE = "simulated-gke/template"
"""The annotation with the template of a node; a node with another template is replaced."""
KUBERNETES = {"NO_SCHEDULE": "NoSchedule", "PREFER_NO_SCHEDULE": "PreferNoSchedule", "NO_EXECUTE": "NoExecute"}
GOOGLES = {name: name for name in KUBERNETES}
"""How effects of taints are spelled, by Google's spelling."""


@dataclass(frozen=True)
class Size(Limits):
    """How many nodes a pool may have, in all its zones."""

    autoscaled: bool = True

    @classmethod
    def of(cls, pool: Stored) -> "Size":
        """Return the size according to a pool's properties."""
        zones = len(pool.state["nodeLocations"])
        limits = pool.state.get("autoscaling")
        if limits and limits.get("totalMaxNodeCount") is not None:
            return cls(limits.get("totalMinNodeCount", 0), limits["totalMaxNodeCount"])
        if limits:
            return cls(limits.get("minNodeCount", 0) * zones, limits["maxNodeCount"] * zones)
        fixed = (pool.state.get("nodeCount") or 0) * zones
        return cls(fixed, fixed, autoscaled=False)

    def fitting(self, nodes: int) -> int:
        """Return the new number of nodes: the autoscaler's minimum isn't filled up, a fixed number is."""
        return min(self.most, nodes) if self.autoscaled else self.most


def beginning(pool: Stored) -> int:
    """Return how many nodes a pool starts with, in all its zones."""
    return int(pool.state["initialNodeCount"]) * len(pool.state["nodeLocations"])


def limits(pool: Stored) -> Limits | None:
    """Return how many nodes a pool may have, or None if it isn't to be scaled."""
    size = Size.of(pool)
    return size if size.autoscaled else None


def count(pool: Stored, scope: Scope) -> int:
    """Return how many nodes a pool has."""
    return len(of_pool(pool, scope))


def of_pool(pool: Stored, scope: Scope) -> list[Values]:
    """Return a pool's nodes, in the order of their numbers."""
    if not has_nodes(scope):
        return []
    nodes: list[Values] = api(scope).get(f"/api/v1/nodes?labelSelector={POOL_LABEL}%3D{pool.name}")["items"]
    of_this_pool = [node for node in nodes if node["metadata"].get("annotations", {}).get(OWNER) == pool.id]
    return sorted(of_this_pool, key=lambda node: int(node["metadata"]["name"].rpartition("-")[2]))


def resize(pool: Stored, scope: Scope, wanted: int) -> None:
    """Give a pool this many nodes, each according to the pool's current properties."""
    if not has_nodes(scope):
        return
    client, mark = api(scope), _template(pool.state)
    existing = []
    for node in of_pool(pool, scope):
        old = node["metadata"]["annotations"].get(TEMPLATE) != mark
        if old or node["metadata"]["labels"]["topology.kubernetes.io/zone"] not in pool.state["nodeLocations"]:
            remove(node, scope)
        else:
            existing.append(int(node["metadata"]["name"].rpartition("-")[2]))
    numbers = existing[:wanted]
    for number in existing[wanted:]:
        client.delete(f"/api/v1/nodes/{_name(pool, _zone(pool, number), number)}")
    # Numbers aren't reused when the template has changed, so that a node's name means one machine.
    free = (number for number in range(100_000) if number not in numbers)
    while len(numbers) < wanted:
        numbers.append(next(free))
    for number in numbers:
        client.apply(manifest(pool, scope, number))


def remove_all(pool: Stored, scope: Scope) -> None:
    """Remove a pool's nodes."""
    for node in of_pool(pool, scope):
        remove(node, scope)


def template(pool: Stored, scope: Scope) -> Values:
    """Return the next node of a pool."""
    return manifest(pool, scope, count(pool, scope))


def taints(config: Values, *, queued: bool, effects: Mapping[str, str]) -> list[dict[str, str]]:
    """Return a node's taints: the configured ones, and those that GKE adds by itself."""
    configured = [
        {"key": taint["key"], "value": taint.get("value", ""), "effect": effects[taint["effect"]]}
        for taint in config.get("taints") or []
    ]
    added = []
    if config.get("guestAccelerators"):
        added.append(("nvidia.com/gpu", "present"))
    if str(config.get("machineType", "")).startswith(("a4x-", "c4a-", "t2a-", "n4a-")):
        added.append(("kubernetes.io/arch", "arm64"))
    if queued:
        added.append(("cloud.google.com/gke-queued", "true"))
    identities = {(taint["key"], taint["effect"]) for taint in configured}
    effect = effects["NO_SCHEDULE"]
    return [
        *configured,
        *({"key": key, "value": value, "effect": effect} for key, value in added if (key, effect) not in identities),
    ]


def group_name(cluster: str, pool: str, zone: str) -> str:
    """Return the name of the managed instance group of a pool in a zone."""
    digest = zlib.crc32(f"{cluster}/{pool}/{zone}".encode())
    return f"gke-{cluster[:15]}-{pool[:24]}-{digest:08x}-grp"


def manifest(pool: Stored, scope: Scope, number: int) -> Values:
    """Return a node for the API server."""
    config: Values = pool.state.get("nodeConfig") or {}
    queued = bool((pool.state.get("queuedProvisioning") or {}).get("enabled"))
    zone = _zone(pool, number)
    name = _name(pool, zone, number)
    address = zlib.crc32(name.encode())
    total, allocatable = _capacity(pool, config, scope)
    annotations = {"kwok.x-k8s.io/node": "fake", OWNER: pool.id, TEMPLATE: _template(pool.state)}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": _labels(pool, config, scope, zone, name), "annotations": annotations},
        "spec": {
            "taints": taints(config, queued=queued, effects=KUBERNETES),
            "providerID": f"gce://{pool.state['project']}/{zone}/{name}",
        },
        "status": {
            "capacity": total,
            "allocatable": allocatable,
            "addresses": [
                {"type": "InternalIP", "address": f"10.201.{address >> 8 & 255}.{address % 254 + 1}"},
                {"type": "Hostname", "address": name},
            ],
        },
    }


def _labels(pool: Stored, config: Values, scope: Scope, zone: str, name: str) -> dict[str, str]:
    machine_type = str(config.get("machineType", "e2-medium"))
    catalogue_type = machine_of(machine_type, scope)
    image = str(config.get("imageType", "COS_CONTAINERD")).lower()
    labels = {
        POOL_LABEL: pool.name,
        "cloud.google.com/gke-boot-disk": str(config.get("diskType", "pd-balanced")),
        "cloud.google.com/gke-container-runtime": "containerd",
        "cloud.google.com/gke-os-distribution": image.partition("_")[0],
        "cloud.google.com/gke-max-pods-per-node": str(pool.state["maxPodsPerNode"]),
        "cloud.google.com/machine-family": machine_type.partition("-")[0],
        "cloud.google.com/gke-provisioning": "spot" if config.get("spot") else "standard",
        "kubernetes.io/arch": catalogue_type.architecture.value if catalogue_type else "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": machine_type,
        "topology.kubernetes.io/region": zone.rpartition("-")[0],
        "topology.kubernetes.io/zone": zone,
    }
    if config.get("spot"):
        labels["cloud.google.com/gke-spot"] = "true"
    if config.get("flexStart"):
        labels |= {"cloud.google.com/gke-flex-start": "true", "cloud.google.com/gke-provisioning": "flex-start"}
    for gpus in config.get("guestAccelerators") or []:
        driver = (gpus.get("gpuDriverInstallationConfig") or {}).get("gpuDriverVersion", "DEFAULT")
        labels |= {
            "cloud.google.com/gke-accelerator": gpus["type"],
            "cloud.google.com/gke-accelerator-count": str(gpus["count"]),
            "cloud.google.com/gke-gpu": "true",
            "cloud.google.com/gke-gpu-driver-version": driver.lower(),
        }
    if config.get("ephemeralStorageLocalSsdConfig"):
        labels["cloud.google.com/gke-ephemeral-storage-local-ssd"] = "true"
    if (config.get("workloadMetadataConfig") or {}).get("mode") == "GKE_METADATA":
        labels["iam.gke.io/gke-metadata-server-enabled"] = "true"
    if (pool.state.get("placementPolicy") or {}).get("type") == "COMPACT":
        # Nodes that are close to each other are in the same block.
        labels["cloud.google.com/gce-topology-block"] = f"{zlib.crc32(pool.id.encode()):032x}"
    return {**labels, **(config.get("labels") or {})}


def _capacity(pool: Stored, config: Values, scope: Scope) -> tuple[dict[str, str], dict[str, str]]:
    """Return the capacity of a node, and what of it is allocatable."""
    name = str(config.get("machineType", "e2-medium"))
    machine_type = machine_of(name, scope)
    assert machine_type, f"a pool was made of {name}, which is not in the catalogue"
    total, allocatable = capacity(machine_type)
    gpus = sum(gpu["count"] for gpu in config.get("guestAccelerators") or [])
    other = {
        "pods": str(pool.state["maxPodsPerNode"]),
        "ephemeral-storage": f"{config.get('diskSizeGb', 100)}Gi",
        **({"nvidia.com/gpu": str(gpus)} if gpus else {}),
        **admission.resources(_networks(pool)),
    }
    return {**total, **other}, {**allocatable, **other}


def _networks(pool: Stored) -> list[str]:
    """Return the names that pods use for the networks of a pool's nodes.

    GKE finds them by the GKENetworkParamSets in the cluster; here Networks have the names of their subnetworks, as this
    package makes them.
    """
    further = (pool.state.get("networkConfig") or {}).get("additionalNodeNetworkConfigs") or []
    return [config["subnetwork"].rpartition("/")[2] for config in further]


def _template(state: Values) -> str:
    """Return a digest of the properties that can't change on a running node."""
    config: Values = state.get("nodeConfig") or {}
    names = ("machineType", "diskType", "diskSizeGb", "imageType", "guestAccelerators", "gcfsConfig")
    return f"{zlib.crc32(json.dumps([config.get(name) for name in names], sort_keys=True).encode()):08x}"


def _zone(pool: Stored, number: int) -> str:
    zones: list[str] = sorted(pool.state["nodeLocations"])
    return zones[number % len(zones)]


def _name(pool: Stored, zone: str, number: int) -> str:
    cluster = pool.id.split("/")[5]
    return group_name(cluster, pool.name, zone).removesuffix("grp") + str(number)

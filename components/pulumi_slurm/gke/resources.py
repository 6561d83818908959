"""The resources of Google Cloud, as reviews and policies know them.

Types and inputs: https://www.pulumi.com/registry/packages/gcp/api-docs/.
"""

from collections.abc import Mapping
from types import MappingProxyType

from pulumi_slurm.clouds.resources import (
    CloudResources,
    Gpus,
    InputPath,
    Inputs,
    NodeBounds,
    NodePoolResource,
    StoreZones,
    bounds,
)
from pulumi_slurm.clouds.unread import known_at

CLUSTER = "gcp:container/cluster:Cluster"
NODE_POOL = "gcp:container/nodePool:NodePool"
CLOUD_SQL = "gcp:sql/databaseInstance:DatabaseInstance"
FILESTORE = "gcp:filestore/instance:Instance"
LUSTRE = "gcp:lustre/instance:Instance"
BUCKET = "gcp:storage/bucket:Bucket"
DISK = "gcp:compute/disk:Disk"
REPOSITORY = "gcp:artifactregistry/repository:Repository"
FIREWALL = "gcp:compute/firewall:Firewall"


def _spot(inputs: Inputs) -> InputPath | None:
    """Return where it is said that nodes are spot VMs, or preemptible ones, which have the same prices.

    Source: https://cloud.google.com/compute/docs/instances/create-use-preemptible.
    """
    ways = (("nodeConfig", "spot"), ("nodeConfig", "preemptible"))
    return next((way for way in ways if known_at(inputs, *way) is True), None)


def _nodes(inputs: Inputs) -> NodeBounds | None:
    """Return the nodes of a pool: `nodeCount`, `minNodeCount` and `maxNodeCount` count those of each zone."""
    zones, scaling = inputs.get("nodeLocations") or [None], inputs.get("autoscaling") or {}
    # Neither is so while it isn't known.
    if not isinstance(zones, list) or not isinstance(scaling, Mapping):
        return None
    if not scaling:
        return bounds(inputs.get("nodeCount", inputs.get("initialNodeCount")), None, len(zones))
    if "totalMaxNodeCount" in scaling:
        return bounds(scaling.get("totalMinNodeCount", 0), scaling["totalMaxNodeCount"])
    return bounds(scaling.get("minNodeCount", 0), scaling.get("maxNodeCount", 0), len(zones))


def _gpus(inputs: Inputs) -> Gpus | None:
    kind, count = (known_at(inputs, "nodeConfig", "guestAccelerators", 0, field) for field in ("type", "count"))
    return (kind, count) if isinstance(kind, str) and isinstance(count, int) else None


def _chosen_disks(inputs: Inputs) -> int:
    """Return the local SSDs of a pool's nodes, wherever they are stated."""
    places = (("ephemeralStorageLocalSsdConfig", "localSsdCount"), ("localNvmeSsdBlockConfig", "localSsdCount"))
    counts = [known_at(inputs, "nodeConfig", *place) for place in (*places, ("localSsdCount",))]
    return sum(count for count in counts if isinstance(count, int))


def _region(inputs: Inputs) -> str:
    """Return the region of a pool: its location is that, or a zone such as us-central1-b."""
    return "-".join(str(known_at(inputs, "location") or "").split("-")[:2])


RESOURCES = CloudResources(
    cluster=CLUSTER,
    node_pool=NodePoolResource(
        type=NODE_POOL,
        name="name",
        names_are_unique=True,
        machine=("nodeConfig", "machineType"),
        spot=_spot,
        taints=("nodeConfig", "taints"),
        nodes=_nodes,
        gpus=_gpus,
        chosen_disks=_chosen_disks,
        region=_region,
        fixed_nodes="nodeCount",
        zones="nodeLocations",
        nodes_stay=frozenset(
            {
                *("autoscaling", "initialNodeCount", "nodeDrainConfigs", "upgradeSettings"),
                # Flags of the provider, and what it sends only when it makes a pool.
                *("ignoreNodeCountChanges", "maintenancePolicies"),
                # https://cloud.google.com/kubernetes-engine/docs/how-to/update-existing-nodepools
                *("nodeConfig.labels", "nodeConfig.resourceLabels", "nodeConfig.tags"),
            }
        ),
        not_judged=frozenset({"management", "nodeConfig.taints"}),
    ),
    databases=frozenset({CLOUD_SQL}),
    file_systems=frozenset({FILESTORE, LUSTRE, DISK}),
    buckets=frozenset({BUCKET}),
    unnoticed=MappingProxyType(
        {
            "*": frozenset(
                {
                    *("deletionPolicy", "deletionProtection", "description", "displayName", "forceDestroy", "labels"),
                    *("resourceLabels", "skipNodePoolRefresh", "updateOnCreationFail", "disableOnDestroy"),
                }
            ),
            CLUSTER: frozenset(
                {
                    *("costManagementConfig", "loggingConfig", "monitoringConfig", "removeDefaultNodePool"),
                    "securityPostureConfig",
                }
            ),
            CLOUD_SQL: frozenset(
                {
                    *("settings.deletionProtectionEnabled", "settings.diskAutoresizeLimit"),
                    *("settings.finalBackupConfig", "settings.insightsConfig", "settings.maintenanceWindow"),
                    *("settings.retainBackupsOnDelete", "settings.userLabels"),
                }
            ),
            FILESTORE: frozenset({"deletionProtectionEnabled", "deletionProtectionReason"}),
            BUCKET: frozenset({"softDeletePolicy"}),
            REPOSITORY: frozenset({"cleanupPolicies", "dockerConfig"}),
        }
    ),
    grows=MappingProxyType(
        {FILESTORE: frozenset({"fileShares.capacityGb"}), LUSTRE: frozenset({"capacityGib"})},
    ),
    store_zones=MappingProxyType({FILESTORE: StoreZones(("location",)), LUSTRE: StoreZones(("location",))}),
    protected_by_default=True,
)

"""The resources of Alibaba Cloud, as reviews and policies know them.

Types and inputs: https://www.pulumi.com/registry/packages/alicloud/api-docs/.
"""

from collections.abc import Mapping
from types import MappingProxyType

from pulumi_slurm.clouds.resources import (
    CloudResources,
    InputPath,
    Inputs,
    NodeBounds,
    NodePoolResource,
    StoreZones,
    bounds,
)
from pulumi_slurm.clouds.unread import known_at

CLUSTER = "alicloud:cs/managedKubernetes:ManagedKubernetes"
NODE_POOL = "alicloud:cs/nodePool:NodePool"
AUTOSCALING = "alicloud:cs/autoscalingConfig:AutoscalingConfig"
RDS = "alicloud:rds/instance:Instance"
RDS_BACKUPS = "alicloud:rds/backupPolicy:BackupPolicy"
NAS = "alicloud:nas/fileSystem:FileSystem"
BUCKET = "alicloud:oss/bucket:Bucket"
SECURITY_GROUP_RULE = "alicloud:ecs/securityGroupRule:SecurityGroupRule"


def _spot(inputs: Inputs) -> InputPath | None:
    path = ("spotStrategy",)
    return path if known_at(inputs, *path) in ("SpotAsPriceGo", "SpotWithPriceLimit") else None


def _nodes(inputs: Inputs) -> NodeBounds | None:
    scaling = inputs.get("scalingConfig") or {}
    # It is no mapping while it isn't known.
    if not isinstance(scaling, Mapping):
        return None
    if scaling.get("enable"):
        return bounds(scaling.get("minSize"), scaling.get("maxSize"))
    return bounds(inputs.get("desiredSize"), None)


RESOURCES = CloudResources(
    cluster=CLUSTER,
    node_pool=NodePoolResource(
        type=NODE_POOL,
        name="nodePoolName",
        names_are_unique=False,
        machine=("instanceTypes", 0),
        spot=_spot,
        taints=("taints",),
        nodes=_nodes,
        fixed_nodes="desiredSize",
        # ACK makes no node of a pool anew; of what is left out here, it changes nodes that run.
        nodes_stay=frozenset(
            {
                *("autoRenewPeriod", "compensateWithOnDemand", "containerdConfig", "dataDisks", "forceDelete"),
                *("imageId", "imageType", "instanceTypes", "keyName", "labels", "multiAzPolicy", "nodeCount", "period"),
                *("periodUnit", "preUserData", "privatePoolOptions", "scalingConfig", "scalingPolicy"),
                *("spotInstanceRemedy", "spotPriceLimits", "systemDiskCategory", "systemDiskEncrypted"),
                *("systemDiskPerformanceLevel", "systemDiskSize", "tags", "updateNodes", "userData", "vswitchIds"),
            }
        ),
        not_judged=frozenset({"autoRenew", "management", "taints"}),
    ),
    databases=frozenset({RDS}),
    file_systems=frozenset({NAS}),
    buckets=frozenset({BUCKET}),
    unnoticed=MappingProxyType(
        {
            "*": frozenset(
                {
                    *("addressName", "deletionProtection", "description", "instanceName", "natGatewayName"),
                    *("securityGroupName", "snatEntryName", "tags", "vpcName", "vswitchName"),
                }
            ),
            CLUSTER: frozenset(
                {
                    *("auditLogConfig", "controlPlaneLogComponents", "controlPlaneLogTtl", "deleteOptions"),
                    "maintenanceWindow",
                }
            ),
            # It removes no node whose pods a PodDisruptionBudget protects, as it does workers with jobs.
            AUTOSCALING: frozenset(
                {
                    *("coolDownDuration", "expander", "scaleDownEnabled", "scalerType", "unneededDuration"),
                    "utilizationThreshold",
                }
            ),
            RDS: frozenset({"storageAutoScale", "storageThreshold", "storageUpperBound"}),
            RDS_BACKUPS: frozenset(
                {
                    *("backupRetentionPeriod", "enableBackupLog", "logBackupRetentionPeriod"),
                    *("preferredBackupPeriods", "preferredBackupTime"),
                }
            ),
        }
    ),
    grows=MappingProxyType({NAS: frozenset({"capacity"}), RDS: frozenset({"instanceStorage"})}),
    store_zones=MappingProxyType(
        {NAS: StoreZones(("zoneId",)), RDS: StoreZones(("zoneId", "zoneIdSlaveA"), frozenset({"vswitchId"}))}
    ),
    provider="pulumi:providers:alicloud",
    protected_by_default=False,
)

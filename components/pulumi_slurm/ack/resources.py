"""The resources of Alibaba Cloud, as reviews and policies know them.

Types and inputs: https://www.pulumi.com/registry/packages/alicloud/api-docs/.
"""

from collections.abc import Mapping

from pulumi_slurm.clouds.resources import CloudResources, InputPath, Inputs, NodeBounds, NodePoolResource, bounds
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
        nodes_stay=frozenset({"desiredSize", "management", "nodeCount", "scalingConfig", "updateNodes"}),
    ),
    databases=frozenset({RDS}),
    file_systems=frozenset({NAS}),
    buckets=frozenset({BUCKET}),
    protected_by_default=False,
)

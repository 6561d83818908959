"""ACK's node pools, whose nodes are nodes of the real API server."""

import re
from collections.abc import Iterator
from itertools import chain

from tests.clouds.alibaba import keys, nodes, roles
from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, known_kind, need
from tests.clouds.alibaba.clusters import CLUSTER, NODE_POOL
from tests.clouds.alibaba.firewalls import SECURITY_GROUP
from tests.clouds.alibaba.machines import can_join, machine_of
from tests.clouds.alibaba.networks import SWITCH
from tests.clouds.simulator.api_server import has_nodes
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Place, Values

_SYSTEM_DISKS = "cloud_efficiency cloud_ssd cloud_essd cloud_auto cloud_essd_entry cloud"
_MAX_BASIC_NODES = 10
_MAX_TAGS = 20
_GENERATION = re.compile(r"ecs\.[a-z]+(\d+)")
_LEAST_GIB = {"PL0": 40, "PL1": 20, "PL2": 461, "PL3": 1261}


@known_kind
class NodePool(AlibabaKind):
    token = NODE_POOL
    terraform = "alicloud_cs_kubernetes_node_pool"
    action = "cs:CreateClusterNodePool"
    name_property = "nodePoolName"
    partial = frozenset({"stockout"})
    defaults = {"installCloudMonitor": True}
    secret = (("password",), ("kmsEncryptedPassword",))
    references = (
        Reference("clusterId", CLUSTER, holds=False),
        Reference("vswitchIds", SWITCH),
        Reference("securityGroupIds", SECURITY_GROUP),
    )
    values = {
        "privatePoolOptions.privatePoolOptionsMatchCriteria": "Open Target None",
        "spotStrategy": "NoSpot SpotAsPriceGo SpotWithPriceLimit",
        "systemDiskPerformanceLevel": "PL0 PL1 PL2 PL3",
        "taints.effect": "NoSchedule NoExecute PreferNoSchedule",
    }
    rules = Rules(unordered=("securityGroupIds",))
    # resource_alicloud_cs_kubernetes_node_pool.go of terraform-provider-alicloud 1.285.0, lines 2449 and 2577.
    sent_if_written = ("keyName", "privatePoolOptions")

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        if inputs.get("nodePoolName") is None and inputs.get("name") is None:
            yield ("nodePoolName",), "one of nodePoolName and name must be specified"
        for name, max_size in (("minSize", 1000), ("maxSize", 2000)):
            size = (inputs.get("scalingConfig") or {}).get(name)
            if isinstance(size, int) and not 0 <= size <= max_size:
                yield ("scalingConfig", name), f"expected 0 to {max_size}, received {size}"
        for index, disk in enumerate(inputs.get("dataDisks") or []):
            if isinstance(disk.get("size"), int) and not 40 <= disk["size"] <= 32767:
                yield ("dataDisks", index, "size"), f"expected 40 to 32767, received {disk['size']}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['clusterId']}:np{scope.cloud.next_number():032d}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        merged_inputs = self.merged(inputs, old)
        cluster = need(scope, CLUSTER, inputs["clusterId"])
        managed = (merged_inputs.get("management") or {}).get("enable")
        for role in roles.missing(roles.OF_MANAGED_POOLS, scope) if managed else ():
            raise self.error(403, "ErrorServiceRoleNotAuthorized", f"ACK is not authorized to assume the role {role}.")
        disks = [{"encrypted": merged_inputs.get("systemDiskEncrypted")}, *(merged_inputs.get("dataDisks") or [])]
        encrypted = any(str(disk.get("encrypted")).lower() == "true" for disk in disks)
        for code, problem in keys.refused_encryption(scope) if encrypted else ():
            raise self.error(403, code, problem)
        problems = chain(
            _refused_place(merged_inputs, cluster, scope),
            _refused_size(merged_inputs),
            _refused_payment(merged_inputs),
            _refused_disk(merged_inputs),
            _refused_disk_types(merged_inputs),
            _refused_machines(merged_inputs, cluster, scope),
            _refused_billing(merged_inputs, old),
            _refused_number(merged_inputs, cluster, scope, old),
            _refused_tags(merged_inputs),
            _refused_metadata(merged_inputs, cluster),
            _nodes_that_do_not_join(merged_inputs, scope),
        )
        for problem in problems:
            raise self.error(
                400, "InvalidParameter", problem, "ModifyClusterNodePool" if old else "CreateClusterNodePool"
            )

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if resource.state.get("forceDelete") is False and nodes.of_pool(resource, scope):
            raise self.error(400, "ErrorNodePoolNotEmpty", "The node pool has nodes.", "DeleteClusterNodepool")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {
            "imageType": "AliyunLinux3",
            "instanceChargeType": "PostPaid",
            "multiAzPolicy": "BALANCE",
            "runtimeName": "containerd",
            "scalingPolicy": "release",
            "spotStrategy": "NoSpot",
            "systemDiskCategory": "cloud_essd",
            "type": "ess",
            "scalingGroupId": old.state["scalingGroupId"] if old else f"asg-sim{scope.cloud.next_number():06d}",
            "nodeCount": old.state["nodeCount"] if old else 0,
            **_with_repairs(super().state(inputs, scope, old)),
        }

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        return {**state, "nodePoolId": resource_id.rpartition(":")[2]}

    def follow(self, resource: Stored, scope: Scope) -> None:
        """Resize the pool to its current size; a pool without available machines gets no nodes.

        What a machine is can't change; labels and taints of one that runs do, if the pool says so.
        """
        if resource.hidden.get("broken"):
            return
        with scope.cloud.locked("nodes"):
            if resource.state.get("updateNodes"):
                nodes.relabel(resource, scope)
            nodes.resize(resource, scope, nodes.Size.of(resource).fitting(len(nodes.of_pool(resource, scope))))
            resource.hidden["begun"] = True
            resource.state["nodeCount"] = len(nodes.of_pool(resource, scope))
            scope.cloud.put(resource)

    def forget(self, resource: Stored, scope: Scope) -> None:
        with scope.cloud.locked("nodes"):
            nodes.remove_all(resource, scope)

    def refreshed(self, resource: Stored, scope: Scope) -> Values:
        """ACK counts the nodes."""
        if not has_nodes(scope):
            return resource.state
        return {**resource.state, "nodeCount": len(nodes.of_pool(resource, scope))}

    def fail(self, fault: str, inputs: Values, scope: Scope) -> str:
        if fault == "stockout":
            # The pool is there, and the task that was to fill it has failed.
            return (
                f"[ERROR] Resource id: {inputs.get('nodePoolName')} unexpected state 'fail', wanted target 'success'. "
                f"last error: {self.error(403, 'OperationDenied.NoStock', _NO_STOCK, 'CreateClusterNodePool')}"
            )
        if fault == "quota":
            return str(
                self.error(403, "QuotaExceeded.ElasticQuota", "The number of the specified ECS instances or vCPUs has "
                           "exceeded the quota of the specified instance type in the region.")
            )  # fmt: skip
        return super().fail(fault, inputs, scope)


_NO_STOCK = (
    "The resource is out of stock in the specified zone. Please try other types, or choose other regions and zones."
)


def _with_repairs(state: Values) -> Values:
    """Return the state with ACK's default: it restarts nodes to repair them."""
    management = state.get("management") or {}
    if not management.get("autoRepair"):
        return state
    policy = {"restartNode": True, **(management.get("autoRepairPolicy") or {})}
    return {**state, "management": {**management, "autoRepairPolicy": policy}}


def _refused_metadata(inputs: Values, cluster: Stored) -> Iterator[str]:
    version = cluster.state["version"]
    if inputs.get("instanceMetadataOptions") and [int(part) for part in version.split(".")[:2]] < [1, 28]:
        yield f"instance_metadata_options need a cluster of 1.28, and this runs {version}"


def _refused_place(inputs: Values, cluster: Stored, scope: Scope) -> Iterator[str]:
    for switch_id in inputs.get("vswitchIds") or []:
        if need(scope, SWITCH, switch_id).state["vpcId"] != cluster.state["vpcId"]:
            yield f"the vSwitch {switch_id} is not in {cluster.state['vpcId']}"
    if not inputs.get("vswitchIds"):
        yield "vswitch_ids is required"


def _refused_size(inputs: Values) -> Iterator[str]:
    if nodes.is_scaled(inputs):
        limits = inputs["scalingConfig"]
        if inputs.get("desiredSize") is not None:
            yield "desired_size can't be set while auto scaling is on"
        if limits.get("minSize", 0) >= limits.get("maxSize", 0):
            yield f"max_size {limits.get('maxSize')} is not above min_size {limits.get('minSize')}"
    elif not str(inputs.get("desiredSize", "0")).isdigit():
        yield f"desired_size {inputs['desiredSize']} is not a number"


def _refused_billing(inputs: Values, old: Stored | None) -> Iterator[str]:
    if old and (old.state["spotStrategy"] == "NoSpot") is not (inputs.get("spotStrategy", "NoSpot") == "NoSpot"):
        yield f"the billing method of a node pool can't change from {old.state['spotStrategy']}"


def _refused_number(inputs: Values, cluster: Stored, scope: Scope, old: Stored | None) -> Iterator[str]:
    """A Basic cluster has 10 nodes at most; a pool that would get more later doesn't."""
    others = [pool for pool in scope.cloud.all(NODE_POOL) if pool.state["clusterId"] == cluster.id]
    count = nodes.least(inputs) + sum(nodes.least(pool.state) for pool in others if not old or pool.id != old.id)
    if cluster.state["clusterSpec"] == "ack.standard" and count > _MAX_BASIC_NODES:
        yield f"{count} nodes exceed the quota of {_MAX_BASIC_NODES} nodes of an ack.standard cluster"


def _refused_tags(inputs: Values) -> Iterator[str]:
    """ACK gives a node three tags, two more for the autoscaler, and one for each label and taint."""
    count = sum(len(inputs.get(name) or ()) for name in ("tags", "labels", "taints"))
    count += 5 if nodes.is_scaled(inputs) else 3
    if count > _MAX_TAGS:
        yield f"{count} tags exceed the {_MAX_TAGS} of an ECS instance"


def _nodes_that_do_not_join(inputs: Values, scope: Scope) -> Iterator[str]:
    """Fail as ACK's task does, which waits for the nodes that a pool begins with."""
    if nodes.least(inputs):
        for reason in nodes.cut_off(inputs, scope):
            yield f"the nodes did not become ready: {reason}"


def _refused_payment(inputs: Values) -> Iterator[str]:
    managed = inputs.get("management")
    if managed and managed.get("enable", True) and (inputs.get("password") or inputs.get("kmsEncryptedPassword")):
        yield "a managed node pool takes a key pair only"
    if inputs.get("instanceChargeType") == "PrePaid":
        missing = [
            name for name in ("period", "periodUnit", "autoRenew", "autoRenewPeriod") if inputs.get(name) is None
        ]
        if missing:
            yield f"PrePaid needs {', '.join(missing)}"
        if any(inputs.get(name) not in {1, 2, 3, 6, 12} for name in ("period", "autoRenewPeriod")):
            yield "period and auto_renew_period are 1, 2, 3, 6 or 12 months"
    if inputs.get("deploymentSetId") and inputs.get("spotStrategy", "NoSpot") != "NoSpot":
        yield "a deployment set takes no preemptible instances"
    private = inputs.get("privatePoolOptions") or {}
    if private.get("privatePoolOptionsMatchCriteria") == "Target" and not private.get("privatePoolOptionsId"):
        yield "the criteria Target need the id of a private pool"
    if inputs.get("compensateWithOnDemand") and inputs.get("multiAzPolicy") != "COST_OPTIMIZED":
        yield "compensate_with_on_demand needs the multi_az_policy COST_OPTIMIZED"
    limited = {limit.get("instanceType") for limit in inputs.get("spotPriceLimits") or []}
    if inputs.get("spotStrategy") == "SpotWithPriceLimit" and not limited:
        yield "SpotWithPriceLimit needs spot_price_limit"
    if limited and inputs.get("spotStrategy") != "SpotWithPriceLimit":
        yield f"spot_price_limit has no effect with {inputs.get('spotStrategy')}"


def _refused_disk(inputs: Values) -> Iterator[str]:
    level = inputs.get("systemDiskPerformanceLevel")
    if level and inputs.get("systemDiskCategory", "cloud_essd") != "cloud_essd":
        yield f"{inputs['systemDiskCategory']} has no performance levels"
    if level and inputs.get("systemDiskSize", 120) < _LEAST_GIB[level]:
        yield f"a disk of {level} has {_LEAST_GIB[level]} GiB or more"
    if not 20 <= inputs.get("systemDiskSize", 120) <= 2048:
        yield f"system_disk_size {inputs['systemDiskSize']} is not between 20 and 2048"


def _refused_disk_types(inputs: Values) -> Iterator[str]:
    """Machines of the 7th generation and later take ESSDs only."""
    categories = [inputs.get("systemDiskCategory"), *(disk.get("category") for disk in inputs.get("dataDisks") or [])]
    for name in inputs.get("instanceTypes") or []:
        generation = _GENERATION.match(name)
        for category in categories:
            if generation and int(generation[1]) > 6 and category in {"cloud_ssd", "cloud_efficiency", "cloud"}:
                yield f"{name} does not support disks of the category {category}"


def _refused_machines(inputs: Values, cluster: Stored, scope: Scope) -> Iterator[str]:
    names = inputs.get("instanceTypes") or []
    if not names:
        yield "instance_types is required"
    for name in names:
        machine_type = machine_of(name, scope)
        if machine_type is None:
            yield f"there is no instance type {name}"
            continue
        architecture, image_type = machine_type.architecture.value, inputs.get("imageType", "AliyunLinux3")
        if (architecture == "arm64") is not image_type.endswith("Arm64"):
            yield f"the image {inputs.get('imageType')} does not run on {name}, which is {architecture}"
        elif not cluster.state.get("podCidr") and not can_join(machine_type):
            yield f"{name} has too few addresses for Terway"

"""Data sources: what exists, in the form in which Alibaba Cloud's provider reports what it has only read.

There lists are empty where there is nothing, blocks that aren't set are missing, and other properties are empty, false
or zero. Which property each data source takes from where is in alicloud/data_source_alicloud_*.go of
https://github.com/aliyun/terraform-provider-alicloud, commit 81c43b6.
"""

import importlib
import re
from collections.abc import Callable, Collection
from ipaddress import IPv4Address, IPv4Network
from typing import Any

from pulumi_slurm.machines.ack import AckCatalogueSpec
from tests.clouds.alibaba.alicloud import region
from tests.clouds.alibaba.clusters import CLUSTER, NODE_POOL, AutoscalingConfig
from tests.clouds.alibaba.firewalls import RULE, SECURITY_GROUP
from tests.clouds.alibaba.nat import NAT_GATEWAY, SNAT_ENTRY
from tests.clouds.alibaba.networks import KEPT_FREE, NETWORK, SWITCH
from tests.clouds.alibaba.roles import GRANTED, ROLE
from tests.clouds.simulator.answers import shaped
from tests.clouds.simulator.api_server import api, has_nodes
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Values

_AVAILABLE = ("terway-eniip", "flannel", "csi-plugin", "csi-provisioner", "goatscaler", "cluster-autoscaler")
"""Components that each cluster could have."""


def get_clusters(arguments: Values, scope: Scope) -> Values:
    """Answer cs.getClusters."""
    found = [
        cluster_answer({**cluster.state, "clusterId": cluster.id, "regionId": region(scope)})
        for cluster in scope.cloud.all(CLUSTER)
        if arguments.get("clusterId") in (None, cluster.id) and arguments.get("clusterName") in (None, cluster.name)
    ]
    return {"id": "clusters", "clusters": found, "ids": [one["id"] for one in found]}


def cluster_answer(state: Values) -> Values:
    """Return what the provider says of a cluster with these properties."""
    upgrades = (state.get("operationPolicy") or {}).get("clusterAutoUpgrade")
    return _of(
        "cs",
        "GetClustersCluster",
        {
            "clusterType": "ManagedKubernetes",
            "state": "running",
            "currentVersion": state.get("version"),
            "clusterName": state.get("name"),
            "id": state.get("clusterId"),
            **state,
            "nodeCidrMask": str(state.get("nodeCidrMask") or ""),
            "operationPolicy": {"clusterAutoUpgrade": upgrades} if upgrades else None,
            "maintenanceWindow": None,
        },
    )


def get_managed_clusters(arguments: Values, scope: Scope) -> Values:
    """Answer cs.getManagedKubernetesClusters."""
    found = [cluster for cluster in scope.cloud.all(CLUSTER) if cluster.id in (arguments.get("ids") or [cluster.id])]
    answers = [
        _of("cs", "GetManagedKubernetesClustersCluster", {**cluster.state, "id": cluster.id}) for cluster in found
    ]
    return {"id": "clusters", "clusters": answers}


def get_addons(arguments: Values, scope: Scope) -> Values:
    """Answer cs.getKubernetesAddons."""
    cluster = scope.cloud.get(CLUSTER, arguments["clusterId"])
    asked_for = (cluster.state.get("addons") or []) if cluster else []
    installed = {addon["name"] for addon in asked_for if not addon.get("disabled")}
    scalers = scope.cloud.all(AutoscalingConfig.token)
    installed |= {
        one.state.get("scalerType") or "cluster-autoscaler" for one in scalers if one.id == arguments["clusterId"]
    }
    return {"id": "addons", "clusterId": arguments["clusterId"], "addons": addons_answer(installed)}


def addons_answer(installed: Collection[str]) -> list[Values]:
    """Return what the provider says of components: those that aren't installed have no version."""
    names = sorted({*_AVAILABLE, *installed})
    versions = {name: "v1.0.0" if name in installed else "" for name in names}
    return [_of("cs", "GetKubernetesAddonsAddon", {"name": name, "currentVersion": versions[name]}) for name in names]


def get_node_pools(arguments: Values, scope: Scope) -> Values:
    """Answer cs.getKubernetesNodePools."""
    pools = [pool for pool in scope.cloud.all(NODE_POOL) if pool.state["clusterId"] == arguments["clusterId"]]
    return {
        "id": "pools",
        "clusterId": arguments["clusterId"],
        "nodepools": [pool_answer(pool.state) for pool in pools],
    }


def pool_answer(state: Values) -> Values:
    """Return what the provider says of a node pool with these properties."""
    return _of("cs", "GetKubernetesNodePoolsNodepool", state)


def get_networks(arguments: Values, scope: Scope) -> Values:
    """Answer vpc.getNetworks."""
    found = _with_ids(NETWORK, arguments, scope)
    return {"id": "vpcs", "vpcs": [_of("vpc", "GetNetworksVpc", {**one.state, "vpcId": one.id}) for one in found]}


def get_switches(arguments: Values, scope: Scope) -> Values:
    """Answer vpc.getSwitches."""
    answers = [
        vswitch_answer({**one.state, "id": one.id, "availableIpAddressCount": _free(one, scope)})
        for one in _with_ids(SWITCH, arguments, scope)
    ]
    return {"id": "vswitches", "vswitches": answers}


def vswitch_answer(state: Values) -> Values:
    """Return what the provider says of a vSwitch with these properties."""
    return _of("vpc", "GetSwitchesVswitch", {"vswitchId": state.get("id"), **state})


def get_nat_gateways(arguments: Values, scope: Scope) -> Values:
    """Answer vpc.getNatGateways."""
    found = [one for one in scope.cloud.all(NAT_GATEWAY) if one.state["vpcId"] == arguments.get("vpcId")]
    answers = [_of("vpc", "GetNatGatewaysGateway", {**one.state, "natGatewayId": one.id}) for one in found]
    return {"id": "gateways", "gateways": answers}


def get_snat_entries(arguments: Values, scope: Scope) -> Values:
    """Answer vpc.getSnatEntries."""
    found = [one for one in scope.cloud.all(SNAT_ENTRY) if one.state["snatTableId"] == arguments["snatTableId"]]
    return {"id": "entries", "entries": [_of("vpc", "GetSnatEntriesEntry", one.state) for one in found]}


def get_security_groups(arguments: Values, scope: Scope) -> Values:
    """Answer ecs.getSecurityGroups."""
    answers = [
        _of("ecs", "GetSecurityGroupsGroup", {**one.state, "id": one.id})
        for one in _with_ids(SECURITY_GROUP, arguments, scope)
    ]
    return {"id": "groups", "groups": answers}


def get_security_group_rules(arguments: Values, scope: Scope) -> Values:
    """Answer ecs.getSecurityGroupRules."""
    found = [one for one in scope.cloud.all(RULE) if one.state["securityGroupId"] == arguments["groupId"]]
    return {
        "id": arguments["groupId"],
        "groupId": arguments["groupId"],
        "rules": [rule_answer(one.state) for one in found],
    }


def rule_answer(state: Values) -> Values:
    """Return what the provider says of a rule of a security group with these properties."""
    other = "sourceCidrIp" if state["type"] == "ingress" else "destCidrIp"
    return _of("ecs", "GetSecurityGroupRulesRule", {"direction": state["type"], other: state.get("cidrIp"), **state})


def get_roles(arguments: Values, scope: Scope) -> Values:
    """Answer ram.getRoles."""
    made = [one.state["roleName"] for one in scope.cloud.all(ROLE)]
    granted = GRANTED if scope.cloud.settings.get("serviceRoles") else ()
    pattern = re.compile(str(arguments.get("nameRegex") or ""))
    names = [name for name in sorted({*made, *granted}) if pattern.search(name)]
    return {"id": "roles", "names": names, "roles": [_of("ram", "GetRolesRole", {"name": name}) for name in names]}


def get_instance_types(arguments: Values, scope: Scope) -> Values:
    """Answer ecs.getInstanceTypes: a zone has every type, less those of the setting "soldOut", a list by zone."""
    sold_out = (scope.cloud.settings.get("soldOut") or {}).get(arguments["availabilityZone"], ())
    ids = [name for name in AckCatalogueSpec.built_in_types() if name not in sold_out]
    if not ids:
        raise CloudError("Your query returned no results. Please change your search criteria and try again.")
    return {
        "id": "types",
        "ids": ids,
        "instanceTypes": [_of("ecs", "GetInstanceTypesInstanceType", {"id": name}) for name in ids],
    }


def _with_ids(token: str, arguments: Values, scope: Scope) -> list[Stored]:
    ids = arguments.get("ids")
    return [one for one in scope.cloud.all(token) if not ids or one.id in ids]


def _free(vswitch: Stored, scope: Scope) -> int:
    """Return how many addresses of a vSwitch nobody has: nodes are the only ones that take some."""
    block = IPv4Network(vswitch.state["cidrBlock"])
    taken = 0
    if has_nodes(scope):
        listed = api(scope).get("/api/v1/nodes")["items"]
        addresses = [each["address"] for node in listed for each in node["status"].get("addresses", [])
                     if each["type"] == "InternalIP"]  # fmt: skip
        taken = sum(IPv4Address(address) in block for address in addresses)
    return block.num_addresses - KEPT_FREE - taken


def _of(module: str, name: str, state: Values) -> Values:
    outputs: Any = importlib.import_module(f"pulumi_alicloud.{module}.outputs")
    return shaped(state, getattr(outputs, f"{name}Result"))


FUNCTIONS: dict[str, Callable[[Values, Scope], Values]] = {
    "alicloud:cs/getClusters:getClusters": get_clusters,
    "alicloud:cs/getManagedKubernetesClusters:getManagedKubernetesClusters": get_managed_clusters,
    "alicloud:cs/getKubernetesAddons:getKubernetesAddons": get_addons,
    "alicloud:cs/getKubernetesNodePools:getKubernetesNodePools": get_node_pools,
    "alicloud:ecs/getInstanceTypes:getInstanceTypes": get_instance_types,
    "alicloud:ram/getRoles:getRoles": get_roles,
    "alicloud:vpc/getNetworks:getNetworks": get_networks,
    "alicloud:vpc/getSwitches:getSwitches": get_switches,
    "alicloud:vpc/getNatGateways:getNatGateways": get_nat_gateways,
    "alicloud:vpc/getSnatEntries:getSnatEntries": get_snat_entries,
    "alicloud:ecs/getSecurityGroups:getSecurityGroups": get_security_groups,
    "alicloud:ecs/getSecurityGroupRules:getSecurityGroupRules": get_security_group_rules,
}
"""The data sources by token."""

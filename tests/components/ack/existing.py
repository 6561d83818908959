"""What exists at Alibaba Cloud in tests: a cluster with pools, and a VPC, as data sources tell of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.clouds.alibaba.data_sources import (
    addons_answer,
    cluster_answer,
    pool_answer,
    rule_answer,
    vswitch_answer,
)

State = dict[str, Any]

CLUSTER_ID = "c82e6987e2961451182edacd74faf1234"
CLUSTER: State = {
    "clusterId": CLUSTER_ID,
    "name": "shared",
    "clusterSpec": "ack.pro.small",
    "version": "1.34.1-aliyun.1",
    "clusterDomain": "cluster.local",
    "profile": "Default",
    "vpcId": "vpc-bp1",
    "vswitchIds": ["vsw-bp1h", "vsw-bp1i"],
    "securityGroupId": "sg-bp1",
    "serviceCidr": "172.16.0.0/20",
}
VPC: State = {"id": "vpc-bp1", "vpcId": "vpc-bp1", "cidrBlock": "10.0.0.0/12", "secondaryCidrBlocks": []}
VSWITCHES: Sequence[State] = (
    {"id": "vsw-bp1h", "zoneId": "cn-hangzhou-h", "cidrBlock": "10.0.0.0/24"},
    {"id": "vsw-bp1i", "zoneId": "cn-hangzhou-i", "cidrBlock": "10.0.1.0/24"},
    {"id": "vsw-bp1ph", "zoneId": "cn-hangzhou-h", "cidrBlock": "10.1.0.0/20"},
    {"id": "vsw-bp1pi", "zoneId": "cn-hangzhou-i", "cidrBlock": "10.2.0.0/20"},
)
GENERAL: State = {
    "nodePoolName": "general",
    "nodePoolId": "np31da1b38983f4511b490fc62108a1111",
    "instanceTypes": ["ecs.g8i.2xlarge"],
    "desiredSize": "3",
}
A10: State = {
    "nodePoolName": "gpu",
    "nodePoolId": "np31da1b38983f4511b490fc62108a2222",
    "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"],
    "scalingConfig": {"enable": True, "minSize": 0, "maxSize": 4, "type": "gpu"},
    "labels": [{"key": "team", "value": "research"}],
    "taints": [{"key": "gpu", "value": "", "effect": "NoSchedule"}],
}
ADDONS = ("terway-eniip", "csi-plugin", "csi-provisioner", "goatscaler")
GROUP: State = {"id": "sg-bp1", "vpcId": "vpc-bp1", "securityGroupType": "enterprise", "innerAccess": False}
_RULE: State = {"ipProtocol": "all", "portRange": "-1/-1", "policy": "accept"}
RULES: Sequence[State] = (
    {**_RULE, "type": "ingress", "cidrIp": "10.0.0.0/8"},
    {**_RULE, "type": "ingress", "cidrIp": "100.64.0.0/10"},
    {**_RULE, "type": "egress", "cidrIp": "0.0.0.0/0"},
)
ENTRIES: Sequence[State] = (
    {"snatEntryId": "snat-1", "sourceVswitchId": "vsw-bp1h", "sourceCidr": "10.0.0.0/24"},
    {"snatEntryId": "snat-2", "sourceVswitchId": "vsw-bp1i", "sourceCidr": "10.0.1.0/24"},
    {"snatEntryId": "snat-3", "sourceVswitchId": "", "sourceCidr": "10.0.0.0/12"},
)

ENDPOINTS: Sequence[State] = (
    {"apiServerInternet": "https://198.51.100.1:6443", "apiServerIntranet": "https://10.0.0.9:6443"},
)


def answers_of_cluster(
    *pools: State,
    addons: Sequence[str] = ADDONS,
    vswitches: Sequence[State] = VSWITCHES[:2],
    endpoints: Sequence[State] = ENDPOINTS,
    **changes: Any,
) -> dict[str, Mapping[str, Any]]:
    """Return what data sources say of the cluster with these pools, by token."""
    cluster = cluster_answer({**CLUSTER, **changes})
    return {
        "alicloud:cs/getClusters:getClusters": {"clusters": [cluster]},
        "alicloud:cs/getManagedKubernetesClusters:getManagedKubernetesClusters": {
            "clusters": [{"id": CLUSTER_ID, "connections": list(endpoints)}]
        },
        "alicloud:cs/getKubernetesAddons:getKubernetesAddons": {"addons": addons_answer(addons)},
        "alicloud:cs/getKubernetesNodePools:getKubernetesNodePools": {"nodepools": [*map(pool_answer, pools)]},
        **_of_vpc(VPC, vswitches),
    }


def answers_of_network(
    vpc: State = VPC,
    vswitches: Sequence[State] = VSWITCHES,
    group: State = GROUP,
    rules: Sequence[State] = RULES,
    entries: Sequence[State] = ENTRIES,
    clusters: Sequence[str] = (),
) -> dict[str, Mapping[str, Any]]:
    """Return what data sources say of the VPC, by token."""
    return {
        "alicloud:cs/getClusters:getClusters": {"clusters": [cluster_answer({"name": name}) for name in clusters]},
        "alicloud:ecs/getSecurityGroups:getSecurityGroups": {"groups": [group]},
        "alicloud:ecs/getSecurityGroupRules:getSecurityGroupRules": {"rules": [*map(rule_answer, rules)]},
        "alicloud:vpc/getNatGateways:getNatGateways": {"gateways": [{"snatTableIds": ["stb-1"]}]},
        "alicloud:vpc/getSnatEntries:getSnatEntries": {"entries": list(entries)},
        **_of_vpc(vpc, vswitches),
    }


def _of_vpc(vpc: State, vswitches: Sequence[State]) -> dict[str, Mapping[str, Any]]:
    free = {one["id"]: 4000 if one["id"].startswith("vsw-bp1p") else 200 for one in vswitches}
    answers = [
        vswitch_answer({"vpcId": "vpc-bp1", "availableIpAddressCount": free[one["id"]], **one}) for one in vswitches
    ]
    return {
        "alicloud:vpc/getNetworks:getNetworks": {"vpcs": [vpc] if vpc else []},
        "alicloud:vpc/getSwitches:getSwitches": {"vswitches": answers},
    }

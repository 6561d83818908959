"""The VPC: who gets in, and how nodes get out."""

from collections.abc import Mapping
from ipaddress import IPv4Network
from typing import Any

import pytest

from pulumi_slurm.ack import AckNetwork, AckNetworkArgs
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.parts import planned_network
from pulumi_slurm.errors import SpecError
from pulumi_slurm.kube.component import after_all
from tests.components.ack.requests import requests_of
from tests.components.conftest import Build, Registered
from tests.components.loosely import loosely

VPC = "alicloud:vpc/network:Network"
VSWITCH = "alicloud:vpc/switch:Switch"
RULE = "alicloud:ecs/securityGroupRule:SecurityGroupRule"
GROUP = "alicloud:ecs/securityGroup:SecurityGroup"
SNAT = "alicloud:vpc/snatEntry:SnatEntry"
NAT = "alicloud:vpc/natGateway:NatGateway"
EIP = "alicloud:ecs/eipAddress:EipAddress"
ASSOCIATION = "alicloud:ecs/eipAssociation:EipAssociation"
OUTPUTS: dict[str, Mapping[str, Any]] = {
    "net-nat": {"snatTableIds": "stb-1"},
    "net-address": {"ipAddress": "198.51.100.7"},
}
ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]


def spec(**fields: Any) -> AckSpec:
    return AckSpec.model_validate({"region": "cn-hangzhou", "zones": ZONES, "name": "hpc", **fields})


def args_of(ack: AckSpec) -> AckNetworkArgs:
    addresses = plan_addresses(AckPlan.of(ack))
    return AckNetworkArgs(
        name=ack.cluster_name,
        zones=list(addresses.nodes),
        cni=ack.control_plane.cni,
        network=planned_network(AckPlan.of(ack), addresses),
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )


def network(build: Build, ack: AckSpec) -> list[Registered]:
    return build(lambda: AckNetwork("net", args_of(ack)), OUTPUTS)


def of(resources: list[Registered], typ: str) -> list[Registered]:
    return [item for item in resources if item.typ == typ]


def test_vswitches_over_zones(build: Build) -> None:
    resources = network(build, spec(tags={"team": "hpc"}))
    (vpc,) = of(resources, VPC)
    assert (vpc.inputs["vpcName"], vpc.inputs["cidrBlock"]) == ("hpc", "10.0.0.0/8")
    planned = plan_addresses(AckPlan.of(spec()))
    assert {
        (item.inputs["vswitchName"], item.inputs["zoneId"], item.inputs["cidrBlock"]) for item in of(resources, VSWITCH)
    } == {
        ("hpc-nodes-cn-hangzhou-h", "cn-hangzhou-h", planned.nodes["cn-hangzhou-h"]),
        ("hpc-nodes-cn-hangzhou-i", "cn-hangzhou-i", planned.nodes["cn-hangzhou-i"]),
        ("hpc-pods-cn-hangzhou-h", "cn-hangzhou-h", planned.pods["cn-hangzhou-h"]),
        ("hpc-pods-cn-hangzhou-i", "cn-hangzhou-i", planned.pods["cn-hangzhou-i"]),
    }
    assert all(
        IPv4Network(item.inputs["cidrBlock"]).subnet_of(IPv4Network("10.0.0.0/8")) for item in of(resources, VSWITCH)
    )
    assert {
        item.inputs["tags"]["team"]
        for item in resources
        if "tags" in item.inputs and item.typ != "slurm:index:AckNetwork"
    } == {"hpc"}


def test_with_flannel_there_are_no_vswitches_of_pods(build: Build) -> None:
    resources = network(build, spec(control_plane={"cni": "flannel"}))
    assert [item.inputs["vswitchName"] for item in of(resources, VSWITCH)] == [
        "hpc-nodes-cn-hangzhou-h",
        "hpc-nodes-cn-hangzhou-i",
    ]
    assert {item.inputs["cidrIp"] for item in of(resources, RULE) if item.inputs["type"] == "ingress"} == {
        "10.0.0.0/8",
        "172.20.0.0/16",
        "100.64.0.0/10",
    }


@pytest.mark.parametrize("kind", ["enterprise", "normal"])
def test_nothing_gets_in_from_outside_of_the_vpc(build: Build, kind: str) -> None:
    resources = network(build, spec(network={"securityGroup": kind}))
    (group,) = of(resources, GROUP)
    assert group.inputs["securityGroupType"] == kind
    assert group.inputs.get("innerAccessPolicy") == ("Accept" if kind == "normal" else None)
    rules = [item.inputs for item in of(resources, RULE)]
    # 100.64.0.0/10 is no range of the Internet: Alibaba Cloud's own services are there.
    assert [rule["cidrIp"] for rule in rules if rule["type"] == "ingress"] == ["10.0.0.0/8", "100.64.0.0/10"]
    for rule in rules:
        every_port = {"ipProtocol": "all", "portRange": "-1/-1", "nicType": "intranet", "policy": "accept"}
        assert rule.items() >= {**every_port, "securityGroupId": "net-security-group-id"}.items()


def test_what_an_enterprise_security_group_denies_without_a_rule_is_allowed(build: Build) -> None:
    resources = network(build, spec(network={"nat": False}))
    assert [item.inputs["cidrIp"] for item in of(resources, RULE) if item.inputs["type"] == "egress"] == ["0.0.0.0/0"]


def test_nodes_and_pods_get_out_by_one_address(build: Build) -> None:
    resources = network(build, spec(network={"natBandwidthMbps": 50}))
    (nat,), (address,), (association,) = of(resources, NAT), of(resources, EIP), of(resources, ASSOCIATION)
    assert (nat.inputs["natType"], nat.inputs["internetChargeType"], nat.inputs["paymentType"]) == (
        "Enhanced",
        "PayByLcu",
        "PayAsYouGo",
    )
    assert address.inputs["bandwidth"] == "50"
    assert (association.inputs["instanceType"], association.inputs["instanceId"]) == ("Nat", "net-nat-id")
    entries = of(resources, SNAT)
    assert {item.inputs["sourceVswitchId"] for item in entries} == {
        f"net-{role}-{zone}-id" for role in ("nodes", "pods") for zone in ZONES
    }
    for entry in entries:
        assert (entry.inputs["snatTableId"], entry.inputs["snatIp"]) == ("stb-1", "198.51.100.7")
        assert any("eipAssociation" in urn for urn in entry.depends_on), "the address has to be the gateway's by then"


def test_without_nat_there_is_no_way_out(build: Build) -> None:
    outputs: dict[str, Any] = {}

    def program() -> None:
        component = AckNetwork("net", args_of(spec(network={"nat": False})))
        component.egress_address.apply(lambda address: outputs.update(address=address))
        assert {resource.pulumi_resource_name for resource in after_all(component)} == {
            "net-from-vpc",
            "net-from-services",
            "net-to-everywhere",
            *(f"net-{role}-{zone}" for role in ("nodes", "pods") for zone in ZONES),
        }

    resources = build(program)
    assert not [item for item in resources if item.typ in (NAT, EIP, ASSOCIATION, SNAT)]
    assert outputs == {"address": None}


def test_outputs_have_the_ids_by_zone(build: Build) -> None:
    outputs: dict[str, Any] = {}

    def program() -> None:
        component = AckNetwork("net", args_of(spec()))
        component.node_vswitches.apply(lambda ids: outputs.update(nodes=ids))
        component.pod_vswitches.apply(lambda ids: outputs.update(pods=ids))

    build(program, OUTPUTS)
    assert outputs == {
        "nodes": {zone: f"net-nodes-{zone}-id" for zone in ZONES},
        "pods": {zone: f"net-pods-{zone}-id" for zone in ZONES},
    }


@pytest.mark.parametrize("protected", [True, False])
def test_the_network_is_protected_like_the_cluster(protected: bool) -> None:
    args = args_of(spec(deletionProtection=protected))
    requests = requests_of(lambda: AckNetwork("net", args), OUTPUTS)
    for key, request in requests.items():
        if key.startswith(("Network ", "Switch ")):
            assert request.protect is protected, key


def test_ranges_that_are_not_configured_are_planned(build: Build) -> None:
    arguments = {"name": "hpc", "zones": ZONES}
    resources = build(lambda: loosely(AckNetwork)("net", arguments), OUTPUTS)
    planned = plan_addresses(AckPlan.of(spec()))
    assert {item.inputs["cidrBlock"] for item in of(resources, VSWITCH)} == {
        *planned.nodes.values(),
        *planned.pods.values(),
    }


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"network": {"vpc_range": "8.0.0.0/8"}},
            [
                'network.vpc_range = "8.0.0.0/8": this range is not private, so nodes would no longer reach its owners '
                "on the Internet. Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
            ],
        ),
        (
            {"network": {"node_ranges": dict.fromkeys(ZONES, "10.0.0.0/18")}},
            [
                'network.node_ranges["cn-hangzhou-i"] = "10.0.0.0/18": it overlaps with node_ranges["cn-hangzhou-h"], '
                "10.0.0.0/18, so packets would be misrouted. Write a range that doesn't overlap with it."
            ],
        ),
        (
            {"cni": "flannel", "network": {"vpc_range": "10.0.0.0/28"}},
            [
                f'network.node_ranges["{zone}"]: the VPC has no room left that is large enough for it. Write a larger '
                "vpc_range, or smaller ranges for the others."
                for zone in ZONES
            ],
        ),
        ({"zones": []}, ["zones = []: there are too few items. Give at least 1."]),
    ],
)
def test_arguments_are_checked_by_the_rules(fields: dict[str, Any], expected: list[str]) -> None:
    with pytest.raises(SpecError) as caught:
        loosely(AckNetwork)("net", {"name": "hpc", "zones": ZONES, **fields})
    assert [str(error) for error in caught.value.errors] == expected


def test_ranges_are_as_small_as_the_pools_allow() -> None:
    """The network's arguments have no pools, so it can't check whether ranges are too small for them."""
    ranges = {"node_ranges": {ZONES[0]: "10.0.0.0/28"}, "pod_ranges": {ZONES[0]: "10.0.1.0/25"}}
    assert AckNetworkArgs.model_validate({"name": "hpc", "zones": ZONES[:1], "network": ranges})

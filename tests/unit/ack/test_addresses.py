"""Ranges, which are separate from each other, large enough, and always the same."""

from ipaddress import IPv4Network
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.ack.model import AckSpec, Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.address_needs import flannel_addresses, node_addresses, pod_addresses
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.ack.rules import checked_ack
from pulumi_slurm.errors import SpecError
from tests.unit.ack.strategies import REGIONS, ack_specs, pools

PRIVATE = [IPv4Network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]


def spec(**fields: Any) -> AckSpec:
    return checked_ack(AckSpec(**{"region": "cn-hangzhou", "zones": ["cn-hangzhou-h", "cn-hangzhou-i"], **fields}))


@given(ack_specs())
def test_ranges_are_separate_and_large_enough(ack: AckSpec) -> None:
    addresses = plan_addresses(AckPlan.of(ack))
    vpc = IPv4Network(addresses.vpc)
    inside = [IPv4Network(cidr) for cidr in (*addresses.nodes.values(), *addresses.pods.values())]
    outside = [IPv4Network(cidr) for cidr in (addresses.flannel_pods, addresses.services) if cidr]
    ranges = [*inside, *outside]
    assert not any(range_.overlaps(other) for index, range_ in enumerate(ranges) for other in ranges[:index])
    assert all(range_.subnet_of(vpc) and 16 <= range_.prefixlen <= 29 for range_ in inside)
    assert not any(range_.overlaps(vpc) for range_ in outside)
    assert all(any(map(range_.subnet_of, PRIVATE)) for range_ in ranges)
    assert list(addresses.nodes) == all_zones(ack)
    for zone, cidr in addresses.nodes.items():
        assert IPv4Network(cidr).num_addresses >= node_addresses(AckPlan.of(ack), zone)
    for zone, cidr in addresses.pods.items():
        assert IPv4Network(cidr).num_addresses >= pod_addresses(AckPlan.of(ack), zone)
    assert (
        (addresses.flannel_pods is None)
        == (ack.control_plane.cni is Cni.TERWAY)
        == (list(addresses.pods) == all_zones(ack))
    )
    if addresses.flannel_pods:
        assert IPv4Network(addresses.flannel_pods).num_addresses >= flannel_addresses(AckPlan.of(ack))


@given(ack_specs(), st.data())
def test_another_pool_moves_nothing(ack: AckSpec, data: st.DataObject) -> None:
    ack = ack.model_copy(update={"network": ack.network.model_copy(update={"vpc_range": "10.0.0.0/8"})})
    zones = data.draw(st.sampled_from([REGIONS[ack.region][:1], REGIONS[ack.region]]))
    larger = ack.model_copy(update={"pools": [*ack.pools, data.draw(pools("another", zones))]})
    before, after = plan_addresses(AckPlan.of(ack)), plan_addresses(AckPlan.of(larger))
    assert before.nodes.items() <= after.nodes.items()
    assert before.pods.items() <= after.pods.items()
    assert before.services == after.services


def test_the_ranges_in_the_documentation() -> None:
    addresses = plan_addresses(AckPlan.of(spec()))
    assert addresses.nodes == {"cn-hangzhou-h": "10.7.0.0/18", "cn-hangzhou-i": "10.8.0.0/18"}
    assert addresses.pods == {"cn-hangzhou-h": "10.135.0.0/16", "cn-hangzhou-i": "10.136.0.0/16"}
    assert (addresses.flannel_pods, addresses.services) == (None, "172.16.0.0/20")
    flannel = plan_addresses(AckPlan.of(spec(control_plane={"cni": "flannel"})))
    assert (flannel.nodes, flannel.pods, flannel.flannel_pods) == (addresses.nodes, {}, "172.20.0.0/16")
    assert flannel.clients == ["10.7.0.0/18", "10.8.0.0/18", "172.20.0.0/16"]


@given(st.permutations([f"cn-hangzhou-{letter}" for letter in "abhij"]))
def test_additional_zones_move_nothing(zones: list[str]) -> None:
    before = plan_addresses(AckPlan.of(spec()))
    after = plan_addresses(AckPlan.of(spec(zones=zones)))
    assert before.nodes.items() <= after.nodes.items()
    assert before.pods.items() <= after.pods.items()


def test_configured_ranges_are_kept_and_not_used_twice() -> None:
    addresses = plan_addresses(
        AckPlan.of(spec(network={"nodeRanges": {"cn-hangzhou-i": "10.7.0.0/17"}, "servicesRange": "172.20.0.0/16"}))
    )
    assert addresses.nodes["cn-hangzhou-i"] == "10.7.0.0/17"
    assert not IPv4Network(addresses.nodes["cn-hangzhou-h"]).overlaps(IPv4Network("10.7.0.0/17"))
    assert addresses.services == "172.20.0.0/16"


def test_ranges_outside_of_the_vpc_do_not_overlap_with_it() -> None:
    addresses = plan_addresses(
        AckPlan.of(spec(network={"vpcRange": "172.16.0.0/12"}, control_plane={"cni": "flannel"}))
    )
    assert not IPv4Network(addresses.services).overlaps(IPv4Network("172.16.0.0/12"))
    assert not IPv4Network(str(addresses.flannel_pods)).overlaps(IPv4Network("172.16.0.0/12"))


def test_large_pools_get_larger_ranges() -> None:
    cpu = {"instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 1000}
    many = [{**cpu, "name": f"cpu{number}"} for number in range(6)]
    flannel = plan_addresses(AckPlan.of(spec(control_plane={"cni": "flannel"}, pools=many)))
    assert flannel.flannel_pods == "172.24.0.0/13"
    assert flannel.nodes["cn-hangzhou-h"] == "10.7.0.0/18"


def test_no_room_is_an_error() -> None:
    with pytest.raises(SpecError, match=r"network\.pod_ranges"):
        plan_addresses(
            AckPlan.of(
                spec(
                    network={"vpcRange": "192.168.0.0/22"},
                    pools=[{"name": "cpu", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 100}],
                )
            )
        )

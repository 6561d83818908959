"""Address ranges: private, without overlaps, large enough, and unchanged when pools change."""

from ipaddress import IPv4Network
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st
from hypothesis.strategies import DrawFn

from pulumi_slurm.errors import FieldError, Severity, SpecError
from pulumi_slurm.gke.model import (
    CloudSqlSpec,
    FilestoreSpec,
    GkeNetworkSpec,
    GkePoolSpec,
    GkeSpec,
    GkeStorageSpec,
    LustreSpec,
)
from pulumi_slurm.gke.plan.addresses import GkeAddresses, networks_of, plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.rules import check_gke, checked_gke
from pulumi_slurm.machines.gke import DeviceMode

ZONES = ["us-central1-a", "us-central1-b"]
FAST = {"a3-highgpu-8g": 4, "a3-megagpu-8g": 8, "a3-ultragpu-8g": 9, "a4x-highgpu-4g": 5, "h4d-standard-192": 1}
"""Machine types with fast networks, and the number of interfaces that they need."""
RANGES = {
    "nodes_range": ["10.0.0.0/18", "10.64.0.0/16", "192.168.0.0/18", "172.16.0.0/18"],
    "pods_range": ["10.0.0.0/10", "10.128.0.0/9", "100.64.0.0/10"],
    "services_range": ["10.0.0.0/20", "10.255.0.0/20", "10.2.0.0/20"],
    "private_services_range": ["10.1.0.0/16", "10.64.0.0/16"],
    "control_plane_range": ["172.16.0.0/28", "10.0.0.0/28"],
    "fabric_range": ["10.32.0.0/12", "172.24.0.0/14"],
}


def errors_of(spec: GkeSpec) -> list[FieldError]:
    return [error for error in check_gke(spec) if error.severity is Severity.ERROR]


@st.composite
def pools(draw: DrawFn, name: str) -> GkePoolSpec:
    machine_type = draw(st.sampled_from(["n2-standard-8", *FAST]))
    fields: dict[str, Any] = {"name": name, "machine_type": machine_type}
    if machine_type in FAST:
        fields |= {"capacity": "reservation", "reservation": "mine", "zones": [draw(st.sampled_from(ZONES))]}
    max_nodes = st.integers(0, 600) if machine_type in FAST else st.integers(0, 9000)
    return GkePoolSpec(**fields, max_nodes=draw(max_nodes), max_pods_per_node=draw(st.integers(8, 256)))


SERVICES: list[dict[str, Any]] = [{"filestore": FilestoreSpec()}, {"lustre": LustreSpec()}]
storages = st.lists(st.sampled_from(SERVICES), max_size=3).map(
    lambda services: [
        GkeStorageSpec(name=f"s{index}", mount_path=f"/s{index}", **service) for index, service in enumerate(services)
    ]
)


def unchecked(**fields: Any) -> GkeSpec:
    """Return a specification whose rules haven't run."""
    return GkeSpec.model_validate({"project": "my-project", "region": "us-central1", "zones": ZONES, **fields})


@st.composite
def specs(draw: DrawFn, with_ranges: bool = True) -> GkeSpec:
    """Draw a specification that the rules accept."""
    ranges = st.fixed_dictionaries({}, optional={field: st.sampled_from(cidrs) for field, cidrs in RANGES.items()})
    spec = unchecked(
        name="train",
        pools=[draw(pools(f"p{index}")) for index in range(draw(st.integers(0, 4)))],
        storage=draw(storages),
        database=draw(st.none() | st.just(CloudSqlSpec())),
        network=GkeNetworkSpec(**draw(ranges)) if with_ranges else GkeNetworkSpec(),
    )
    assume(not errors_of(spec))
    return spec


def ranges(addresses: GkeAddresses) -> list[IPv4Network]:
    cidrs = [addresses.nodes, addresses.pods, addresses.services, addresses.control_plane, addresses.private_services]
    return [IPv4Network(cidr) for cidr in cidrs if cidr]


def overlap(networks: list[IPv4Network]) -> bool:
    return any(network.overlaps(other) for network, other in combinations(networks, 2))


@given(specs())
def test_ranges_of_a_node_are_private_and_do_not_overlap(spec: GkeSpec) -> None:
    addresses = plan_addresses(GkePlan.of(spec))
    private = [IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"), IPv4Network("192.168.0.0/16")]
    private.append(IPv4Network("100.64.0.0/10"))
    # In all zones: networks of pods in one cluster can't overlap either.
    fabric = [IPv4Network(subnet.range) for network in addresses.fabric for subnet in network.subnets]
    assert not overlap(ranges(addresses) + fabric)
    assert all(any(network.subnet_of(space) for space in private) for network in ranges(addresses) + fabric)


@given(specs())
def test_ranges_are_large_enough_for_all_nodes_and_pods(spec: GkeSpec) -> None:
    addresses = plan_addresses(GkePlan.of(spec))
    pools = planned_pools(spec)
    max_nodes = sum(planned.capacity_option.most_nodes for planned in pools) + spec.system_pool.max_nodes
    assert IPv4Network(addresses.nodes).num_addresses >= max_nodes + 4
    # GKE assigns a node a block for at least twice its pods; blocks are powers of two.
    blocks = {count: next(1 << bits for bits in range(4, 10) if 1 << bits >= 2 * count) for count in range(8, 257)}
    pods = sum(planned.capacity_option.most_nodes * blocks[planned.pool.max_pods_per_node] for planned in pools)
    assert IPv4Network(addresses.pods).num_addresses >= pods + 256 * spec.system_pool.max_nodes
    for planned in pools:
        for network in networks_of(planned, addresses):
            sharing = [other for other in pools if network.name in {n.name for n in networks_of(other, addresses)}]
            nodes = sum(other.capacity_option.most_nodes for other in sharing)
            assert all(IPv4Network(subnet.range).num_addresses >= nodes + 4 for subnet in network.subnets)
    assert (addresses.private_services is None) == (not spec.storage and spec.database is None)


@given(specs())
def test_configured_ranges_are_kept(spec: GkeSpec) -> None:
    addresses = plan_addresses(GkePlan.of(spec))
    for field in ("nodes", "pods", "services"):
        configured = getattr(spec.network, f"{field}_range")
        assert configured is None or getattr(addresses, field) == configured
    assert addresses.control_plane == spec.network.control_plane_range
    assert addresses.private_services in (None, spec.network.private_services_range or addresses.private_services)
    fabric_range = IPv4Network(spec.network.fabric_range)
    subnets = [subnet for network in addresses.fabric for subnet in network.subnets]
    assert all(IPv4Network(subnet.range).subnet_of(fabric_range) for subnet in subnets)


@given(specs(with_ranges=False), pools("additional"), st.integers(0, 100))
def test_additional_and_larger_pools_move_nothing(spec: GkeSpec, additional: GkePoolSpec, nodes: int) -> None:
    first = spec.pools[:1]
    grown = [pool.model_copy(update={"max_nodes": (pool.max_nodes or 0) + nodes}) for pool in first]
    # A network that is bound to another zone than those before it comes behind them.
    is_bound = additional.machine_type in FAST
    some = [*grown, *spec.pools[1:]]
    some = [*some, additional] if is_bound else [additional, *some]
    larger = spec.model_copy(update={"pools": some, "database": CloudSqlSpec()})
    assume(not errors_of(larger))
    before, after = plan_addresses(GkePlan.of(spec)), plan_addresses(GkePlan.of(larger))
    assert (before.nodes, before.services, before.control_plane) == (after.nodes, after.services, after.control_plane)
    assert before.private_services in (None, after.private_services)
    if after.pods != before.pods:
        needed = sum(pool.most_nodes * 2 * pool.max_pods_per_node for pool in larger.pools)
        assert 4 * needed > IPv4Network(before.pods).num_addresses, "it only moves if it has become too small"
    subnets = {network.name: dict(network.subnets) for network in after.fabric}
    assert all(subnets[network.name].items() >= dict(network.subnets).items() for network in before.fabric)


@given(specs())
def test_pools_have_the_interfaces_of_their_machines(spec: GkeSpec) -> None:
    addresses = plan_addresses(GkePlan.of(spec))
    for planned in planned_pools(spec):
        networks = networks_of(planned, addresses)
        assert sum(len(network.subnets) for network in networks) == FAST.get(planned.machine_type.name, 0)
        assert all(network.zone in (None, planned.zones[0]) for network in networks)
    names = [subnet.name for network in addresses.fabric for subnet in network.subnets]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("first", FAST)
@pytest.mark.parametrize("second", FAST)
def test_pools_that_share_networks_have_no_more_interfaces_than_they_need(first: str, second: str) -> None:
    """Few drawn specifications have two fast machine types in one zone."""
    placed = {"capacity": "reservation", "reservation": "mine", "max_nodes": 8, "zones": ZONES[:1]}
    fast_pools = [
        GkePoolSpec.model_validate({"name": name, "machine_type": machine_type, **placed})
        for name, machine_type in (("first", first), ("second", second))
    ]
    spec = unchecked(name="train", pools=fast_pools)
    assert not errors_of(spec)
    addresses = plan_addresses(GkePlan.of(spec))
    for planned in planned_pools(spec):
        subnets = [subnet for network in networks_of(planned, addresses) for subnet in network.subnets]
        assert len(subnets) == FAST[planned.machine_type.name]


def fast(machine_type: str, **fields: Any) -> GkeSpec:
    placed = {"capacity": "spot", "max_nodes": 8, "zones": ["us-central1-b"]}
    pool = GkePoolSpec(name="gpu", machine_type=machine_type, **placed, **fields)
    return checked_gke(GkeSpec(project="my-project", region="us-central1", zones=ZONES, name="train", pools=[pool]))


def test_gpudirect_tcpxo_gets_eight_networks_of_one_subnet() -> None:
    spec = fast("a3-megagpu-8g")
    networks = networks_of(planned_pools(spec)[0], plan_addresses(GkePlan.of(spec)))
    assert [network.name for network in networks] == [f"train-tcpxo-{number}" for number in range(1, 9)]
    assert {(network.mtu, network.profile, network.device_mode) for network in networks} == {
        (8244, None, DeviceMode.NET_DEVICE)
    }
    assert networks[0].subnets == (("train-tcpxo-1", "192.168.32.0/21"),)


def test_rdma_gets_a_network_of_its_zone_with_eight_subnets() -> None:
    spec = fast("a3-ultragpu-8g")
    ordinary, rdma = networks_of(planned_pools(spec)[0], plan_addresses(GkePlan.of(spec)))
    assert (ordinary.name, ordinary.zone, ordinary.profile) == ("train-roce-1", None, None)
    assert (rdma.name, rdma.zone, rdma.profile) == ("train-roce-b", "us-central1-b", "us-central1-b-vpc-roce")
    assert (rdma.device_mode, rdma.mtu) == (DeviceMode.RDMA, 8896)
    assert [subnet.name for subnet in rdma.subnets] == [f"train-roce-b-{number}" for number in range(1, 9)]


def test_a_pool_without_its_fast_network_gets_no_networks() -> None:
    spec = fast("a3-megagpu-8g", fabric=False)
    assert plan_addresses(GkePlan.of(spec)).fabric == ()
    assert networks_of(planned_pools(spec)[0], plan_addresses(GkePlan.of(spec))) == []


def test_without_free_ranges_there_is_an_error() -> None:
    spec = unchecked(
        network=GkeNetworkSpec(
            nodes_range="10.0.0.0/8", fabric_range="172.16.0.0/12", control_plane_range="192.168.0.0/28"
        ),
    )
    with pytest.raises(SpecError, match=r"^The GKE specification has 2 errors:\n  - network\.private_services_range"):
        plan_addresses(GkePlan.of(spec))

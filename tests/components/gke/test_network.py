"""The VPC, who gets in, and the VPCs of fast networks."""

from ipaddress import IPv4Network
from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeNetwork
from pulumi_slurm.gke.model import GkeSpec
from tests.components.conftest import Build, Registered
from tests.components.gke.parts import network_args

NETWORK = "gcp:compute/network:Network"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
FIREWALL = "gcp:compute/firewall:Firewall"
CONNECTION = "gcp:servicenetworking/connection:Connection"
ADDRESS = "gcp:compute/globalAddress:GlobalAddress"
NAT = "gcp:compute/routerNat:RouterNat"
IAP = "35.235.240.0/20"
PRIVATE = [IPv4Network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]


def spec(*machine_types: str, **fields: Any) -> GkeSpec:
    pools = [{"name": f"pool{index}", "machineType": kind, "maxNodes": 8} for index, kind in enumerate(machine_types)]
    return GkeSpec.model_validate(
        {
            "project": "my-project",
            "region": "us-central1",
            "zones": ["us-central1-a"],
            "name": "hpc",
            "pools": pools,
            **fields,
        }
    )


def storage(**kind: Any) -> dict[str, Any]:
    return {"storage": [{"name": "data", "mountPath": "/data", **kind}]}


def network(build: Build, what: GkeSpec, opts: pulumi.ResourceOptions | None = None) -> list[Registered]:
    return build(lambda: GkeNetwork("net", network_args(what), opts))


def of(made: list[Registered], typ: str) -> list[Registered]:
    return [item for item in made if item.typ == typ]


def named(made: list[Registered], typ: str, name: str) -> Registered:
    return next(item for item in of(made, typ) if item.inputs["name"] == name)


EVERYTHING = spec(
    "n1-standard-8",
    "a3-highgpu-8g",
    "a3-ultragpu-8g",
    database={},
    storage=[
        {"name": "home", "mountPath": "/home", "filestore": {}},
        {"name": "scratch", "mountPath": "/scratch", "lustre": {}},
    ],
)


def test_the_vpc_is_ours_alone(build: Build) -> None:
    made = network(build, spec())
    (vpc,) = of(made, NETWORK)
    assert vpc.inputs == {
        "name": "hpc",
        "project": "my-project",
        "autoCreateSubnetworks": False,
        "routingMode": "REGIONAL",
    }
    (subnetwork,) = of(made, SUBNETWORK)
    assert subnetwork.inputs["network"] == "net-network-id"
    assert subnetwork.inputs["privateIpGoogleAccess"] is True
    assert [item["rangeName"] for item in subnetwork.inputs["secondaryIpRanges"]] == ["pods", "services"]
    ranges = [
        IPv4Network(subnetwork.inputs["ipCidrRange"]),
        *(IPv4Network(item["ipCidrRange"]) for item in subnetwork.inputs["secondaryIpRanges"]),
    ]
    assert not any(one.overlaps(other) for one in ranges for other in ranges if one is not other)


def test_stated_ranges_are_kept(build: Build) -> None:
    stated = {"nodesRange": "10.200.0.0/20", "podsRange": "10.128.0.0/12", "servicesRange": "10.201.0.0/20"}
    (subnetwork,) = of(network(build, spec(network=stated)), SUBNETWORK)
    assert subnetwork.inputs["ipCidrRange"] == "10.200.0.0/20"
    assert [item["ipCidrRange"] for item in subnetwork.inputs["secondaryIpRanges"]] == [
        "10.128.0.0/12",
        "10.201.0.0/20",
    ]


@pytest.mark.parametrize(("ports", "dynamic"), [(1024, True), (65536, False)])
def test_nodes_reach_the_internet_by_nat(build: Build, ports: int, dynamic: bool) -> None:
    (nat,) = of(network(build, spec(network={"minPortsPerVm": ports})), NAT)
    assert nat.inputs["minPortsPerVm"] == ports
    assert nat.inputs["enableDynamicPortAllocation"] is dynamic
    assert nat.inputs["enableEndpointIndependentMapping"] is False
    assert nat.inputs["logConfig"] == {"enable": True, "filter": "ERRORS_ONLY"}


@pytest.mark.parametrize("what", [spec(), EVERYTHING, spec("a3-megagpu-8g", network={"sshFromIap": False})])
def test_nothing_gets_in_from_outside(build: Build, what: GkeSpec) -> None:
    for rule in of(network(build, what), FIREWALL):
        assert rule.inputs["direction"] == "INGRESS"
        for source in rule.inputs["sourceRanges"]:
            if source == IAP:
                assert rule.inputs["allows"] == [{"protocol": "tcp", "ports": ["22"]}]
            else:
                assert any(IPv4Network(source).subnet_of(private) for private in PRIVATE), rule.name


def test_ssh_can_be_shut(build: Build) -> None:
    def sources(what: GkeSpec) -> set[str]:
        return {source for rule in of(network(build, what), FIREWALL) for source in rule.inputs["sourceRanges"]}

    assert IAP in sources(spec())
    assert IAP not in sources(spec(network={"sshFromIap": False}))


def test_nodes_and_pods_reach_each_other_and_the_control_plane_its_webhooks(build: Build) -> None:
    made = network(build, spec(network={"controlPlaneRange": "172.16.5.16/28"}))
    (subnetwork,) = of(made, SUBNETWORK)
    inside = named(made, FIREWALL, "hpc-internal").inputs
    assert inside["sourceRanges"] == [
        subnetwork.inputs["ipCidrRange"],
        subnetwork.inputs["secondaryIpRanges"][0]["ipCidrRange"],
    ]
    assert [item["protocol"] for item in inside["allows"]] == ["tcp", "udp", "icmp"]
    webhooks = named(made, FIREWALL, "hpc-webhooks").inputs
    assert webhooks["sourceRanges"] == ["172.16.5.16/28"]
    assert "9443" in webhooks["allows"][0]["ports"], "where slurm-operator's webhook listens"


@pytest.mark.parametrize("fields", [{"database": {}}, storage(filestore={}), storage(lustre={})])
def test_googles_services_get_a_range_of_their_own(build: Build, fields: dict[str, Any]) -> None:
    seen: list[Any] = []

    def program() -> None:
        made = GkeNetwork("net", network_args(spec(**fields)))
        made.private_services_range_name.apply(seen.append)
        seen.append(len(made.private_services()))

    made = build(program)
    (address,) = of(made, ADDRESS)
    assert address.inputs["purpose"] == "VPC_PEERING"
    assert address.inputs["addressType"] == "INTERNAL"
    reserved = IPv4Network(f"{address.inputs['address']}/{int(address.inputs['prefixLength'])}")
    (subnetwork,) = of(made, SUBNETWORK)
    assert not reserved.overlaps(IPv4Network(subnetwork.inputs["ipCidrRange"]))
    (connection,) = of(made, CONNECTION)
    assert connection.inputs["reservedPeeringRanges"] == [address.inputs["name"]]
    assert connection.inputs["deletionPolicy"] == "REMOVE_PEERING", "ABANDON would leave a VPC that can't be deleted"
    assert set(seen) == {1, address.inputs["name"]}


@pytest.mark.parametrize("fields", [{}, storage(bucket={})])
def test_there_is_no_peering_that_nobody_needs(build: Build, fields: dict[str, Any]) -> None:
    made = network(build, spec(**fields))
    assert of(made, ADDRESS) == of(made, CONNECTION) == []


def test_lustre_may_call_back(build: Build) -> None:
    made = network(build, spec(**storage(lustre={})))
    (address,) = of(made, ADDRESS)
    rule = named(made, FIREWALL, "hpc-lustre").inputs
    assert rule["sourceRanges"] == [f"{address.inputs['address']}/{int(address.inputs['prefixLength'])}"]
    assert "988" in rule["allows"][0]["ports"]
    assert "hpc-lustre" not in {item.inputs["name"] for item in of(network(build, spec(database={})), FIREWALL)}


@pytest.mark.parametrize(
    ("what", "mtu"),
    [
        (spec("n2-standard-8", "g2-standard-4"), None),
        (spec("a3-highgpu-8g"), 8244),
        (spec("a3-megagpu-8g", "a3-ultragpu-8g"), 8896),
        (spec("a3-megagpu-8g", network={"mtu": 1500}), 1500),
        (spec(pools=[{"name": "a3", "machineType": "a3-megagpu-8g", "maxNodes": 2, "fabric": False}]), None),
    ],
)
def test_packets_are_as_large_as_the_fastest_pool_wants(build: Build, what: GkeSpec, mtu: int | None) -> None:
    assert named(network(build, what), NETWORK, "hpc").inputs.get("mtu") == mtu


def test_further_pools_leave_the_vpc_as_it_is(build: Build) -> None:
    def made_for(what: GkeSpec) -> dict[str, Any]:
        return {item.name: {**item.inputs, "mtu": None} for item in network(build, what)}

    few = made_for(spec("n2-standard-8", "a3-highgpu-8g"))
    more = made_for(spec("n2-standard-8", "a3-highgpu-8g", "g2-standard-4", "a3-megagpu-8g"))
    del few["net"], more["net"]  # what the component was given
    assert few.items() <= more.items()


@pytest.mark.parametrize(
    ("machine_types", "vpcs", "subnetworks"),
    [
        (["n2-standard-8", "g2-standard-4", "a2-highgpu-1g"], 0, 0),
        (["a3-highgpu-8g"], 4, 4),
        (["a3-megagpu-8g"], 8, 8),
        (["a3-megagpu-8g", "a3-megagpu-8g"], 8, 8),
        (["a3-ultragpu-8g"], 2, 9),
        (["h4d-highmem-192-lssd"], 1, 1),
    ],
)
def test_a_fast_network_has_vpcs_of_its_own(
    build: Build, machine_types: list[str], vpcs: int, subnetworks: int
) -> None:
    seen: list[dict[str, dict[str, str]]] = []
    what = spec(*machine_types)

    def program() -> None:
        GkeNetwork("net", network_args(what)).fabric_networks.apply(seen.append)

    made = build(program)
    extra = [item for item in of(made, NETWORK) if item.inputs["name"] != "hpc"]
    assert len(extra) == vpcs
    (named_by_subnetwork,) = seen
    assert len(named_by_subnetwork) == subnetworks
    known = {(item.inputs["name"], item.inputs["network"]) for item in of(made, SUBNETWORK)}
    for name, pair in named_by_subnetwork.items():
        assert pair["subnetwork"] == name
        vpc = named(made, NETWORK, pair["network"])
        assert (name, f"{vpc.name}-id") in known, "the subnetwork lies in the VPC that is named beside it"


def test_an_rdma_network_has_its_profile_and_no_rules_that_it_refuses(build: Build) -> None:
    made = network(build, spec("a3-ultragpu-8g"))
    profiles = {item.inputs["name"]: item.inputs.get("networkProfile") for item in of(made, NETWORK)}
    (rdma,) = [name for name, profile in profiles.items() if profile]
    assert profiles[rdma] == "projects/my-project/global/networkProfiles/us-central1-a-vpc-roce"
    ruled = {rule.inputs["network"] for rule in of(made, FIREWALL)}
    assert ruled == set(profiles) - {rdma}


def test_an_rdma_network_is_made_for_each_zone_that_has_nodes(build: Build) -> None:
    pools = [
        {"name": f"pool-{zone[-1]}", "machineType": "a3-ultragpu-8g", "zones": [zone], "maxNodes": 8}
        for zone in ("us-central1-a", "us-central1-b")
    ]
    made = network(build, spec(pools=pools))
    profiles = [item.inputs["networkProfile"] for item in of(made, NETWORK) if "networkProfile" in item.inputs]
    assert {profile.rpartition("/")[2] for profile in profiles} == {"us-central1-a-vpc-roce", "us-central1-b-vpc-roce"}


def test_a_fast_network_lets_in_itself_alone(build: Build) -> None:
    made = network(build, spec("a3-megagpu-8g"))
    vpcs = {f"{item.name}-id": item.inputs["name"] for item in of(made, NETWORK)}
    ranges = {vpcs[item.inputs["network"]]: item.inputs["ipCidrRange"] for item in of(made, SUBNETWORK)}
    for rule in of(made, FIREWALL):
        if rule.inputs["network"] != "hpc":
            assert rule.inputs["sourceRanges"] == [ranges[rule.inputs["network"]]]


@pytest.mark.parametrize("protected", [True, False])
def test_what_the_cluster_stands_on_is_as_protected_as_it(build: Build, protected: bool) -> None:
    seen: dict[str, bool | None] = {}

    def note(args: pulumi.ResourceTransformationArgs) -> None:
        seen[args.name] = args.opts.protect

    network(build, spec(deletionProtection=protected), pulumi.ResourceOptions(transformations=[note]))
    # Where it is off, that of the component counts.
    wanted = True if protected else None
    assert [seen["net-network"], seen["net-subnetwork"]] == [wanted, wanted]


def test_all_is_named_after_the_cluster_and_lies_in_its_project(build: Build) -> None:
    for item in network(build, EVERYTHING):
        if not item.typ.startswith("gcp:") or item.typ == CONNECTION:
            continue
        assert item.inputs["project"] == "my-project"
        assert item.inputs["name"] == "hpc" or item.inputs["name"].startswith("hpc-")
        assert len(item.inputs["name"]) <= 63


def test_pulumi_names_are_used_once(build: Build) -> None:
    made = network(build, EVERYTHING)
    assert len({(item.typ, item.name) for item in made}) == len(made)


ALONE = {"project": "my-project", "region": "us-central1", "name": "hpc"}


def test_a_network_alone_has_the_ranges_of_a_specification(build: Build) -> None:
    alone = build(lambda: GkeNetwork("net", ALONE))
    (planned,) = of(network(build, spec()), SUBNETWORK)
    assert [each.inputs for each in of(alone, SUBNETWORK)] == [planned.inputs]
    (private,) = of(build(lambda: GkeNetwork("net", {**ALONE, "private_services": True})), ADDRESS)
    assert private.inputs["address"] == "10.2.0.0"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"region": "us-central1-b"}, 'region = "us-central1-b": this is a zone.'),
        ({"name": "Hpc"}, 'name = "Hpc": '),
        ({"network": {"nodesRange": "8.8.0.0/16"}}, 'network.nodesRange = "8.8.0.0/16": this range is not private'),
        (
            {"network": {"nodesRange": "10.0.0.0/8", "podsRange": "10.64.0.0/12"}},
            'network.podsRange = "10.64.0.0/12": it overlaps with nodesRange, 10.0.0.0/8.',
        ),
        ({"network": {"servicesRange": "10.1.0.0/28"}}, 'network.servicesRange = "10.1.0.0/28": GKE needs a range'),
        (
            {"fabrics": [{"name": "hpc-x", "subnetworks": [{"name": "hpc-x", "ipCidrRange": "10.64.0.0/21"}]}]},
            'fabrics[0].subnetworks[0].ipCidrRange = "10.64.0.0/21": it overlaps with podsRange, 10.64.0.0/12.',
        ),
    ],
)
def test_rules_about_a_network_hold_for_its_arguments(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        GkeNetwork("net", {**ALONE, **fields})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)

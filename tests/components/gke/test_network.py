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
from tests.components.loosely import loosely

NETWORK = "gcp:compute/network:Network"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
FIREWALL = "gcp:compute/firewall:Firewall"
CONNECTION = "gcp:servicenetworking/connection:Connection"
ADDRESS = "gcp:compute/globalAddress:GlobalAddress"
NAT = "gcp:compute/routerNat:RouterNat"
IAP = "35.235.240.0/20"
PRIVATE = [IPv4Network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]


def spec(*machine_types: str, **fields: Any) -> GkeSpec:
    pools = [
        {"name": f"pool{index}", "machineType": machine_type, "maxNodes": 8}
        for index, machine_type in enumerate(machine_types)
    ]
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


def storage(**service: Any) -> dict[str, Any]:
    return {"storage": [{"name": "data", "mountPath": "/data", **service}]}


def network(build: Build, gke_spec: GkeSpec, opts: pulumi.ResourceOptions | None = None) -> list[Registered]:
    return build(lambda: GkeNetwork("net", network_args(gke_spec), opts))


def of(resources: list[Registered], typ: str) -> list[Registered]:
    return [item for item in resources if item.typ == typ]


def named(resources: list[Registered], typ: str, name: str) -> Registered:
    return next(item for item in of(resources, typ) if item.inputs["name"] == name)


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


def test_the_vpc_has_only_its_own_subnetwork(build: Build) -> None:
    resources = network(build, spec())
    (vpc,) = of(resources, NETWORK)
    assert vpc.inputs == {
        "name": "hpc",
        "project": "my-project",
        "autoCreateSubnetworks": False,
        "routingMode": "REGIONAL",
    }
    (subnetwork,) = of(resources, SUBNETWORK)
    assert subnetwork.inputs["network"] == "net-network-id"
    assert subnetwork.inputs["privateIpGoogleAccess"] is True
    assert [item["rangeName"] for item in subnetwork.inputs["secondaryIpRanges"]] == ["pods", "services"]
    ranges = [
        IPv4Network(subnetwork.inputs["ipCidrRange"]),
        *(IPv4Network(item["ipCidrRange"]) for item in subnetwork.inputs["secondaryIpRanges"]),
    ]
    assert not any(one.overlaps(other) for one in ranges for other in ranges if one is not other)


def test_configured_ranges_are_kept(build: Build) -> None:
    network_fields = {"nodesRange": "10.200.0.0/20", "podsRange": "10.128.0.0/12", "servicesRange": "10.201.0.0/20"}
    (subnetwork,) = of(network(build, spec(network=network_fields)), SUBNETWORK)
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


@pytest.mark.parametrize("gke_spec", [spec(), EVERYTHING, spec("a3-megagpu-8g", network={"sshFromIap": False})])
def test_nothing_gets_in_from_outside(build: Build, gke_spec: GkeSpec) -> None:
    for rule in of(network(build, gke_spec), FIREWALL):
        assert rule.inputs["direction"] == "INGRESS"
        for source in rule.inputs["sourceRanges"]:
            if source == IAP:
                assert rule.inputs["allows"] == [{"protocol": "tcp", "ports": ["22"]}]
            else:
                assert any(IPv4Network(source).subnet_of(private) for private in PRIVATE), rule.name


def test_ssh_can_be_switched_off(build: Build) -> None:
    def sources(gke_spec: GkeSpec) -> set[str]:
        return {source for rule in of(network(build, gke_spec), FIREWALL) for source in rule.inputs["sourceRanges"]}

    assert IAP in sources(spec())
    assert IAP not in sources(spec(network={"sshFromIap": False}))


def test_nodes_and_pods_reach_each_other_and_the_control_plane_its_webhooks(build: Build) -> None:
    resources = network(build, spec(network={"controlPlaneRange": "172.16.5.16/28"}))
    (subnetwork,) = of(resources, SUBNETWORK)
    internal = named(resources, FIREWALL, "hpc-internal").inputs
    assert internal["sourceRanges"] == [
        subnetwork.inputs["ipCidrRange"],
        subnetwork.inputs["secondaryIpRanges"][0]["ipCidrRange"],
    ]
    assert [item["protocol"] for item in internal["allows"]] == ["tcp", "udp", "icmp"]
    webhooks = named(resources, FIREWALL, "hpc-webhooks").inputs
    assert webhooks["sourceRanges"] == ["172.16.5.16/28"]
    assert "9443" in webhooks["allows"][0]["ports"], "where slurm-operator's webhook listens"


@pytest.mark.parametrize("fields", [{"database": {}}, storage(filestore={}), storage(lustre={})])
def test_googles_services_get_their_own_range(build: Build, fields: dict[str, Any]) -> None:
    values: list[Any] = []

    def program() -> None:
        component = GkeNetwork("net", network_args(spec(**fields)))
        component.private_services_range_name.apply(values.append)
        values.append(len(component.private_services()))

    resources = build(program)
    (address,) = of(resources, ADDRESS)
    assert address.inputs["purpose"] == "VPC_PEERING"
    assert address.inputs["addressType"] == "INTERNAL"
    reserved = IPv4Network(f"{address.inputs['address']}/{int(address.inputs['prefixLength'])}")
    (subnetwork,) = of(resources, SUBNETWORK)
    assert not reserved.overlaps(IPv4Network(subnetwork.inputs["ipCidrRange"]))
    (connection,) = of(resources, CONNECTION)
    assert connection.inputs["reservedPeeringRanges"] == [address.inputs["name"]]
    assert connection.inputs["deletionPolicy"] == "REMOVE_PEERING", "ABANDON would leave a VPC that can't be deleted"
    assert set(values) == {1, address.inputs["name"]}


@pytest.mark.parametrize("fields", [{}, storage(bucket={})])
def test_there_is_no_peering_without_such_services(build: Build, fields: dict[str, Any]) -> None:
    resources = network(build, spec(**fields))
    assert of(resources, ADDRESS) == of(resources, CONNECTION) == []


def test_lustre_may_call_back(build: Build) -> None:
    resources = network(build, spec(**storage(lustre={})))
    (address,) = of(resources, ADDRESS)
    rule = named(resources, FIREWALL, "hpc-lustre").inputs
    assert rule["sourceRanges"] == [f"{address.inputs['address']}/{int(address.inputs['prefixLength'])}"]
    assert "988" in rule["allows"][0]["ports"]
    assert "hpc-lustre" not in {item.inputs["name"] for item in of(network(build, spec(database={})), FIREWALL)}


@pytest.mark.parametrize(
    ("gke_spec", "mtu"),
    [
        (spec("n2-standard-8", "g2-standard-4"), None),
        (spec("a3-highgpu-8g"), 8244),
        (spec("a3-megagpu-8g", "a3-ultragpu-8g"), 8896),
        (spec("a3-megagpu-8g", network={"mtu": 1500}), 1500),
        (spec(pools=[{"name": "a3", "machineType": "a3-megagpu-8g", "maxNodes": 2, "fabric": False}]), None),
    ],
)
def test_the_mtu_is_that_of_the_fastest_network(build: Build, gke_spec: GkeSpec, mtu: int | None) -> None:
    assert named(network(build, gke_spec), NETWORK, "hpc").inputs.get("mtu") == mtu


def test_additional_pools_do_not_change_the_vpc(build: Build) -> None:
    def inputs_for(gke_spec: GkeSpec) -> dict[str, Any]:
        return {item.name: {**item.inputs, "mtu": None} for item in network(build, gke_spec)}

    before = inputs_for(spec("n2-standard-8", "a3-highgpu-8g"))
    after = inputs_for(spec("n2-standard-8", "a3-highgpu-8g", "g2-standard-4", "a3-megagpu-8g"))
    del before["net"], after["net"]  # The inputs of the component differ.
    assert before.items() <= after.items()


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
def test_a_fast_network_has_its_own_vpcs(build: Build, machine_types: list[str], vpcs: int, subnetworks: int) -> None:
    values: list[dict[str, dict[str, str]]] = []
    gke_spec = spec(*machine_types)

    def program() -> None:
        GkeNetwork("net", network_args(gke_spec)).fabric_networks.apply(values.append)

    resources = build(program)
    extra = [item for item in of(resources, NETWORK) if item.inputs["name"] != "hpc"]
    assert len(extra) == vpcs
    (named_by_subnetwork,) = values
    assert len(named_by_subnetwork) == subnetworks
    subnetworks_in_vpcs = {(item.inputs["name"], item.inputs["network"]) for item in of(resources, SUBNETWORK)}
    for name, pair in named_by_subnetwork.items():
        assert pair["subnetwork_name"] == name
        vpc = named(resources, NETWORK, pair["network_name"])
        assert (name, f"{vpc.name}-id") in subnetworks_in_vpcs, "the subnetwork is in the VPC of the same output"


def test_an_rdma_network_has_its_profile_and_no_rules_that_it_refuses(build: Build) -> None:
    resources = network(build, spec("a3-ultragpu-8g"))
    profiles = {item.inputs["name"]: item.inputs.get("networkProfile") for item in of(resources, NETWORK)}
    (rdma,) = [name for name, profile in profiles.items() if profile]
    assert profiles[rdma] == "projects/my-project/global/networkProfiles/us-central1-a-vpc-roce"
    ruled = {rule.inputs["network"] for rule in of(resources, FIREWALL)}
    assert ruled == set(profiles) - {rdma}


def test_every_zone_with_nodes_has_an_rdma_network(build: Build) -> None:
    pools = [
        {"name": f"pool-{zone[-1]}", "machineType": "a3-ultragpu-8g", "zones": [zone], "maxNodes": 8}
        for zone in ("us-central1-a", "us-central1-b")
    ]
    resources = network(build, spec(pools=pools))
    profiles = [item.inputs["networkProfile"] for item in of(resources, NETWORK) if "networkProfile" in item.inputs]
    assert {profile.rpartition("/")[2] for profile in profiles} == {"us-central1-a-vpc-roce", "us-central1-b-vpc-roce"}


def test_a_fast_network_only_allows_traffic_within_it(build: Build) -> None:
    resources = network(build, spec("a3-megagpu-8g"))
    vpcs = {f"{item.name}-id": item.inputs["name"] for item in of(resources, NETWORK)}
    ranges = {vpcs[item.inputs["network"]]: item.inputs["ipCidrRange"] for item in of(resources, SUBNETWORK)}
    for rule in of(resources, FIREWALL):
        if rule.inputs["network"] != "hpc":
            assert rule.inputs["sourceRanges"] == [ranges[rule.inputs["network"]]]


@pytest.mark.parametrize("protected", [True, False])
def test_the_network_is_as_protected_as_the_cluster(build: Build, protected: bool) -> None:
    values: dict[str, bool | None] = {}

    def record(args: pulumi.ResourceTransformationArgs) -> None:
        values[args.name] = args.opts.protect

    network(build, spec(deletionProtection=protected), pulumi.ResourceOptions(transformations=[record]))
    # Where it is off, that of the component counts.
    protect = True if protected else None
    assert [values["net-network"], values["net-subnetwork"]] == [protect, protect]


def test_all_resources_are_named_after_the_cluster_and_in_its_project(build: Build) -> None:
    for item in network(build, EVERYTHING):
        if not item.typ.startswith("gcp:") or item.typ == CONNECTION:
            continue
        assert item.inputs["project"] == "my-project"
        assert item.inputs["name"] == "hpc" or item.inputs["name"].startswith("hpc-")
        assert len(item.inputs["name"]) <= 63


def test_pulumi_names_are_used_once(build: Build) -> None:
    resources = network(build, EVERYTHING)
    assert len({(item.typ, item.name) for item in resources}) == len(resources)


ALONE = {"project": "my-project", "region": "us-central1", "name": "hpc"}


def test_a_network_alone_has_the_ranges_of_a_specification(build: Build) -> None:
    alone = build(lambda: loosely(GkeNetwork)("net", ALONE))
    (planned,) = of(network(build, spec()), SUBNETWORK)
    assert [resource.inputs for resource in of(alone, SUBNETWORK)] == [planned.inputs]
    (private,) = of(build(lambda: loosely(GkeNetwork)("net", {**ALONE, "private_services": True})), ADDRESS)
    assert private.inputs["address"] == "10.2.0.0"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"region": "us-central1-b"}, 'region = "us-central1-b": this is a zone.'),
        ({"name": "Hpc"}, 'name = "Hpc": '),
        ({"network": {"nodesRange": "8.8.0.0/16"}}, 'network.nodes_range = "8.8.0.0/16": this range is not private'),
        (
            {"network": {"nodesRange": "10.0.0.0/8", "podsRange": "10.64.0.0/12"}},
            'network.pods_range = "10.64.0.0/12": it overlaps with nodes_range, 10.0.0.0/8.',
        ),
        ({"network": {"servicesRange": "10.1.0.0/28"}}, 'network.services_range = "10.1.0.0/28": GKE needs a range'),
        (
            {"fabrics": [{"name": "hpc-x", "subnetworks": [{"name": "hpc-x", "ipCidrRange": "10.64.0.0/21"}]}]},
            'fabrics[0].subnetworks[0].ip_cidr_range = "10.64.0.0/21": it overlaps with pods_range, 10.64.0.0/12.',
        ),
    ],
)
def test_rules_about_a_network_hold_for_its_arguments(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        loosely(GkeNetwork)("net", {**ALONE, **fields})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)

"""The simulated Google over its port, without an engine: what it fills in, refuses, replaces, hides and remembers."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.clouds.engine import EngineClient, Made, RefusedError
from tests.clouds.gcp.examples import (
    ANOTHER,
    CLUSTER,
    EXAMPLES,
    FILESTORE,
    NETWORK,
    NODE_POOL,
    PROJECT,
    REGION,
    SQL,
    SUBNETWORK,
    make_apis,
    make_site,
)
from tests.clouds.gcp.google import KEY_MEMBER, KINDS, NEW_PROJECT
from tests.clouds.gcp.package import PACKAGE
from tests.clouds.simulator import sdk
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.differences import Rules, differences
from tests.clouds.simulator.wire import UNKNOWN, decode, encode

pytestmark = pytest.mark.repeats("tests/clouds/test_gke_whole_life.py and test_gke_changes.py, without an engine")

SQL_USER = "gcp:sql/user:User"
CONNECTION = "gcp:servicenetworking/connection:Connection"


@pytest.fixture
def cloud(tmp_path: Path) -> Cloud:
    return Cloud(tmp_path / "cloud")


@pytest.fixture
def engine(cloud: Cloud) -> Iterator[EngineClient]:
    with EngineClient(PACKAGE, cloud, project=PROJECT, region=REGION) as client:
        make_apis(client)
        yield client


@pytest.fixture
def bare_engine(cloud: Cloud) -> Iterator[EngineClient]:
    """A project in which no API is on."""
    with EngineClient(PACKAGE, cloud, project=PROJECT, region=REGION) as client:
        yield client


def pool(**node_config: Any) -> dict[str, Any]:
    return {"nodeConfig": {**EXAMPLES[NODE_POOL]["nodeConfig"], **node_config}}


# What it knows


@pytest.mark.parametrize("token", sorted(KINDS))
def test_rules_speak_of_inputs_that_there_are(token: str) -> None:
    kind, inputs = KINDS[token], sdk.resource(PACKAGE.sdk, token).inputs
    rules = kind.rules
    places = [*rules.unordered, *rules.by_last_part, *kind.defaults, *kind.values]
    places += [reference.place for reference in kind.references]
    assert [place for place in places if not inputs.has(place)] == []


def test_every_kind_has_an_example() -> None:
    assert {*EXAMPLES, "gcp:projects/service:Service"} == set(KINDS)


def test_outputs_are_those_that_the_sdk_knows(engine: EngineClient) -> None:
    made = make_site(engine)
    unknown = {token: each.state.keys() - sdk.resource(PACKAGE.sdk, token).outputs for token, each in made.items()}
    assert {token: names for token, names in unknown.items() if names} == {}


def test_a_preview_foresees_what_is_stated_and_nothing_else(engine: EngineClient) -> None:
    for token, inputs in EXAMPLES.items():
        foreseen, real = engine.foresee(token, **inputs), engine.create(token, **inputs).state
        wrong = {
            name: (value, real.get(name))
            for name, value in foreseen.items()
            if value is not UNKNOWN and "endpoint" not in str(value) and value != shaped(real.get(name), value)
        }
        assert wrong == {}, token


def shaped(value: Any, shape: Any) -> Any:
    if isinstance(shape, dict) and isinstance(value, dict):
        return {name: shape[name] if shape[name] is UNKNOWN else shaped(value.get(name), shape[name]) for name in shape}
    if isinstance(shape, list) and isinstance(value, list):
        return [shaped(*pair) for pair in zip(value, shape, strict=True)]
    return value


def test_the_endpoint_is_unknown_in_a_preview(engine: EngineClient) -> None:
    foreseen = engine.foresee(CLUSTER, **EXAMPLES[CLUSTER])
    assert foreseen["controlPlaneEndpointsConfig"]["dnsEndpointConfig"]["endpoint"] is UNKNOWN
    endpoint = make_site(engine, CLUSTER)[CLUSTER].state["controlPlaneEndpointsConfig"]["dnsEndpointConfig"]["endpoint"]
    assert endpoint.endswith(f".{REGION}.gke.goog")


def test_a_refresh_and_a_second_up_find_nothing(engine: EngineClient) -> None:
    for token, made in make_site(engine).items():
        inputs, state = engine.read(made) or ({}, {})
        assert (inputs, state) == (made.inputs, made.state), token
        assert list(engine.diff(made).detailedDiff) == [], token


def test_what_google_adds_is_no_input(engine: EngineClient) -> None:
    made = make_site(engine, NODE_POOL)
    config = made[NODE_POOL].state["nodeConfig"]
    assert [each["key"] for each in config["taints"]] == ["slurm.pulumi.com/pool"]
    assert [each["key"] for each in config["effectiveTaints"]] == ["slurm.pulumi.com/pool", "nvidia.com/gpu"]
    labels = made[CLUSTER].state
    assert labels["resourceLabels"] == {"cost": "research"}
    assert labels["effectiveLabels"] == {"cost": "research", "goog-pulumi-provisioned": "true"}


# What it refuses before anything is made


@pytest.mark.parametrize(
    ("token", "changes", "place"),
    [
        (NETWORK, {"mtu": 9000}, "mtu"),
        (NETWORK, {"routingMode": "WORLDWIDE"}, "routingMode"),
        (NETWORK, {"colour": "blue"}, "colour"),
        (SUBNETWORK, {"network": None}, "network"),
        (SUBNETWORK, {"ipCidrRange": "10.0.0.1/24"}, "ipCidrRange"),
        ("gcp:compute/firewall:Firewall", {"sourceRanges": []}, "sourceRanges"),
        ("gcp:serviceaccount/account:Account", {"accountId": "short"}, "accountId"),
        (CLUSTER, {"releaseChannel": {"channel": "FAST"}}, "releaseChannel.channel"),
        (CLUSTER, {"initialNodeCount": "one"}, "initialNodeCount"),
        (CLUSTER, {"privateClusterConfig": {"masterIpv4CidrBlock": "172.16.0.0/24"}},
         "privateClusterConfig.masterIpv4CidrBlock"),
        (NODE_POOL, {"nodeCount": 1}, "nodeCount"),
        (NODE_POOL, pool(taints=[{"key": "a", "value": "b", "effect": "NoSchedule"}]), "nodeConfig.taints[0].effect"),
        (NODE_POOL, pool(taints=[{"key": "a", "effect": "NO_SCHEDULE"}]), "nodeConfig.taints[0].value"),
        (NODE_POOL, pool(guestAccelerators=[{"type": "nvidia-l4"}]), "nodeConfig.guestAccelerators[0].count"),
        (NODE_POOL, pool(maxRunDuration="7 days"), "nodeConfig.maxRunDuration"),
        (FILESTORE, {"fileShares": {"name": "much-too-long-a-name", "capacityGb": 1024}}, "fileShares.name"),
        (FILESTORE, {"tier": "BASIC_HDD"}, "protocol"),
        (SQL, {"settings": {"tier": "db-custom-2-8192", "availabilityType": "REGIONAL"}}, "settings.availabilityType"),
        (SQL, {"settings": {"tier": "db-custom-2-8192", "edition": "ENTERPRISE_PLUS"}}, "settings.tier"),
    ],
)  # fmt: skip
def test_check_names_the_place(engine: EngineClient, token: str, changes: dict[str, Any], place: str) -> None:
    inputs = {name: value for name, value in {**EXAMPLES[token], **changes}.items() if value is not None}
    _, wrong = engine.check(token, inputs)
    assert set(wrong) == {place}


def test_an_unknown_kind_is_refused(engine: EngineClient) -> None:
    _, wrong = engine.check("gcp:redis/instance:Instance", {})
    assert "doesn't know gcp:redis/instance:Instance" in wrong[""]


def test_names_are_made_up_where_the_real_provider_does(engine: EngineClient) -> None:
    inputs, _ = engine.check(NETWORK, {})
    assert inputs["name"].startswith("network-")
    assert "name" in inputs["__defaults"]
    again, _ = engine.check(NETWORK, {}, inputs)
    assert again["name"] == inputs["name"]


# What the cloud refuses

NO_NETWORK = "projects/some-project/global/networks/none"
FURTHER = {"additionalNodeNetworkConfigs": [{"network": "hpc", "subnetwork": "hpc"}]}
RESERVED = {"consumeReservationType": "ANY_RESERVATION"}
OTHER_POOL = "serviceAccount:other.svc.id.goog[slurm/slurmd]"
ACCOUNT_MEMBER = "gcp:serviceaccount/iAMMember:IAMMember"
COMPACT = {"type": "COMPACT"}
NO_REPAIR = {"autoRepair": False}
FAST_SOCKET = {"fastSocket": {"enabled": True}, "gvnic": {"enabled": True}}
B200 = {"type": "nvidia-b200", "count": 8}
GB200 = {"type": "nvidia-gb200", "count": 4}
RESERVATIONS = {"near": {"resourcePolicies": ["near"]}, "cared-for": {"maintenanceInterval": "PERIODIC"}}


def reserved(name: str) -> dict[str, Any]:
    return pool(
        reservationAffinity={
            "consumeReservationType": "SPECIFIC_RESERVATION",
            "key": "compute.googleapis.com/reservation-name",
            "values": [name],
        }
    )


def exclusions(count: int, scope: str) -> dict[str, Any]:
    window = {"startTime": "2026-01-01T00:00:00Z", "endTime": "2026-01-02T00:00:00Z"}
    options = {"exclusionOptions": {"scope": scope}}
    return {
        "maintenancePolicy": {
            "recurringWindow": {**window, "recurrence": "FREQ=DAILY"},
            "maintenanceExclusions": [{"exclusionName": f"e{number}", **window, **options} for number in range(count)],
        }
    }


@pytest.mark.parametrize(
    ("token", "changes", "says"),
    [
        (SUBNETWORK, {"network": NO_NETWORK}, f"'{NO_NETWORK}' (network) was not found"),
        (SUBNETWORK, {"secondaryIpRanges": [{"rangeName": "pods", "ipCidrRange": "10.0.0.0/16"}]}, "conflicts with"),
        (CLUSTER, {"subnetwork": "none"}, "'none' (subnetwork) was not found"),
        (CLUSTER, {"ipAllocationPolicy": {"clusterSecondaryRangeName": "pod"}}, 'Pod secondary range "pod" not found'),
        (CLUSTER, {"privateClusterConfig": {"masterIpv4CidrBlock": "10.8.0.0/28"}}, "overlaps with an existing"),
        (CLUSTER, {"enableMultiNetworking": True, "datapathProvider": "LEGACY_DATAPATH"}, "requires Dataplane V2"),
        (NODE_POOL, {"cluster": "none"}, "Not found: projects/some-project/locations/us-central1/clusters/none"),
        (NODE_POOL, {"placementPolicy": COMPACT, "nodeLocations": ["us-central1-a", "us-central1-b"]}, "one zone"),
        (NODE_POOL, {"nodeLocations": ["europe-west4-a"]}, "Zone europe-west4-a is not in us-central1"),
        (NODE_POOL, {"autoscaling": {"totalMaxNodeCount": 3, "minNodeCount": 1}}, "exclude each other"),
        (NODE_POOL, {"autoscaling": {"totalMaxNodeCount": 1, "totalMinNodeCount": 2}}, "is larger than"),
        (NODE_POOL, {"networkConfig": FURTHER}, "require multi-networking"),
        (NODE_POOL, {"upgradeSettings": {"maxSurge": 0, "maxUnavailable": 0}}, "must be between 1 and 20"),
        (NODE_POOL, pool(machineType="g9-standard-4"), "'g9-standard-4' does not exist"),
        (NODE_POOL, pool(guestAccelerators=[]), "has 1 nvidia-l4"),
        (NODE_POOL, pool(fastSocket={"enabled": True}), "Fast Socket requires gVNIC"),
        (NODE_POOL, pool(**FAST_SOCKET, imageType="UBUNTU_CONTAINERD"), "Fast Socket requires Container-Optimized OS"),
        (NODE_POOL, pool(serviceAccount="other@some-project.iam.gserviceaccount.com"), "was not found"),
        (NODE_POOL, pool(flexStart=True), "auto-repair"),
        (NODE_POOL, pool(spot=True, reservationAffinity=RESERVED), "exclude reservations"),
        (NODE_POOL, pool(machineType="a4-highgpu-8g", guestAccelerators=[B200]), "not available on demand"),
        (NODE_POOL, pool(machineType="a4x-highgpu-4g", guestAccelerators=[GB200], spot=True), "as spot VMs"),
        (NODE_POOL, {"placementPolicy": {**COMPACT, "policyName": "none"}}, "policy 'none' was not found"),
        (NODE_POOL, {"placementPolicy": COMPACT, "management": NO_REPAIR, **pool(flexStart=True)}, "workload policy"),
        (NODE_POOL, {"placementPolicy": COMPACT, **reserved("ours")}, "its resource policies are []"),
        (NODE_POOL, reserved("near"), "its resource policies are ['near']"),
        (NODE_POOL, {"placementPolicy": COMPACT, **reserved("near")}, "its resource policies are ['near']"),
        (NODE_POOL, reserved("cared-for"), "its maintenance interval is PERIODIC"),
        (NODE_POOL, reserved("ours/reservationBlocks/b"), "with the project of its reservation"),
        (CLUSTER, {"databaseEncryption": {"state": "ENCRYPTED", "keyName": "of-others"}}, "useToEncrypt denied"),
        (CLUSTER, exclusions(4, "NO_UPGRADES"), "3 maintenance exclusions with scope NO_UPGRADES"),
        (CLUSTER, exclusions(21, "NO_MINOR_UPGRADES"), "20 maintenance exclusions"),
        (ACCOUNT_MEMBER, {"member": OTHER_POOL}, "Identity Pool does not exist (other.svc.id.goog)"),
        (FILESTORE, {"location": REGION}, "ZONAL instances lie in a zone"),
        (FILESTORE, {"fileShares": {"name": "home", "capacityGb": 10}}, "ZONAL takes 100 to"),
    ],
)
def test_the_cloud_refuses(engine: EngineClient, cloud: Cloud, token: str, changes: dict[str, Any], says: str) -> None:
    cloud.set(reservations=RESERVATIONS)
    with pytest.raises(RefusedError) as refused:
        make_site(engine, token, **changes)
    assert says in str(refused.value)
    assert "(SIMULATED gcp)" in str(refused.value)


def test_machines_match_their_reservation(engine: EngineClient, cloud: Cloud) -> None:
    cloud.set(reservations=RESERVATIONS, policies=["near"])
    affinity = reserved("near")["nodeConfig"]
    assert make_site(engine, NODE_POOL, placementPolicy={**COMPACT, "policyName": "near"}, nodeConfig=affinity)


@pytest.mark.parametrize(
    ("quota", "limit", "token", "changes"),
    [
        ("SSD_TOTAL_GB", 250, NODE_POOL, {"initialNodeCount": 3}),
        ("NVIDIA_L4_GPUS", 1, NODE_POOL, {"initialNodeCount": 2}),
        ("NETWORKS", 0, NETWORK, {}),
    ],
)
def test_a_new_project_has_small_quotas(
    engine: EngineClient, cloud: Cloud, quota: str, limit: float, token: str, changes: dict[str, Any]
) -> None:
    cloud.set(quotas={quota: limit})
    with pytest.raises(RefusedError, match=f'Insufficient regional quota to satisfy request: resource "{quota}"'):
        make_site(engine, token, **changes)


def test_an_api_has_to_be_on(bare_engine: EngineClient) -> None:
    with pytest.raises(RefusedError, match="Compute Engine API has not been used in project some-project"):
        bare_engine.create(NETWORK, **EXAMPLES[NETWORK])


def test_private_services_need_a_connection(engine: EngineClient) -> None:
    engine.create(NETWORK, **EXAMPLES[NETWORK])
    for token in (FILESTORE, SQL):
        with pytest.raises(RefusedError, match="at least 1 private services connection"):
            engine.create(token, **EXAMPLES[token])


def test_a_workload_identity_needs_a_cluster(engine: EngineClient) -> None:
    engine.create("gcp:serviceaccount/account:Account", **EXAMPLES["gcp:serviceaccount/account:Account"])
    with pytest.raises(RefusedError, match="Identity Pool does not exist"):
        engine.create(ACCOUNT_MEMBER, **EXAMPLES[ACCOUNT_MEMBER])


def test_a_name_is_there_once(engine: EngineClient) -> None:
    engine.create(NETWORK, **EXAMPLES[NETWORK])
    with pytest.raises(RefusedError, match="already exists"):
        engine.create(NETWORK, **EXAMPLES[NETWORK])


# What changes in place


@pytest.mark.parametrize(
    ("token", "changes", "replaces"),
    [
        (NETWORK, {"mtu": 8896}, False),
        (NETWORK, {"autoCreateSubnetworks": True}, True),
        (SUBNETWORK, {"ipCidrRange": "10.0.0.0/20"}, False),
        (SUBNETWORK, {"ipCidrRange": "10.0.0.0/25"}, True),
        (SUBNETWORK, {"ipCidrRange": "10.1.0.0/24"}, True),
        (CLUSTER, {"releaseChannel": {"channel": "RAPID"}}, False),
        (CLUSTER, {"enableMultiNetworking": True}, False),
        (CLUSTER, {"workloadIdentityConfig": {"workloadPool": "other.svc.id.goog"}}, False),
        (CLUSTER, {"datapathProvider": "LEGACY_DATAPATH"}, True),
        (CLUSTER, {"location": "us-central1-b"}, True),
        (CLUSTER, {"ipAllocationPolicy": {"clusterSecondaryRangeName": "services"}}, True),
        (NODE_POOL, pool(machineType="g2-standard-8"), False),
        (NODE_POOL, pool(labels={"team": "speech"}), False),
        (NODE_POOL, pool(taints=[]), False),
        (NODE_POOL, pool(diskSizeGb=200), False),
        (NODE_POOL, {"autoscaling": {"totalMinNodeCount": 1, "totalMaxNodeCount": 3}}, False),
        (NODE_POOL, pool(spot=True), True),
        (NODE_POOL, pool(flexStart=True), True),
        (NODE_POOL, pool(guestAccelerators=[{"type": "nvidia-l4", "count": 2}]), True),
        (NODE_POOL, pool(serviceAccount="other"), True),
        (NODE_POOL, {"maxPodsPerNode": 64}, True),
        (NODE_POOL, {"initialNodeCount": 1}, True),
        (NODE_POOL, {"placementPolicy": {"type": "COMPACT"}}, True),
        (FILESTORE, {"fileShares": {"name": "home", "capacityGb": 2048}}, False),
        (FILESTORE, {"fileShares": {"name": "away", "capacityGb": 1024}}, True),
        (SQL, {"deletionProtection": True}, False),
        (SQL, {"name": "other"}, True),
        (SQL_USER, {"password": "another"}, False),
    ],
)  # fmt: skip
def test_changes(engine: EngineClient, token: str, changes: dict[str, Any], replaces: bool) -> None:
    made = make_site(engine, token)[token]
    answer = engine.diff(made, **changes)
    assert answer.diffs
    assert bool(answer.replaces) is replaces


def test_what_stays_when_it_is_no_longer_stated(engine: EngineClient) -> None:
    made = make_site(engine, NODE_POOL)
    assert list(engine.diff(made[NODE_POOL], maxPodsPerNode=None).diffs) == []
    assert list(engine.diff(made[CLUSTER], nodeLocations=None).diffs) == []
    assert list(engine.diff(made[CLUSTER], resourceLabels=None).diffs) == ["resourceLabels"]


def test_a_maintenance_policy_is_for_new_pools(engine: EngineClient) -> None:
    """The provider's update leaves it out, and says nothing of it."""
    exclusion = [{"exclusionUntilEndOfSupports": [{"enabled": True}]}]
    old = make_site(engine, NODE_POOL)[NODE_POOL]
    assert list(engine.diff(old, maintenancePolicies=exclusion).diffs) == ["maintenancePolicies"]
    assert not engine.update(old, maintenancePolicies=exclusion).state["maintenancePolicies"]
    new = engine.create(NODE_POOL, **{**EXAMPLES[NODE_POOL], "name": "new", "maintenancePolicies": exclusion})
    assert engine.update(new, maintenancePolicies=None).state["maintenancePolicies"] == exclusion


def test_the_order_of_what_has_none_means_nothing(engine: EngineClient) -> None:
    made = make_site(engine, "gcp:compute/firewall:Firewall")
    firewall = made["gcp:compute/firewall:Firewall"]
    assert list(engine.diff(firewall, sourceRanges=firewall.inputs["sourceRanges"][::-1]).diffs) == []
    assert list(engine.diff(firewall, sourceRanges=["10.0.0.0/8"]).diffs) == ["sourceRanges"]


def test_a_fixed_name_is_deleted_before_it_is_made_again(engine: EngineClient) -> None:
    made = make_site(engine, NODE_POOL)[NODE_POOL]
    assert engine.diff(made, **pool(spot=True)).deleteBeforeReplace
    assert not engine.diff(made, name="other").deleteBeforeReplace
    network = engine.create(NETWORK, autoCreateSubnetworks=False)
    assert not engine.diff(network, autoCreateSubnetworks=True).deleteBeforeReplace


def test_the_cloud_changes_nothing_in_place_that_it_can_not(engine: EngineClient) -> None:
    made = make_site(engine, NODE_POOL)[NODE_POOL]
    with pytest.raises(RefusedError, match="maxPodsPerNode can't change in place"):
        engine.update(made, maxPodsPerNode=64)


def test_a_refresh_sees_what_others_have_changed(engine: EngineClient, cloud: Cloud) -> None:
    made = make_site(engine, NODE_POOL)[NODE_POOL]
    cloud.change("NodePool", "l4", autoscaling={"totalMinNodeCount": 0, "totalMaxNodeCount": 9})
    inputs, _ = engine.read(made) or ({}, {})
    assert inputs["autoscaling"]["totalMaxNodeCount"] == 9
    made.inputs = inputs
    answer = engine.diff(made, autoscaling={"totalMinNodeCount": 0, "totalMaxNodeCount": 3})
    assert list(answer.detailedDiff) == ["autoscaling.totalMaxNodeCount"]


def test_a_refresh_sees_what_is_gone(engine: EngineClient, cloud: Cloud) -> None:
    made = engine.create(NETWORK, **EXAMPLES[NETWORK])
    cloud.remove(cloud.find("Network", "hpc"))
    assert engine.read(made) is None


# What it deletes


@pytest.mark.parametrize(
    ("token", "changes", "says"),
    [
        (CLUSTER, {"deletionProtection": True}, "Cannot destroy cluster because deletion_protection is set to true"),
        (SQL, {"deletionProtection": True}, "failed to delete instance because deletion_protection is set to true"),
        (FILESTORE, {"deletionProtectionEnabled": True}, "is protected against deletion"),
        (FILESTORE, {"deletionPolicy": "PREVENT"}, "deletion_policy is set to PREVENT"),
    ],
)
def test_protections(engine: EngineClient, cloud: Cloud, token: str, changes: dict[str, Any], says: str) -> None:
    made = make_site(engine, token, **changes)[token]
    with pytest.raises(RefusedError, match=says):
        engine.delete(made)
    assert engine.read(made)
    name, value = next(iter(changes.items()))
    engine.delete(engine.update(made, **{name: "DELETE" if value == "PREVENT" else False}))
    assert engine.read(made) is None


def test_what_is_used_stays(engine: EngineClient) -> None:
    made = make_site(engine, SUBNETWORK)
    with pytest.raises(RefusedError, match="is already being used by 'projects/some-project/regions/us-central1"):
        engine.delete(made[NETWORK])


def test_a_site_goes_in_the_reverse_order(engine: EngineClient, cloud: Cloud) -> None:
    for made in list(make_site(engine).values())[::-1]:
        engine.delete(made)
    assert {kind for kind, _ in cloud.resources()} == {"Service"}


def test_pools_go_with_their_cluster(engine: EngineClient, cloud: Cloud) -> None:
    made = make_site(engine, NODE_POOL)
    engine.delete(made[CLUSTER])
    assert ("NodePool", "l4") not in cloud.resources()


def test_google_holds_a_connection_that_was_used(engine: EngineClient) -> None:
    made = make_site(engine, SQL)
    for token in (SQL, FILESTORE, "gcp:lustre/instance:Instance"):
        engine.delete(made[token])
    kept = engine.update(made[CONNECTION], deletionPolicy="DELETE")
    with pytest.raises(RefusedError, match="are still using this connection"):
        engine.delete(kept)
    engine.delete(engine.update(kept, deletionPolicy="REMOVE_PEERING"))


def test_an_abandoned_connection_holds_its_network(engine: EngineClient) -> None:
    made = make_site(engine, CONNECTION, deletionPolicy="ABANDON")
    for token in (CONNECTION, *list(EXAMPLES)[5:0:-1]):
        engine.delete(made[token])
    with pytest.raises(RefusedError, match=r"is already being used by .*servicenetworking"):
        engine.delete(made[NETWORK])


def test_the_name_of_a_database_instance_is_used_up(engine: EngineClient) -> None:
    made = make_site(engine, SQL)
    engine.delete(made[SQL])
    with pytest.raises(RefusedError, match="until one week from the deletion date"):
        engine.create(SQL, **EXAMPLES[SQL])


# What goes wrong


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("quota", 'resource "NVIDIA_L4_GPUS"'),
        ("permission", "Required 'container.nodePools.create' permission"),
        ("unavailable", "Error 503"),
    ],
)
def test_faults_happen_as_often_as_asked(engine: EngineClient, cloud: Cloud, kind: str, says: str) -> None:
    make_site(engine, CLUSTER)
    cloud.fault(kind, "NodePool", "l4", times=2)
    for _ in range(2):
        with pytest.raises(RefusedError, match=says):
            engine.create(NODE_POOL, **EXAMPLES[NODE_POOL])
    assert ("NodePool", "l4") not in cloud.resources()
    assert engine.create(NODE_POOL, **EXAMPLES[NODE_POOL])


def test_a_stockout_leaves_a_pool_that_a_later_update_heals(engine: EngineClient, cloud: Cloud) -> None:
    make_site(engine, CLUSTER)
    cloud.fault("stockout", "NodePool", times=2)
    with pytest.raises(RefusedError, match="was created in the error state") as refused:
        engine.create(NODE_POOL, **EXAMPLES[NODE_POOL])
    init = refused.value.init
    assert init.id.endswith("/nodePools/l4")
    assert decode(init.properties)[0]["name"] == "l4"
    inputs, _ = engine.check(NODE_POOL, EXAMPLES[NODE_POOL])
    from_state = Made(NODE_POOL, inputs, decode(init.properties)[0], init.id)
    with pytest.raises(RefusedError, match="was created in the error state"):
        engine.update(from_state)
    assert engine.update(from_state).state["name"] == "l4"
    assert "broken" not in cloud.find("NodePool", "l4").hidden


def test_a_lost_answer_leaves_a_resource_that_nobody_knows(engine: EngineClient, cloud: Cloud) -> None:
    cloud.fault("lost", "Network")
    with pytest.raises(RefusedError, match="unexpected EOF"):
        engine.create(NETWORK, **EXAMPLES[NETWORK])
    with pytest.raises(RefusedError, match="already exists"):
        engine.create(NETWORK, **EXAMPLES[NETWORK])


def test_a_slow_answer_ends_when_the_run_is_cancelled(engine: EngineClient, cloud: Cloud) -> None:
    cloud.fault("slow", "Network", seconds=600)
    threading.Timer(0.2, engine.cancel).start()
    with pytest.raises(RefusedError, match="cancelled"):
        engine.create(NETWORK, **EXAMPLES[NETWORK])


def test_what_was_done_is_noted_in_its_order(engine: EngineClient, cloud: Cloud) -> None:
    make_site(engine, SUBNETWORK)
    assert [(each["type"], each["name"]) for each in cloud.done("create")][-2:] == [
        (NETWORK, "hpc"),
        (SUBNETWORK, "hpc"),
    ]


# Projects


OTHER: dict[str, Any] = {"projectId": ANOTHER, "name": "Another project", "folderId": "42"}
BILLED: dict[str, Any] = {**OTHER, "billingAccount": "0123AB-CDEF01-234567", "autoCreateNetwork": False}
GET_PROJECT = "gcp:organizations/getProject:getProject"
GET_PROJECTS = "gcp:projects/getProject:getProject"
SERVICE = "gcp:projects/service:Service"


def test_nothing_is_in_a_project_that_is_not_there(engine: EngineClient) -> None:
    denied = f"Error 403: Permission denied on resource project {ANOTHER}"
    for token, inputs in ((NETWORK, EXAMPLES[NETWORK]), (SERVICE, {"service": "compute.googleapis.com"})):
        with pytest.raises(RefusedError, match=denied):
            engine.create(token, **inputs, project=ANOTHER)
    for function, arguments in (
        (GET_PROJECT, {"projectId": ANOTHER}),
        ("gcp:storage/getProjectServiceAccount:getProjectServiceAccount", {"project": ANOTHER}),
        ("gcp:compute/getReservation:getReservation", {"project": ANOTHER, "name": "r", "zone": "z"}),
        ("gcp:compute/getSubnetwork:getSubnetwork", {"project": ANOTHER, "name": "s", "region": REGION}),
        ("gcp:container/getCluster:getCluster", {"project": ANOTHER, "name": "c", "location": REGION}),
        ("gcp:cloudquota/getSQuotaInfos:getSQuotaInfos", {"parent": f"projects/{ANOTHER}", "service": "s"}),
    ):
        with pytest.raises(RefusedError, match=denied):
            engine.invoke(function, **arguments)
    assert engine.invoke(GET_PROJECTS, filter=f"id:{ANOTHER}")["projects"] == []


def test_a_project_begins_without_apis(engine: EngineClient) -> None:
    engine.create(NEW_PROJECT, **BILLED, deletionPolicy="DELETE")
    with pytest.raises(RefusedError, match="SERVICE_DISABLED"):
        engine.invoke("gcp:storage/getProjectServiceAccount:getProjectServiceAccount", project=ANOTHER)
    with pytest.raises(RefusedError, match="Cloud Filestore API has not been used in project another-project"):
        engine.create(FILESTORE, **EXAMPLES[FILESTORE], project=ANOTHER)
    engine.create(SERVICE, service="file.googleapis.com", project=ANOTHER)
    with pytest.raises(RefusedError, match="Error 404: The resource 'hpc'"):
        engine.create(FILESTORE, **EXAMPLES[FILESTORE], project=ANOTHER)


def test_without_billing_no_api_goes_on(engine: EngineClient) -> None:
    engine.create(NEW_PROJECT, **OTHER)
    with pytest.raises(RefusedError, match="Billing must be enabled for activation"):
        engine.create(SERVICE, service="compute.googleapis.com", project=ANOTHER)


@pytest.mark.parametrize(("stated", "networks"), [({}, 1), ({"autoCreateNetwork": False}, 0)])
def test_a_project_begins_with_a_network(
    engine: EngineClient, cloud: Cloud, stated: dict[str, Any], networks: int
) -> None:
    engine.create(NEW_PROJECT, **{**OTHER, **stated})
    assert len([*cloud.all(NETWORK)]) == networks


def test_a_project_has_a_number_and_service_agents_of_its_own(engine: EngineClient) -> None:
    number = engine.create(NEW_PROJECT, **BILLED).state["number"]
    assert engine.invoke(GET_PROJECT, projectId=ANOTHER)["number"] == number != "123456789012"
    grant = {
        **EXAMPLES[KEY_MEMBER],
        "member": f"serviceAccount:service-{number}@container-engine-robot.iam.gserviceaccount.com",
    }
    with pytest.raises(RefusedError, match=r"container-engine-robot\.iam\.gserviceaccount\.com does not exist"):
        engine.create(KEY_MEMBER, **grant)
    engine.create(SERVICE, service="container.googleapis.com", project=ANOTHER)
    engine.create(KEY_MEMBER, **grant)


def test_a_project_is_protected_by_default(engine: EngineClient) -> None:
    made = engine.create(NEW_PROJECT, **OTHER)
    with pytest.raises(RefusedError, match="deletion_policy is set to PREVENT"):
        engine.delete(made)
    engine.delete(engine.update(made, deletionPolicy="ABANDON"))
    assert engine.read(made)


def test_a_project_takes_along_what_is_in_it_and_keeps_its_id(engine: EngineClient, cloud: Cloud) -> None:
    made = engine.create(NEW_PROJECT, **BILLED, deletionPolicy="DELETE")
    engine.create(NETWORK, **EXAMPLES[NETWORK], project=ANOTHER)
    engine.delete(engine.update(made, folderId="43", name="Moved", labels={"team": "hpc"}))
    assert {kind for kind, _ in cloud.resources()} == {"Service"}
    (found,) = engine.invoke(GET_PROJECTS, filter=f"id:{ANOTHER}")["projects"]
    assert found["lifecycleState"] == "DELETE_REQUESTED"
    for taken in (ANOTHER, PROJECT):
        with pytest.raises(RefusedError, match="Error 409: Requested entity already exists"):
            engine.create(NEW_PROJECT, **{**OTHER, "projectId": taken})


def test_a_service_project_needs_compute_engine(engine: EngineClient) -> None:
    attachment = EXAMPLES["gcp:compute/sharedVPCServiceProject:SharedVPCServiceProject"]
    engine.create(NEW_PROJECT, **OTHER)
    with pytest.raises(RefusedError, match="Compute Engine API has not been used in project another-project"):
        engine.create("gcp:compute/sharedVPCServiceProject:SharedVPCServiceProject", **attachment)


def test_data_sources(engine: EngineClient) -> None:
    found = engine.invoke("gcp:organizations/getProject:getProject")
    assert (found["projectId"], found["number"]) == (PROJECT, "123456789012")
    with pytest.raises(RefusedError, match="has no function"):
        engine.invoke("gcp:compute/getZones:getZones")


# Values on the wire


def test_secrets_stay_secret(engine: EngineClient) -> None:
    make_site(engine, SQL)
    made = engine.create(SQL_USER, secrets={("password",)}, **EXAMPLES[SQL_USER])
    assert ("password",) in made.secrets
    instance = engine.create(SQL, **{**EXAMPLES[SQL], "name": "second"})
    assert ("serverCaCerts",) in instance.secrets


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | st.text(max_size=8) | st.just(UNKNOWN),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=3),
    max_leaves=12,
)
TOKEN = "gcp:compute/network:Network"
OBJECTS = st.dictionaries(st.text(min_size=1, max_size=5), VALUES, max_size=4)


@given(OBJECTS, st.data())
def test_values_come_back_as_they_went(values: dict[str, Any], data: st.DataObject) -> None:
    names = [name for name, value in values.items() if value is not None]
    secrets = {(name,) for name in names if data.draw(st.booleans())}
    assert decode(encode(values, secrets)) == (values, secrets)


@given(OBJECTS)
def test_nothing_differs_from_itself(values: dict[str, Any]) -> None:
    found = differences(TOKEN, values, values, Rules())
    assert all(at(values, each.place) is UNKNOWN for each in found)


@given(OBJECTS, OBJECTS)
def test_differences_are_where_values_differ(old: dict[str, Any], new: dict[str, Any]) -> None:
    for each in differences(TOKEN, old, new, Rules()):
        before, after = at(old, each.place), at(new, each.place)
        assert before != after or before is UNKNOWN
        assert not each.replaces


def at(value: Any, place: tuple[str | int, ...]) -> Any:
    for part in place:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value

"""The simulated Alibaba Cloud over its port, without an engine: what it fills in, refuses, replaces and remembers."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clouds.alibaba.alicloud import KINDS
from tests.clouds.alibaba.examples import (
    ACCESS_GROUP,
    ACCESS_RULE,
    ACCOUNT,
    ADDRESS,
    ASSOCIATION,
    ATTACHMENT,
    AUTOSCALING,
    BACKUPS,
    CLUSTER,
    CREDENTIAL,
    DATABASE,
    EXAMPLES,
    FILE_SYSTEM,
    INSTANCE,
    MOUNT_TARGET,
    NAT_GATEWAY,
    NETWORK,
    NODE_POOL,
    PASSWORD,
    PRIVILEGE,
    REGION,
    ROLE,
    RULE,
    SECURITY_GROUP,
    SNAT_ENTRY,
    SWITCH,
    ZONES,
    Site,
    before,
    make_site,
)
from tests.clouds.alibaba.package import PACKAGE
from tests.clouds.alibaba.roles import OF_CLUSTERS
from tests.clouds.engine import EngineClient, Made, RefusedError
from tests.clouds.simulator import sdk
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.wire import UNKNOWN, decode

pytestmark = pytest.mark.repeats("tests/clouds/test_ack_whole_life.py, without an engine")

Changes = dict[str, Any] | Callable[[Site], dict[str, Any]]


@pytest.fixture
def new_account(tmp_path: Path) -> Cloud:
    return Cloud(tmp_path / "cloud")


@pytest.fixture
def cloud(new_account: Cloud) -> Cloud:
    """An account whose owner has given services their roles, and has activated KMS."""
    new_account.set(serviceRoles=True, kms=True)
    return new_account


@pytest.fixture
def engine(cloud: Cloud) -> Iterator[EngineClient]:
    with EngineClient(PACKAGE, cloud, region=REGION) as client:
        yield client


def with_changes(token: str, changes: Changes, site: Site) -> dict[str, Any]:
    stated = changes(site) if callable(changes) else changes
    return {name: value for name, value in {**EXAMPLES[token](site), **stated}.items() if value is not None}


def create(engine: EngineClient, token: str, changes: Changes) -> Made:
    """Make the examples before this one, and then this with changes."""
    site = before(engine, token)
    return engine.create(token, **with_changes(token, changes, site))


# What it knows


@pytest.mark.parametrize("token", sorted(KINDS))
def test_rules_speak_of_inputs_that_there_are(token: str) -> None:
    kind, inputs = KINDS[token], sdk.resource(PACKAGE.sdk, token).inputs
    places = [*kind.rules.unordered, *kind.defaults, *kind.values]
    places += [reference.place for reference in kind.references]
    places += [name for pair in kind.together for name in pair]
    assert [place for place in places if not inputs.has(place)] == []


def test_every_kind_has_an_example() -> None:
    assert set(EXAMPLES) == set(KINDS)


def test_outputs_are_those_that_the_sdk_knows(engine: EngineClient) -> None:
    made = make_site(engine)
    unknown = {token: each.state.keys() - sdk.resource(PACKAGE.sdk, token).outputs for token, each in made.items()}
    assert {token: names for token, names in unknown.items() if names} == {}


def test_a_preview_foresees_what_is_stated_and_nothing_else(engine: EngineClient) -> None:
    made: dict[str, Made] = {}
    for token, inputs in EXAMPLES.items():
        foreseen = engine.foresee(token, **inputs(made))
        made[token] = engine.create(token, **inputs(made))
        wrong = {
            name: (value, made[token].state.get(name))
            for name, value in foreseen.items()
            if value is not UNKNOWN and value != made[token].state.get(name)
        }
        assert wrong == {}, token


@pytest.mark.parametrize(
    ("token", "output", "looks_like"),
    [
        (NAT_GATEWAY, "snatTableIds", "stb-"),
        (ADDRESS, "ipAddress", "203.0.113."),
        (MOUNT_TARGET, "mountTargetDomain", f".{REGION}.nas.aliyuncs.com"),
        (INSTANCE, "connectionString", ".mysql.rds.aliyuncs.com"),
        (NODE_POOL, "nodePoolId", "np"),
        (SWITCH, "availabilityZone", ZONES[0]),
    ],
)
def test_what_others_stand_on_is_unknown_before_and_there_afterwards(
    engine: EngineClient, token: str, output: str, looks_like: str
) -> None:
    site = before(engine, token)
    inputs = EXAMPLES[token](site)
    assert engine.foresee(token, **inputs)[output] is UNKNOWN
    found = engine.create(token, **inputs).state[output]
    # One text each, also where the name is a plural.
    assert isinstance(found, str)
    assert looks_like in found


def test_a_refresh_and_a_second_up_find_nothing(engine: EngineClient) -> None:
    for token, made in make_site(engine).items():
        inputs, state = engine.read(made) or ({}, {})
        assert (inputs, state) == (made.inputs, made.state), token
        assert list(engine.diff(made).detailedDiff) == [], token


# Clusters


def test_only_a_public_cluster_has_an_address_on_the_internet(engine: EngineClient) -> None:
    site = before(engine, CLUSTER)
    closed = engine.create(CLUSTER, **EXAMPLES[CLUSTER](site))
    assert closed.state["connections"][0]["apiServerIntranet"] == "https://10.0.0.1:6443"
    assert closed.state["connections"][0]["apiServerInternet"] == ""
    public = engine.create(CLUSTER, **{**EXAMPLES[CLUSTER](site), "name": "open", "slbInternetEnabled": True})
    assert public.state["connections"][0]["apiServerInternet"].startswith("https://")
    # The provider takes a later change, and nobody hears of it.
    assert not engine.diff(public, slbInternetEnabled=False).replaces
    changed = engine.update(public, slbInternetEnabled=False)
    assert changed.state["connections"] == public.state["connections"]


def test_the_credential_of_a_cluster_is_the_same_each_time(engine: EngineClient) -> None:
    cluster = make_site(engine, CLUSTER)[CLUSTER]
    found = engine.invoke(CREDENTIAL, clusterId=cluster.id)
    assert found["certificateAuthorities"][0].keys() == {"clusterCert", "clientCert", "clientKey"}
    assert found == engine.invoke(CREDENTIAL, clusterId=cluster.id)
    with pytest.raises(RefusedError, match="ErrorClusterNotFound"):
        engine.invoke(CREDENTIAL, clusterId="c0")
    with pytest.raises(RefusedError, match="has no function"):
        engine.invoke("alicloud:cs/getServerlessKubernetesClusters:getServerlessKubernetesClusters")


def test_a_careless_stack_has_keys_in_its_state(engine: EngineClient) -> None:
    careful = make_site(engine, CLUSTER)[CLUSTER]
    assert careful.state["certificateAuthorities"] == []
    careless = engine.update(careful, skipSetCertificateAuthority=False)
    assert careless.state["certificateAuthorities"][0]["clientKey"]


# What it refuses before anything is made


@pytest.mark.parametrize(
    ("token", "changes", "places"),
    [
        (NETWORK, {"colour": "blue"}, {"colour"}),
        (NETWORK, {"cidrBlock": "10.0.0.1/8"}, {"cidrBlock"}),
        (NETWORK, {"name": "hpc"}, {"vpcName"}),
        (SWITCH, {"vpcId": None}, {"vpcId"}),
        (SWITCH, {"zoneId": None}, {"zoneId"}),
        (SWITCH, {"cidrBlock": 10}, {"cidrBlock"}),
        (NAT_GATEWAY, {"natType": "Big"}, {"natType"}),
        (ADDRESS, {"bandwidth": 100}, {"bandwidth"}),
        (ADDRESS, {"bandwidth": "500"}, {"bandwidth"}),
        (SNAT_ENTRY, {"sourceVswitchId": None}, {"sourceVswitchId"}),
        (SNAT_ENTRY, {"sourceCidr": "10.0.0.0/24"}, {"sourceCidr", "sourceVswitchId"}),
        (SECURITY_GROUP, {"securityGroupType": "huge"}, {"securityGroupType"}),
        (RULE, {"priority": 101}, {"priority"}),
        (RULE, {"cidrIp": "everywhere"}, {"cidrIp"}),
        (CLUSTER, {"clusterSpec": "ack.mega"}, {"clusterSpec"}),
        (CLUSTER, {"vswitchIds": None}, {"vswitchIds"}),
        (CLUSTER, {"zoneIds": [ZONES[0]]}, {"vswitchIds", "zoneIds"}),
        (CLUSTER, {"nodeCidrMask": 23}, {"nodeCidrMask"}),
        (CLUSTER, {"isEnterpriseSecurityGroup": True}, {"isEnterpriseSecurityGroup"}),
        (NODE_POOL, {"labels": {"a": "b"}}, {"labels"}),
        (NODE_POOL, {"taints": [{"value": "gpu"}]}, {"taints[0].key"}),
        (NODE_POOL, {"taints": [{"key": "a", "effect": "NO_SCHEDULE"}]}, {"taints[0].effect"}),
        (NODE_POOL, {"desiredSize": 2}, {"desiredSize"}),
        (NODE_POOL, {"scalingConfig": {"minSize": 0, "maxSize": 3000}}, {"scalingConfig.maxSize"}),
        (NODE_POOL, {"keyName": "mine", "password": PASSWORD}, {"keyName", "password"}),
        (NODE_POOL, {"dataDisks": [{"category": "cloud_essd", "size": 10}]}, {"dataDisks[0].size"}),
        (NODE_POOL, {"imageType": "Debian"}, {"imageType"}),
        (FILE_SYSTEM, {"storageType": "Fast"}, {"storageType"}),
        (FILE_SYSTEM, {"encryptType": 3}, {"encryptType"}),
        (ACCESS_RULE, {"userAccessType": "none"}, {"userAccessType"}),
        (INSTANCE, {"instanceStorage": "20"}, {"instanceStorage"}),
        (INSTANCE, {"storageThreshold": 25}, {"storageThreshold"}),
        (ACCOUNT, {"accountName": "Slurm"}, {"accountName"}),
        (BACKUPS, {"preferredBackupTime": "02:30Z-03:30Z"}, {"preferredBackupTime"}),
        (BACKUPS, {"preferredBackupTime": "23:00Z-00:00Z"}, {"preferredBackupTime"}),
    ],
)
def test_check_names_the_place(engine: EngineClient, token: str, changes: Changes, places: set[str]) -> None:
    _, wrong = engine.check(token, with_changes(token, changes, before(engine, token)))
    # Each once in a pair that excludes each other; whichever it is.
    assert set(wrong) <= places
    assert wrong


def test_an_unknown_kind_is_refused(engine: EngineClient) -> None:
    _, wrong = engine.check("alicloud:redis/tairInstance:TairInstance", {})
    assert "doesn't know alicloud:redis/tairInstance:TairInstance" in wrong[""]


def test_only_clusters_get_names_that_nobody_states(engine: EngineClient) -> None:
    inputs, _ = engine.check(CLUSTER, {"vswitchIds": ["vsw-1"]})
    assert inputs["name"].startswith("managedkubernetes-")
    assert "vpcName" not in engine.check(NETWORK, {})[0]


# What the cloud refuses


def other_network(engine: EngineClient) -> dict[str, str]:
    network = engine.create(NETWORK, vpcName="other", cidrBlock="192.168.0.0/16")
    switch = engine.create(SWITCH, vpcId=network.id, zoneId=ZONES[0], cidrBlock="192.168.0.0/24")
    group = engine.create(SECURITY_GROUP, vpcId=network.id)
    return {"network": network.id, "switch": switch.id, "group": group.id}


FIXED = {"scalingConfig": None, "desiredSize": "2"}


@pytest.mark.parametrize(
    ("token", "changes", "code"),
    [
        (NETWORK, {"cidrBlock": "11.0.0.0/8"}, "InvalidCidrBlock.Malformed"),
        (NETWORK, {"cidrBlock": "10.0.0.0/29"}, "InvalidCidrBlock.Malformed"),
        (SWITCH, {"vpcId": "vpc-none"}, "InvalidNetworkId.NotFound"),
        (SWITCH, {"cidrBlock": "10.0.0.0/15"}, "is not between 16 and 29"),
        (SWITCH, {"cidrBlock": "10.0.0.0/30"}, "is not between 16 and 29"),
        (SWITCH, {"cidrBlock": "192.168.0.0/24"}, "InvalidCidrBlock.NotInVpc"),
        (SWITCH, {"zoneId": "cn-beijing-h"}, "InvalidZoneId.NotFound"),
        (NAT_GATEWAY, {"vswitchId": None}, "MissingParam.VSwitchId"),
        (SNAT_ENTRY, {"snatTableId": "stb-none"}, "InvalidNatGatewayId.NotFound"),
        (SNAT_ENTRY, {"snatIp": "203.0.113.254"}, "OperationUnsupported.EipNatGWCheck"),
        (SECURITY_GROUP, {"innerAccessPolicy": "Accept"}, "InvalidSecurityGroupType.NotSupported"),
        (RULE, {"ipProtocol": "tcp"}, "can support port range"),
        (RULE, {"portRange": "22/22"}, "only support port range '-1/-1'"),
        (RULE, {"cidrIp": None}, "MissingParameter.Source"),
        (RULE, {"nicType": "internet"}, "must be 'intranet'"),
        (CLUSTER, {"vswitchIds": ["vsw-none"]}, "InvalidSwitchId.NotFound"),
        (CLUSTER, {"podCidr": "10.4.0.0/16"}, "podCidr 10.4.0.0/16 overlaps with the VPC"),
        (CLUSTER, {"serviceCidr": "172.20.0.0/20"}, "overlaps with podCidr"),
        (CLUSTER, {"serviceCidr": None}, "service_cidr is required"),
        (CLUSTER, {"podCidr": None}, "pods need pod_cidr"),
        (CLUSTER, {"addons": [{"name": "terway-eniip"}]}, "Terway takes pod_vswitch_ids"),
        (CLUSTER, lambda site: {"podVswitchIds": [site[SWITCH].id]}, "exclude each other"),
        (CLUSTER, {"version": "1.32"}, "there is no version 1.32"),
        (NODE_POOL, {"clusterId": "c0"}, "InvalidManagedKubernetesId.NotFound"),
        (NODE_POOL, {"securityGroupIds": ["sg-none"]}, "InvalidSecurityGroupId.NotFound"),
        (NODE_POOL, {"desiredSize": "2"}, "desired_size can't be set while auto scaling is on"),
        (NODE_POOL, {"scalingConfig": {"minSize": 3, "maxSize": 3}}, "max_size 3 is not above min_size 3"),
        (NODE_POOL, {"spotStrategy": "SpotWithPriceLimit"}, "needs spot_price_limit"),
        (NODE_POOL, {"spotStrategy": "SpotAsPriceGo", "deploymentSetId": "ds-1"}, "takes no preemptible instances"),
        (NODE_POOL, {"compensateWithOnDemand": True}, "needs the multi_az_policy COST_OPTIMIZED"),
        (NODE_POOL, {"password": PASSWORD}, "takes a key pair only"),
        (NODE_POOL, {"instanceTypes": ["ecs.g99.xlarge"]}, "there is no instance type ecs.g99.xlarge"),
        (NODE_POOL, {"imageType": "AliyunLinux3Arm64"}, "does not run on ecs.gn7i-c8g1.2xlarge"),
        (NODE_POOL, {"systemDiskPerformanceLevel": "PL3"}, "a disk of PL3 has 1261 GiB or more"),
        (NODE_POOL, {**FIXED, "desiredSize": "two"}, "desired_size two is not a number"),
        (CLUSTER, {"serviceCidr": "172.16.0.0/12"}, "the mask of service_cidr 172.16.0.0/12 is not between 16 and 24"),
        (NODE_POOL, {"tags": {f"tag-{number}": "" for number in range(14)}}, "21 tags exceed the 20"),
        (NODE_POOL, {"systemDiskCategory": "cloud_ssd"}, "does not support disks of the category cloud_ssd"),
        (NODE_POOL, {**FIXED, "desiredSize": "1"}, "the nodes did not become ready: the security group"),
        (FILE_SYSTEM, {"storageType": "advance"}, "InvalidStorageType.NotSupport"),
        (FILE_SYSTEM, {"fileSystemType": "extreme", "storageType": "standard"}, "InvalidCapacity"),
        (ACCESS_RULE, {"fileSystemType": "extreme"}, "InvalidAccessGroup.NotFound"),
        (ACCESS_RULE, {"accessGroupName": "none"}, "InvalidAccessGroupId.NotFound"),
        (MOUNT_TARGET, {"vswitchId": None}, "MissingVSwitchId"),
        (INSTANCE, {"zoneId": ZONES[1]}, "InvalidVSwitchId.NotMatch"),
        (INSTANCE, {"instanceType": "mysql.n2.medium.2c"}, "InvalidDBInstanceClass.ValueNotSupport"),
        (INSTANCE, {"instanceStorage": 21}, "InvalidStorageSize.Format"),
        (INSTANCE, {"storageAutoScale": "Enable"}, "OperationDenied.DBInstanceType"),
        (ACCOUNT, {"accountPassword": "0123456789abcdef"}, "InvalidAccountPassword.Malformed"),
        (PRIVILEGE, {"dbNames": ["other"]}, "InvalidDBName.NotFound"),
        (PRIVILEGE, {"accountName": "other"}, "InvalidAccountName.NotFound"),
        (BACKUPS, {"enableBackupLog": True}, "OperationDenied.DBInstanceType"),
    ],
)
def test_the_cloud_refuses(engine: EngineClient, token: str, changes: Changes, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        create(engine, token, changes)
    assert code in str(refused.value)
    assert "(SIMULATED alicloud)" in str(refused.value)


@pytest.mark.parametrize(
    ("token", "place", "what"),
    [
        (NAT_GATEWAY, "vswitchId", "switch"),
        (SNAT_ENTRY, "sourceVswitchId", "switch"),
        (CLUSTER, "securityGroupId", "group"),
        (MOUNT_TARGET, "vswitchId", "switch"),
    ],
)
def test_what_belongs_together_lies_in_one_vpc(engine: EngineClient, token: str, place: str, what: str) -> None:
    elsewhere = other_network(engine)[what]
    with pytest.raises(RefusedError, match="is not in vpc-sim"):
        create(engine, token, {place: elsewhere})


def test_ranges_of_a_vpc_are_apart(engine: EngineClient) -> None:
    site = make_site(engine, SWITCH)
    with pytest.raises(RefusedError, match=r"InvalidCidrBlock\.Overlapped"):
        engine.create(SWITCH, vpcId=site[NETWORK].id, zoneId=ZONES[1], cidrBlock="10.0.0.128/25")
    with pytest.raises(RefusedError, match=r"InvalidCidrBlock\.Conflict"):
        engine.update(site[NETWORK], cidrBlock="10.64.0.0/10")


def test_terways_pods_have_a_vswitch_of_nodes_beside_theirs(engine: EngineClient) -> None:
    site = before(engine, CLUSTER)
    pods = [
        engine.create(SWITCH, vpcId=site[NETWORK].id, zoneId=zone, cidrBlock=cidr).id
        for zone, cidr in zip(ZONES, ("10.1.0.0/16", "10.2.0.0/16"), strict=True)
    ]
    terway: dict[str, Any] = {"podCidr": None, "addons": [{"name": "terway-eniip"}]}
    with pytest.raises(RefusedError, match=f"lies in {ZONES[1]}, which has no vSwitch of nodes"):
        engine.create(CLUSTER, **with_changes(CLUSTER, {**terway, "podVswitchIds": pods}, site))
    assert engine.create(CLUSTER, **with_changes(CLUSTER, {**terway, "podVswitchIds": pods[:1]}, site))
    small = engine.create(SWITCH, vpcId=site[NETWORK].id, zoneId=ZONES[0], cidrBlock="10.3.0.0/26").id
    with pytest.raises(RefusedError, match=f"the vSwitch {small} of pods is smaller than a /25"):
        engine.create(CLUSTER, **with_changes(CLUSTER, {**terway, "podVswitchIds": [small]}, site))


def test_names_may_be_there_twice_but_for_those_of_access_groups(engine: EngineClient) -> None:
    for _ in range(2):
        engine.create(NETWORK, **EXAMPLES[NETWORK]({}))
    engine.create(ACCESS_GROUP, **EXAMPLES[ACCESS_GROUP]({}))
    with pytest.raises(RefusedError, match="already exists"):
        engine.create(ACCESS_GROUP, **EXAMPLES[ACCESS_GROUP]({}))


# What changes in place


@pytest.mark.parametrize(
    ("token", "changes", "replaces"),
    [
        (NETWORK, {"vpcName": "other"}, False),
        (NETWORK, {"cidrBlock": "10.0.0.0/9"}, False),
        (SWITCH, {"vswitchName": "other"}, False),
        (SWITCH, {"cidrBlock": "10.0.0.0/20"}, True),
        (SWITCH, {"zoneId": ZONES[1]}, True),
        (NAT_GATEWAY, {"natGatewayName": "other"}, False),
        (ADDRESS, {"bandwidth": "200"}, False),
        (ADDRESS, {"internetChargeType": "PayByBandwidth"}, True),
        (SNAT_ENTRY, {"snatEntryName": "other"}, False),
        (SECURITY_GROUP, {"securityGroupType": "normal"}, True),
        (RULE, {"description": "from inside"}, False),
        (RULE, {"cidrIp": "10.0.0.0/9"}, True),
        (CLUSTER, {"name": "other"}, False),
        (CLUSTER, {"deletionProtection": True}, False),
        (CLUSTER, {"version": "1.35.1-aliyun.1"}, False),
        (CLUSTER, {"securityGroupId": "sg-other"}, False),
        (CLUSTER, {"podCidr": "172.21.0.0/16"}, True),
        (CLUSTER, {"serviceCidr": "172.16.16.0/20"}, True),
        (CLUSTER, {"clusterDomain": "hpc.local"}, True),
        (CLUSTER, {"proxyMode": "iptables"}, True),
        (AUTOSCALING, {"unneededDuration": "30m"}, False),
        (NODE_POOL, {"instanceTypes": ["ecs.g8i.4xlarge"]}, False),
        (NODE_POOL, {"labels": []}, False),
        (NODE_POOL, {"systemDiskSize": 200}, False),
        (NODE_POOL, {"scalingConfig": {"enable": True, "minSize": 1, "maxSize": 3, "type": "gpu"}}, False),
        (NODE_POOL, {"spotStrategy": "SpotAsPriceGo"}, False),
        (NODE_POOL, {"nodePoolName": "other"}, False),
        (NODE_POOL, {"securityGroupIds": ["sg-other"]}, True),
        (NODE_POOL, {"clusterId": "c0"}, True),
        (FILE_SYSTEM, {"description": "other"}, False),
        (FILE_SYSTEM, {"storageType": "Capacity"}, True),
        (FILE_SYSTEM, {"encryptType": 0}, True),
        (ACCESS_RULE, {"sourceCidrIp": "10.0.0.0/16"}, False),
        (MOUNT_TARGET, {"vswitchId": "vsw-other"}, True),
        (INSTANCE, {"instanceStorage": 50}, False),
        (INSTANCE, {"engineVersion": "8.4"}, False),
        (INSTANCE, {"zoneId": ZONES[1]}, True),
        (INSTANCE, {"vswitchId": "vsw-other"}, True),
        (DATABASE, {"characterSet": "utf8mb4"}, True),
        (ACCOUNT, {"accountPassword": "Another-1"}, False),
        (PRIVILEGE, {"privilege": "ReadOnly"}, True),
    ],
)
def test_changes(engine: EngineClient, token: str, changes: dict[str, Any], replaces: bool) -> None:
    made = make_site(engine, token)[token]
    answer = engine.diff(made, **changes)
    assert answer.diffs
    assert bool(answer.replaces) is replaces


def test_what_stays_when_it_is_no_longer_stated(engine: EngineClient) -> None:
    made = make_site(engine, NODE_POOL)
    assert list(engine.diff(made[NODE_POOL], management=None).diffs) == []
    assert list(engine.diff(made[NODE_POOL], labels=None).diffs) == ["labels"]
    assert list(engine.diff(made[CLUSTER], securityGroupId=None).diffs) == []


def test_autoscaling_stays_on_until_it_is_said_to_be_off(engine: EngineClient) -> None:
    """The provider tells ACK nothing of a scalingConfig that is no longer stated."""
    pool = make_site(engine, NODE_POOL)[NODE_POOL]
    with pytest.raises(RefusedError, match="desired_size can't be set while auto scaling is on"):
        engine.update(pool, scalingConfig=None, desiredSize="0")
    fixed = engine.update(pool, scalingConfig={"enable": False}, desiredSize="0")
    assert fixed.state["desiredSize"] == "0"


def test_a_pool_keeps_its_billing_method(engine: EngineClient) -> None:
    """The provider would send the change."""
    pool = make_site(engine, NODE_POOL)[NODE_POOL]
    with pytest.raises(RefusedError, match="the billing method of a node pool can't change from NoSpot"):
        engine.update(pool, spotStrategy="SpotAsPriceGo")


def test_a_basic_cluster_has_ten_nodes(engine: EngineClient) -> None:
    site = before(engine, CLUSTER)
    site[SECURITY_GROUP] = engine.create(SECURITY_GROUP, vpcId=site[NETWORK].id)
    site[CLUSTER] = engine.create(CLUSTER, **with_changes(CLUSTER, {"clusterSpec": "ack.standard"}, site))
    for name, count in (("first", 8), ("second", 2)):
        changes: dict[str, Any] = {**FIXED, "nodePoolName": name, "desiredSize": str(count)}
        pool = engine.create(NODE_POOL, **with_changes(NODE_POOL, changes, site))
    with pytest.raises(RefusedError, match="11 nodes exceed the quota of 10 nodes"):
        engine.update(pool, desiredSize="3")


def test_repairs_restart_nodes_unless_it_is_said_that_they_do_not(engine: EngineClient) -> None:
    site = before(engine, NODE_POOL)
    management: dict[str, Any] = {"enable": True, "autoRepair": True}
    silent = engine.create(NODE_POOL, **with_changes(NODE_POOL, {"management": management}, site))
    assert silent.state["management"]["autoRepairPolicy"] == {"restartNode": True}
    management = {**management, "autoRepairPolicy": {"restartNode": False}}
    stated = engine.create(NODE_POOL, **with_changes(NODE_POOL, {"management": management}, site))
    assert stated.state["management"]["autoRepairPolicy"] == {"restartNode": False}


def test_metadata_tokens_are_for_newer_clusters(engine: EngineClient) -> None:
    site = before(engine, CLUSTER)
    site[CLUSTER] = engine.create(CLUSTER, **with_changes(CLUSTER, {"version": "1.26.15-aliyun.1"}, site))
    with pytest.raises(RefusedError, match=r"need a cluster of 1\.28, and this runs 1\.26\.15-aliyun\.1"):
        engine.create(NODE_POOL, **EXAMPLES[NODE_POOL](site), instanceMetadataOptions={"httpTokens": "required"})


@pytest.mark.parametrize(
    ("field", "first", "second"),
    [
        ("instanceMetadataOptions", {"httpTokens": "required"}, {"httpTokens": "optional"}),
        ("ramRoleName", "SlurmNodes", "OtherNodes"),
    ],
)
def test_a_pool_keeps_tokens_and_its_role(engine: EngineClient, field: str, first: Any, second: Any) -> None:
    """The provider computes both where they are left out, and another value replaces the pool."""
    site = before(engine, NODE_POOL)
    made = engine.create(NODE_POOL, **with_changes(NODE_POOL, {field: first}, site))
    assert list(engine.diff(made, **{field: None}).diffs) == []
    assert engine.diff(made, **{field: second}).replaces


def test_the_autoscaler_is_for_newer_clusters(engine: EngineClient) -> None:
    site = before(engine, CLUSTER)
    old = engine.create(CLUSTER, **with_changes(CLUSTER, {"version": "1.22.15-aliyun.1"}, site))
    with pytest.raises(RefusedError, match=r"goatscaler needs 1\.24"):
        engine.create(AUTOSCALING, clusterId=old.id, scalerType="goatscaler")


def test_ack_has_no_roles_in_a_new_account(new_account: Cloud) -> None:
    with EngineClient(PACKAGE, new_account, region=REGION) as client:
        site = before(client, CLUSTER)
        for role in OF_CLUSTERS:
            with pytest.raises(RefusedError, match=f"not authorized to assume the role {role}"):
                client.create(CLUSTER, **EXAMPLES[CLUSTER](site))
            client.create(ROLE, roleName=role, assumeRolePolicyDocument="{}")
            client.create(ATTACHMENT, roleName=role, policyName=f"{role}Policy", policyType="System")
        site[CLUSTER] = client.create(CLUSTER, **EXAMPLES[CLUSTER](site))
        with pytest.raises(RefusedError, match="not authorized to assume the role AliyunCSManagedNlcRole"):
            client.create(NODE_POOL, **EXAMPLES[NODE_POOL](site))


ROLE_FOR_DATABASES = "acs:ram::1234567890123456:role/aliyunrdsinstanceencryptiondefaultrole"
ENCRYPTED = [
    (NODE_POOL, {"systemDiskEncrypted": True}),
    (NODE_POOL, {"dataDisks": [{"category": "cloud_essd", "size": 40, "encrypted": "true"}]}),
    (CLUSTER, {"encryptionProviderKey": "key-1"}),
    (INSTANCE, {"encryptionKey": "key-1", "roleArn": ROLE_FOR_DATABASES}),
]


@pytest.mark.parametrize(("token", "inputs"), ENCRYPTED)
def test_nothing_is_encrypted_without_kms(new_account: Cloud, token: str, inputs: dict[str, Any]) -> None:
    new_account.set(serviceRoles=True)
    with EngineClient(PACKAGE, new_account, region=REGION) as client:
        site = before(client, token)
        with pytest.raises(RefusedError, match=r"Encrypted\.KmsNotEnabled"):
            client.create(token, **with_changes(token, inputs, site))
        assert client.create(token, **EXAMPLES[token](site))
        new_account.set(kms=True)
        assert client.create(token, **with_changes(token, inputs, site))


def test_a_key_for_a_database_needs_a_role(engine: EngineClient, cloud: Cloud) -> None:
    role = ROLE_FOR_DATABASES
    site = before(engine, INSTANCE)
    with pytest.raises(RefusedError, match="RoleARN is required"):
        engine.create(INSTANCE, **with_changes(INSTANCE, {"encryptionKey": "key-1"}, site))
    assert engine.create(INSTANCE, **with_changes(INSTANCE, {"encryptionKey": "key-1", "roleArn": role}, site))
    cloud.set(serviceRoles=False)
    with pytest.raises(RefusedError, match="not authorized to assume the role AliyunRDSInstanceEncryptionDefaultRole"):
        engine.create(INSTANCE, **with_changes(INSTANCE, {"encryptionKey": "key-1", "roleArn": role}, site))


@pytest.mark.parametrize("word", ["ServiceKey", "disabled"])
def test_a_new_database_takes_the_id_of_a_key_alone(engine: EngineClient, word: str) -> None:
    site = before(engine, INSTANCE)
    with pytest.raises(RefusedError, match="InvalidEncryptionKey"):
        engine.create(INSTANCE, **with_changes(INSTANCE, {"encryptionKey": word}, site))


def test_a_role_is_there_once(engine: EngineClient) -> None:
    with pytest.raises(RefusedError, match=r"EntityAlreadyExists\.Role"):
        engine.create(ROLE, roleName="AliyunCSDefaultRole", assumeRolePolicyDocument="{}")


def test_rrsa_stays_on(engine: EngineClient) -> None:
    cluster = make_site(engine, CLUSTER)[CLUSTER]
    with pytest.raises(RefusedError, match="not supported to disable RRSA"):
        engine.update(cluster, enableRrsa=False)


def test_a_cluster_is_not_taken_back(engine: EngineClient) -> None:
    cluster = make_site(engine, CLUSTER)[CLUSTER]
    with pytest.raises(RefusedError, match=r"can't go back to 1\.30\.1-aliyun\.1"):
        engine.update(cluster, version="1.30.1-aliyun.1")


def test_a_disk_does_not_shrink(engine: EngineClient) -> None:
    instance = engine.update(make_site(engine, INSTANCE)[INSTANCE], instanceStorage=50)
    with pytest.raises(RefusedError, match=r"InvalidStorageSize\.Decrease"):
        engine.update(instance, instanceStorage=20)


def test_a_refresh_sees_what_others_have_changed(engine: EngineClient, cloud: Cloud) -> None:
    made = make_site(engine, NODE_POOL)[NODE_POOL]
    cloud.change("NodePool", "gpu", scalingConfig={"enable": True, "minSize": 0, "maxSize": 9, "type": "gpu"})
    made.inputs = (engine.read(made) or ({}, {}))[0]
    answer = engine.diff(made, scalingConfig={"enable": True, "minSize": 0, "maxSize": 3, "type": "gpu"})
    assert list(answer.detailedDiff) == ["scalingConfig.maxSize"]


def test_a_refresh_sees_what_is_gone(engine: EngineClient, cloud: Cloud) -> None:
    made = make_site(engine, NETWORK)[NETWORK]
    cloud.remove(cloud.find("Network", "hpc"))
    assert engine.read(made) is None


# What it deletes


@pytest.mark.parametrize("token", [NAT_GATEWAY, ADDRESS, CLUSTER, INSTANCE])
def test_protections(engine: EngineClient, token: str) -> None:
    made = make_site(engine, token, deletionProtection=True)[token]
    with pytest.raises(RefusedError, match=r"OperationDenied\.DeletionProtection"):
        engine.delete(made)
    assert engine.read(made)
    engine.delete(engine.update(made, deletionProtection=False))
    assert engine.read(made) is None


@pytest.mark.parametrize(
    ("token", "user"),
    [
        (NETWORK, SWITCH),
        (SWITCH, NAT_GATEWAY),
        (NAT_GATEWAY, ASSOCIATION),
        (ADDRESS, ASSOCIATION),
        (ASSOCIATION, SNAT_ENTRY),
        (SECURITY_GROUP, CLUSTER),
        (SWITCH, NODE_POOL),
        (FILE_SYSTEM, MOUNT_TARGET),
        (ACCESS_GROUP, MOUNT_TARGET),
        (SWITCH, INSTANCE),
    ],
)
def test_what_is_used_stays(engine: EngineClient, token: str, user: str) -> None:
    made = make_site(engine, user)
    with pytest.raises(RefusedError, match=r"DependencyViolation|HasBeenUsedBySnatTable|InUse"):
        engine.delete(made[token])


def test_a_site_goes_in_the_reverse_order(engine: EngineClient, cloud: Cloud) -> None:
    for made in list(make_site(engine).values())[::-1]:
        engine.delete(made)
    assert cloud.resources() == {}


def test_what_is_in_a_thing_goes_with_it(engine: EngineClient, cloud: Cloud) -> None:
    made = make_site(engine)
    engine.delete(made[CLUSTER])
    engine.delete(made[INSTANCE])
    gone = {"NodePool", "AutoscalingConfig", "Database", "RdsAccount", "AccountPrivilege", "BackupPolicy"}
    assert {kind for kind, _ in cloud.resources()} & gone == set()


# What goes wrong


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("quota", "QuotaExceeded.ElasticQuota"),
        ("permission", "Forbidden.RAM"),
        ("throttling", "Throttling.User"),
        ("unavailable", "ServiceUnavailable"),
    ],
)
def test_faults_happen_as_often_as_asked(engine: EngineClient, cloud: Cloud, kind: str, says: str) -> None:
    site = before(engine, NODE_POOL)
    inputs = EXAMPLES[NODE_POOL](site)
    cloud.fault(kind, "NodePool", "gpu", times=2)
    for _ in range(2):
        with pytest.raises(RefusedError, match=says):
            engine.create(NODE_POOL, **inputs)
    assert ("NodePool", "gpu") not in cloud.resources()
    assert engine.create(NODE_POOL, **inputs)


def test_a_missing_permission_names_the_action(engine: EngineClient, cloud: Cloud) -> None:
    cloud.fault("permission", "Network")
    with pytest.raises(RefusedError, match="Action: vpc:CreateVpc"):
        engine.create(NETWORK, **EXAMPLES[NETWORK]({}))


def test_a_stockout_leaves_a_pool_that_a_later_update_heals(engine: EngineClient, cloud: Cloud) -> None:
    inputs = EXAMPLES[NODE_POOL](before(engine, NODE_POOL))
    cloud.fault("stockout", "NodePool", times=2)
    with pytest.raises(RefusedError, match=r"OperationDenied\.NoStock") as refused:
        engine.create(NODE_POOL, **inputs)
    init = refused.value.init
    checked, _ = engine.check(NODE_POOL, inputs)
    from_state = Made(NODE_POOL, checked, decode(init.properties)[0], init.id)
    with pytest.raises(RefusedError, match=r"OperationDenied\.NoStock"):
        engine.update(from_state)
    assert engine.update(from_state).state["nodePoolName"] == "gpu"
    assert "broken" not in cloud.find("NodePool", "gpu").hidden


def test_passwords_are_secret(engine: EngineClient) -> None:
    made = make_site(engine, ACCOUNT)[ACCOUNT]
    assert ("accountPassword",) in made.secrets


def test_without_a_region_there_is_nothing(cloud: Cloud) -> None:
    with EngineClient(PACKAGE, cloud) as client, pytest.raises(RefusedError, match="region: required field"):
        client.create(NETWORK, **EXAMPLES[NETWORK]({}))

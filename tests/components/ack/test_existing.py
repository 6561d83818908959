"""What exists at Alibaba Cloud: pools read as if they were ours, and what a cluster or a VPC lacks.

Answers have the form in which Alibaba Cloud's provider reports what it has read, by the types of its SDK.
"""

import json
from collections.abc import Mapping
from typing import Any

import pulumi
import pytest
from hypothesis import given, settings
from pulumi_alicloud import Provider

from pulumi_slurm.ack import AckExistingCluster, AckNodePool
from pulumi_slurm.ack.existing.answers import ClusterAnswers, NetworkAnswers
from pulumi_slurm.ack.existing.cluster import cluster_is_usable, cluster_will_do, with_found_cluster
from pulumi_slurm.ack.existing.network import found_network, network_will_do
from pulumi_slurm.ack.existing.pools import with_found_pools
from pulumi_slurm.ack.existing.questions import find_cluster, find_network
from pulumi_slurm.ack.model import AckPoolSpec, AckSpec, Cni, UpgradeChannel
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.pools import node_pools
from pulumi_slurm.ack.rules import check_ack
from pulumi_slurm.errors import Severity, SpecError
from pulumi_slurm.model import NodePoolSpec
from pulumi_slurm_stacks import build as build_stack
from tests.components.ack.existing import (
    A10,
    ADDONS,
    CLUSTER_ID,
    ENTRIES,
    GENERAL,
    GROUP,
    RULES,
    VPC,
    VSWITCHES,
    State,
    answers_of_cluster,
    answers_of_network,
)
from tests.components.ack.requests import Alibaba, inputs_of, requests_of
from tests.components.conftest import Registered, recorded, registered
from tests.components.loosely import loosely
from tests.components.order import all_before, made_by
from tests.stack_configuration import ROOT_KEY, read
from tests.unit.ack.strategies import pools

ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]
BASE: State = {"region": "cn-hangzhou", "zones": ZONES, "name": "hpc"}
EXISTING: State = {"existingCluster": {"id": CLUSTER_ID}}
NEW_POOL: State = {"name": "cpu", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 10}
STORAGE: State = {"name": "home", "mountPath": "/home"}


def spec(**fields: Any) -> AckSpec:
    return AckSpec.model_validate({**BASE, **fields})


def asked(answers: Mapping[str, Mapping[str, Any]], ack: AckSpec) -> Any:
    """Return answers as the SDK hands them to a program."""
    got: list[Any] = []

    def program() -> None:
        alibaba = Provider("alibaba", region=ack.region)
        if ack.existing_cluster:
            got.append(find_cluster(ack.existing_cluster, ack.region, alibaba))
        elif ack.network.existing:
            got.append(find_network(ack.network.existing, ack.cluster_name, alibaba, nat=ack.network.nat))

    recorded(program, Alibaba({**answers}))
    return got[0]


def cluster(*node_pools: State, **changes: Any) -> ClusterAnswers:
    """Return what Alibaba Cloud says of a cluster with these pools."""
    answers: ClusterAnswers = asked(answers_of_cluster(*node_pools, **changes), spec(**EXISTING))
    return answers


def found_in(answers: ClusterAnswers, **fields: Any) -> tuple[AckSpec, list[str]]:
    found, errors = with_found_pools(with_found_cluster(spec(**EXISTING, **fields), answers), answers.pools)
    return found, [*map(str, errors)]


def lacks(answers: ClusterAnswers, severity: Severity = Severity.ERROR, **fields: Any) -> list[str]:
    found = with_found_cluster(spec(**EXISTING, **fields), answers)
    errors = cluster_will_do(AckPlan.of(found), answers)
    return [str(error) for error in errors if error.severity is severity]


def as_ack_keeps_it(ack: AckSpec, name: str) -> State:
    """Return the state of a pool of ours, as ACK has it once it is made."""
    (pool,) = ack.pools
    arguments = {
        "cluster_id": CLUSTER_ID,
        "node_vswitches": {zone: f"vsw-{zone}" for zone in ["cn-hangzhou-h", "cn-hangzhou-i", "cn-hangzhou-j"]},
        "security_group_id": "sg-bp1",
        "zones": ack.zones,
        "pool": pool,
    }
    request = requests_of(lambda: loosely(AckNodePool)("p", arguments))["NodePool p-pool"]
    return {**inputs_of(request), "nodePoolId": "np1", "nodePoolName": name}


def scheduling(pool: NodePoolSpec) -> State:
    """Return what matters for pods but the selector; the order of taints doesn't."""
    whole: State = pool.model_dump(mode="json", exclude={"node_labels"})
    return {**whole, "taints": sorted(map(json.dumps, whole["taints"]))}


@settings(max_examples=30, deadline=None)
@given(pool=pools("p", ["cn-hangzhou-h"]))
def test_a_pool_that_exists_is_used_like_one_of_ours(pool: AckPoolSpec) -> None:
    ours = spec(pools=[pool], zones=["cn-hangzhou-h"])
    reserved = {"reservedCpus": pool.reserved_cpus, "reservedMemory": pool.reserved_memory}
    found, errors = found_in(
        cluster(as_ack_keeps_it(ours, "p")), existingPools=[{"name": "p", **reserved}], zones=["cn-hangzhou-h"]
    )
    assert errors == []
    (expected,), (read_pool,) = node_pools(AckPlan.of(ours)), node_pools(AckPlan.of(found))
    assert scheduling(read_pool) == scheduling(expected)
    assert read_pool.node_labels == {"alibabacloud.com/nodepool-id": "np1"}


def test_a_pool_by_its_id_has_the_name_that_node_sets_use() -> None:
    found, errors = found_in(cluster(GENERAL, A10), existingPools=[{"name": "a10", "id": A10["nodePoolId"]}])
    assert errors == []
    (pool,) = node_pools(AckPlan.of(found))
    assert (pool.name, pool.min_nodes, pool.max_nodes) == ("a10", 0, 4)
    assert pool.machine.gpus is not None
    assert pool.machine.gpus.count == 1
    assert [taint.key for taint in pool.taints] == ["gpu"]


def test_pools_that_nobody_has_read_have_room_for_every_node_set() -> None:
    (pool,) = node_pools(AckPlan.of(spec(existingPools=[{"name": "gpu"}], **EXISTING)))
    assert (pool.name, pool.max_nodes, pool.machine.cpus) == ("gpu", None, 4096)


IDS = (GENERAL["nodePoolId"], A10["nodePoolId"])
NAMES = f"Write one of those that it has: general ({IDS[0]}), gpu ({IDS[1]})."
OTHER = "np31da1b38983f4511b490fc62108a3333"


@pytest.mark.parametrize(
    ("existing", "changes", "error"),
    [
        ({"name": "h100"}, {}, f'existing_pools[0].name = "h100": the cluster has no such pool. {NAMES}'),
        (
            {"name": "gpu", "id": OTHER},
            {},
            f'existing_pools[0].id = "{OTHER}": the cluster has no such pool. {NAMES}',
        ),
        (
            {"name": "general"},
            {"nodePoolName": "general"},
            'existing_pools[0].name = "general": the cluster has several pools of this name. Write the id of one as '
            f"well: {IDS[0]} or {IDS[1]}.",
        ),
        ({"name": "gpu"}, {"imageType": "WindowsCore"}, "its nodes run Windows"),
        (
            {"name": "gpu"},
            {"labels": [{"key": "ack.node.gpu.schedule", "value": "cgpu"}]},
            'its nodes give out their GPUs by the label ack.node.gpu.schedule "cgpu", and Slurm would see none',
        ),
        ({"name": "gpu"}, {"instanceTypes": []}, "ACK doesn't say of which types its machines are"),
        ({"name": "gpu"}, {"instanceTypes": ["ecs.x99.large"]}, "its machines can't be used: "),
        (
            {"name": "gpu"},
            {"instanceTypes": ["ecs.gn7i-c8g1.2xlarge", "ecs.g8i.2xlarge"]},
            "it has machines with 1 A10 and with no GPUs",
        ),
        ({"name": "gpu"}, {"scalingConfig": None}, "ACK doesn't say how many nodes it has: they were added by hand"),
        ({"name": "gpu"}, {"unschedulable": True}, "its new nodes take no pods until somebody says so"),
        (
            {"name": "gpu"},
            {"kubeletConfiguration": {"kubeReserved": {"cpu": "2"}}},
            "its kubelets reserve CPUs and memory as they were told",
        ),
        (
            {"name": "gpu", "reservedCpus": 8},
            {},
            "existing_pools[0].reserved_cpus = 8: ACK leaves 7 CPUs and",
        ),
    ],
)
def test_what_cannot_be_used_of_existing_pools_is_told(existing: State, changes: State, error: str) -> None:
    _, errors = found_in(cluster(GENERAL, {**A10, **changes}), existingPools=[existing])
    (shown,) = errors
    assert error in shown
    assert shown.startswith("existing_pools[0].")


@pytest.mark.parametrize(
    ("fields", "changes", "problem"),
    [
        ({}, {"clusterType": "Kubernetes"}, "it is of the kind Kubernetes, and pools are added to managed clusters"),
        ({}, {"clusterType": "Ask"}, "it is of the kind Ask"),
        ({}, {"profile": "Edge"}, "it is of the kind Edge"),
        ({}, {"state": "deleting"}, "its state is deleting"),
        ({}, {"endpoints": []}, "its control plane has no address"),
        ({}, {"vswitches": []}, "its VPC, the vSwitches of its control plane or its security group can't be seen"),
        (
            {"pools": [NEW_POOL]},
            {"clusterSpec": "ack.standard"},
            "its edition is ack.standard, in which ACK manages 10 nodes, and the pools here may have 14",
        ),
        (
            {"pools": [NEW_POOL]},
            {"addons": [*ADDONS[:3]]},
            'ACK is to scale the pool "cpu", and none of the components goatscaler and cluster-autoscaler',
        ),
        (
            {"storage": [STORAGE]},
            {"addons": ["terway-eniip", "csi-plugin"]},
            "its components csi-provisioner aren't installed, by which pods mount NAS. Install them: aliyun cs "
            f'InstallClusterAddons --ClusterId {CLUSTER_ID} --body \'[{{"name": "csi-provisioner"}}]\'.',
        ),
    ],
)
def test_what_a_cluster_lacks_is_told(fields: State, changes: State, problem: str) -> None:
    pool = {**GENERAL, "desiredSize": "4"}
    fields = {"existingPools": [{"name": "general"}], **fields}
    answers = cluster(pool, **changes)
    ack = spec(**EXISTING, **fields)
    errors = [*cluster_is_usable(ack, answers)]
    if not errors:
        found, _ = with_found_pools(with_found_cluster(ack, answers), answers.pools)
        errors = [*cluster_will_do(AckPlan.of(found), answers)]
    (error,) = errors
    assert problem in str(error)
    assert str(error).startswith(f'existing_cluster.id = "{CLUSTER_ID}": ')


def test_what_new_pools_need_of_a_cluster_is_told_of_the_pools() -> None:
    few = {"name": "ecs.x9.large", "vcpus": 4, "memoryGib": 16, "enis": {"count": 2, "addresses": 3}}
    fields: State = {
        "pools": [{"name": "small", "instanceTypes": ["ecs.x9.large"], "nodes": 1, "zones": ["cn-hangzhou-j"]}],
        "catalogue": {"machineTypes": [few]},
    }
    zone, terway, tokens = lacks(cluster(GENERAL, version="1.26.3-aliyun.1"), **fields)
    assert zone == (
        'pools[0].zones[0] = "cn-hangzhou-j": the cluster has no vSwitch for what is made in this zone: it has some in '
        "cn-hangzhou-h, cn-hangzhou-i. Write one of these, or make the pool in ACK's console and name it in "
        "existing_pools."
    )
    assert terway.startswith('pools[0].instance_types[0] = "ecs.x9.large": ecs.x9.large has addresses for')
    assert "pools[0].require_metadata_tokens: it is true by default and needs Kubernetes 1.30 with terway" in tokens
    assert "Write false." in tokens
    flannel = cluster(GENERAL, podCidr="172.20.0.0/16", addons=["flannel"])
    assert not any("has addresses for" in error for error in lacks(flannel, **fields))
    assert [*check_ack(spec(**EXISTING, **fields))] == [], "nobody has asked yet which it is"


def test_a_cluster_without_the_component_for_erdma_is_warned_about() -> None:
    fields: State = {"pools": [{**NEW_POOL, "instanceTypes": ["ecs.g8i.4xlarge"], "erdma": True}]}
    (warning,) = lacks(cluster(GENERAL), Severity.WARNING, **fields)
    assert warning == (
        f'existing_cluster.id = "{CLUSTER_ID}": its component ack-erdma-controller isn\'t installed, without which '
        f'nodes of the pool "{NEW_POOL["name"]}" have no aliyun/erdma, and workers wait for it. Install it: aliyun cs '
        f'InstallClusterAddons --ClusterId {CLUSTER_ID} --body \'[{{"name": "ack-erdma-controller"}}]\'.'
    )
    addons = ["terway-eniip", "csi-plugin", "csi-provisioner", "goatscaler", "ack-erdma-controller"]
    assert lacks(cluster(GENERAL, addons=addons), Severity.WARNING, **fields) == []


def test_a_basic_cluster_is_warned_about_with_the_copilot() -> None:
    fields: State = {"pools": [{**NEW_POOL, "dedicated": False}], "slurmOperator": "ack-slurm-operator"}
    fields["slurm"] = {"copilot": {}}
    (warning,) = lacks(cluster(GENERAL, clusterSpec="ack.standard"), Severity.WARNING, **fields)
    assert warning.startswith(f'existing_cluster.id = "{CLUSTER_ID}": the edition is ack.standard, whose scheduler may')
    assert lacks(cluster(GENERAL), Severity.WARNING, **fields) == []


def test_a_cluster_that_has_all_lacks_nothing() -> None:
    answers = cluster(GENERAL)
    fields: State = {"pools": [NEW_POOL], "storage": [STORAGE], "systemPool": {}}
    assert lacks(answers, **fields) == []
    assert lacks(answers, Severity.WARNING, **fields) == []


def test_few_addresses_are_a_warning_until_there_are_nodes_of_ours() -> None:
    full = [{**one, "availableIpAddressCount": 5} for one in VSWITCHES[:2]]
    answers = cluster(GENERAL, vswitches=full)
    (warning, _) = lacks(answers, Severity.WARNING, pools=[NEW_POOL])
    assert "its vSwitch vsw-bp1h has 5 addresses left, and the maximum number of new nodes in cn-hangzhou-h" in warning
    again = cluster(GENERAL, {**GENERAL, "nodePoolName": "cpu"}, vswitches=full)
    assert lacks(again, Severity.WARNING, pools=[NEW_POOL]) == []


def test_a_cluster_whose_pools_all_have_taints_needs_a_system_pool() -> None:
    (error,) = lacks(cluster(A10))
    assert "no pool of its takes Slurm's daemons and login pods" in error
    assert lacks(cluster(A10), systemPool={}) == []


def test_a_scaler_that_is_not_seen_is_a_warning() -> None:
    answers = cluster(GENERAL)
    unseen = [addon for addon in answers.addons if "scaler" not in addon.name]
    answers = ClusterAnswers(answers.cluster, answers.connections, unseen, answers.pools, answers.network)
    assert lacks(answers, pools=[NEW_POOL]) == []
    (warning,) = lacks(answers, Severity.WARNING, pools=[NEW_POOL])
    assert "which do so, is seen there. Switch scaling on: aliyun cs CreateAutoscalingConfig" in warning


def test_the_control_plane_and_the_network_are_those_of_the_cluster() -> None:
    flannel = {
        "podCidr": "172.20.0.0/16,fd00::/64",
        "nodeCidrMask": 25,
        "addons": ["flannel"],
        "clusterDomain": "hpc.local",
    }
    channel = {"operationPolicy": {"clusterAutoUpgrade": {"enabled": True, "channel": "patch"}}}
    found = with_found_cluster(spec(**EXISTING), cluster(GENERAL, **flannel, **channel))
    control_plane = found.control_plane
    assert (control_plane.cni, control_plane.version) == (Cni.FLANNEL, "1.34.1-aliyun.1")
    assert (control_plane.cluster_domain, control_plane.upgrade_channel) == ("hpc.local", UpgradeChannel.PATCH)
    assert found.network.pods_per_node == 128
    addresses = plan_addresses(AckPlan.of(found))
    assert addresses.clients == ["10.0.0.0/12", "172.20.0.0/16"]
    assert with_found_cluster(spec(**EXISTING), cluster(GENERAL)).control_plane.cni is Cni.TERWAY


@pytest.mark.parametrize(
    ("endpoints", "server"),
    [
        ([{"apiServerInternet": "", "apiServerIntranet": "https://10.0.0.9:6443"}], "https://10.0.0.9:6443"),
        ([{"apiServerInternet": "https://1.2.3.4:6443", "apiServerIntranet": "https://10.0.0.9:6443"}], None),
    ],
)
def test_a_cluster_is_reached_from_the_internet_if_it_can_be(endpoints: list[State], server: str | None) -> None:
    texts: list[str] = []

    def program() -> None:
        AckExistingCluster("hpc", cluster_id=CLUSTER_ID).kubeconfig.apply(texts.append)

    mocks = Alibaba({**answers_of_cluster(GENERAL, endpoints=endpoints)})
    resources = registered(recorded(program, mocks))
    (text,) = texts
    assert json.loads(text)["clusters"][0]["cluster"]["server"] == (server or "https://1.2.3.4:6443")
    (provider,) = [one for one in resources if one.typ == "pulumi:providers:kubernetes"]
    assert provider.inputs["clusterIdentifier"] == f"alicloud/{CLUSTER_ID}"


NETWORK: State = {
    "vpcId": "vpc-bp1",
    "vswitches": ["vsw-bp1h", "vsw-bp1i"],
    "podVswitches": ["vsw-bp1ph", "vsw-bp1pi"],
    "securityGroupId": "sg-bp1",
}


def wrong_with(
    network: State | None = None, ack: State | None = None, severity: Severity = Severity.ERROR, **answers: Any
) -> list[str]:
    stated = spec(**{"network": {"existing": {**NETWORK, **(network or {})}}, "pools": [NEW_POOL], **(ack or {})})
    existing = stated.network.existing
    assert existing is not None
    of_vpc: NetworkAnswers = asked(answers_of_network(**answers), stated)
    found = found_network(existing, of_vpc)
    if found:
        with_it = stated.network.model_copy(update={"existing": existing.with_found(found)})
        stated = stated.model_copy(update={"network": with_it})
    errors = network_will_do(AckPlan.of(stated), existing, of_vpc)
    return [str(error) for error in errors if error.severity is severity]


def test_a_vpc_that_will_do() -> None:
    assert wrong_with() == []
    assert wrong_with(severity=Severity.WARNING) == []


@pytest.mark.parametrize(
    ("network", "answers", "error"),
    [
        ({}, {"vpc": {}}, 'network.existing.vpc_id = "vpc-bp1": there is no such VPC in cn-hangzhou'),
        (
            {"vswitches": ["vsw-bp1h", "vsw-x"]},
            {},
            'network.existing.vswitches[1] = "vsw-x": there is no such vSwitch. Write one of those that `aliyun vpc '
            "DescribeVSwitches --VpcId vpc-bp1` lists.",
        ),
        (
            {"vswitches": ["vsw-bp1h", "vsw-bp1i", "vsw-bp1ph"]},
            {},
            'network.existing.vswitches[2] = "vsw-bp1ph": it is in cn-hangzhou-h, as vsw-bp1h is, and one of them is',
        ),
        (
            {"podVswitches": ["vsw-bp1ph"]},
            {},
            'network.existing.pod_vswitches = ["vsw-bp1ph"]: none of them is in cn-hangzhou-i, where there are pods',
        ),
        (
            {},
            {"group": {**GROUP, "vpcId": "vpc-bp2"}},
            'security_group_id = "sg-bp1": it is in the VPC vpc-bp2',
        ),
        (
            {},
            {"rules": RULES[:2]},
            "it is of the enterprise type and has no rule that lets anything out, so nodes can't join. Add one: "
            "aliyun ecs AuthorizeSecurityGroupEgress --RegionId cn-hangzhou --SecurityGroupId sg-bp1 --IpProtocol ALL "
            "--PortRange -1/-1 --DestCidrIp 0.0.0.0/0.",
        ),
        (
            {},
            {"entries": [ENTRIES[0], *({**ENTRIES[2], "sourceCidr": f"10.{number}.0.0/16"} for number in (1, 2))]},
            'network.existing.vswitches[1] = "vsw-bp1i": no NAT gateway of the VPC has an SNAT entry for it',
        ),
    ],
)
def test_what_a_vpc_lacks_is_told(network: State, answers: State, error: str) -> None:
    (shown,) = wrong_with(network, **answers)
    assert error in shown
    assert shown.startswith("network.existing")


def test_vswitches_of_another_vpc_and_too_small_ones_are_told() -> None:
    small = [{**VSWITCHES[0], "cidrBlock": "10.0.0.0/29"}, {**VSWITCHES[1], "vpcId": "vpc-bp2"}, *VSWITCHES[2:]]
    elsewhere, too_small = wrong_with(vswitches=small)
    assert elsewhere == (
        'network.existing.vswitches[1] = "vsw-bp1i": it is in the VPC vpc-bp2. Write one of the VPC\'s own.'
    )
    assert "10.0.0.0/29 has 8 addresses, and the maximum number of nodes in cn-hangzhou-h takes 1" in too_small


def test_ranges_outside_of_the_vpc_avoid_it_or_are_refused() -> None:
    vpc = {**VPC, "secondaryCidrBlocks": ["172.16.0.0/16"]}
    assert wrong_with(vpc=vpc) == []
    network = {"existing": NETWORK, "servicesRange": "172.16.8.0/21"}
    (error,) = wrong_with(ack={"network": network}, vpc=vpc)
    assert error.startswith('network.services_range = "172.16.8.0/21": it overlaps with 172.16.0.0/16 of the VPC')


def test_without_nat_nobody_looks_for_a_way_out() -> None:
    answers = answers_of_network()
    del answers["alicloud:vpc/getNatGateways:getNatGateways"], answers["alicloud:vpc/getSnatEntries:getSnatEntries"]
    network: NetworkAnswers = asked(answers, spec(network={"existing": NETWORK, "nat": False}))
    assert network.snat_entries == []


def test_what_may_hurt_of_a_vpc_is_a_warning() -> None:
    full = [{**one, "availableIpAddressCount": 5} for one in VSWITCHES[:2]]
    few = [*full, {**VSWITCHES[2], "cidrBlock": "10.1.0.0/26"}, VSWITCHES[3]]
    first, second, pods, inside, services = wrong_with(severity=Severity.WARNING, vswitches=few, rules=RULES[2:])
    assert "others have taken all but 5 of its addresses" in first
    assert "others have" in second
    assert "10.1.0.0/26 has 64 addresses, and the maximum number of pods in cn-hangzhou-h takes" in pods
    assert "none of its rules is seen to let nodes and pods of the VPC in, 10.0.0.0/12" in inside
    assert "none of its rules is seen to let Alibaba Cloud's services in, 100.64.0.0/10" in services
    assert "--SourceCidrIp 100.64.0.0/10" in services
    normal = {**GROUP, "securityGroupType": "normal", "innerAccess": True}
    assert wrong_with(severity=Severity.WARNING, group=normal, rules=RULES[1:2], clusters=["hpc"], vswitches=[
        *full, *VSWITCHES[2:]]) == []  # fmt: skip


def test_flannels_pods_have_to_be_let_in_too() -> None:
    network: State = {"podVswitches": []}
    ack = {"controlPlane": {"cni": "flannel"}}
    (warning,) = wrong_with(network, ack, Severity.WARNING)
    assert "let Flannel's pods in, 172.20.0.0/16" in warning


def stack(ack: State, replicas: int = 1) -> State:
    return {
        "slurm:rootKey": ROOT_KEY,
        "slurm:kind": "ack",
        "slurm:operator": {"preinstalled": True},
        "slurm:ack": {**BASE, **ack},
        "slurm:cluster": {"name": "slurm", "nodeSets": [{"name": "gpu", "pool": "gpu", "replicas": replicas}]},
    }


ON_CLUSTER: State = {**EXISTING, "existingPools": [{"name": "gpu"}]}


def built(stack_settings: State, mocks: pulumi.runtime.Mocks) -> list[Registered]:
    config, secrets = read(stack_settings)
    return registered(recorded(lambda: build_stack(config, secrets), mocks))


def there(**changes: Any) -> Alibaba:
    """Answers as Alibaba Cloud does of a cluster with a pool for pods of all kinds and one with GPUs."""
    return Alibaba({**answers_of_cluster(GENERAL, A10, **changes)})


def made(resources: list[Registered]) -> list[str]:
    return sorted(one.typ.rpartition(":")[2] for one in resources if one.typ.startswith("alicloud:"))


def test_nothing_of_alibaba_cloud_is_made_for_node_sets_on_existing_pools() -> None:
    assert made(built(stack(ON_CLUSTER), there())) == []


def test_new_pools_come_after_the_system_pool_in_the_clusters_own_network() -> None:
    ack = {**ON_CLUSTER, "pools": [NEW_POOL], "systemPool": {}, "createServiceRoles": True}
    resources = built(stack(ack), there())
    (pool,) = [one for one in resources if one.name == "hpc-cpu-pool"]
    assert pool.inputs["clusterId"] == CLUSTER_ID
    assert (pool.inputs["vswitchIds"], pool.inputs["securityGroupIds"]) == (
        ["vsw-bp1h", "vsw-bp1i"],
        ["sg-bp1"],
    )
    assert made_by({"AckSystemPool"}, resources) <= all_before(pool.name, resources)
    assert not {"ManagedKubernetes", "Network", "Switch", "AutoscalingConfig"} & set(made(resources))


def test_the_whole_vpc_of_an_existing_cluster_may_mount_storage() -> None:
    resources = built(stack({**ON_CLUSTER, "storage": [STORAGE]}), there())
    (rule,) = [one for one in resources if one.typ == "alicloud:nas/accessRule:AccessRule"]
    assert rule.inputs["sourceCidrIp"] == "10.0.0.0/12"
    (target,) = [one for one in resources if one.typ == "alicloud:nas/mountTarget:MountTarget"]
    assert (target.inputs["vpcId"], target.inputs["vswitchId"]) == ("vpc-bp1", "vsw-bp1h")


def test_a_new_cluster_in_an_existing_vpc() -> None:
    ack = {"network": {"existing": NETWORK}, "pools": [{**NEW_POOL, "name": "gpu"}]}
    mocks = Alibaba({**answers_of_network(), "hpc-cluster": {"connections": [{"apiServerIntranet": "https://x:1"}]}})
    resources = built(stack(ack), mocks)
    (cluster_made,) = [one for one in resources if one.typ.endswith(":ManagedKubernetes")]
    assert cluster_made.inputs["vswitchIds"] == ["vsw-bp1h", "vsw-bp1i"]
    assert cluster_made.inputs["podVswitchIds"] == ["vsw-bp1ph", "vsw-bp1pi"]
    assert cluster_made.inputs["securityGroupId"] == "sg-bp1"
    assert not {"Network", "Switch", "NatGateway", "SecurityGroup", "SecurityGroupRule"} & set(made(resources))


@pytest.mark.parametrize(
    ("settings_of_stack", "mocks", "error"),
    [
        (
            stack(ON_CLUSTER, replicas=9),
            there(),
            'slurm:cluster.nodeSets[0].replicas = 9: the pool "gpu" has 4 nodes',
        ),
        (
            stack({**ON_CLUSTER, "existingPools": [{"name": "gpu", "reservedCpus": 8}]}),
            there(),
            "slurm:ack.existingPools[0].reservedCpus = 8: ACK leaves 7 CPUs and",
        ),
        (
            stack(ON_CLUSTER),
            there(clusterType="Ask"),
            f'slurm:ack.existingCluster.id = "{CLUSTER_ID}": it is of the kind Ask',
        ),
        (
            stack(ON_CLUSTER),
            Alibaba({"alicloud:cs/getClusters:getClusters": {"clusters": []}}),
            f'slurm:ack.existingCluster.id = "{CLUSTER_ID}": there is no such cluster in cn-hangzhou',
        ),
        (
            stack({"network": {"existing": NETWORK}, "pools": [{**NEW_POOL, "name": "gpu"}]}),
            Alibaba({**answers_of_network(vpc={})}),
            'slurm:ack.network.existing.vpcId = "vpc-bp1": there is no such VPC in cn-hangzhou',
        ),
    ],
)
def test_what_shows_only_when_alibaba_cloud_answers_is_refused_with_its_path(
    settings_of_stack: State, mocks: Alibaba, error: str
) -> None:
    with pytest.raises(SpecError) as raised:
        built(settings_of_stack, mocks)
    (shown,) = map(str, raised.value.errors)
    assert shown.startswith(error)


DENIED = """invocation of alicloud:cs/getClusters:getClusters returned an error: 1 error occurred:
\t* [ERROR] terraform-provider-alicloud/alicloud/data_source_alicloud_cs_clusters.go:252: Resource  /regions Failed!!!
SDKError:
   StatusCode: 403
   Code: StatusForbidden
   Message: code: 403, STSToken policy Forbidden for action cs:DescribeClustersForRegion request id: 4D1
   Data: {"accessDeniedDetail": {}}
"""


class Silent(Alibaba):
    """An Alibaba Cloud that says nothing to this login."""

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        return {}, [("", DENIED)]


def test_a_cluster_that_cannot_be_read_is_told_with_alibaba_clouds_words() -> None:
    with pytest.raises(SpecError) as raised:
        built(stack(ON_CLUSTER), Silent())
    (shown,) = map(str, raised.value.errors)
    assert shown.startswith(f'slurm:ack.existingCluster.id = "{CLUSTER_ID}": the cluster could not be read: StatusForb')
    assert "policy Forbidden for action cs:DescribeClustersForRegion" in shown
    assert "Traceback" not in shown
    assert "accessDeniedDetail" not in shown


def test_colocation_on_an_old_cluster_or_one_with_a_domain_of_its_own_is_refused() -> None:
    settings_of_stack = stack({**ON_CLUSTER, "slurmOperator": "ack-slurm-operator", "slurm": {"copilot": {}}})
    del settings_of_stack["slurm:operator"]
    with pytest.raises(SpecError) as raised:
        built(settings_of_stack, there(version="1.24.6-aliyun.1", clusterDomain="hpc.local"))
    version, domain = sorted(map(str, raised.value.errors), reverse=True)
    at = f'slurm:ack.existingCluster.id = "{CLUSTER_ID}": its '
    assert version.startswith(f"{at}version is 1.24.6-aliyun.1: colocated scheduling needs Kubernetes 1.26. Leave copi")
    assert domain.startswith(f"{at}cluster domain is hpc.local: the copilot looks for slurmrestd in the domain svc.clu")


def test_the_namespace_may_be_another_programs() -> None:
    resources = built({**stack(ON_CLUSTER), "slurm:createNamespace": False}, there())
    assert not [one for one in resources if one.typ.endswith(":Namespace")]


def test_pools_may_be_larger_and_have_more_types_than_ours() -> None:
    types = [
        f"ecs.{family}.2xlarge" for family in ("g8i", "g8a", "g7", "g7a", "g8y", "g6", "g6e", "g5", "g6a", "g7nex")
    ]
    catalogue = {"machineTypes": [{"name": name, "vcpus": 8, "memoryGib": 32} for name in (*types, "ecs.g9i.2xlarge")]}
    large = {
        **GENERAL,
        "instanceTypes": [*types, "ecs.g9i.2xlarge"],
        "scalingConfig": {"enable": True, "maxSize": 2000},
    }
    found, errors = found_in(cluster(large), existingPools=[{"name": "general"}], catalogue=catalogue)
    assert errors == []
    (pool,) = node_pools(AckPlan.of(found))
    assert pool.max_nodes == 1000


def test_a_warning_of_what_exists_may_be_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_, **__: warned.append(text))
    ack = {"network": {"existing": NETWORK}, "pools": [{**NEW_POOL, "name": "gpu"}]}
    mocks = Alibaba(
        {**answers_of_network(rules=RULES[1:]), "hpc-cluster": {"connections": [{"apiServerIntranet": "https://x:1"}]}}
    )
    path, rule = "slurm:ack.network.existing.securityGroupId", "ack-security-group-lets-through"
    built(stack(ack), mocks)
    assert [text for text in warned if text.startswith(path) and text.endswith(f"[{rule}]")]
    warned.clear()
    acceptance = {"rule": rule, "path": path, "reason": "A prefix list lets the VPC in."}
    built({**stack(ack), "slurm:accepted": [acceptance]}, mocks)
    assert not [text for text in warned if text.startswith(path)]

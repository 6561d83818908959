"""Node pools of the simulated ACK on the real API server: their nodes, and the autoscaler's."""

import json
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network
from itertools import filterfalse
from typing import Any

import pytest

from devcluster.readiness import node_ready
from pulumi_slurm.machines.ack import AckMachineTypeSpec
from tests.clouds.alibaba.examples import (
    CLUSTER,
    CREDENTIAL,
    EXAMPLES,
    NETWORK,
    NODE_POOL,
    REGION,
    RULE,
    SWITCH,
    ZONES,
    make_site,
)
from tests.clouds.alibaba.package import PACKAGE
from tests.clouds.alibaba.surroundings import Alibaba
from tests.clouds.engine import EngineClient, Made
from tests.e2e.objects import Object, Objects
from tests.waiting import equals, eventually, eventually_nothing

pytestmark = pytest.mark.repeats("tests/clouds/test_ack_whole_life.py, without an engine")

POOL = "slurm.pulumi.com/pool"
TYPE = "node.kubernetes.io/instance-type"
ZONE = "topology.kubernetes.io/zone"
TOLERATIONS = [{"key": POOL, "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}]


class Ack:
    """A site with a cluster, to which a test adds pools."""

    def __init__(self, engine: EngineClient, objects: Objects) -> None:
        self.engine = engine
        self.site = make_site(engine, CLUSTER)
        self._objects = objects

    def open(self) -> None:
        """Allow what nodes need beside the connections from the VPC."""
        for direction, cidr in (("egress", "0.0.0.0/0"), ("ingress", "100.64.0.0/10")):
            self.rule(direction, cidr)

    def rule(self, direction: str, cidr: str) -> None:
        self.engine.create(RULE, **{**EXAMPLES[RULE](self.site), "type": direction, "cidrIp": cidr})

    def pool(self, **changes: Any) -> Made:
        inputs = {**EXAMPLES[NODE_POOL](self.site), **changes}
        return self.engine.create(NODE_POOL, **{name: value for name, value in inputs.items() if value is not None})

    def fixed(self, count: int, **changes: Any) -> Made:
        return self.pool(scalingConfig=None, desiredSize=str(count), **changes)

    def vswitch(self, zone: str, cidr: str) -> str:
        return self.engine.create(SWITCH, vpcId=self.site[NETWORK].id, zoneId=zone, cidrBlock=cidr).id

    def nodes(self) -> list[Object]:
        return self._objects.all("Node")

    def labels(self, name: str) -> list[str]:
        return sorted(node["metadata"]["labels"].get(name, "") for node in self.nodes())

    def uids(self) -> set[str]:
        return {node["metadata"]["uid"] for node in self.nodes()}


@pytest.fixture
def closed_ack(alibaba: Alibaba, objects: Objects) -> Iterator[Ack]:
    with EngineClient(PACKAGE, alibaba.cloud, region=REGION) as client:
        yield Ack(client, objects)


@pytest.fixture
def ack(closed_ack: Ack) -> Ack:
    closed_ack.open()
    return closed_ack


def test_nodes_join_only_if_their_security_group_lets_them(closed_ack: Ack) -> None:
    with pytest.raises(Exception, match=r"did not become ready: .* denies connections from 100\.64\.0\.0/10"):
        closed_ack.fixed(1)
    closed_ack.rule("ingress", "100.64.0.0/10")
    with pytest.raises(Exception, match=r"did not become ready: .* denies connections to 10\.0\.0\.0/8"):
        closed_ack.fixed(1)
    closed_ack.rule("egress", "10.0.0.0/8")
    with pytest.raises(Exception, match=r"did not become ready: .* denies connections to 100\.64\.0\.0/10"):
        closed_ack.fixed(1)
    closed_ack.rule("egress", "0.0.0.0/0")
    closed_ack.fixed(1)
    assert len(closed_ack.nodes()) == 1


def test_nodes_have_the_properties_that_ack_sets(ack: Ack) -> None:
    ack.fixed(2)
    node = ack.nodes()[0]
    labels = node["metadata"]["labels"]
    assert labels[POOL] == "gpu"
    assert labels[TYPE] == "ecs.gn7i-c8g1.2xlarge"
    assert (labels["topology.kubernetes.io/region"], labels[ZONE]) == (REGION, ZONES[0])
    assert (labels["kubernetes.io/arch"], labels["aliyun.accelerator/nvidia_count"]) == ("amd64", "1")
    assert {(taint["key"], taint.get("value"), taint["effect"]) for taint in node["spec"]["taints"]} >= {
        (POOL, "gpu", "NoSchedule")
    }
    capacity, allocatable = node["status"]["capacity"], node["status"]["allocatable"]
    # Flannel hands out a /24 to each node of this cluster.
    assert (capacity["cpu"], capacity["nvidia.com/gpu"], capacity["pods"]) == ("8", "1", "256")
    # Of eight: 0.06 of the first, 0.01 of the second, 0.005 of the next two, 0.0025 of the others.
    assert allocatable["cpu"] == "7910m"
    assert int(allocatable["memory"].removesuffix("Ki")) < int(capacity["memory"].removesuffix("Ki"))
    eventually_nothing("nodes that are not ready", lambda: [*filterfalse(node_ready, ack.nodes())])


def test_names_are_addresses_of_the_vswitch(ack: Ack) -> None:
    ack.fixed(2)
    ack.fixed(2, nodePoolName="other")
    names_and_addresses = [
        (node["metadata"]["name"], node["status"]["addresses"][0]["address"]) for node in ack.nodes()
    ]
    assert [name for name, _ in names_and_addresses] == [f"{REGION}.{address}" for _, address in names_and_addresses]
    assert len({address for _, address in names_and_addresses}) == 4
    assert all(IPv4Address(address) in IPv4Network("10.0.0.0/24") for _, address in names_and_addresses)


def test_a_vswitch_has_no_more_nodes_than_addresses(ack: Ack) -> None:
    node_pool = ack.fixed(9, vswitchIds=[ack.vswitch(ZONES[1], "10.1.0.0/29")])
    # Of eight addresses Alibaba Cloud keeps four.
    assert len(ack.nodes()) == 4
    assert (ack.engine.read(node_pool) or ({}, {}))[1]["nodeCount"] == 4


def test_zones_are_balanced_if_that_is_the_policy(ack: Ack) -> None:
    both = [ack.site[SWITCH].id, ack.vswitch(ZONES[1], "10.1.0.0/24")]
    ack.engine.delete(ack.fixed(4, vswitchIds=both, multiAzPolicy="BALANCE"))
    ack.fixed(4, vswitchIds=both, multiAzPolicy="BALANCE")
    assert ack.labels(ZONE) == [ZONES[0], ZONES[0], ZONES[1], ZONES[1]]
    ack.fixed(2, nodePoolName="first", vswitchIds=both, multiAzPolicy="PRIORITY")
    assert ack.labels(ZONE).count(ZONES[0]) == 4


def test_with_terway_the_number_of_pods_depends_on_interfaces(ack: Ack) -> None:
    pods = ack.vswitch(ZONES[0], "10.1.0.0/16")
    inputs = EXAMPLES[CLUSTER](ack.site) | {"name": "terway", "addons": [{"name": "terway-eniip"}]}
    del inputs["podCidr"]
    cluster = ack.engine.create(CLUSTER, **inputs, podVswitchIds=[pods])
    ack.fixed(1, clusterId=cluster.id)
    # Three additional interfaces with 15 addresses each, and three pods on the node's own network.
    assert ack.nodes()[0]["status"]["capacity"]["pods"] == "48"


def test_a_pool_takes_its_next_type_where_one_is_sold_out(ack: Ack, alibaba: Alibaba) -> None:
    alibaba.cloud.set(soldOut=["ecs.gn7i-c8g1.2xlarge"])
    node_pool = ack.fixed(1)
    assert ack.labels(TYPE) == ["ecs.gn7i-c16g1.4xlarge"]
    alibaba.cloud.set(soldOut=["ecs.gn7i-c8g1.2xlarge", "ecs.gn7i-c16g1.4xlarge"])
    ack.engine.update(node_pool, desiredSize="2")
    assert len(ack.nodes()) == 1


def test_types_that_a_test_adds(ack: Ack, alibaba: Alibaba) -> None:
    machine_type = AckMachineTypeSpec(name="ecs.z9.large", vcpus=2, memory_gib=8)
    alibaba.cloud.set(machineTypes=[json.loads(machine_type.model_dump_json())])
    ack.fixed(1, instanceTypes=["ecs.z9.large"])
    assert ack.nodes()[0]["status"]["capacity"]["cpu"] == "2"


def test_another_machine_is_for_new_nodes_and_other_labels_for_all(ack: Ack) -> None:
    node_pool = ack.fixed(1)
    before = ack.uids()
    node_pool = ack.engine.update(node_pool, instanceTypes=["ecs.gn7i-c16g1.4xlarge"])
    assert ack.labels(TYPE) == ["ecs.gn7i-c8g1.2xlarge"]
    node_pool = ack.engine.update(node_pool, desiredSize="2", labels=[{"key": "team", "value": "speech"}])
    assert ack.labels(TYPE) == ["ecs.gn7i-c16g1.4xlarge", "ecs.gn7i-c8g1.2xlarge"]
    assert (ack.labels("team"), ack.labels(POOL)) == (["speech", "speech"], ["", ""])
    assert before < ack.uids()

    node_pool = ack.engine.update(node_pool, updateNodes=False, labels=[{"key": "team", "value": "vision"}])
    assert ack.labels("team") == ["speech", "speech"]
    # The newest is removed first.
    node_pool = ack.engine.update(node_pool, desiredSize="1")
    assert ack.uids() == before
    ack.engine.delete(node_pool)
    assert ack.nodes() == []


def test_only_a_pool_without_nodes_goes_unforced(ack: Ack) -> None:
    node_pool = ack.fixed(1, forceDelete=False)
    with pytest.raises(Exception, match="ErrorNodePoolNotEmpty"):
        ack.engine.delete(node_pool)
    ack.engine.delete(ack.engine.update(node_pool, desiredSize="0"))


def test_a_pool_without_machines_has_no_nodes(ack: Ack, alibaba: Alibaba) -> None:
    alibaba.cloud.fault("stockout", "NodePool")
    with pytest.raises(Exception, match=r"OperationDenied\.NoStock"):
        ack.fixed(2)
    assert ack.nodes() == []


def test_nodes_go_with_their_cluster(ack: Ack) -> None:
    ack.fixed(2)
    ack.engine.delete(ack.site[CLUSTER])
    assert ack.nodes() == []


def test_a_minimum_is_filled_up(ack: Ack) -> None:
    limits = {"enable": True, "minSize": 1, "maxSize": 3}
    node_pool = ack.pool(scalingConfig=limits)
    assert ack.labels("k8s.aliyun.com") == ["true"]
    ack.engine.update(node_pool, scalingConfig={**limits, "minSize": 2})
    assert len(ack.nodes()) == 2


def test_the_autoscaler_follows_pods_within_its_limits(ack: Ack, objects: Objects) -> None:
    node_pool = ack.pool()
    assert ack.nodes() == []
    objects.namespace("autoscaled")
    for number in range(4):
        objects.create(pod(f"fits-{number}"))
    # A GPU for each, and three nodes at most.
    eventually("a node for each pod, up to the maximum", ack.nodes, lambda found: len(found) == 3)
    eventually("pods that run", lambda: running(objects), lambda found: len(found) == 3)
    assert (ack.engine.read(node_pool) or ({}, {}))[1]["nodeCount"] == 3

    for number in range(4):
        objects.delete("Pod", "autoscaled", f"fits-{number}")
    eventually_nothing("nodes that nobody uses", ack.nodes)


def test_the_autoscaler_does_not_change_pools_of_a_fixed_size(ack: Ack, objects: Objects) -> None:
    ack.fixed(0, nodePoolName="fixed", labels=[{"key": POOL, "value": "fixed"}], taints=[])
    ack.pool()
    objects.namespace("autoscaled")
    objects.create(pod("elsewhere", node_selector={POOL: "fixed"}))
    objects.create(pod("intolerant", tolerations=[]))
    objects.create(pod("fits"))
    eventually("the pod that fits", lambda: running(objects), equals({"fits"}))
    assert ack.labels(POOL) == ["gpu"]


def test_the_credential_leads_to_the_api_server(ack: Ack, alibaba: Alibaba) -> None:
    credential = ack.engine.invoke(CREDENTIAL, clusterId=ack.site[CLUSTER].id)
    config = json.loads(alibaba.cluster.kubeconfig.read_text())
    user = config["users"][0]["user"]
    assert credential["certificateAuthorities"] == [
        {
            "clusterCert": config["clusters"][0]["cluster"]["certificate-authority-data"],
            "clientCert": user["client-certificate-data"],
            "clientKey": user["client-key-data"],
        }
    ]
    connections = ack.site[CLUSTER].state["connections"][0]
    assert connections["apiServerIntranet"] == config["clusters"][0]["cluster"]["server"]


def running(objects: Objects) -> set[str]:
    return {
        running_pod["metadata"]["name"]
        for running_pod in objects.all("Pod", "autoscaled")
        if running_pod["status"]["phase"] == "Running"
    }


def pod(
    name: str,
    node_selector: dict[str, str] | None = None,
    tolerations: list[dict[str, str]] | None = None,
) -> Object:
    limits = {"nvidia.com/gpu": "1"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "autoscaled"},
        "spec": {
            "terminationGracePeriodSeconds": 0,
            "nodeSelector": node_selector or {POOL: "gpu"},
            "tolerations": TOLERATIONS if tolerations is None else tolerations,
            "containers": [{"name": "main", "image": "none", "resources": {"limits": limits, "requests": limits}}],
        },
    }

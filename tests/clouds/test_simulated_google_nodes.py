"""Node pools of the simulated GKE on the real API server: their nodes, and the autoscaler's."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.readiness import node_ready
from tests.clouds.engine import EngineClient
from tests.clouds.gcp.admission import INTERFACES, RESOURCE
from tests.clouds.gcp.examples import (
    CLUSTER,
    EXAMPLES,
    NETWORK,
    NODE_POOL,
    PROJECT,
    REGION,
    SUBNETWORK,
    make_apis,
    make_site,
)
from tests.clouds.gcp.package import PACKAGE
from tests.clouds.gcp.surroundings import Google
from tests.clouds.simulator.cloud import Cloud
from tests.e2e.objects import Object, Objects
from tests.waiting import equals, eventually, eventually_nothing

pytestmark = pytest.mark.repeats("tests/clouds/test_gke_whole_life.py, without an engine")

ZONES = ["us-central1-b", "us-central1-c"]
TOLERATIONS = [
    {"key": "nvidia.com/gpu", "operator": "Exists"},
    {"key": "slurm.pulumi.com/pool", "operator": "Equal", "value": "l4", "effect": "NoSchedule"},
]


@pytest.fixture
def gke(google: Google) -> Iterator[EngineClient]:
    with EngineClient(PACKAGE, google.cloud, project=PROJECT, region=REGION) as client:
        make_apis(client)
        make_site(client, CLUSTER)
        yield client


def fixed(count: int, **more: Any) -> dict[str, Any]:
    inputs = {**EXAMPLES[NODE_POOL], "nodeCount": count, **more}
    del inputs["autoscaling"]
    return inputs


def nodes(objects: Objects) -> dict[str, Object]:
    return {node["metadata"]["name"]: node for node in objects.all("Node")}


def test_nodes_have_what_gke_gives_them(gke: EngineClient, objects: Objects) -> None:
    gke.create(NODE_POOL, **fixed(2, nodeLocations=ZONES))
    found = list(nodes(objects).values())
    assert len(found) == 4
    assert sorted(node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in found) == sorted(
        [*ZONES, *ZONES]
    )
    node = found[0]
    assert (
        node["metadata"]["labels"].items()
        >= {
            "cloud.google.com/gke-nodepool": "l4",
            "cloud.google.com/gke-accelerator": "nvidia-l4",
            "node.kubernetes.io/instance-type": "g2-standard-4",
            "topology.kubernetes.io/region": REGION,
            "kubernetes.io/arch": "amd64",
            "team": "vision",
        }.items()
    )
    taints = {(taint["key"], taint.get("value"), taint["effect"]) for taint in node["spec"]["taints"]}
    assert {
        ("slurm.pulumi.com/pool", "l4", "NoSchedule"),
        ("nvidia.com/gpu", "present", "NoSchedule"),
    } <= taints
    left = node["status"]["allocatable"]
    # Google's own page gives 3.92 CPUs for four.
    assert (left["cpu"], left["nvidia.com/gpu"], left["pods"]) == ("3920m", "1", "32")
    assert int(left["memory"].removesuffix("Ki")) < int(node["status"]["capacity"]["memory"].removesuffix("Ki"))


def test_nodes_become_ready(gke: EngineClient, objects: Objects) -> None:
    gke.create(NODE_POOL, **fixed(1))
    eventually("a node that is ready", lambda: [*nodes(objects).values()], lambda found: any(map(node_ready, found)))


def test_a_machine_of_another_kind_is_another_node(gke: EngineClient, objects: Objects) -> None:
    made = gke.create(NODE_POOL, **fixed(2))
    before = {node["metadata"]["uid"] for node in nodes(objects).values()}
    config = EXAMPLES[NODE_POOL]["nodeConfig"]
    made = gke.update(made, nodeConfig={**config, "labels": {"team": "speech"}})
    after = nodes(objects).values()
    assert {node["metadata"]["uid"] for node in after} == before
    assert {node["metadata"]["labels"]["team"] for node in after} == {"speech"}

    made = gke.update(made, nodeConfig={**config, "machineType": "g2-standard-8"})
    after = nodes(objects).values()
    assert {node["metadata"]["uid"] for node in after}.isdisjoint(before)
    assert {node["metadata"]["labels"]["node.kubernetes.io/instance-type"] for node in after} == {"g2-standard-8"}

    made = gke.update(made, nodeCount=1)
    assert len(nodes(objects)) == 1
    gke.delete(made)
    assert nodes(objects) == {}


def test_a_pool_without_machines_has_no_nodes(gke: EngineClient, cloud: Cloud, objects: Objects) -> None:
    cloud.fault("stockout", "NodePool")
    with pytest.raises(Exception, match="error state"):
        gke.create(NODE_POOL, **fixed(2))
    assert nodes(objects) == {}


def test_the_autoscaler_follows_pods_within_its_limits(gke: EngineClient, objects: Objects) -> None:
    made = gke.create(NODE_POOL, **EXAMPLES[NODE_POOL])
    assert nodes(objects) == {}
    objects.namespace("autoscaled")
    for number in range(4):
        objects.create(pod(f"fits-{number}"))
    # A GPU for each, and three nodes at most.
    eventually("a node for each pod, up to the maximum", lambda: nodes(objects), lambda found: len(found) == 3)
    eventually("pods that run", lambda: running(objects), lambda found: len(found) == 3)
    assert (gke.read(made) or ({}, {}))[1]["nodeCount"] == 3

    for number in range(4):
        objects.delete("Pod", "autoscaled", f"fits-{number}")
    eventually_nothing("nodes that nobody uses", lambda: nodes(objects))


def test_the_autoscaler_adds_nothing_for_pods_that_would_not_fit(gke: EngineClient, objects: Objects) -> None:
    gke.create(NODE_POOL, **{**EXAMPLES[NODE_POOL], "autoscaling": {"totalMinNodeCount": 0, "totalMaxNodeCount": 9}})
    objects.namespace("autoscaled")
    objects.create(pod("elsewhere", node_selector={"cloud.google.com/gke-nodepool": "other"}))
    objects.create(pod("intolerant", tolerations=TOLERATIONS[:1]))
    objects.create(pod("too-large", gpus=2))
    objects.create(pod("fits"))
    eventually("the pod that fits", lambda: running(objects), equals({"fits"}))
    assert len(nodes(objects)) == 1


def test_a_minimum_is_kept_and_not_filled_up(gke: EngineClient, objects: Objects) -> None:
    limits = {"totalMinNodeCount": 1, "totalMaxNodeCount": 2}
    made = gke.create(NODE_POOL, **{**EXAMPLES[NODE_POOL], "autoscaling": limits})
    assert nodes(objects) == {}
    gke.delete(made)
    gke.create(NODE_POOL, **{**EXAMPLES[NODE_POOL], "autoscaling": limits, "initialNodeCount": 1})
    objects.namespace("autoscaled")
    for name in ("one", "two"):
        objects.create(pod(name))
    eventually("both pods", lambda: running(objects), equals({"one", "two"}))
    for name in ("one", "two"):
        objects.delete("Pod", "autoscaled", name)
    eventually("one node less", lambda: nodes(objects), lambda found: len(found) == 1)


def test_pods_wait_for_nodes_on_the_networks_that_they_name(google: Google, objects: Objects) -> None:
    subnets = ["fast-1", "fast-2"]
    further = [{"network": name, "subnetwork": name} for name in subnets]
    with EngineClient(PACKAGE, google.cloud, project=PROJECT, region=REGION) as gke:
        make_apis(gke)
        make_site(gke, CLUSTER, enableMultiNetworking=True)
        for number, name in enumerate(subnets):
            gke.create(NETWORK, name=name, autoCreateSubnetworks=False)
            gke.create(SUBNETWORK, name=name, network=name, ipCidrRange=f"10.20.{number}.0/24")
        gke.create(NODE_POOL, **fixed(1, name="fast", networkConfig={"additionalNodeNetworkConfigs": further}))
        gke.create(NODE_POOL, **fixed(1, name="slow"))
        by_pool = {node["metadata"]["labels"]["cloud.google.com/gke-nodepool"]: node for node in objects.all("Node")}
        offered = {name: networks(node["status"]["allocatable"]) for name, node in by_pool.items()}
        assert offered == {"fast": {"fast-1", "fast-1.IP", "fast-2", "fast-2.IP"}, "slow": set()}

        objects.namespace("autoscaled")
        interfaces = [{"interfaceName": "eth0", "network": "default"}]
        interfaces += [{"interfaceName": f"eth{number}", "network": name} for number, name in enumerate(subnets, 1)]
        for name in by_pool:
            for kind, annotations in (("plain", {}), ("wired", {INTERFACES: json.dumps(interfaces)})):
                item = pod(f"{name}-{kind}", {"cloud.google.com/gke-nodepool": name}, gpus=0)
                item["metadata"]["annotations"] = annotations
                objects.create(item)
        eventually("pods that run", lambda: running(objects), equals({"fast-plain", "fast-wired", "slow-plain"}))
        waiting = next(item for item in objects.all("Pod", "autoscaled") if item["metadata"]["name"] == "slow-wired")
        assert networks(waiting["spec"]["containers"][0]["resources"]["limits"]) == set(subnets)
        eventually(
            "the reason why it doesn't run",
            lambda: [
                condition.get("message", "")
                for item in objects.all("Pod", "autoscaled")
                for condition in item["status"].get("conditions", [])
            ],
            lambda messages: any(f"Insufficient {RESOURCE}fast-1" in message for message in messages),
        )


def networks(resources: dict[str, str]) -> set[str]:
    return {name.removeprefix(RESOURCE) for name in resources if name.startswith(RESOURCE)}


def running(objects: Objects) -> set[str]:
    return {
        each["metadata"]["name"] for each in objects.all("Pod", "autoscaled") if each["status"]["phase"] == "Running"
    }


def pod(
    name: str,
    node_selector: dict[str, str] | None = None,
    tolerations: list[dict[str, str]] | None = None,
    gpus: int = 1,
) -> Object:
    limits = {"nvidia.com/gpu": str(gpus)}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "autoscaled"},
        "spec": {
            "terminationGracePeriodSeconds": 0,
            "nodeSelector": node_selector or {"cloud.google.com/gke-nodepool": "l4"},
            "tolerations": TOLERATIONS if tolerations is None else tolerations,
            "containers": [{"name": "main", "image": "none", "resources": {"limits": limits, "requests": limits}}],
        },
    }

"""A Slurm cluster on what a platform team has already: its VPC, its ACK cluster, its node pools.

What exists is made by hand, by Alibaba Cloud's API. Whatever the stack does, it stays as it was.
"""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.clouds.ack_example_stacks import Settings
from tests.clouds.alibaba.examples import (
    AUTOSCALING,
    CLUSTER,
    EXAMPLES,
    NODE_POOL,
    REGION,
    RULE,
    SECURITY_GROUP,
    SNAT_ENTRY,
    SWITCH,
    ZONES,
    make_site,
)
from tests.clouds.alibaba.package import PACKAGE
from tests.clouds.alibaba.surroundings import Alibaba
from tests.clouds.engine import EngineClient, Made
from tests.clouds.gke_example_stacks import OPERATOR_VERSION
from tests.clouds.surroundings import CloudProgram
from tests.clouds.whole_life import began_and_ended, made_in, untouched
from tests.e2e.objects import Objects, ready
from tests.e2e.program import Run
from tests.waiting import eventually

NAME = "guest"
TENANT = "tenant"
TEAM, SHARED = "team", "shared"
GPU = "nvidia.com/gpu"


@pytest.fixture(scope="module")
def by_hand(module_alibaba: Alibaba) -> Iterator[EngineClient]:
    """Whoever makes what exists."""
    with EngineClient(PACKAGE, module_alibaba.cloud, region=REGION) as client:
        yield client


@pytest.fixture(scope="module")
def site(by_hand: EngineClient) -> dict[str, Made]:
    """A VPC, a cluster that can scale, a pool for all kinds of pods, and one with GPUs that begins without nodes."""
    made = make_site(by_hand, RULE)
    group = made[SECURITY_GROUP].id
    by_hand.create(RULE, **{**EXAMPLES[RULE](made), "cidrIp": "100.64.0.0/10"})
    by_hand.create(RULE, **{**EXAMPLES[RULE](made), "type": "egress", "cidrIp": "0.0.0.0/0"})
    addons = [{"name": name} for name in ("flannel", "csi-plugin", "csi-provisioner")]
    made[CLUSTER] = by_hand.create(CLUSTER, **{**EXAMPLES[CLUSTER](made), "addons": addons})
    by_hand.create(AUTOSCALING, **EXAMPLES[AUTOSCALING](made))
    place: dict[str, Any] = {
        "clusterId": made[CLUSTER].id,
        "vswitchIds": [made[SWITCH].id],
        "securityGroupIds": [group],
    }
    by_hand.create(NODE_POOL, nodePoolName="general", instanceTypes=["ecs.g8i.2xlarge"], desiredSize="1", **place)
    taints = [{"key": "team", "value": "research", "effect": "NoSchedule"}]
    labels = [{"key": "team", "value": "research"}]
    made[NODE_POOL] = by_hand.create(NODE_POOL, **{**EXAMPLES[NODE_POOL](made), "labels": labels, "taints": taints})
    return made


def stack(name: str, pools: list[str], **ack: Any) -> Settings:
    """A stack with a node set on each of these pools, in an embedded cluster that has slurm-operator."""
    return {
        "slurm:kind": "ack",
        "slurm:operator": {"preinstalled": True},
        "slurm:ack": {
            "region": REGION,
            "zones": [ZONES[0]],
            "pools": [{"name": "cpu", "instanceTypes": ["ecs.g8i.2xlarge"], "nodes": 2}],
            "deletionProtection": False,
            **ack,
        },
        "slurm:cluster": {
            "name": name,
            "namespace": name,
            "operatorVersion": OPERATOR_VERSION,
            "nodeSets": [{"name": pool, "pool": pool, "replicas": 1} for pool in pools],
            "partitions": [{"name": "main", "nodeSets": ["ALL"], "default": True}],
        },
    }


def on_cluster(site: dict[str, Made], **ack: Any) -> Settings:
    return stack(
        NAME,
        ["cpu", "a10"],
        existingCluster={"id": site[CLUSTER].id},
        existingPools=[{"name": "a10", "id": site[NODE_POOL].state["nodePoolId"]}],
        storage=[{"name": "home", "mountPath": "/home"}],
        **ack,
    )


@pytest.mark.repeats("tests/components/ack/test_existing.py, on the simulated cloud")
def test_a_cluster_with_its_pools_is_used_and_left_alone(
    module_alibaba: Alibaba, site: dict[str, Made], objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cloud = module_alibaba.cloud
    before = made_in(cloud)
    program = CloudProgram(module_alibaba, tmp_path_factory.mktemp(NAME), stack=NAME)

    settings = on_cluster(site)
    program.up(settings)
    workers = eventually(
        "workers on both pools", lambda: [pod for pod in objects.all("Pod", NAME) if ready(pod)], _on_both_pools
    )
    (gpu,) = [pod for pod in workers if pod["metadata"]["name"] == f"{NAME}-worker-a10-0"]
    container = next(each for each in gpu["spec"]["containers"] if each["name"] == "slurmd")
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert gpu["spec"]["nodeSelector"]["alibabacloud.com/nodepool-id"] == site[NODE_POOL].state["nodePoolId"]
    made = sorted(token.rpartition(":")[2] for token, _ in made_in(cloud).keys() - before.keys())
    assert made == ["AccessGroup", "AccessRule", "FileSystem", "MountTarget", "NodePool"]

    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}
    changed = copy.deepcopy(settings)
    changed["slurm:cluster"]["nodeSets"][1]["replicas"] = 2
    changed["slurm:ack"]["pools"][0]["nodes"] = 3
    program.up(changed)
    assert cloud.find("NodePool", "cpu").state["desiredSize"] == "3"
    untouched(cloud, before)
    program.destroy()
    untouched(cloud, before)
    assert made_in(cloud).keys() == before.keys()


def test_a_colocated_worker_waits_for_gpus_that_others_have(
    module_alibaba: Alibaba,
    by_hand: EngineClient,
    site: dict[str, Made],
    objects: Objects,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A pool that a platform team shares: whatever runs there goes on, and the worker starts once it has ended.

    Nobody here reconciles a SlurmCluster, so the worker's pod is made of its template.
    """
    place: dict[str, Any] = {
        "clusterId": site[CLUSTER].id,
        "vswitchIds": [site[SWITCH].id],
        "securityGroupIds": [site[SECURITY_GROUP].id],
    }
    pool = by_hand.create(
        NODE_POOL, nodePoolName="team", instanceTypes=["ecs.gn7i-c8g1.2xlarge"], desiredSize="1", **place
    )
    before = made_in(module_alibaba.cloud)
    theirs = {
        "containers": [{"name": "train", "image": "train", "resources": {"limits": {GPU: "1"}}}],
        "nodeSelector": {"alibabacloud.com/nodepool-id": pool.state["nodePoolId"]},
    }
    objects.namespace(TEAM)
    eventually("the namespace's account", lambda: objects.find("ServiceAccount", TEAM, "default"))
    objects.create(
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": TEAM, "name": "train"}, "spec": theirs}
    )
    running = eventually("a pod with the GPU", lambda: objects.get("Pod", TEAM, "train"), ready)

    program = CloudProgram(module_alibaba, tmp_path_factory.mktemp(SHARED), stack=SHARED)
    settings = stack(
        SHARED,
        ["team"],
        existingCluster={"id": site[CLUSTER].id},
        existingPools=[{"name": "team"}],
        slurmOperator="ack-slurm-operator",
        slurm={"image": "registry.example.org/slurm:1", "copilot": {}, "operator": {"install": False}, "wait": False},
    )
    settings["slurm:ack"]["pools"] = []
    del settings["slurm:operator"], settings["slurm:cluster"]["operatorVersion"]
    objects.namespace("ack-slurm-operator")
    up = program.up(settings)
    (item,) = (each for each in objects.all("SlurmCluster.kai.alibabacloud.com") if each["metadata"]["name"] == SHARED)
    template = item["spec"]["workerGroupSpecs"][0]["template"]
    metadata = {**template["metadata"], "namespace": SHARED, "name": f"{SHARED}-worker-team-0"}
    objects.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]})

    def worker() -> Any:
        return objects.get("Pod", SHARED, metadata["name"])

    def refusal(pod: Any) -> str:
        conditions = pod["status"].get("conditions", [])
        return next((each["message"] for each in conditions if each.get("reason") == "Unschedulable"), "")

    waiting = eventually("the scheduler's answer", worker, lambda pod: bool(refusal(pod)) or ready(pod))
    kept = objects.get("Pod", TEAM, "train")
    assert (kept["metadata"]["uid"], "deletionTimestamp" in kept["metadata"]) == (running["metadata"]["uid"], False)
    assert f"Insufficient {GPU}" in refusal(waiting)
    assert "preemptionPolicy=Never" in refusal(waiting)
    assert "nominatedNodeName" not in waiting["status"]

    objects.delete("Pod", TEAM, "train")
    eventually("the worker", worker, ready)
    priority = objects.get("PriorityClass", None, worker()["spec"]["priorityClassName"])
    assert (priority["value"], priority["preemptionPolicy"]) == (1_000_000_000, "Never")
    assert _in_turn(up, f"{SHARED}-worker-priority", f"{SHARED}-slurmcluster")
    assert _in_turn(program.destroy(), f"{SHARED}-slurmcluster", f"{SHARED}-worker-priority")
    assert objects.find("PriorityClass", None, priority["metadata"]["name"]) is None
    untouched(module_alibaba.cloud, before)


def _in_turn(run: Run, first: str, second: str) -> bool:
    """Return whether a run began with a resource when it had ended with another one."""
    began, ended = began_and_ended(run)
    (end,) = (position for urn, position in ended.items() if urn.endswith(f"::{first}"))
    (start,) = (position for urn, position in began.items() if urn.endswith(f"::{second}"))
    return end < start


def _on_both_pools(pods: list[Any]) -> bool:
    return {f"{NAME}-worker-cpu-0", f"{NAME}-worker-a10-0"} <= {pod["metadata"]["name"] for pod in pods}


def test_what_the_existing_lacks_is_told_at_once(
    module_alibaba: Alibaba, site: dict[str, Made], tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = CloudProgram(module_alibaba, tmp_path_factory.mktemp("lacks"), stack="lacks")
    wrong = on_cluster(site, systemPool={})
    wrong["slurm:ack"]["existingPools"].append({"name": "h100"})
    wrong["slurm:ack"]["pools"][0]["zones"] = [ZONES[1]]
    output = program.preview(wrong, check=False).output
    assert 'slurm:ack.existingPools[1].name = "h100": the cluster has no such pool' in output
    assert f'slurm:ack.pools[0].zones[0] = "{ZONES[1]}": the cluster has no vSwitch for what is made' in output
    assert "Traceback" not in output


@pytest.mark.repeats("tests/components/ack/test_existing.py, on the simulated cloud")
def test_a_vpc_is_used_and_left_alone(
    module_alibaba: Alibaba,
    by_hand: EngineClient,
    site: dict[str, Made],
    objects: Objects,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    cloud = module_alibaba.cloud
    pods = by_hand.create(SWITCH, **{**EXAMPLES[SWITCH](site), "vswitchName": "pods", "cidrBlock": "10.1.0.0/20"})
    existing = {
        "vpcId": site[SWITCH].state["vpcId"],
        "vswitches": [site[SWITCH].id],
        "podVswitches": [pods.id],
        "securityGroupId": site[SECURITY_GROUP].id,
    }
    program = CloudProgram(module_alibaba, tmp_path_factory.mktemp(TENANT), stack=TENANT)
    wanted = stack(TENANT, ["cpu"], network={"existing": existing})
    output = program.preview(wanted, check=False).output
    assert (
        f'network.existing.podVswitches[0] = "{pods.id}": no NAT gateway of the VPC has an SNAT entry for it' in output
    )
    entry = {**EXAMPLES[SNAT_ENTRY](site), "snatEntryName": "pods", "sourceVswitchId": pods.id}
    by_hand.create(SNAT_ENTRY, **entry)
    before = made_in(cloud)

    program.up(wanted)
    cluster = cloud.find("ManagedKubernetes", TENANT).state
    assert (cluster["vswitchIds"], cluster["podVswitchIds"]) == ([site[SWITCH].id], [pods.id])
    assert (cluster["vpcId"], cluster["securityGroupId"]) == (existing["vpcId"], existing["securityGroupId"])
    made = {token.rpartition(":")[2] for token, _ in made_in(cloud).keys() - before.keys()}
    assert made == {"ManagedKubernetes", "AutoscalingConfig", "NodePool"}
    eventually("a worker", lambda: [pod["metadata"]["name"] for pod in objects.all("Pod", TENANT) if ready(pod)],
               lambda names: f"{TENANT}-worker-cpu-0" in names)  # fmt: skip
    assert program.up(None, "--expect-no-changes").changes == {}
    program.destroy()
    untouched(cloud, before)
    assert made_in(cloud).keys() == before.keys()

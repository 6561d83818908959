"""The real engine with the simulated Alibaba Cloud: changes of a site of ACK's components, and failures."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from tests.clouds.alibaba.surroundings import Alibaba
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.surroundings import CloudProgram
from tests.e2e.objects import Objects

PROJECT = "name: simulated\nruntime: python\n"
PROGRAM = """
import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, "COMPONENTS")

import pulumi
import pulumi_alicloud as alicloud
import pulumi_kubernetes as k8s

from pulumi_slurm import ack
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.parts import flannel_pods_per_node, planned_network
from pulumi_slurm.kube.component import after_all
from pulumi_slurm.manifests.objects import ClusterRef

KEY = base64.b64encode(bytes(32)).decode()
spec = AckSpec.model_validate(json.loads(Path("said.json").read_text()))
provider = alicloud.Provider("alibaba", region=spec.region)
opts = pulumi.ResourceOptions(providers=[provider])
plan = AckPlan.of(spec)
addresses = plan_addresses(plan)
common = dict(tags=spec.tags, deletion_protection=spec.deletion_protection)
network_args = ack.AckNetworkArgs(
    cluster_name=spec.cluster_name,
    zones=list(addresses.nodes),
    cni=spec.control_plane.cni,
    network=planned_network(plan, addresses),
    **common,
)
network = ack.AckNetwork("net", network_args, opts=opts)
roles = [ack.AckServiceRoles("roles", {}, opts=opts)] if spec.create_service_roles else []
cluster = ack.AckCluster(
    "ack",
    ack.AckClusterArgs(
        region=spec.region,
        cluster_name=spec.cluster_name,
        zones=spec.zones,
        node_vswitches=network.node_vswitches,
        pod_vswitches=network.pod_vswitches,
        security_group_id=network.security_group_id,
        control_plane=spec.control_plane,
        pod_cidr=addresses.flannel_pods,
        pods_per_node=flannel_pods_per_node(plan),
        service_cidr=addresses.services,
        **common,
    ),
    opts=pulumi.ResourceOptions(providers=[provider], depends_on=[last for item in roles for last in after_all(item)]),
)
where = dict(
    cluster_id=cluster.cluster_id,
    node_vswitches=network.node_vswitches,
    security_group_id=network.security_group_id,
    zones=spec.zones,
    pods_per_node=flannel_pods_per_node(plan),
    tags=spec.tags,
)
after = pulumi.ResourceOptions(providers=[provider], depends_on=after_all(network))
system = ack.AckSystemPool("system", ack.AckSystemPoolArgs(pool=spec.system_pool, **where), opts=after)
for pool in spec.pools:
    ack.AckNodePool(pool.name, ack.AckNodePoolArgs(pool=pool, **where), opts=after)
namespace = k8s.core.v1.Namespace(
    "namespace", metadata={"name": "simulated-ack"}, opts=pulumi.ResourceOptions(provider=cluster.provider)
)
ref = ClusterRef(name="hpc", namespace="simulated-ack")
both = pulumi.ResourceOptions(providers=[provider, cluster.provider], depends_on=[namespace, system])
for storage in spec.storage:
    args = ack.AckSharedStorageArgs(
        cluster=ref,
        storage=storage,
        cluster_name=spec.cluster_name,
        zone=spec.zones[0],
        vpc_id=network.vpc_id,
        node_vswitches=network.node_vswitches,
        node_cidrs=addresses.nodes,
        **common,
    )
    ack.AckSharedStorage(storage.name, args, opts=both)
if spec.database:
    args = ack.AckDatabaseArgs(
        cluster=ref,
        database=spec.database,
        cluster_name=spec.cluster_name,
        zones=spec.zones,
        node_vswitches=network.node_vswitches,
        security_ips=addresses.clients,
        root_key=pulumi.Output.secret(KEY),
        **common,
    )
    ack.AckDatabase("database", args, opts=both)
pulumi.export("endpoint", cluster.endpoint)
pulumi.export("kubeconfig", cluster.kubeconfig)
"""
SPEC: dict[str, Any] = {
    "region": "cn-hangzhou",
    "zones": ["cn-hangzhou-h"],
    "name": "hpc",
    "deletionProtection": False,
    "systemPool": {"minNodes": 1, "maxNodes": 1},
    "pools": [
        {"name": "cpu", "instanceTypes": ["ecs.g8i.4xlarge"], "nodes": 2},
        {"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "maxNodes": 4},
    ],
}
SERVICES: dict[str, Any] = {
    "zones": ["cn-hangzhou-h", "cn-hangzhou-i"],
    "storage": [{"name": "home", "mountPath": "/home", "nas": {}}],
    "database": {},
}
POOL = "slurm.pulumi.com/pool"


class Site:
    """A site whose arguments a test sets."""

    def __init__(self, alibaba: Alibaba, folder: Path) -> None:
        source = {"Pulumi.yaml": PROJECT, "__main__.py": PROGRAM.replace("COMPONENTS", str(CHECKOUT / "components"))}
        self.program = CloudProgram(alibaba, folder, stack="site", source=source)
        self.program.configure({})
        self.cloud: Cloud = alibaba.cloud
        self.say()

    def say(self, **said: Any) -> None:
        (self.program.folder / "said.json").write_text(json.dumps({**SPEC, **said}))


@pytest.fixture
def site(alibaba: Alibaba, tmp_path: Path) -> Site:
    return Site(alibaba, tmp_path / "site")


def pool_nodes(objects: Objects) -> list[str]:
    return sorted(node["metadata"]["labels"][POOL] for node in objects.all("Node"))


def test_a_life(site: Site, alibaba: Alibaba, objects: Objects) -> None:
    # A new account, in which nobody has given ACK its roles.
    site.cloud.set(serviceRoles=False)
    site.say(**SERVICES, createServiceRoles=True, deletionProtection=True)
    assert re.search(r"endpoint *: \[unknown\]", site.program.preview().output)
    assert site.cloud.resources() == {}

    site.program.up()
    assert pool_nodes(objects) == ["cpu", "cpu", "system"]
    # The real Kubernetes provider has gone to the API server by the certificate that the cloud gave out.
    kubeconfig = json.loads(alibaba.cluster.kubeconfig.read_text())
    assert site.program.outputs()["endpoint"] == kubeconfig["clusters"][0]["cluster"]["server"]
    target = site.cloud.find("MountTarget", site.cloud.find("FileSystem", "hpc-home").id).state
    volume = next(candidate for candidate in objects.all("PersistentVolume") if "hpc" in candidate["metadata"]["name"])
    assert volume["spec"]["csi"]["volumeAttributes"]["server"] == target["mountTargetDomain"]
    service = objects.get("Service", "simulated-ack", "hpc-rds")
    database = site.cloud.find("Instance", "hpc-accounting").state
    assert service["spec"]["externalName"] == database["connectionString"]
    assert kubeconfig["users"][0]["user"]["client-key-data"] not in site.program.run("stack", "export").output

    assert site.program.up().changes == {}
    assert site.program.refresh().changes == {}

    resources = site.cloud.resources()
    refused = site.program.run("destroy", "--yes", check=False)
    assert refused.code != 0, str(refused)
    assert site.cloud.resources() == resources
    site.say(**SERVICES, createServiceRoles=True)
    site.program.up()
    site.program.destroy()
    # The account keeps the roles, for other clusters.
    assert {kind for kind, _ in site.cloud.resources()} == {"Role", "RolePolicyAttachment"}
    assert pool_nodes(objects) == []


def test_changes_behind_its_back_are_seen_and_healed(site: Site) -> None:
    site.program.up()
    site.cloud.change("NodePool", "cpu", desiredSize="1")
    site.cloud.remove(site.cloud.find("SecurityGroupRule", "ingress:all:-1/-1:10.0.0.0/8"))
    refresh = site.program.refresh()
    assert refresh.changes == {"update": 1, "delete": 1}, str(refresh)
    healed = site.program.up()
    assert healed.resources("update") == {"cpu-pool"}, str(healed)
    assert healed.resources("create") == {"net-from-vpc"}, str(healed)
    assert site.cloud.find("NodePool", "cpu").state["desiredSize"] == "2"
    site.program.destroy()


def test_pools_change_in_place(site: Site, objects: Objects) -> None:
    site.program.up()
    before = {node["metadata"]["uid"] for node in objects.all("Node")}
    cpu, gpu = SPEC["pools"]
    site.say(pools=[{**cpu, "nodes": 3, "nodeLabels": {"team": "vision"}}, gpu])
    changed = site.program.up()
    assert "cpu-pool" in changed.resources("update"), str(changed)
    assert changed.replaced == set(), str(changed)
    assert pool_nodes(objects) == ["cpu", "cpu", "cpu", "system"]
    assert before < {node["metadata"]["uid"] for node in objects.all("Node")}
    labels = [node["metadata"]["labels"] for node in objects.all("Node")]
    assert [node_labels["team"] for node_labels in labels if node_labels[POOL] == "cpu"] == ["vision"] * 3
    site.program.destroy()


def test_a_stockout_is_in_the_state_and_heals_in_place(site: Site, objects: Objects) -> None:
    site.cloud.fault("stockout", "NodePool", "cpu")
    failed = site.program.up(check=False)
    assert failed.code != 0
    assert "OperationDenied.NoStock" in failed.output
    assert "cpu" not in pool_nodes(objects)
    healed = site.program.up()
    assert "cpu-pool" in healed.resources("update"), str(healed)
    assert healed.replaced == set()
    assert pool_nodes(objects) == ["cpu", "cpu", "system"]
    site.program.destroy()


def test_the_next_run_creates_what_was_refused(site: Site) -> None:
    site.cloud.fault("permission", "ManagedKubernetes")
    site.cloud.fault("quota", "NodePool")
    for says in ("Action: cs:CreateCluster", "QuotaExceeded.ElasticQuota"):
        failed = site.program.up(check=False)
        assert failed.code != 0
        assert says in failed.output
        assert "(SIMULATED alicloud)" in failed.output
    created_ids = {resource.id for resource in site.cloud.all()}
    assert len(created_ids) > 10
    site.program.up()
    assert created_ids < {resource.id for resource in site.cloud.all()}
    site.program.destroy()

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

pytestmark = pytest.mark.repeats("tests/clouds/test_gke_faults.py and test_ack_whole_life.py, with components alone")

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
from pulumi_slurm.ack.service_roles import AckServiceRoles, AckServiceRolesArgs
from pulumi_slurm.ack.plan.parts import flannel_pods_per_node, planned_network
from pulumi_slurm.kube.component import after_all
from pulumi_slurm.model.cluster_ref import ClusterRef

KEY = base64.b64encode(bytes(32)).decode()
spec = AckSpec.model_validate(json.loads(Path("said.json").read_text()))
provider = alicloud.Provider("alibaba", region=spec.region)
opts = pulumi.ResourceOptions(providers=[provider])
plan = AckPlan.of(spec)
addresses = plan_addresses(plan)
common = dict(tags=spec.tags, deletion_protection=spec.deletion_protection)
network_args = ack.AckNetworkArgs(
    name=spec.cluster_name,
    zones=list(addresses.nodes),
    cni=spec.control_plane.cni,
    network=planned_network(plan, addresses),
    **common,
)
network = ack.AckNetwork("net", network_args, opts=opts)
roles = [AckServiceRoles("roles", AckServiceRolesArgs(), opts=opts)] if spec.create_service_roles else []
cluster = ack.AckCluster(
    "ack",
    ack.AckClusterArgs(
        region=spec.region,
        name=spec.cluster_name,
        zones=spec.zones,
        node_vswitches=network.node_vswitches,
        pod_vswitches=network.pod_vswitches,
        security_group_id=network.security_group_id,
        control_plane=spec.control_plane,
        pods_range=addresses.flannel_pods,
        pods_per_node=flannel_pods_per_node(plan),
        services_range=addresses.services,
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
        ack_cluster=spec.cluster_name,
        zone=spec.zones[0],
        vpc_id=network.vpc_id,
        node_vswitches=network.node_vswitches,
        node_ranges=addresses.nodes,
        **common,
    )
    ack.AckSharedStorage(storage.name, args, opts=both)
if spec.database:
    args = ack.AckDatabaseArgs(
        cluster=ref,
        database=spec.database,
        ack_cluster=spec.cluster_name,
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
PROTECTED: dict[str, Any] = {
    "zones": ["cn-hangzhou-h", "cn-hangzhou-i"],
    "storage": [{"name": "home", "mountPath": "/home", "nas": {}}],
    "database": {},
    "createServiceRoles": True,
    "deletionProtection": True,
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


@pytest.fixture(scope="module")
def site(module_alibaba: Alibaba, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The one site of all tests, which take it from an empty account to an empty account."""
    return Site(module_alibaba, tmp_path_factory.mktemp("site"))


@pytest.fixture
def up(site: Site) -> Site:
    """The site when it is up, also where its first test was left out."""
    if ("NodePool", "cpu") not in site.cloud.resources():
        site.say(**PROTECTED)
        site.program.up()
    return site


def pool_nodes(objects: Objects) -> list[str]:
    return sorted(node["metadata"]["labels"][POOL] for node in objects.all("Node"))


def test_the_next_run_creates_what_was_refused(site: Site) -> None:
    # A new account, in which nobody has given ACK its roles.
    site.cloud.set(serviceRoles=False)
    site.say(**PROTECTED)
    assert re.search(r"endpoint *: \[unknown\]", site.program.preview().output)
    assert site.cloud.resources() == {}

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


def test_what_is_there_fits_together(up: Site, module_alibaba: Alibaba, objects: Objects) -> None:
    assert pool_nodes(objects) == ["cpu", "cpu", "system"]
    # The real Kubernetes provider has gone to the API server by the certificate that the cloud gave out.
    kubeconfig = json.loads(module_alibaba.cluster.kubeconfig.read_text())
    assert up.program.outputs()["endpoint"] == kubeconfig["clusters"][0]["cluster"]["server"]
    target = up.cloud.find("MountTarget", up.cloud.find("FileSystem", "hpc-home").id).state
    volume = next(candidate for candidate in objects.all("PersistentVolume") if "hpc" in candidate["metadata"]["name"])
    assert volume["spec"]["csi"]["volumeAttributes"]["server"] == target["mountTargetDomain"]
    service = objects.get("Service", "simulated-ack", "hpc-rds")
    database = up.cloud.find("Instance", "hpc-accounting").state
    assert service["spec"]["externalName"] == database["connectionString"]
    assert kubeconfig["users"][0]["user"]["client-key-data"] not in up.program.run("stack", "export").output


def test_the_next_up_and_a_refresh_change_nothing(up: Site) -> None:
    assert up.program.up().changes == {}
    assert up.program.refresh().changes == {}


def test_changes_behind_its_back_are_seen_and_healed(up: Site) -> None:
    up.cloud.change("NodePool", "cpu", desiredSize="1")
    up.cloud.remove(up.cloud.find("SecurityGroupRule", "ingress:all:-1/-1:10.0.0.0/8"))
    refresh = up.program.refresh()
    assert refresh.changes == {"update": 1, "delete": 1}, str(refresh)
    healed = up.program.up()
    assert healed.resources("update") == {"cpu-pool"}, str(healed)
    assert healed.resources("create") == {"net-from-vpc"}, str(healed)
    assert up.cloud.find("NodePool", "cpu").state["desiredSize"] == "2"


def test_pools_change_in_place_and_a_stockout_heals_so(up: Site, objects: Objects) -> None:
    before = {node["metadata"]["uid"] for node in objects.all("Node")}
    cpu, gpu = SPEC["pools"]
    changed_pools = [{**cpu, "nodes": 3, "nodeLabels": {"team": "vision"}}, gpu]
    up.say(**PROTECTED, pools=[*changed_pools, {**cpu, "name": "more", "nodes": 1}])
    up.cloud.fault("stockout", "NodePool", "more")
    failed = up.program.up(check=False)
    assert failed.code != 0
    assert "OperationDenied.NoStock" in failed.output
    assert "more" not in pool_nodes(objects)

    healed = up.program.up()
    assert "more-pool" in healed.resources("update"), str(healed)
    for run in (failed, healed):
        assert run.replaced == set(), str(run)
    assert "cpu-pool" in failed.resources("update") | healed.resources("update")
    assert pool_nodes(objects) == ["cpu", "cpu", "cpu", "more", "system"]
    assert before < {node["metadata"]["uid"] for node in objects.all("Node")}
    labels = [node["metadata"]["labels"] for node in objects.all("Node")]
    assert [node_labels["team"] for node_labels in labels if node_labels[POOL] == "cpu"] == ["vision"] * 3


def test_a_protected_site_goes_when_its_protection_is_lifted(up: Site, objects: Objects) -> None:
    resources = up.cloud.resources()
    refused = up.program.run("destroy", "--yes", check=False)
    assert refused.code != 0, str(refused)
    assert up.cloud.resources() == resources
    up.say(**{**PROTECTED, "deletionProtection": False})
    up.program.up()
    up.program.destroy()
    # The account keeps the roles, for other clusters.
    assert {kind for kind, _ in up.cloud.resources()} == {"Role", "RolePolicyAttachment"}
    assert pool_nodes(objects) == []

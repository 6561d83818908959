"""The real engine with the simulated provider: lives of small programs, and what it makes of failures."""

import json
from pathlib import Path
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from tests.clouds.gcp.surroundings import GoogleProgram, Surroundings
from tests.clouds.simulator.cloud import Cloud
from tests.e2e.objects import Objects

PROJECT = "name: simulated\nruntime: python\n"
PROGRAM = """
import json
import sys
from pathlib import Path

sys.path.insert(0, "COMPONENTS")

import pulumi
import pulumi_gcp as gcp
import pulumi_kubernetes as k8s

from pulumi_slurm.gke.kubeconfig import kubeconfig

said = json.loads(Path("said.json").read_text())
google = gcp.Provider("google", project="some-project", region="us-central1")
opts = pulumi.ResourceOptions(provider=google)
services = [
    gcp.projects.Service(name, service=f"{name}.googleapis.com", disable_on_destroy=False, opts=opts)
    for name in ("compute", "container", "iam")
]
after = pulumi.ResourceOptions(provider=google, depends_on=services)
network = gcp.compute.Network("network", auto_create_subnetworks=False, opts=after)
subnetwork = gcp.compute.Subnetwork(
    "subnetwork",
    name="nodes",
    network=network.id,
    ip_cidr_range="10.0.0.0/24",
    secondary_ip_ranges=[
        {"range_name": "pods", "ip_cidr_range": "10.4.0.0/14"},
        {"range_name": "services", "ip_cidr_range": "10.8.0.0/20"},
    ],
    opts=after,
)
account = gcp.serviceaccount.Account("account", account_id="some-nodes", opts=after)
cluster = gcp.container.Cluster(
    "cluster",
    name="hpc",
    location="us-central1",
    network=network.id,
    subnetwork=subnetwork.id,
    remove_default_node_pool=True,
    initial_node_count=1,
    ip_allocation_policy={"cluster_secondary_range_name": "pods", "services_secondary_range_name": "services"},
    control_plane_endpoints_config={"dns_endpoint_config": {"allow_external_traffic": True}},
    deletion_protection=False,
    opts=after,
)
config = {"machine_type": "n2-standard-4", "service_account": account.email, **said.get("nodeConfig", {})}
pool = gcp.container.NodePool(
    "pool",
    name="cpu",
    cluster=cluster.name,
    location="us-central1",
    node_locations=["us-central1-b"],
    node_count=said.get("nodes", 1),
    node_config=config,
    opts=after,
)
endpoint = cluster.control_plane_endpoints_config.dns_endpoint_config.endpoint
provider = k8s.Provider("kubernetes", kubeconfig=endpoint.apply(lambda host: kubeconfig("hpc", host)))
k8s.core.v1.ConfigMap(
    "map",
    metadata={"name": "simulated-runs", "namespace": "default"},
    data={"endpoint": endpoint},
    opts=pulumi.ResourceOptions(provider=provider, depends_on=[pool]),
)
pulumi.export("endpoint", endpoint)
"""


class Site:
    """A small program, whose node pool takes what a test says."""

    def __init__(self, google: Surroundings, folder: Path) -> None:
        source = {"Pulumi.yaml": PROJECT, "__main__.py": PROGRAM.replace("COMPONENTS", str(CHECKOUT / "components"))}
        self.program = GoogleProgram(google, folder, stack="site", source=source)
        self.program.configure({})
        self.cloud: Cloud = google.cloud
        self.say()

    def say(self, **said: Any) -> None:
        (self.program.folder / "said.json").write_text(json.dumps(said))


@pytest.fixture
def site(google: Surroundings, tmp_path: Path) -> Site:
    return Site(google, tmp_path / "site")


def test_a_life(site: Site, objects: Objects) -> None:
    assert "endpoint: [unknown]" in site.program.preview().output
    assert site.cloud.resources() == {}

    site.program.up()
    assert {("Cluster", "hpc"), ("NodePool", "cpu"), ("Subnetwork", "nodes")} <= set(site.cloud.resources())
    endpoint = site.program.outputs()["endpoint"]
    # The real Kubernetes provider has gone through the kubeconfig to the API server, whose authority it trusts.
    assert objects.get("ConfigMap", "default", "simulated-runs")["data"] == {"endpoint": endpoint}
    assert pool_nodes(objects) == {"cpu"}

    assert site.program.up().changes == {}
    assert site.program.refresh().changes == {}
    site.program.destroy()
    assert site.cloud.resources() == {}
    assert pool_nodes(objects) == set()


def test_changes_behind_its_back_are_seen_and_healed(site: Site) -> None:
    site.program.up()
    site.cloud.change("NodePool", "cpu", nodeLocations=["us-central1-b", "us-central1-c"])
    site.cloud.remove(site.cloud.find("Account", "some-nodes"))
    refresh = site.program.refresh()
    assert refresh.changes == {"update": 1, "delete": 1}, str(refresh)
    healed = site.program.up()
    assert healed.resources("update") == {"pool"}, str(healed)
    assert healed.resources("create") == {"account"}, str(healed)
    assert site.cloud.find("NodePool", "cpu").state["nodeLocations"] == ["us-central1-b"]
    site.program.destroy()


def test_a_pool_changes_in_place_or_is_made_anew(site: Site, objects: Objects) -> None:
    site.program.up()
    before = objects.all("Node")
    site.say(nodes=2, nodeConfig={"labels": {"team": "vision"}})
    changed = site.program.up()
    assert changed.replaced == set(), str(changed)
    assert [node["metadata"]["labels"]["team"] for node in objects.all("Node")] == ["vision", "vision"]
    assert {node["metadata"]["uid"] for node in before} < {node["metadata"]["uid"] for node in objects.all("Node")}

    site.say(nodes=2, nodeConfig={"spot": True})
    replaced = site.program.up()
    assert replaced.replaced == {"pool"}, str(replaced)
    done = [(each["operation"], each["type"].rpartition(":")[2]) for each in site.cloud.done()]
    # A second pool of this name can't be, so the first one goes first.
    assert done[-2:] == [("delete", "NodePool"), ("create", "NodePool")]
    assert {node["metadata"]["labels"].get("cloud.google.com/gke-spot") for node in objects.all("Node")} == {"true"}
    site.program.destroy()


def test_a_stockout_is_in_the_state_and_heals_in_place(site: Site, objects: Objects) -> None:
    site.cloud.fault("stockout", "NodePool")
    failed = site.program.up(check=False)
    assert failed.code != 0
    assert 'NodePool cpu was created in the error state "ERROR"' in failed.output
    assert pool_nodes(objects) == set()
    healed = site.program.up()
    assert healed.resources("update") == {"pool"}, str(healed)
    assert healed.replaced == set()
    assert pool_nodes(objects) == {"cpu"}
    assert site.program.up().changes == {}
    site.program.destroy()


def test_a_refused_pool_is_made_by_the_next_run(site: Site) -> None:
    site.cloud.fault("quota", "NodePool")
    failed = site.program.up(check=False)
    assert "Insufficient regional quota" in failed.output
    assert "(SIMULATED gcp)" in failed.output
    assert site.program.up().resources("create") >= {"pool", "map"}
    site.program.destroy()


def pool_nodes(objects: Objects) -> set[str]:
    return {node["metadata"]["labels"]["cloud.google.com/gke-nodepool"] for node in objects.all("Node")}

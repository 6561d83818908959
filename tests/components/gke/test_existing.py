"""What exists at Google: pools read as if they were ours, and what a cluster or a subnetwork lacks.

Answers have the form in which Google's provider reports what it has read, by the types of its SDK.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_gcp as gcp
import pytest
from hypothesis import given, settings

from pulumi_slurm.errors import Severity, SpecError
from pulumi_slurm.gke import GkeExistingCluster, GkeNetwork, GkeNetworkArgs, GkeNodePool
from pulumi_slurm.gke.existing.cluster import cluster_will_do, found_cluster
from pulumi_slurm.gke.existing.network import subnetwork_will_do
from pulumi_slurm.gke.existing.pools import with_found_pools
from pulumi_slurm.gke.model import GkeExistingNetworkSpec, GkePoolSpec, GkeSpec
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import node_pools
from pulumi_slurm.model import NodePoolSpec
from pulumi_slurm_stacks import build as build_stack
from tests.clouds.gcp import nodes
from tests.clouds.gcp.data_sources import cluster_answer, subnetwork_answer
from tests.components.conftest import Build, Recorder, Registered, recorded, registered
from tests.components.gke.existing import CLUSTER, GENERAL, L4, SUBNETWORK
from tests.components.gke.parts import node_pool_args
from tests.components.gke.requests import requests_of
from tests.components.order import all_before, made_by
from tests.stack_configuration import ROOT_KEY, read
from tests.unit.gke.strategies import pools

State = dict[str, Any]
BASE: State = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-a"], "name": "hpc"}
EXISTING: State = {"existingCluster": {"name": "shared", "location": "us-central1"}}


def spec(**fields: Any) -> GkeSpec:
    return GkeSpec.model_validate({**BASE, **fields})


def asked(token: str, answer: State, ask: Callable[[], Any]) -> Any:
    """Return an answer as the SDK hands it to a program."""
    answers: list[Any] = []
    recorded(lambda: answers.append(ask()), Recorder({token: answer}))
    return answers[0]


def cluster(*node_pools: State, **fields: Any) -> Any:
    """Return what Google says of a cluster with these pools."""
    answer = cluster_answer({**CLUSTER, **fields}, list(node_pools))
    return asked("gcp:container/getCluster:getCluster", answer, lambda: gcp.container.get_cluster(name="shared"))


def lacks(gke: GkeSpec, answer: Any, severity: Severity = Severity.ERROR) -> list[str]:
    return [str(error) for error in cluster_will_do(GkePlan.of(gke), answer) if error.severity is severity]


def as_google_keeps_it(gke: GkeSpec, name: str) -> State:
    """Return the state of a pool of ours, as Google has it once it is made."""
    request = requests_of(lambda: GkeNodePool("p", node_pool_args(gke, name)))["p-pool"]
    state: State = pulumi.runtime.rpc.deserialize_properties(request.object, keep_unknowns=True)
    queued = bool((state.get("queuedProvisioning") or {}).get("enabled"))
    config = state["nodeConfig"]
    return {
        **state,
        "nodeConfig": {**config, "effectiveTaints": nodes.taints(config, queued=queued, effects=nodes.GOOGLES)},
    }


def scheduling(pool: NodePoolSpec) -> State:
    """Return what matters for pods; the order of taints doesn't."""
    whole: State = pool.model_dump(mode="json")
    return {**whole, "taints": sorted(map(json.dumps, whole["taints"]))}


@settings(max_examples=40)
@given(pool=pools("p", with_priorities=False))
def test_a_pool_that_exists_is_used_like_one_of_ours(pool: GkePoolSpec) -> None:
    ours = spec(pools=[pool])
    reserved = {"reservedCpus": pool.reserved_cpus, "reservedMemory": pool.reserved_memory}
    gke = spec(existingPools=[{"name": "p", **reserved}], **EXISTING)
    found, errors = with_found_pools(gke, cluster(as_google_keeps_it(ours, "p")))
    assert errors == []
    (expected,), (read,) = node_pools(GkePlan.of(ours)), node_pools(GkePlan.of(found))
    if pool.nodes is not None and len(pool.zones) > 1:
        # Google's provider tells the whole number of nodes in each zone alone.
        read = read.model_copy(update={"max_nodes": read.min_nodes})
    assert scheduling(read) == scheduling(expected)
    if pool.is_flex_start:
        (there,) = GkePlan.of(found).pools
        assert there.capacity_option.longest_run == pool.longest_run


def test_a_pool_with_bounds_for_each_zone() -> None:
    state = {
        **GENERAL,
        "nodeLocations": ["us-central1-a", "us-central1-b"],
        "autoscaling": {"minNodeCount": 1, "maxNodeCount": 3},
    }
    found, _ = with_found_pools(spec(existingPools=[{"name": "general"}], **EXISTING), cluster(state))
    (pool,) = node_pools(GkePlan.of(found))
    assert (pool.min_nodes, pool.max_nodes) == (2, 6)


def test_a_pool_of_a_number_that_its_zones_do_not_divide_evenly() -> None:
    state = {**GENERAL, "nodeLocations": [f"us-central1-{zone}" for zone in "abc"], "nodeCount": 2}
    found, _ = with_found_pools(spec(existingPools=[{"name": "general"}], **EXISTING), cluster(state))
    (pool,) = node_pools(GkePlan.of(found))
    assert (pool.min_nodes, pool.max_nodes) == (6, 8)


def test_what_cannot_be_used_of_existing_pools_is_told_at_once() -> None:
    names = [{"name": "h100"}, {"name": "exotic"}, {"name": "tiny"}]
    gke = spec(existingPools=names, **EXISTING)
    exotic = {"name": "exotic", "nodeConfig": {"machineType": "x9-huge-1"}, "nodeCount": 1}
    tiny = {"name": "tiny", "nodeConfig": {"machineType": "e2-micro"}, "nodeCount": 1}
    _, errors = with_found_pools(gke, cluster(GENERAL, exotic, tiny))
    first, second, third = map(str, errors)
    assert first == (
        'existing_pools[0].name = "h100": the cluster has no such pool. Write one of those that it has: '
        "exotic, general, tiny."
    )
    assert second.startswith('existing_pools[1].name = "exotic": its machines can\'t be used: ')
    assert third.startswith('existing_pools[2].name = "tiny": its machines can\'t be used: ')


def test_pools_that_nobody_has_read_have_room_for_every_node_set() -> None:
    (pool,) = node_pools(GkePlan.of(spec(existingPools=[{"name": "l4"}], **EXISTING)))
    assert (pool.name, pool.max_nodes, pool.machine.cpus) == ("l4", None, 4096)


@pytest.mark.parametrize(
    ("nodes", "problem"),
    [
        ({"machineType": "e2-standard-8", "imageType": "WINDOWS_LTSC_CONTAINERD"}, "its nodes run Windows"),
        (
            {"machineType": "a2-highgpu-1g", "guestAccelerators": [{"count": 1, "gpuPartitionSize": "1g.5gb"}]},
            "its GPUs are divided or shared",
        ),
        (
            {
                "machineType": "g2-standard-24",
                "guestAccelerators": [{"count": 2, "gpuSharingConfig": {"gpuSharingStrategy": "TIME_SHARING"}}],
            },
            "its GPUs are divided or shared",
        ),
        (
            {"machineType": "e2-standard-8", "imageType": "UBUNTU_CONTAINERD"},
            "its nodes run UBUNTU_CONTAINERD, and GKE",
        ),
    ],
)
def test_pools_that_slurmd_cannot_use_are_refused(nodes: State, problem: str) -> None:
    lustre = [{"name": "scratch", "mountPath": "/scratch", "lustre": {}}] if "UBUNTU" in str(nodes) else []
    gke = spec(existingPools=[{"name": "p"}], storage=lustre, **EXISTING)
    _, errors = with_found_pools(gke, cluster({"name": "p", "nodeConfig": nodes, "nodeCount": 1}))
    assert problem in str(errors[0])


@pytest.mark.parametrize(
    "nodes",
    [
        {"machineType": "e2-standard-8", "imageType": "WINDOWS_LTSC_CONTAINERD"},
        {"machineType": "t2a-standard-8"},
        {"machineType": "g2-standard-8", "guestAccelerators": [{"count": 1}]},
    ],
)
def test_such_pools_are_no_home_for_slurms_daemons(nodes: State) -> None:
    (error,) = lacks(spec(**EXISTING), cluster({"name": "p", "nodeConfig": nodes, "nodeCount": 1}))
    assert "no pool of its takes Slurm's daemons and login pods" in error


def test_huge_pages_are_no_memory_of_workers() -> None:
    huge = {"hugepagesConfig": {"hugepageSize2m": 1000, "hugepageSize1g": 2}}
    state = {**GENERAL, "nodeConfig": {"machineType": "e2-standard-8", "linuxNodeConfig": huge}}
    found, _ = with_found_pools(spec(existingPools=[{"name": "general"}], **EXISTING), cluster(state))
    (pool,) = node_pools(GkePlan.of(found))
    assert pool.reserved_memory == f"{2000 + 2048 + 2048}Mi"


NEW_POOL = {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 2}
FAST_POOL = {"name": "h100", "machineType": "a3-highgpu-8g", "capacity": "reservation", "reservation": "r", "nodes": 2}


@pytest.mark.parametrize(
    ("gke", "changes", "problem"),
    [
        ({}, {"enableAutopilot": True}, "GKE runs the nodes of an Autopilot cluster"),
        ({"pools": [NEW_POOL]}, {"workloadIdentityConfig": None}, "it has no Workload Identity Federation"),
        ({"pools": [FAST_POOL]}, {}, "multi-networking is off"),
        ({"pools": [NEW_POOL]}, {"networkingMode": "ROUTES"}, "its pods have addresses by routes"),
        ({"systemPool": {}}, {"networkingMode": "ROUTES"}, "its pods have addresses by routes"),
        (
            {"storage": [{"name": "home", "mountPath": "/home", "filestore": {}}]},
            {},
            "its add-on GcpFilestoreCsiDriver is off",
        ),
        ({"slurmOperator": "gke-addon"}, {}, "its add-on SlurmOperator is off"),
        (
            {"slurmOperator": "gke-addon"},
            {"masterVersion": "1.34.1-gke.100", "addonsConfig": {"slurmOperatorConfig": {"enabled": True}}},
            "it runs 1.34.1-gke.100, and slurm_operator gke-addon needs 1.35.2-gke.1842000",
        ),
    ],
)
def test_what_a_cluster_lacks_is_told(gke: State, changes: State, problem: str) -> None:
    (error,) = lacks(spec(**EXISTING, **gke), cluster(GENERAL, **changes))
    assert problem in error
    assert error.startswith('existing_cluster.name = "shared": ')


def test_a_cluster_that_has_all_lacks_nothing() -> None:
    on = {"enabled": True}
    answer = cluster(
        GENERAL,
        enableMultiNetworking=True,
        addonsConfig={"gcpFilestoreCsiDriverConfig": on, "gcsFuseCsiDriverConfig": on},
    )
    storage = [{"name": "home", "mountPath": "/home", "filestore": {}}, {"name": "b", "mountPath": "/b", "bucket": {}}]
    gke = spec(**EXISTING, pools=[NEW_POOL, FAST_POOL], storage=storage)
    assert [*cluster_will_do(GkePlan.of(gke), answer)] == []


def test_a_cluster_whose_pools_all_have_taints_needs_a_system_pool() -> None:
    taint = {"key": "team", "value": "x", "effect": "NO_SCHEDULE"}
    tainted = {**GENERAL, "nodeConfig": {"machineType": "e2-standard-8", "taints": [taint]}}
    (error,) = lacks(spec(**EXISTING), cluster(tainted))
    assert "no pool of its takes Slurm's daemons and login pods" in error
    assert lacks(spec(**EXISTING, systemPool={}), cluster(tainted)) == []
    assert lacks(spec(**EXISTING), cluster(tainted, clusterAutoscaling={"enabled": True})) == []


def test_what_may_hurt_is_a_warning() -> None:
    gke = spec(**EXISTING, pools=[NEW_POOL])
    answer = cluster(
        GENERAL,
        datapathProvider="LEGACY_DATAPATH",
        releaseChannel={"channel": "UNSPECIFIED"},
        privateClusterConfig={"masterIpv4CidrBlock": "172.16.0.0/28"},
    )
    assert lacks(gke, answer) == []
    public, policies, channel = lacks(gke, answer, Severity.WARNING)
    assert "its nodes have public addresses" in public
    assert "nothing enforces NetworkPolicies there" in policies
    assert "it has no release channel" in channel
    calico = cluster(GENERAL, datapathProvider="LEGACY_DATAPATH", networkPolicy={"enabled": True})
    assert lacks(gke, calico, Severity.WARNING) == []


def test_the_vpc_is_that_of_the_cluster() -> None:
    found = found_cluster(cluster(GENERAL))
    assert found.network == GkeExistingNetworkSpec(
        project="network-team", network="shared", subnetwork="batch", pods_range="pods", services_range="services"
    )
    assert found.control_plane_range == "172.16.0.0/28"


DNS = {"dnsEndpointConfig": {"endpoint": "gke-1.us-central1.gke.goog", "allowExternalTraffic": True}}


@pytest.mark.parametrize(
    ("endpoints", "expected"),
    [
        (DNS, {"server": "https://gke-1.us-central1.gke.goog"}),
        (
            {"dnsEndpointConfig": {"endpoint": "gke-1.us-central1.gke.goog", "allowExternalTraffic": False}},
            {"server": "https://172.16.0.2", "certificate-authority-data": "Q0E="},
        ),
    ],
)
def test_a_cluster_is_reached_by_its_dns_name_or_its_address(build: Build, endpoints: State, expected: State) -> None:
    texts: dict[str, str] = {}

    def program() -> None:
        of_it: Any = {"project": "my-project", "location": "us-central1", "name": "shared"}
        GkeExistingCluster("hpc", **of_it).kubeconfig.apply(lambda text: texts.update(hpc=text))
        of_ci = GkeExistingCluster("ci", application_default_login=True, **of_it)
        of_ci.kubeconfig.apply(lambda text: texts.update(ci=text))

    answer = cluster_answer({**CLUSTER, "controlPlaneEndpointsConfig": endpoints}, [GENERAL])
    resources = build(program, {"gcp:container/getCluster:getCluster": answer})
    config, config_of_ci = json.loads(texts["hpc"]), json.loads(texts["ci"])
    assert config["clusters"][0]["cluster"] == expected
    assert config["current-context"] == "gke_my-project_us-central1_shared"
    assert "args" not in config["users"][0]["user"]["exec"]
    assert config_of_ci["users"][0]["user"]["exec"]["args"] == ["--use_application_default_credentials"]
    for provider in [one for one in resources if one.typ == "pulumi:providers:kubernetes"]:
        assert provider.inputs["clusterIdentifier"] == "projects/my-project/locations/us-central1/clusters/shared"


SHARED_VPC = {
    "project": "network-team",
    "network": "shared",
    "subnetwork": "batch",
    "podsRange": "batch-pods",
    "servicesRange": "batch-services",
}


def wrong_with(state: State, network: State, **gke: Any) -> list[str]:
    plan = GkePlan.of(spec(network=network, **gke))
    existing = plan.spec.network.existing
    assert existing is not None
    token = "gcp:compute/getSubnetwork:getSubnetwork"
    answer = asked(token, subnetwork_answer(state), lambda: gcp.compute.get_subnetwork(name="batch"))
    return [str(error) for error in subnetwork_will_do(plan, plan_addresses(plan), existing, answer)]


def test_a_subnetwork_that_will_do() -> None:
    assert wrong_with(SUBNETWORK, {"existing": SHARED_VPC}, pools=[NEW_POOL]) == []


def test_what_a_subnetwork_lacks_is_told_at_once() -> None:
    pools_of_many = [{**NEW_POOL, "maxNodes": 5000}]
    network = {
        "existing": {**SHARED_VPC, "network": "other", "servicesRange": "svc"},
        "controlPlaneRange": "10.0.1.0/28",
    }
    state = {**SUBNETWORK, "privateIpGoogleAccess": False}
    in_another, no_range, too_few_nodes, too_few_pods, overlap, no_access = wrong_with(
        state, network, pools=pools_of_many
    )
    assert in_another == (
        'network.existing.network = "other": the subnetwork "batch" is in the VPC "shared". Write "shared", or its own '
        "subnetwork."
    )
    assert 'network.existing.services_range = "svc": the subnetwork "batch" has no secondary range' in no_range
    assert "10.0.0.0/22 has 1024 addresses, and the maximum number of nodes takes 50" in too_few_nodes
    assert "10.64.0.0/14 has 262144 addresses" in too_few_pods
    assert 'network.control_plane_range = "10.0.1.0/28": it overlaps with 10.0.0.0/22' in overlap
    assert "it has no Private Google Access" in no_access


NUMBER: dict[str, Mapping[str, Any]] = {
    "gcp:organizations/getProject:getProject": {"number": "123", "projectId": "my-project"}
}


def network(build: Build, **fields: Any) -> list[Registered]:
    args = {"project": "my-project", "region": "us-central1", "name": "hpc", **fields}
    return build(lambda: GkeNetwork("hpc", GkeNetworkArgs.model_validate(args)), NUMBER)


def kinds(resources: list[Registered]) -> set[str]:
    return {resource.typ.rpartition(":")[2] for resource in resources if not resource.typ.startswith("slurm:")}


def test_in_a_vpc_of_the_project_only_the_firewall_for_webhooks_is_made(build: Build) -> None:
    own = {key: value for key, value in SHARED_VPC.items() if key != "project"}
    resources = network(build, network={"existing": own})
    (firewall,) = [resource for resource in resources if resource.typ.endswith(":Firewall")]
    assert kinds(resources) == {"Firewall"}
    assert (firewall.inputs["network"], firewall.inputs["name"]) == ("shared", "hpc-webhooks")
    assert kinds(network(build, network={"existing": own}, manage={"firewall": False})) == set()


def test_cloud_nat_in_an_existing_vpc_is_for_the_subnetwork_alone(build: Build) -> None:
    resources = network(build, network={"existing": SHARED_VPC}, manage={"nat": True})
    assert kinds(resources) == {"Router", "RouterNat"}
    (nat,) = [resource for resource in resources if resource.typ.endswith(":RouterNat")]
    assert nat.inputs["project"] == "network-team"
    assert nat.inputs["sourceSubnetworkIpRangesToNat"] == "LIST_OF_SUBNETWORKS"
    assert nat.inputs["subnetworks"][0]["name"] == "projects/network-team/regions/us-central1/subnetworks/batch"


def test_private_services_access_is_made_in_the_host_project_if_it_is_asked_for(build: Build) -> None:
    there = {"existing": SHARED_VPC}
    assert kinds(network(build, network=there, private_services=True)) == set()
    made = network(build, network={**there, "privateServicesRange": "10.2.0.0/16"}, private_services=True)
    assert kinds(made) == {"GlobalAddress", "Connection"}
    (connection,) = [resource for resource in made if resource.typ.endswith(":Connection")]
    # Others of the VPC may use it by then, and one of theirs is not taken over.
    assert connection.retained
    assert connection.inputs["deletionPolicy"] == "ABANDON"
    assert connection.inputs["updateOnCreationFail"] is False
    (address,) = [resource for resource in made if resource.typ.endswith(":GlobalAddress")]
    assert address.inputs["project"] == "network-team"


def test_grants_of_a_shared_vpc_stay_when_the_cluster_goes(build: Build) -> None:
    made = network(build, network={"existing": {**SHARED_VPC, "grantAccess": True}})
    grants = [resource for resource in made if resource.typ.endswith("IAMMember")]
    assert {(grant.inputs["member"], grant.inputs["role"]) for grant in grants} == {
        ("serviceAccount:service-123@container-engine-robot.iam.gserviceaccount.com", "roles/compute.networkUser"),
        ("serviceAccount:123@cloudservices.gserviceaccount.com", "roles/compute.networkUser"),
        (
            "serviceAccount:service-123@container-engine-robot.iam.gserviceaccount.com",
            "roles/container.hostServiceAgentUser",
        ),
    }
    assert all(grant.retained and grant.inputs["project"] == "network-team" for grant in grants)


GET_CLUSTER = "gcp:container/getCluster:getCluster"
GET_SUBNETWORK = "gcp:compute/getSubnetwork:getSubnetwork"
GRANTS_NODES = {"roles/container.defaultNodeServiceAccount", "roles/artifactregistry.reader"}


def stack(gke: State, replicas: int = 1) -> State:
    return {
        "slurm:rootKey": ROOT_KEY,
        "slurm:kind": "gke",
        "slurm:operator": {"preinstalled": True},
        "slurm:gke": {**BASE, **EXISTING, "existingPools": [{"name": "l4"}], **gke},
        "slurm:cluster": {"name": "slurm", "nodeSets": [{"name": "l4", "pool": "l4", "replicas": replicas}]},
    }


def built(settings: State, mocks: pulumi.runtime.Mocks) -> list[Registered]:
    config, secrets = read(settings)
    return registered(recorded(lambda: build_stack(config, secrets), mocks))


def there(**changes: Any) -> Recorder:
    """Answers as Google does of a cluster with a pool for pods of all kinds and one with GPUs."""
    answers = {GET_CLUSTER: cluster_answer({**CLUSTER, **changes}, [GENERAL, L4])}
    return Recorder({**answers, GET_SUBNETWORK: subnetwork_answer(SUBNETWORK)})


def test_nothing_of_google_is_made_for_node_sets_on_existing_pools() -> None:
    made = [one.typ for one in built(stack({}), there()) if one.typ.startswith("gcp:")]
    # The VPC is another project's, so neither is there a rule of the firewall.
    assert {*made} == {"gcp:projects/service:Service"}


def test_a_control_plane_without_a_range_gets_no_rule_and_fast_networks_theirs() -> None:
    gke = {"pools": [FAST_POOL], "project": "network-team"}
    mocks = there(privateClusterConfig={"enablePrivateNodes": True}, enableMultiNetworking=True)
    mocks.outputs[GET_SUBNETWORK] = subnetwork_answer(SUBNETWORK)
    rules = {one.inputs["name"] for one in built(stack(gke), mocks) if one.typ.endswith(":Firewall")}
    assert rules == {f"hpc-tcpx-{number}-internal" for number in range(1, 5)}


def test_new_pools_get_an_account_and_come_after_its_roles() -> None:
    resources = built(stack({"pools": [NEW_POOL]}), there())
    (pool,) = [one for one in resources if one.typ == "gcp:container/nodePool:NodePool"]
    assert pool.inputs["cluster"] == "shared"
    assert made_by({"GkeNodeAccount"}, resources) <= all_before(pool.name, resources)


@pytest.mark.parametrize(
    ("settings", "mocks", "error"),
    [
        (
            stack({}, replicas=9),
            there(),
            'slurm:cluster.nodeSets[0].replicas = 9: the pool "l4" has 4 nodes',
        ),
        (
            stack({"existingPools": [{"name": "l4", "reservedCpus": 4}]}),
            there(),
            "slurm:gke.existingPools[0].reservedCpus = 4: GKE leaves 3 CPUs and",
        ),
        (
            stack({"pools": [FAST_POOL], "network": {"fabricRange": "10.0.0.0/16"}}),
            there(enableMultiNetworking=True),
            'slurm:gke.network.fabricRange = "10.0.0.0/16": it overlaps with 10.0.0.0/22 of the subnetwork "batch"',
        ),
        (
            stack({}),
            there(enableAutopilot=True),
            'slurm:gke.existingCluster.name = "shared": GKE runs the nodes of an Autopilot cluster',
        ),
    ],
)
def test_what_shows_only_when_google_answers_is_refused_with_its_path(
    settings: State, mocks: Recorder, error: str
) -> None:
    with pytest.raises(SpecError) as raised:
        built(settings, mocks)
    (shown,) = map(str, raised.value.errors)
    assert shown.startswith(error)


DENIED = """1 error occurred:
\t* googleapi: Error 403: Required "container.clusters.get" permission(s) for "projects/my-project".
Details:
[
  {
    "@type": "type.googleapis.com/google.rpc.RequestInfo"
  }
]
, forbidden"""


def test_a_warning_hides_no_error_and_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_, **__: shown.append(text))
    # Jobs of more than half of a node's life may end before their time.
    late = {"name": "late", "machineType": "g2-standard-4", "capacity": "flex-start", "maxNodes": 2}
    settings = stack({"pools": [late]}, replicas=9)
    node_sets = settings["slurm:cluster"]["nodeSets"]
    node_sets.append({"name": "late", "pool": "late", "replicas": 1, "partition": {"maxTime": "5-00:00:00"}})
    with pytest.raises(SpecError) as raised:
        built(settings, there())
    (error,) = map(str, raised.value.errors)
    assert error.startswith('slurm:cluster.nodeSets[0].replicas = 9: the pool "l4" has 4 nodes')
    assert len([text for text in shown if "flex-start-ends-jobs-that-begin-late" in text]) == 1


class Silent(Recorder):
    """A Google that says nothing to this login."""

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        return {}, [("", DENIED)]


def test_a_cluster_that_cannot_be_read_is_told_with_google_words() -> None:
    with pytest.raises(SpecError) as raised:
        built(stack({}), Silent())
    (shown,) = map(str, raised.value.errors)
    assert shown.startswith('slurm:gke.existingCluster = "shared": the cluster could not be read in my-project, us-ce')
    assert 'googleapi: Error 403: Required "container.clusters.get" permission(s)' in shown
    assert "forbidden" not in shown


def test_grants_are_told_where_others_make_them(monkeypatch: pytest.MonkeyPatch) -> None:
    exported: dict[str, Any] = {}
    monkeypatch.setattr(pulumi, "export", exported.__setitem__)
    bucket = {"name": "data", "mountPath": "/data", "bucket": {"name": "my-data"}}
    account = "nodes@my-project.iam.gserviceaccount.com"
    gke = {"pools": [NEW_POOL], "manage": {"iam": False}, "nodeAccount": account, "storage": [bucket]}
    resources = built(stack(gke), there(addonsConfig={"gcsFuseCsiDriverConfig": {"enabled": True}}))
    assert not [one.typ for one in resources if "IAM" in one.typ or one.typ.endswith(":Account")]
    told: list[Any] = []
    recorded(lambda: pulumi.Output.from_input(exported["neededGrants"]).apply(told.append), Recorder())
    grants = told[0]
    assert {grant["role"] for grant in grants if grant["member"] == f"serviceAccount:{account}"} >= GRANTS_NODES
    (of_pods,) = [grant for grant in grants if "svc.id.goog" in grant["member"]]
    assert of_pods == {
        "member": "serviceAccount:my-project.svc.id.goog[slurm/slurm-storage]",
        "role": "roles/storage.objectUser",
        "on": "gs://my-data",
    }

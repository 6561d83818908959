"""What a Slurm cluster gets from knowing whose Kubernetes cluster it is on."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.errors import Severity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules import check_slurm
from pulumi_slurm.machines.gke import GkeCatalogueSpec, GkeFabric
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.providers import PROVIDERS, Provider, check_provider, with_provider
from pulumi_slurm.providers.provider import INSTANCE_TYPE
from pulumi_slurm.rules import check_cluster, check_pools
from tests.unit.gke.test_slurm_spec import gke
from tests.unit.providers.cluster import GPUS, STATE, built, cluster, errors, pool, read
from tests.unit.strategies import specs

pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context", "spelled_as_in_files")

A3 = {INSTANCE_TYPE: "a3-ultragpu-8g"}
POOLS = [pool("cpu"), pool("gpu", A3, GPUS)]


def objects(*arguments: Any) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the rendered objects by kind and name."""
    return {(item["kind"], item["metadata"]["name"]): item for item in render(*built(*arguments))}


def test_without_a_provider_nothing_changes() -> None:
    spec = read(None, POOLS, cluster("cpu", "gpu")).cluster
    assert (spec.slurm_conf.extra, spec.config_files, spec.topologies) == ({}, {}, [])
    assert all(not node_set.pod.env for node_set in spec.node_sets)


def test_jobs_on_gke_find_the_driver_and_slurm_its_network() -> None:
    made = objects("gke", POOLS, cluster("cpu", "gpu"))
    (gpu_env, cpu_env) = (
        {variable["name"]: variable["value"] for variable in node_set["spec"]["slurmd"].get("env", [])}
        for node_set in (made["NodeSet", "hpc-worker-gpu"], made["NodeSet", "hpc-worker-cpu"])
    )
    assert gpu_env["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"
    assert gpu_env["PATH"].startswith("/usr/local/nvidia/bin:")
    assert not {"LD_LIBRARY_PATH", "PATH"} & cpu_env.keys()
    lines = made["Controller", "hpc"]["spec"]["extraConf"].splitlines()
    assert "TaskProlog=gke-task-prolog.sh" in lines
    assert ("Deployment", "hpc-topology") in made
    texts = [text for (kind, _), item in made.items() if kind == "ConfigMap" for text in item.get("data", {}).values()]
    assert any("/usr/local/nvidia" in text for text in texts)
    assert any("topology: gke" in text for text in texts)


@pytest.mark.parametrize("provider", sorted(set(Provider) - {Provider.GKE}))
def test_on_other_clouds_their_tools_bring_the_driver(provider: str) -> None:
    spec = read(provider, POOLS, cluster("cpu", "gpu")).cluster
    assert "TaskProlog" not in spec.slurm_conf.extra
    assert all(not node_set.pod.env for node_set in spec.node_sets)


@pytest.mark.parametrize("provider", Provider)
def test_jobs_on_ack_get_the_settings_of_its_network(provider: str) -> None:
    fast = {"name": "fast", "machine": {"cpus": 8, "memory": "16Gi", "resources": {"aliyun/erdma": "1"}}}
    conf = read(provider, [{**fast, "nodeLabels": {"pool": "fast"}}], cluster("fast")).cluster.slurm_conf
    assert conf.extra.get("TaskProlog") == ("ack-task-prolog.sh" if provider is Provider.ACK else None)


@pytest.mark.parametrize(
    ("provider", "machine_type", "topology"),
    [
        ("gke", "a4-highgpu-8g", "gke"),
        ("gke", "g2-standard-8", None),
        ("eks", "p5.48xlarge", "eks"),
        ("eks", "p6-b200.48xlarge", "eks"),
        ("eks", "hpc7a.96xlarge", "eks"),
        ("eks", "p3.2xlarge", None),
        ("eks", "m7i.4xlarge", None),
        ("oke", "BM.GPU.H100.8", "oke"),
        ("oke", "VM.Standard.E5.Flex", None),
        ("aks", "Standard_ND96isr_H100_v5", None),
        ("ack", "ecs.gn7e-c16g1.4xlarge", None),
    ],
)
def test_partitions_on_machines_with_a_place_use_the_network(
    provider: str, machine_type: str, topology: str | None
) -> None:
    spec = read(provider, [pool("a", {INSTANCE_TYPE: machine_type})], cluster("a")).cluster
    assert [one.name for one in spec.topologies] == ([topology] if topology else [])
    assert [one.partition and one.partition.topology for one in spec.node_sets] == [topology]


def test_a_label_of_the_network_says_that_nodes_have_places() -> None:
    (label, _) = PROVIDERS[Provider.GKE].topology.node_labels  # type: ignore[union-attr]
    spec = read("gke", [pool("a", {label: "b1"}), pool("b")], cluster("a", "b")).cluster
    assert [one.partition and one.partition.topology for one in spec.node_sets] == ["gke", None]


def test_partitions_of_all_nodes_leave_the_network_where_nodes_outside_have_no_place() -> None:
    outside = [{"name": "old", "nodes": "old-[1-2]", "cpus": 4, "memory": "8Gi"}]
    everyone: dict[str, Any] = {"partitions": [{"name": "everyone", "nodeSets": ["ALL"]}]}
    address = {"controller": {**STATE, "address": "slurm.example.org"}}
    alone = read("gke", POOLS[1:], cluster("gpu", **everyone)).cluster
    mixed = read("gke", POOLS[1:], cluster("gpu", **everyone, **address, externalNodes=outside)).cluster
    assert [spec.partitions[0].topology for spec in (alone, mixed)] == ["gke", None]


def test_machines_of_gke_with_a_fast_network_have_places() -> None:
    has_places = PROVIDERS[Provider.GKE].has_places
    for name, one in GkeCatalogueSpec.built_in_types().items():
        assert bool(has_places({INSTANCE_TYPE: name})) is (one.fabric is not GkeFabric.NONE), name


def test_what_users_set_takes_precedence() -> None:
    own = {
        "nodeSets": [{"name": "gpu", "pool": "gpu", "replicas": 1, "pod": {"env": {"PATH": "/mine"}}, "partition": {}}],
        "slurmConf": {"extra": {"taskProlog": "/mine"}},
        "topologies": [{"name": "default", "kind": "flat", "default": True}],
    }
    spec = read("gke", POOLS, cluster(**own)).cluster
    assert spec.node_sets[0].pod.env == {"PATH": "/mine", "LD_LIBRARY_PATH": "/usr/local/nvidia/lib64"}
    assert (spec.slurm_conf.extra, spec.config_files) == ({"taskProlog": "/mine"}, {})
    assert [one.name for one in spec.topologies] == ["default"]


def test_slurmctld_outside_has_files_of_its_own() -> None:
    keys = {name: {"existing": {"name": "site-keys", "key": f"{name}.key"}} for name in ("slurm", "jwt")}
    outside = {"controller": {"external": {"host": "slurm.example.org", "port": 6817}}, "keys": keys}
    spec = read("gke", POOLS, cluster("gpu", **outside)).cluster
    assert spec.node_sets[0].pod.env["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"
    assert (spec.slurm_conf.extra, spec.config_files) == ({}, {})


def test_nodes_that_an_autoscaler_adds_get_time_and_stay() -> None:
    scaled = [pool("a", minNodes=0, maxNodes=4)]
    for provider in Provider:
        spec = read(provider, scaled, cluster("a")).cluster
        assert spec.slurm_conf.extra == {"ResumeTimeout": "1800"}
        stays = {"goatscaler.io/safe-to-evict": "false"} if provider is Provider.ACK else {}
        assert (spec.node_sets[0].pod.annotations, spec.node_sets[0].pod.labels) == (stays, stays)


@given(specs(max_node_sets=2), st.sampled_from(Provider))
def test_every_cluster_stays_valid_and_adding_again_changes_nothing(
    drawn: tuple[SlurmSpec, list[NodePoolSpec]], provider: Provider
) -> None:
    spec, pools = drawn
    after = with_provider(provider, spec, pools)
    assert with_provider(provider, after, pools) == after
    found = [*check_cluster(after), *check_pools(after, pools)]
    assert [error for error in found if error.severity is Severity.ERROR] == []


LB = {"type": "LoadBalancer", "internal": False, "sourceRanges": ["203.0.113.0/24"]}


def test_load_balancers_on_ack_read_no_ranges() -> None:
    wanted = cluster("cpu", restApi={"service": LB})
    (error,) = errors("ack", POOLS, wanted)
    assert error.startswith(
        'cluster.restApi.service.sourceRanges = ["203.0.113.0/24"]: Alibaba Cloud\'s load balancers'
    )
    assert errors("gke", POOLS, wanted) == []


def test_nlbs_on_ack_need_zones() -> None:
    (error,) = errors(
        "ack", POOLS, cluster("cpu", restApi={"service": {**LB, "loadBalancerClass": "alibabacloud.com/nlb"}})
    )
    assert error.startswith("cluster.restApi.service.loadBalancerClass")


def daemon_set(**fields: Any) -> dict[str, Any]:
    return cluster(nodeSets=[{"name": "a", "pool": "cpu", "scalingMode": "DaemonSet", **fields}])


def warnings(provider: Provider, spec: dict[str, Any]) -> list[str]:
    found = check_provider(provider, SlurmSpec.model_validate(spec))
    return [str(error) for error in found if error.severity is Severity.WARNING]


@pytest.mark.parametrize("provider", Provider)
def test_workers_of_nodes_need_names_that_differ_before_the_dot(provider: Provider) -> None:
    alike = provider in (Provider.ACK, Provider.OKE)
    assert bool(errors(provider, POOLS, daemon_set())) is alike
    # Later releases read an annotation.
    later = {**daemon_set(), "operatorVersion": "1.2.1"}
    assert errors(provider, POOLS, later) == []
    assert any("Slurm would know all workers by one name" in text for text in warnings(provider, later)) is alike


@pytest.mark.parametrize("provider", Provider)
def test_the_operator_looks_for_whole_names_of_workers_on_the_hosts_network(provider: Provider) -> None:
    on_host = cluster(nodeSets=[{"name": "a", "pool": "cpu", "pod": {"hostNetwork": True}}])
    dotted = PROVIDERS[provider].node_name is not None
    assert any("slurm-operator would look in Slurm for" in text for text in warnings(provider, on_host)) is dotted
    assert not any("would look" in text for text in warnings(provider, daemon_set(pod={"hostNetwork": True})))


@pytest.mark.parametrize("provider", Provider)
def test_the_bridge_looks_for_whole_names(provider: Provider) -> None:
    dotted = PROVIDERS[provider].node_name is not None
    found = warnings(provider, daemon_set(bridged=True))
    assert any("the bridge looks in Slurm for" in text for text in found) is dotted


@pytest.mark.parametrize("provider", Provider)
def test_claims_name_a_class_where_none_is_the_default(provider: Provider) -> None:
    without = {
        **cluster("cpu", controller={}, accounting={}),
        "identity": {"directory": {}},
    }
    without["nodeSets"] = [
        {**without["nodeSets"][0], "volumeClaims": [{"name": "s", "mountPath": "/s", "size": "1Gi"}]}
    ]
    found = warnings(provider, without)
    paths = [text.split(":")[0] for text in found]
    expected = [
        "controller.state.storageClass",
        "accounting.database.volume.storageClass",
        "identity.directory.volume.storageClass",
        "nodeSets[0].volumeClaims[0].storageClass",
    ]
    assert paths == (expected if provider in (Provider.EKS, Provider.ACK) else [])
    assert warnings(provider, cluster("cpu")) == []


CRITICAL = {"pod": {"priorityClassName": "system-cluster-critical"}}
PROBLEM = "GKE admits such pods to kube-system alone, so none would be made"


def test_priorities_of_kubernetes_own_are_warned_of_on_gke() -> None:
    fields = {
        "priority_class_name": "system-node-critical",
        "controller": CRITICAL,
        "restApi": CRITICAL,
        "accounting": {**CRITICAL, "database": CRITICAL},
        "identity": {"directory": CRITICAL},
        "loginSets": [{"name": "login", **CRITICAL}],
        "nodeSets": [{"name": "cpu", "machine": {"cpus": 2, "memory": "4Gi"}, **CRITICAL}],
        "monitoring": {"prometheus": CRITICAL},
    }
    spec = SlurmSpec(name="hpc", **fields)
    found = [error for error in check_provider(Provider.GKE, spec) if PROBLEM in str(error)]
    assert {error.severity for error in found} == {Severity.WARNING}
    assert len(found) == len(fields) + 1
    in_stack = [error for error in check_slurm(GkePlan.of(gke()), spec) if PROBLEM in str(error)]
    assert {error.path for error in in_stack} == {error.path for error in found}
    assert not [error for error in check_provider(Provider.EKS, spec) if PROBLEM in str(error)]


def test_disks_of_ack_are_of_one_node() -> None:
    state = {"state": {"storageClass": "alicloud-disk-essd", "accessMode": "ReadWriteMany"}}
    assert errors("ack", [pool("a")], cluster("a", controller=state)) == [
        'cluster.controller.state.storageClass = "alicloud-disk-essd": it makes disks, which one node alone can '
        "mount, and accessMode is ReadWriteMany. Write a StorageClass of NAS."
    ]
    assert errors("gke", [pool("a")], cluster("a", controller=state)) == []

"""The whole stack on Google Cloud under mocks: the resources for a configuration, and their order."""

import json
from collections.abc import Collection, Mapping
from typing import Any

import pulumi
import pytest

from pulumi_slurm_stacks import build as build_stack
from tests.components.conftest import Build, Recorder, Registered, once_for_equal_settings, recorded, registered
from tests.components.order import MOST_STEPS, all_before, made_by, steps
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, read

COMPUTED: dict[str, Mapping[str, Any]] = {"train-scratch-lustre": {"mountPoint": "10.2.0.2@tcp:/lustrefs"}}
FABRIC = {"slurm:index:GkePodNetworks"}


def make_anew(settings: dict[str, Any]) -> list[Registered]:
    config, secrets = read({"slurm:rootKey": ROOT_KEY, **settings})
    return registered(recorded(lambda: build_stack(config, secrets), Recorder({**COMPUTED})))


make = once_for_equal_settings(make_anew)


def of(resources: list[Registered], typ: str) -> dict[str, Registered]:
    return {resource.name: resource for resource in resources if resource.typ == typ}


def custom(resources: list[Registered], kind: str) -> list[Registered]:
    return [resource for resource in resources if resource.typ == f"kubernetes:slinky.slurm.net/v1beta1:{kind}"]


def names(urns: Collection[str]) -> set[str]:
    return {urn.rpartition("::")[2] for urn in urns}


@pytest.mark.parametrize(("name", "additional"), [("gke", set()), ("gke-a3", FABRIC)])
def test_a_shipped_example_creates_every_part_once(name: str, additional: set[str]) -> None:
    resources = make(shipped(name))
    types = [resource.typ for resource in resources if resource.typ.startswith("slurm:index:")]
    once = {"GkeServices", "GkeNetwork", "GkeNodeAccount", "GkeCluster", "GkeSystemPool", "GkeRegistry", "GkeDatabase"}
    assert {f"slurm:index:{component}" for component in once} | additional <= set(types)
    assert {component for component in once if types.count(f"slurm:index:{component}") != 1} == set()
    assert ("slurm:index:GkePodNetworks" in types) == bool(additional)
    assert ("slurm:index:GkeNcclPlugins" in types) == bool(additional)
    daemon_sets = {resource.kubernetes_name for resource in resources if resource.typ == "kubernetes:apps/v1:DaemonSet"}
    assert daemon_sets == ({"nccl-tcpxo-installer", "device-injector"} if additional else set())


def test_workers_come_after_the_nodes_and_what_they_mount() -> None:
    resources = make(shipped("gke"))
    workers = custom(resources, "NodeSet")
    assert {worker.kubernetes_name for worker in workers} == {"slurm-worker-l4", "slurm-worker-t4"}
    for worker in workers:
        assert {"slurm-l4-pool", "slurm-t4-pool", "slurm-system-pool", "slurm-home-claim"} <= names(
            all_before(worker.name, resources)
        )


def test_the_namespace_can_be_there_already() -> None:
    kind = "kubernetes:core/v1:Namespace"
    assert "slurm" in {item.kubernetes_name for item in make(shipped("gke")) if item.typ == kind}
    kept = make({**shipped("gke"), "slurm:createNamespace": False})
    assert "slurm" not in {item.kubernetes_name for item in kept if item.typ == kind}


def test_the_namespace_stays_with_claims_that_are_to_stay() -> None:
    """Those of the cloud's storage are made anew for the same files."""
    settings = shipped("gke")

    def is_retained(volumes: list[dict[str, Any]]) -> bool:
        cluster = {**settings["slurm:cluster"], "sharedVolumes": volumes}
        resources = make({**settings, "slurm:cluster": cluster})
        namespaces = of(resources, "kubernetes:core/v1:Namespace").values()
        return next(item.retained for item in namespaces if item.kubernetes_name == "slurm")

    volume = {"name": "scratch", "mountPath": "/scratch", "storageClass": "fast", "size": "1Ti"}
    assert not is_retained([])
    assert not is_retained([{**volume, "retain": False}])
    assert is_retained([volume])


def test_google_knows_the_program_as_the_stack_says(build: Build) -> None:
    provider = "pulumi:providers:gcp"
    (plain,) = of(make(shipped("gke")), provider).values()
    assert not {"impersonateServiceAccount", "accessToken", "credentials"} & plain.inputs.keys()
    config, secrets = read({"slurm:rootKey": ROOT_KEY, **shipped("gke")})
    deployer = "deployer@my-project.iam.gserviceaccount.com"
    pulumi.runtime.set_config("gcp:impersonateServiceAccount", deployer)
    pulumi.runtime.set_config("gcp:accessToken", "token")
    (impersonating,) = of(build(lambda: build_stack(config, secrets), COMPUTED), provider).values()
    assert impersonating.inputs["impersonateServiceAccount"] == deployer
    assert "token" in str(impersonating.inputs["accessToken"])


BEFORE_THE_CLUSTER = {"GkeServices", "GkeNetwork", "GkeNodeAccount"}
BEFORE_WORKERS = BEFORE_THE_CLUSTER | {
    *("GkeCluster", "GkeSystemPool", "GkePodNetworks", "GkeNcclPlugins", "GkeNodePool"),
    *("GkeRegistry", "GkeSharedStorage", "GkeWorkloadIdentity", "GkeDatabase", "SlinkyOperator"),
    *("Directory", "Accounting", "Controller", "RestApi"),
}


@pytest.mark.parametrize("name", ["gke", "gke-a3"])
def test_all_of_a_component_comes_before_what_comes_after_it(name: str) -> None:
    # Though only what comes last of it is named there.
    resources = make(shipped(name))
    (cluster,) = of(resources, "gcp:container/cluster:Cluster")
    assert made_by(BEFORE_THE_CLUSTER, resources) <= all_before(cluster, resources)
    for pool in of(resources, "gcp:container/nodePool:NodePool").keys() - {
        f"{cluster.removesuffix('-cluster')}-system-pool"
    }:
        assert made_by({"GkeSystemPool", "GkePodNetworks", "GkeNcclPlugins"}, resources) <= all_before(pool, resources)
    for worker in custom(resources, "NodeSet"):
        assert made_by(BEFORE_WORKERS, resources) <= all_before(worker.name, resources)


@pytest.mark.parametrize("name", ["gke", "gke-a3"])
def test_a_destroy_that_fails_soon_ends(name: str) -> None:
    """An engine that can't delete a resource looks for all that comes before it, and goes every way there.

    With whole components as dependencies there were 30 thousand million ways from a node set of gke-a3, and the engine
    seemed to hang: it says nothing while it looks.
    """
    counted = steps(make(shipped(name)))
    assert max(counted.values()) < MOST_STEPS, max(counted, key=lambda urn: counted[urn])


def test_node_pools_come_after_the_one_without_gpus() -> None:
    # Else GKE would not taint nodes with GPUs.
    pools = of(make(shipped("gke")), "gcp:container/nodePool:NodePool")
    assert pools.keys() == {"slurm-system-pool", "slurm-l4-pool", "slurm-t4-pool"}
    for name in ("slurm-l4-pool", "slurm-t4-pool"):
        assert "slurm-system-pool" in names(pools[name].depends_on)


def test_workers_run_on_their_pools_with_the_resources_of_these() -> None:
    workers = custom(make(shipped("gke")), "NodeSet")
    t4 = next(worker.inputs["spec"] for worker in workers if worker.kubernetes_name == "slurm-worker-t4")
    assert t4["template"]["spec"]["nodeSelector"]["cloud.google.com/gke-nodepool"] == "t4"
    assert {toleration["key"] for toleration in t4["template"]["spec"]["tolerations"]} == {
        "slurm.pulumi.com/pool",
        "nvidia.com/gpu",
    }
    assert t4["slurmd"]["resources"]["limits"]["nvidia.com/gpu"] == "2"
    assert "Gres=gpu:t4:2" in t4["extraConf"]


def test_all_resources_of_google_have_the_same_provider() -> None:
    resources = make(shipped("gke-a3"))
    assert [resource.name for resource in resources if resource.typ == "pulumi:providers:gcp"] == ["google"]
    kubernetes = [resource.name for resource in resources if resource.typ == "pulumi:providers:kubernetes"]
    assert kubernetes == ["train-kubernetes"]


def test_gke_can_run_the_operator() -> None:
    settings = shipped("gke")
    assert of(make(settings), "slurm:index:SlinkyOperator")
    settings["slurm:gke"]["slurmOperator"] = "gke-addon"
    resources = make(settings)
    assert not of(resources, "slurm:index:SlinkyOperator")
    assert len(custom(resources, "NodeSet")) == 2
    (cluster,) = of(resources, "gcp:container/cluster:Cluster").values()
    assert cluster.inputs["addonsConfig"]["slurmOperatorConfig"] == {"enabled": True}


def test_a_preinstalled_operator_is_not_installed() -> None:
    resources = make({**shipped("gke"), "slurm:operator": {"preinstalled": True}})
    assert not of(resources, "slurm:index:SlinkyOperator")


@pytest.mark.parametrize("count", [10, 20])
def test_any_number_of_node_sets(count: int) -> None:
    settings = shipped("gke")
    sets = [f"set{number}" for number in range(count)]
    settings["slurm:gke"]["pools"] = [{"name": name, "machineType": "n2-standard-8", "maxNodes": 2} for name in sets]
    settings["slurm:cluster"]["nodeSets"] = [{"name": name, "pool": name, "replicas": 1} for name in sets]
    settings["slurm:cluster"]["partitions"] = [{"name": name, "nodeSets": [name]} for name in sets]
    resources = make(settings)
    workers = {worker.kubernetes_name for worker in custom(resources, "NodeSet")}
    assert workers == {f"slurm-worker-{name}" for name in sets}
    (controller,) = custom(resources, "Controller")
    conf = controller.inputs["spec"]["extraConf"]
    for name in sets:
        assert f"PartitionName={name} Nodes={name}" in conf


def test_slurm_gets_a_topology_unless_the_user_configures_one() -> None:
    settings = shipped("gke-a3")
    name = "train-topology-deployment"
    assert name in of(make(settings), "kubernetes:apps/v1:Deployment")
    settings["slurm:cluster"]["configFiles"] = {
        "topology.yaml": "- topology: flat\n  cluster_default: true\n  flat: true\n"
    }
    assert name not in of(make(settings), "kubernetes:apps/v1:Deployment")


PRIORITIES = [
    {"capacity": "reservation", "reservation": "ours", "nodes": 16},
    {"capacity": "spot", "maxNodes": 8},
]
SPOT = [PRIORITIES[0], {"capacity": "spot", "maxNodes": 9}]


@pytest.mark.parametrize(
    ("part", "before", "after", "changed"),
    [
        (("pools", 1), {}, {"machineType": "n2-standard-32"}, {"train-cpu", "train-cpu-pool"}),
        (("pools", 1), {}, {"maxNodes": 20}, {"train-cpu", "train-cpu-pool"}),
        (("pools", 0), {}, {"nodes": 17}, {"train-h100", "train-h100-pool"}),
        (("pools", 0), {"priorities": PRIORITIES}, {"priorities": SPOT}, {"train-h100-spot", "train-h100-spot-pool"}),
        (("systemPool",), {}, {"maxNodes": 5}, {"train-system", "train-system-pool"}),
        (("storage", 0), {}, {"filestore": {"tier": "REGIONAL"}}, {"train-home", "train-home-filestore"}),
        (("database",), {}, {"diskGib": 30}, {"train-cloudsql", "train-cloudsql-instance"}),
        (("controlPlane",), {}, {"releaseChannel": "RAPID"}, {"train", "train-cluster"}),
        (("network",), {}, {"natLog": False}, {"train", "train-nat"}),
        (("registry",), {}, {"keepVersions": 3}, {"train", "train-images", "train-slinky"}),
    ],
)
def test_a_change_shows_where_it_changes_something(
    part: tuple[str | int, ...], before: dict[str, Any], after: dict[str, Any], changed: set[str]
) -> None:
    def of_google(fields: dict[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
        settings = shipped("gke-a3")
        within: Any = settings["slurm:gke"]
        within.setdefault(part[0], {})
        for step in part:
            within = within[step]
        within.update(fields)
        if "priorities" in within:
            for field in ("capacity", "reservation", "nodes"):
                del within[field]
        return {
            (resource.typ, resource.name): resource.inputs
            for resource in make(settings)
            # The component of the whole cluster shows all settings.
            if resource.typ.startswith(("gcp:", "slurm:index:Gke")) and resource.typ != "slurm:index:GkeSlurm"
        }

    old, new = of_google(before), of_google(after)
    assert old.keys() == new.keys()
    different = [key for key in old if old[key] != new[key]]
    assert {name for _, name in different} == changed
    assert len([typ for typ, _ in different if typ.startswith("slurm:")]) == 1, "one component"


def test_kubernetes_is_reached_by_the_login_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def keep(name: str, value: pulumi.Input[Any]) -> None:
        if name == "kubeconfig":
            output: pulumi.Output[Any] = pulumi.Output.from_input(value)
            output.apply(texts.append)

    monkeypatch.setattr(pulumi, "export", keep)
    make_anew(shipped("gke"))
    settings = shipped("gke")
    settings["slurm:gke"]["applicationDefaultLogin"] = True
    make_anew(settings)
    plain, application_default = (json.loads(text)["users"][0]["user"]["exec"] for text in texts)
    assert application_default == {**plain, "args": ["--use_application_default_credentials"]}
    assert "args" not in plain


def test_the_first_nodes_are_where_the_system_pool_is() -> None:
    settings = shipped("gke")
    settings["slurm:gke"]["systemPool"] = {"zones": ["us-central1-f"]}
    for given, zones in ((settings, ["us-central1-f"]), (shipped("gke"), shipped("gke")["slurm:gke"]["zones"])):
        (cluster,) = of(make(given), "gcp:container/cluster:Cluster").values()
        assert cluster.inputs["nodeLocations"] == zones


def test_no_key_is_an_input_in_clear() -> None:
    for resource in make(shipped("gke")):
        assert ROOT_KEY not in json.dumps(resource.inputs, default=repr), resource.name


def test_outputs_of_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs: dict[str, Any] = {}
    secrets: set[str] = set()

    def keep(name: str, value: pulumi.Input[Any]) -> None:
        output: pulumi.Output[Any] = pulumi.Output.from_input(value)
        output.apply(lambda result: outputs.update({name: result}))

        async def note_secret() -> str:
            if await output.is_secret():
                secrets.add(name)
            return name

        noted: pulumi.Output[str] = pulumi.Output.from_input(note_secret())
        noted.apply(lambda _: None)

    monkeypatch.setattr(pulumi, "export", keep)
    make_anew(shipped("gke"))
    assert outputs["kubernetesCluster"] == "slurm"
    assert json.loads(outputs["kubeconfig"])["current-context"] == "gke_my-project_us-central1_slurm"
    assert outputs["getCredentials"].startswith("gcloud container clusters get-credentials slurm --region us-central1")
    assert outputs["registryUrl"] == "us-central1-docker.pkg.dev/my-project/slurm"
    assert outputs["partitions"] == ["l4", "t4"]
    assert outputs["sshCommands"].keys() == {"login"}
    assert len(outputs["specificationHash"]) == 16
    assert "kubeconfig" in secrets
    assert not {"kubernetesCluster", "getCredentials", "registryUrl"} & secrets

"""The whole stack on Alibaba Cloud under mocks: its resources and their order."""

import copy
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pulumi
import pytest

from pulumi_slurm.ack.database_password import database_password
from pulumi_slurm.ack.model.service_roles import KEY_ROLES, SERVICE_ROLES
from pulumi_slurm_stacks import build as build_stack
from tests.components.ack.requests import SECRET, Alibaba
from tests.components.conftest import Registered, once_for_equal_settings, recorded, registered
from tests.components.order import MOST_STEPS, all_before, made_by, steps
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, read

ENDPOINTS = [{"apiServerInternet": "https://198.51.100.1:6443", "apiServerIntranet": "https://10.0.0.9:6443"}]
COMPUTED: dict[str, Mapping[str, Any]] = {
    "alicloud:cs/managedKubernetes:ManagedKubernetes": {"connections": ENDPOINTS},
    "alicloud:rds/instance:Instance": {"connectionString": "rm-0123456789.mysql.rds.aliyuncs.com"},
    "alicloud:nas/mountTarget:MountTarget": {"mountTargetDomain": "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com"},
}
SECRET_VALUE = "1b47061264138c4ac30d75fd1eb44270"
"""The value of the key that marks a secret."""
KAI = "kubernetes:kai.alibabacloud.com/v1:SlurmCluster"


class Cloud(Alibaba):
    """Sets the outputs that Alibaba Cloud computes and the program reads."""

    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        resource_id, outputs = super().new_resource(args)
        return resource_id, {**outputs, **COMPUTED.get(args.typ, {})}


def on_slinky() -> dict[str, Any]:
    settings = shipped("ack-slurm-operator")
    del settings["slurm:ack"]["slurm"]
    settings["slurm:ack"]["slurmOperator"] = "slinky"
    return settings


def make_anew(settings: dict[str, Any]) -> list[Registered]:
    config, secrets = read({"slurm:rootKey": ROOT_KEY, **settings})
    account = {"alicloud:index/getAccount:getAccount": {"id": "1234567890123456"}}
    return registered(recorded(lambda: build_stack(config, secrets), Cloud({**account})))


make = once_for_equal_settings(make_anew)


def of(resources: list[Registered], typ: str) -> dict[str, Registered]:
    return {resource.name: resource for resource in resources if resource.typ == typ}


def kinds(resources: list[Registered]) -> list[str]:
    return [resource.typ.rpartition(":")[2] for resource in resources if resource.typ.startswith("slurm:index:")]


def names(urns: Collection[str]) -> set[str]:
    return {urn.rpartition("::")[2] for urn in urns}


@pytest.mark.parametrize(("name", "copilots"), [("ack-slurm-operator", 0), ("ack-colocated", 1)])
def test_a_shipped_example_creates_each_part_once(name: str, copilots: int) -> None:
    types = kinds(make(shipped(name)))
    once = ["AckNetwork", "AckCluster", "AckSystemPool", "AckDatabase", "AckSlurmOperator", "AckSlurmCluster"]
    assert {component for component in once if types.count(component) != 1} == set()
    assert types.count("AckNodePool") == 2
    assert types.count("SlurmCopilot") == copilots
    assert not {"SlinkyOperator", "SlurmCluster", "NodeSet"} & set(types)


@pytest.mark.parametrize("settings", [shipped("ack"), on_slinky()], ids=["as shipped", "by one field"])
def test_slinky_runs_a_cluster_on_ack(settings: dict[str, Any]) -> None:
    resources = make(settings)
    types = set(kinds(resources))
    assert {
        "AckNetwork",
        "AckCluster",
        "AckDatabase",
        "AckSharedStorage",
        "SlinkyOperator",
        "SlurmCluster",
    } <= types
    assert not {"AckSlurmOperator", "AckSlurmCluster", "SlurmCopilot"} & types
    workers = [resource for resource in resources if resource.typ == "kubernetes:slinky.slurm.net/v1beta1:NodeSet"]
    assert {resource.kubernetes_name for resource in workers} == {"slurm-worker-cpu", "slurm-worker-gpu"}


def test_alibaba_clouds_resources_do_not_depend_on_the_operator() -> None:
    def below(settings: dict[str, Any]) -> dict[tuple[str, str], Any]:
        return {
            (resource.typ, resource.name): resource.inputs
            for resource in make(settings)
            if resource.typ.startswith("alicloud:")
        }

    assert below(shipped("ack-slurm-operator")) == below(on_slinky())


def test_roles_for_encryption_of_kms_are_made_where_keys_are_named() -> None:
    settings = shipped("ack-slurm-operator")
    settings["slurm:ack"] |= {
        "createServiceRoles": True,
        "diskClass": {"encryptionKey": "key-1"},
        "database": {"encryptionKey": "key-2"},
        "controlPlane": {"secretsEncryptionKey": "key-3"},
    }
    roles = {role.inputs["roleName"] for role in of(make(settings), "alicloud:ram/role:Role").values()}
    assert roles == {*SERVICE_ROLES, *KEY_ROLES}


@pytest.mark.parametrize("settings", [shipped("ack-slurm-operator"), on_slinky()], ids=["ack-slurm-operator", "slinky"])
def test_slurm_depends_on_nodes_and_on_its_volumes(settings: dict[str, Any]) -> None:
    resources = make(settings)
    before = {"slurm-cpu-pool", "slurm-gpu-pool", "slurm-system-pool", "slurm-home-claim", "slurm-rds-service"}
    workers = [resource for resource in resources if resource.typ == KAI or "slinky.slurm.net" in resource.typ]
    assert workers
    for resource in workers:
        assert before <= names(all_before(resource.name, resources)), resource.name


BEFORE_WORKERS = {
    *("AckNetwork", "AckCluster", "AckSystemPool", "AckNodePool", "AckSharedStorage", "AckDatabase"),
    *("AckSlurmOperator", "SlurmCopilot", "SlinkyOperator", "Directory", "Accounting", "Controller", "RestApi"),
}


@pytest.mark.parametrize("settings", [shipped("ack-slurm-operator"), shipped("ack-colocated"), on_slinky()])
def test_dependents_of_a_component_come_after_all_its_resources(settings: dict[str, Any]) -> None:
    # Although only its last resources are dependencies.
    resources = make(settings)
    (cluster,) = of(resources, "alicloud:cs/managedKubernetes:ManagedKubernetes")
    assert made_by({"AckNetwork"}, resources) <= all_before(cluster, resources)
    workers = [
        resource for resource in resources if resource.typ in (KAI, "kubernetes:slinky.slurm.net/v1beta1:NodeSet")
    ]
    assert workers
    for worker in workers:
        assert made_by(BEFORE_WORKERS, resources) <= all_before(worker.name, resources)


@pytest.mark.parametrize("settings", [shipped("ack-slurm-operator"), shipped("ack-colocated"), on_slinky()])
def test_a_destroy_that_fails_soon_ends(settings: dict[str, Any]) -> None:
    """An engine that can't delete a resource follows every path to its dependencies; see the test for Google Cloud."""
    counted = steps(make(settings))
    assert max(counted.values()) < MOST_STEPS, max(counted, key=lambda urn: counted[urn])


def test_the_cluster_waits_for_the_way_to_the_internet() -> None:
    resources = make(shipped("ack-slurm-operator"))
    (cluster,) = of(resources, "alicloud:cs/managedKubernetes:ManagedKubernetes").values()
    snat = of(resources, "alicloud:vpc/snatEntry:SnatEntry")
    assert snat
    assert snat.keys() <= names(cluster.depends_on)


def test_node_pools_come_after_that_of_daemons() -> None:
    pools = of(make(shipped("ack-slurm-operator")), "alicloud:cs/nodePool:NodePool")
    assert pools.keys() == {"slurm-system-pool", "slurm-cpu-pool", "slurm-gpu-pool"}
    for name in ("slurm-cpu-pool", "slurm-gpu-pool"):
        assert "slurm-system-pool" in names(pools[name].depends_on)


def test_workers_are_scheduled_on_their_pools_with_their_resources() -> None:
    (cluster,) = of(make(shipped("ack-slurm-operator")), KAI).values()
    groups = {group["groupName"]: group["template"]["spec"] for group in cluster.inputs["spec"]["workerGroupSpecs"]}
    assert groups.keys() == {"cpu", "gpu"}
    gpu = groups["gpu"]
    assert gpu["nodeSelector"]["slurm.pulumi.com/pool"] == "gpu"
    assert [toleration["key"] for toleration in gpu["tolerations"]] == ["slurm.pulumi.com/pool"]
    assert gpu["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "1"


def test_shared_nodes_have_no_taint() -> None:
    pools = of(make(shipped("ack-colocated")), "alicloud:cs/nodePool:NodePool")
    assert [pool.inputs.get("taints") for pool in pools.values()] == [None, None, None]


def test_the_copilot_watches_the_cluster_and_finds_its_token() -> None:
    resources = make(shipped("ack-colocated"))
    releases = [resource.inputs for resource in resources if resource.typ == "kubernetes:helm.sh/v3:Release"]
    assert [release["values"] for release in releases] == [{"enableCopilot": True, "watchNamespace": "slurm"}]
    (cluster,) = of(resources, KAI).values()
    assert "train-copilot-tokens" in names(all_before(cluster.name, resources)), "slurmctld writes it at its start"


def test_a_token_that_is_written_by_hand_reaches_the_secret() -> None:
    settings = shipped("ack-colocated")
    settings["slurm:ack"]["slurm"]["copilot"] = {"token": True}
    resources = make({**settings, "slurm:copilotToken": "head.body.sign"})
    secret = of(resources, "kubernetes:core/v1:Secret")["train-copilot-tokens"].inputs
    assert secret["stringData"] == {SECRET: SECRET_VALUE, "value": {"train": "head.body.sign"}}
    # slurmctld may not replace it.
    assert not [name for name in of(resources, "kubernetes:rbac.authorization.k8s.io/v1:Role") if "copilot" in name]


def test_job_completions_have_a_database_and_a_user_in_rds() -> None:
    settings = shipped("ack-slurm-operator")
    settings["slurm:ack"]["slurm"]["jobCompletion"] = {}
    resources = make({**settings, "slurm:jobCompletionPassword": "pw"})
    (privilege,) = (
        resource.inputs
        for resource in of(resources, "alicloud:rds/accountPrivilege:AccountPrivilege").values()
        if resource.inputs["accountName"] == "slurm_jobcomp"
    )
    assert privilege["dbNames"] == ["slurm_jobcomp_db"]
    account = of(resources, "alicloud:rds/rdsAccount:RdsAccount")["slurm-job-completion-account"].inputs
    assert account["accountPassword"] == {SECRET: SECRET_VALUE, "value": "pw"}
    (cluster,) = of(resources, KAI).values()
    assert "slurm-job-completion-privilege" in names(all_before(cluster.name, resources))
    settings["slurm:ack"]["slurm"]["jobCompletion"] = {"host": "mysql.example.org"}
    resources = make({**settings, "slurm:jobCompletionPassword": "pw"})
    assert "AckJobCompletionDatabase" not in kinds(resources)


def test_an_operator_that_is_there_is_not_installed() -> None:
    settings = shipped("ack-slurm-operator")
    settings["slurm:ack"]["slurm"]["operator"] = {"install": False}
    assert "AckSlurmOperator" not in kinds(make(settings))
    assert "SlinkyOperator" not in kinds(make({**on_slinky(), "slurm:operator": {"preinstalled": True}}))


def test_slurmdbd_has_the_password_that_rds_has() -> None:
    resources = make(shipped("ack-slurm-operator"))
    password = database_password(ROOT_KEY, "slurm")
    (account,) = of(resources, "alicloud:rds/rdsAccount:RdsAccount").values()
    assert account.inputs["accountPassword"] == {SECRET: SECRET_VALUE, "value": password}
    files = of(resources, "kubernetes:core/v1:Secret")["slurm-slurmdbd-conf"].inputs["stringData"]
    assert files.keys() == {SECRET, "value"}
    assert f"StoragePass={password}\n" in files["value"]["slurmdbd.conf"]


def test_one_provider_creates_every_resource_of_alibaba_cloud() -> None:
    resources = make(shipped("ack-slurm-operator"))
    assert [resource.name for resource in resources if resource.typ == "pulumi:providers:alicloud"] == ["alibaba"]
    assert [resource.name for resource in resources if resource.typ == "pulumi:providers:kubernetes"] == [
        "slurm-kubernetes"
    ]


def test_any_number_of_node_sets() -> None:
    settings = shipped("ack-slurm-operator")
    sets = [f"set{number}" for number in range(20)]
    settings["slurm:ack"]["pools"] = [
        {"name": name, "instanceTypes": ["ecs.g8i.2xlarge"], "maxNodes": 2} for name in sets
    ]
    settings["slurm:ack"]["slurm"]["powerSaving"] = {"groups": dict.fromkeys(sets, 2)}
    settings["slurm:cluster"]["nodeSets"] = [{"name": name, "pool": name} for name in sets]
    settings["slurm:cluster"]["partitions"] = [{"name": name, "nodeSets": [name]} for name in sets]
    resources = make(settings)
    (cluster,) = of(resources, KAI).values()
    assert [group["groupName"] for group in cluster.inputs["spec"]["workerGroupSpecs"]] == sets
    conf = of(resources, "kubernetes:core/v1:ConfigMap")["slurm-config"].inputs["data"]["slurm.conf"]
    for name in sets:
        assert f"PartitionName={name} Nodes={name}" in conf
        assert f"NodeName=slurm-worker-{name}-[0-1]" in conf


def changed_by(settings: dict[str, Any], part: Sequence[str | int], fields: Mapping[str, Any]) -> set[str]:
    """Return the components whose inputs change with fields of a part of the ACK specification."""

    def components(settings: dict[str, Any]) -> dict[str, Mapping[str, Any]]:
        return {
            f"{resource.typ.removeprefix('slurm:index:')} {resource.name}": resource.inputs
            for resource in make(settings)
            if resource.typ.startswith("slurm:index:")
        }

    before = components(settings)
    after = copy.deepcopy(settings)
    parent: Any = after["slurm:ack"]
    for step in part:
        parent = parent.setdefault(step, {}) if isinstance(parent, dict) else parent[step]
    parent.update(fields)
    now = components(after)
    assert before.keys() == now.keys()
    return {component for component in before if before[component] != now[component]}


CPU, GPU, SYSTEM = "AckNodePool slurm-cpu", "AckNodePool slurm-gpu", "AckSystemPool slurm-system"
NETWORK, CLUSTER = "AckNetwork slurm", "AckCluster slurm"
STORAGE, DATABASE = "AckSharedStorage slurm-home", "AckDatabase slurm-rds"
ON_ALIBABA = {CPU, GPU, SYSTEM, NETWORK, CLUSTER, STORAGE, DATABASE}


@pytest.mark.parametrize(
    ("part", "fields", "changed", "slurm"),
    [
        (("pools", 0), {"maxNodes": 12}, {CPU}, {"cpu"}),
        (("pools", 0), {"instanceTypes": ["ecs.g8i.8xlarge"]}, {CPU}, {"cpu"}),
        (("pools", 1), {"disk": {"sizeGib": 300}}, {GPU}, set()),
        (("pools", 1), {"taints": [{"key": "team"}]}, {GPU}, {"gpu"}),
        (("systemPool",), {"minNodes": 5, "maxNodes": 5}, {SYSTEM}, set()),
        (("storage", 0), {"nas": {"storageType": "Capacity"}}, {STORAGE}, set()),
        (("database",), {"backupDays": 30}, {DATABASE}, set()),
        (("controlPlane",), {"logDays": 60}, {CLUSTER}, set()),
        (("controlPlane",), {"upgradeChannel": "stable"}, {CLUSTER, CPU, GPU, SYSTEM}, set()),
        (("network",), {"natBandwidthMbps": 50}, {NETWORK}, set()),
        (("network",), {"servicesRange": "172.16.16.0/20"}, {CLUSTER}, set()),
        (("catalogue",), {"zones": {"ecs.g8i.4xlarge": ["cn-hangzhou-i", "cn-hangzhou-j"]}}, {CPU}, set()),
        (("tags",), {"team": "hpc"}, ON_ALIBABA, set()),
        ((), {"deletionProtection": False}, {NETWORK, CLUSTER, STORAGE, DATABASE}, set()),
    ],
)
@pytest.mark.parametrize("slurm_operator", ["ack-slurm-operator", "slinky"])
def test_a_change_shows_where_it_changes_something(
    slurm_operator: str, part: Sequence[str | int], fields: dict[str, Any], changed: set[str], slurm: set[str]
) -> None:
    slinky = slurm_operator == "slinky"
    of_slurm = (
        {"SlurmCluster slurm", *(f"NodeSet slurm-{name}" for name in slurm)} if slinky else {"AckSlurmCluster slurm"}
    )
    settings = on_slinky() if slinky else shipped("ack-slurm-operator")
    assert changed_by(settings, part, fields) == {"AckSlurm slurm"} | changed | (of_slurm if slurm else set())


@pytest.mark.parametrize("settings", [shipped("ack-slurm-operator"), shipped("ack-colocated"), on_slinky()], ids=str)
def test_no_key_is_an_input_in_clear(settings: dict[str, Any]) -> None:
    for resource in make(settings):
        assert ROOT_KEY not in json.dumps(resource.inputs, default=repr), resource.name


@pytest.mark.parametrize(
    ("settings", "logins", "keys"),
    [(shipped("ack-slurm-operator"), {"controller"}, {"munge", "jwt"}), (on_slinky(), {"login"}, {"slurm", "jwt"})],
    ids=["ack-slurm-operator", "slinky"],
)
def test_outputs_help_with_the_next_steps(
    settings: dict[str, Any], logins: set[str], keys: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    values: dict[str, Any] = {}
    secret: dict[str, pulumi.Output[bool]] = {}

    def keep(name: str, value: pulumi.Input[Any]) -> None:
        output = pulumi.Output.from_input(value)
        secret[name] = pulumi.Output.from_input(output.is_secret())
        pulumi.Output.unsecret(output).apply(lambda text: values.update({name: text}))

    monkeypatch.setattr(pulumi, "export", keep)
    make_anew(settings)
    assert values["kubernetesCluster"] == "slurm"
    assert json.loads(values["kubeconfig"])["clusters"][0]["cluster"]["server"] == "https://198.51.100.1:6443"
    assert values["namespace"] == "slurm"
    assert values["partitions"] == ["cpu", "gpu"]
    assert values["restUrl"] == "http://slurm-slurmrestd.slurm:6820"
    assert values["sshCommands"].keys() == logins
    assert values["keySecrets"].keys() == keys
    assert values.keys() == {
        *("kubernetesCluster", "clusterId", "kubeconfig", "namespace", "partitions"),
        *("restUrl", "sshCommands", "tokenSecrets", "keySecrets", "specificationHash"),
    }

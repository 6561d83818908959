"""SlurmCluster: what it registers, in which order, with which options."""

import itertools
from typing import Any

import pulumi
import pytest

import pulumi_slurm
from pulumi_slurm import slinky
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from tests.components.conftest import Build, Registered
from tests.components.loosely import loosely
from tests.components.order import MOST_STEPS, all_before, steps
from tests.stack_configuration import ROOT_KEY

POOLS: list[dict[str, Any]] = [
    {"name": "cpu", "machine": {"cpus": 16, "memory": "64Gi"}, "nodeLabels": {"pool": "cpu"}},
    {
        "name": "gpu",
        "machine": {"cpus": 64, "memory": "512Gi", "gpus": {"type": "h100", "count": 8}},
        "nodeLabels": {"pool": "gpu"},
        "taints": [{"key": "nvidia.com/gpu"}],
    },
]
CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "operatorVersion": "1.1.0",
    "nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 2}, {"name": "gpu", "pool": "gpu"}],
    "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
    "accounting": {},
    "loginSets": [{"name": "login"}],
    "identity": {"directory": {}},
    "tokens": [{"name": "admin", "username": "slurm"}],
    "sharedVolumes": [{"name": "home", "mountPath": "/home", "nfs": {"server": "nfs", "path": "/home"}}],
    "hooks": {"prolog": {"10-gpu.sh": "#!/bin/bash\n"}},
    "configFiles": {"topology.yaml": "- topology: default\n  cluster_default: true\n  flat: true\n"},
}


def loaded(**changes: Any) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    return load({**CLUSTER, **changes}, POOLS)


def cluster(resource: str = "hpc", /, **changes: Any) -> pulumi_slurm.SlurmCluster:
    spec, pools = loaded(**changes)
    return pulumi_slurm.SlurmCluster(resource, pulumi_slurm.SlurmClusterArgs(spec=spec, pools=pools))


def by_name(registered: list[Registered]) -> dict[str, Registered]:
    return {resource.name: resource for resource in registered if not resource.typ.startswith("slurm:")}


def test_objects_are_those_that_render_yields(build: Build) -> None:
    registered = build(cluster)
    spec, pools = loaded()
    rendered = {(item["kind"], item["metadata"]["name"]): item for item in render(spec, pools)}
    made = {
        (str(resource.inputs.get("kind")), resource.kubernetes_name): resource.inputs
        for resource in registered
        if resource.typ.startswith("kubernetes:") and "Secret" not in resource.typ and "Namespace" not in resource.typ
    }
    assert made.keys() == rendered.keys()
    for key, item in rendered.items():
        assert made[key].get("spec") == item.get("spec"), key


def test_children_are_named_after_their_component_and_parented_to_it(build: Build) -> None:
    registered = build(cluster)
    assert all(resource.name.startswith("hpc") for resource in registered)
    orphans = [resource.name for resource in registered if not resource.parent and resource.name != "hpc"]
    assert orphans == []


def test_two_clusters_in_one_program_don_t_share_a_name(build: Build) -> None:
    registered = build(lambda: (cluster("one"), cluster("two", name="hpc2", namespace="other")))
    keys = [(resource.typ, resource.name) for resource in registered]
    assert len(keys) == len(set(keys))


def test_keys_are_derived_and_stay_the_same_until_their_generation_is_raised(build: Build) -> None:
    def key(registered: list[Registered]) -> str:
        return str(by_name(registered)["hpc-jwt-key"].inputs["stringData"]["value"]["jwt.key"])

    first, again = key(build(cluster)), key(build(cluster))
    rotated = key(build(lambda: cluster(keys={"jwt": {"generation": 2}})))
    assert first == again == derive(ROOT_KEY, "hpc", Purpose.JWT)
    assert rotated == derive(ROOT_KEY, "hpc", Purpose.JWT, 2) != first


def test_a_rotated_key_changes_the_template_of_every_pod_that_reads_it_but_not_the_secrets_name(build: Build) -> None:
    before, after = (
        by_name(build(lambda generation=generation: cluster(keys={"slurm": {"generation": generation}})))  # type: ignore[misc]
        for generation in (1, 2)
    )
    for name in ("hpc-accounting", "hpc-controller", "hpc-restapi", "hpc-cpu-nodeset", "hpc-login-loginset"):
        assert before[name].inputs["spec"]["template"] != after[name].inputs["spec"]["template"], name
    assert before["hpc-slurm-key"].kubernetes_name == after["hpc-slurm-key"].kubernetes_name


def test_an_existing_key_is_referred_to_and_not_made(build: Build) -> None:
    keys = {"slurm": {"existing": {"name": "mine", "key": "k"}}}
    made = by_name(build(lambda: cluster(keys=keys)))
    assert "hpc-slurm-key" not in made
    assert made["hpc-controller"].inputs["spec"]["slurmKeyRef"] == {"name": "mine", "key": "k"}


def test_workers_come_after_controller_and_rest_api_and_these_after_accounting(build: Build) -> None:
    made = by_name(build(cluster))

    def after(name: str) -> str:
        return " ".join(all_before(name, made.values()))

    assert "::hpc-slurmctld-poddisruptionbudget" in after("hpc-cpu-nodeset")
    assert "RestApi$" in after("hpc-cpu-nodeset")
    assert "Accounting$" in after("hpc-controller")
    assert "Database$" in after("hpc-accounting")
    assert "::hpc-configFile" in after("hpc-controller")


def test_nodes_are_annotated_before_slurmctld_reads_the_topologies(build: Build) -> None:
    made = by_name(
        build(lambda: cluster(configFiles={}, topologies=[{"name": "t", "kind": "tree", "nodeLabels": ["z"]}]))
    )
    assert "NodeTopology$" in " ".join(all_before("hpc-controller", made.values()))
    program = made["hpc-topology-deployment"].inputs["spec"]["template"]["spec"]["containers"][0]["command"][-1]
    assert 'if found=$(nodes "pool=cpu" && nodes "pool=gpu") &&' in program


def test_an_autoscaler_has_the_minimum_to_begin_with(build: Build) -> None:
    scaling = {"kind": "keda", "maxReplicas": 5}
    node_sets = [{"name": "cpu", "pool": "cpu", "autoscaling": scaling}]
    made = by_name(build(lambda: cluster(nodeSets=node_sets, monitoring={"prometheus": {}})))
    assert made["hpc-cpu-nodeset"].inputs["spec"]["replicas"] == 0
    scaler = made["hpc-cpu-autoscaler"].inputs["spec"]
    assert scaler["maxReplicaCount"] == 5
    (trigger,) = scaler["triggers"]
    assert 'slurm_partition_jobs_pending{namespace="slurm",partition="all"}' in trigger["metadata"]["query"]
    assert 'slurm_node_cpus_alloc{namespace="slurm",node=~"cpu-[0-9]+"}' in trigger["metadata"]["query"]
    assert trigger["metadata"]["serverAddress"] == "http://hpc-prometheus.slurm:9090"
    assert made["hpc-prometheus-service"].kubernetes_name == "hpc-prometheus"
    # A lost metric is no zero.
    assert trigger["metadata"]["ignoreNullValues"] == "false"
    assert "fallback" not in scaler


def test_what_the_user_says_of_an_autoscaler_arrives(build: Build) -> None:
    scaling = {
        "kind": "keda",
        "minReplicas": 1,
        "idleReplicas": 0,
        "maxReplicas": 5,
        "prometheusAddress": "http://prometheus:9090",
        "pollingSeconds": 10,
        "query": "sum(up)",
        "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}},
        "authentication": {"name": "prometheus", "kind": "ClusterTriggerAuthentication", "modes": ["bearer", "tls"]},
    }
    login_sets = [{"name": "login", "autoscaling": scaling}]
    made = by_name(build(lambda: cluster(identity={"directory": {}}, loginSets=login_sets)))
    scaler = made["hpc-login-autoscaler"].inputs["spec"]
    (trigger,) = scaler["triggers"]
    assert (scaler["idleReplicaCount"], scaler["minReplicaCount"], scaler["pollingInterval"]) == (0, 1, 10)
    behavior = {"scaleDown": {"stabilizationWindowSeconds": 60}}
    assert scaler["advanced"] == {"horizontalPodAutoscalerConfig": {"behavior": behavior}}
    assert trigger["authenticationRef"] == {"name": "prometheus", "kind": "ClusterTriggerAuthentication"}
    assert (trigger["metadata"]["query"], trigger["metadata"]["authModes"]) == ("sum(up)", "bearer,tls")


def test_shapes_selectors_and_tolerations_are_derived_from_the_pool(build: Build) -> None:
    spec = by_name(build(cluster))["hpc-gpu-nodeset"].inputs["spec"]
    assert spec["slurmd"]["resources"]["limits"] == {"cpu": "63", "memory": "522240Mi", "nvidia.com/gpu": "8"}
    assert spec["extraConf"] == "Gres=gpu:h100:8 Weight=100"
    assert spec["template"]["spec"]["nodeSelector"]["pool"] == "gpu"
    assert spec["template"]["spec"]["tolerations"] == [
        {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
    ]


def test_what_is_needed_outside_is_an_output(build: Build) -> None:
    found: dict[str, Any] = {}

    def program() -> Any:
        made = cluster(controller={"address": "slurmctld.example.org"})
        return made.outside.apply(found.update)

    build(program)
    assert found["sackdCommand"] == "sackd --conf-server slurmctld.example.org:6817"


def test_outputs_by_name_are_mappings_also_when_there_is_nothing_to_name(build: Build) -> None:
    found: dict[str, Any] = {}

    def program() -> Any:
        made = cluster(tokens=[], loginSets=[])
        both = pulumi.Output.all(made.token_secrets, made.ssh_commands)
        return both.apply(lambda values: found.update(tokens=values[0], ssh=values[1]))

    build(program)
    assert found == {"tokens": {}, "ssh": {}}


def test_the_namespace_admits_privileged_workers_unless_it_is_told_otherwise(build: Build) -> None:
    def labels(**changes: Any) -> Any:
        return by_name(build(lambda: cluster(**changes)))["hpc-namespace"].inputs["metadata"]["labels"]

    enforce = "pod-security.kubernetes.io/enforce"
    assert labels() == {enforce: "privileged"}
    changed = labels(labels={"team": "a"}, namespaceLabels={enforce: "restricted", "team": "b"})
    assert changed == {enforce: "restricted", "team": "b"}


def test_a_volume_that_stays_keeps_its_namespace(build: Build) -> None:
    assert by_name(build(cluster))["hpc-namespace"].retained
    assert not by_name(build(lambda: cluster(sharedVolumes=[])))["hpc-namespace"].retained


def test_a_missing_root_key_is_an_error_that_prints_the_command(build: Build) -> None:
    pulumi.runtime.set_all_config({})
    with pytest.raises(pulumi.RunError, match="pulumi config set --secret slurm:rootKey"):
        build(cluster)


def test_a_wrong_root_key_is_refused_without_being_printed(build: Build) -> None:
    pulumi.runtime.set_all_config({"slurm:rootKey": "hunter2hunter2"})
    with pytest.raises(pulumi.RunError) as raised:
        build(cluster)
    assert "hunter2" not in str(raised.value)


def test_a_password_of_several_lines_is_refused_without_being_printed(build: Build) -> None:
    ldap = {"uri": "ldaps://l", "baseDn": "dc=x", "bindDn": "cn=s"}
    password = "hunter2\nldap_tls_reqcert = never"
    pulumi.runtime.set_all_config({"slurm:rootKey": ROOT_KEY, "slurm:ldapBindPassword": password})
    with pytest.raises(pulumi.RunError, match="this password does not make one line") as raised:
        build(lambda: cluster(identity={"ldap": ldap}))
    assert "hunter2" not in str(raised.value)


def test_arguments_as_a_plain_mapping_are_checked_the_same_way(build: Build) -> None:
    args: Any = {"spec": {"name": "hpc", "nodeSets": [{"name": "cpu", "pool": "none"}]}}
    with pytest.raises(pulumi.RunError, match=r'spec.node_sets\[0\].pool = "none"'):
        build(lambda: pulumi_slurm.SlurmCluster("hpc", args))


def test_secrets_are_no_part_of_a_components_inputs(build: Build) -> None:
    registered = build(cluster)
    derived = [derive(ROOT_KEY, "hpc", purpose) for purpose in Purpose]
    for resource in registered:
        if not resource.typ.startswith("kubernetes:core/v1:Secret"):
            text = str(resource.inputs)
            assert ROOT_KEY not in text
            assert not any(value in text for value in derived), resource.name


ACCOUNTING: dict[str, Any] = {"qos": [{"name": "gold"}], "accounts": [{"name": "ml", "qos": ["gold"]}]}


def test_qos_come_before_slurmctld_and_accounts_after_it(build: Build) -> None:
    made = by_name(build(lambda: cluster(accounting=ACCOUNTING)))
    for before, after in (
        ("hpc-accounting", "hpc-qos-job"),
        ("hpc-qos-job", "hpc-controller"),
        ("hpc-controller", "hpc-accounts-job"),
    ):
        assert any(urn.endswith(f"::{before}") for urn in all_before(after, made.values()))


def test_other_commands_are_another_job(build: Build) -> None:
    more = {**ACCOUNTING, "accounts": [{"name": "ml", "qos": ["gold"], "users": ["alice"]}]}
    before = by_name(build(lambda: cluster(accounting=ACCOUNTING)))
    after = by_name(build(lambda: cluster(accounting=more)))
    assert before["hpc-qos-job"].inputs == after["hpc-qos-job"].inputs
    assert before["hpc-accounts-job"].inputs["spec"] != after["hpc-accounts-job"].inputs["spec"]
    # The same name, so that the old one has gone before: with one of its own, a Job that failed would stay, and the one
    # before it, put back, would be taken for done.
    assert before["hpc-accounts-job"].kubernetes_name == after["hpc-accounts-job"].kubernetes_name


def test_what_undoes_a_job_is_kept_after_it_for_the_next_one(build: Build) -> None:
    made = by_name(build(lambda: cluster(accounting=ACCOUNTING)))
    undo = made["hpc-accounts-undo"]
    assert undo.inputs["data"]["undo"].splitlines() == [
        "reset_account ml hpc QosLevel=",
        "remove_account ml hpc",
        "remove_qos gold",
    ]
    assert any(urn.endswith("::hpc-accounts-job") for urn in all_before("hpc-accounts-undo", made.values()))
    pod = made["hpc-accounts-job"].inputs["spec"]["template"]["spec"]
    last = {"name": "last", "configMap": {"name": undo.kubernetes_name, "optional": True}}
    assert last in pod["volumes"]
    assert {"name": "last", "mountPath": "/etc/slurm-last"} in pod["containers"][0]["volumeMounts"]


def test_partitions_and_node_sets_are_drained_before_slurmctld_and_workers_change(build: Build) -> None:
    made = by_name(build(cluster))
    for after in ("hpc-controller", "hpc-cpu-nodeset"):
        assert any(urn.endswith("::hpc-drain-last") for urn in all_before(after, made.values()))
    # What there was is noted when the Job has succeeded.
    assert any(urn.endswith("::hpc-drain-job") for urn in all_before("hpc-drain-last", made.values()))
    assert made["hpc-drain-job"].inputs["metadata"]["annotations"]["pulumi.com/replaceUnready"] == "true"
    pod = made["hpc-drain-job"].inputs["spec"]["template"]["spec"]
    last = {"name": "last", "configMap": {"name": made["hpc-drain-last"].kubernetes_name, "optional": True}}
    assert last in pod["volumes"]


def test_jobs_hold_no_key(build: Build) -> None:
    made = by_name(build(lambda: cluster(accounting=ACCOUNTING)))
    pod = made["hpc-qos-job"].inputs["spec"]["template"]["spec"]
    assert [volume["name"] for volume in pod["volumes"]] == ["files"]
    assert "configMap" in pod["volumes"][0]
    assert pod["containers"][0]["env"][0]["valueFrom"]["secretKeyRef"]["key"] == "SLURM_JWT"


def test_the_bridge_comes_last_and_its_namespaces_after_it(build: Build) -> None:
    """A destroy goes the other way: pods end first, and are let go by controllers that are still there."""
    bridge = {
        "partition": "pods",
        "namespaces": [{"name": "team-a", "quota": {"pods": 10}}],
        "externalNodes": [{"name": "kubernetes", "nodeSelector": {"size": "big"}}],
    }
    partitions = [{"name": "pods", "nodeSets": ["kubernetes"]}]
    made = by_name(build(lambda: cluster(bridge=bridge, partitions=partitions)))
    order = [
        "hpc-restapi",
        "hpc-cpu-nodeset",
        "hpc-bridge-token",
        "hpc-bridge-admission-deployment",
        "hpc-bridge-admission-mutatingwebhookconfiguration",
        "hpc-bridge-admission-validatingwebhookconfiguration",
        "hpc-bridge-team-a-namespace",
        "hpc-bridge-team-a-quota",
    ]
    for before, after in itertools.pairwise(order):
        assert any(urn.endswith(f"::{before}") for urn in all_before(after, made.values())), after
    for program in ("controllers", "scheduler"):
        found = all_before("hpc-bridge-team-a-namespace", made.values())
        assert any(urn.endswith(f"::hpc-bridge-{program}-deployment") for urn in found)
    assert max(steps(made.values()).values()) < MOST_STEPS


def test_a_bridge_alone_says_which_pools_it_lacks(build: Build) -> None:
    bridge = {"partition": "pods", "externalNodes": [{"name": "k8s", "pool": "big"}]}
    with pytest.raises(pulumi.RunError) as raised:
        build(lambda: loosely(slinky.SlurmBridge)("b", {"cluster": {"name": "hpc"}, "bridge": bridge}))
    assert 'bridge.external_nodes[0].pool = "big": the labels of its nodes are taken from the argument pools' in str(
        raised.value
    )

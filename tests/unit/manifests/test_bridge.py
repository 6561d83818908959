"""Slurm Bridge: what its programs read, what they may do, and what its webhook is asked about."""

import json
from typing import Any

import pytest
import yaml

from pulumi_slurm.manifests.bridge.first_job import first_job
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.parts.bridge import BridgePart
from pulumi_slurm.model import BridgeSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.unit.manifests.bridges import BRIDGE, CLUSTER, PROGRAMS, bridge, deployments
from tests.unit.manifests.rendered import rendered


def rules(objects: dict[tuple[str, str], Manifest], program: str) -> set[tuple[str, str, str]]:
    """Return what a program may do as single rights."""
    return {
        (group, resource, verb)
        for rule in objects["ClusterRole", f"slurm-hpc-bridge-{program}"]["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


def test_the_programs_read_where_slurmrestd_is_and_what_they_manage() -> None:
    objects = bridge(mcsLabel="k8s", schedulerName="slurm-pods")
    assert json.loads(objects["ConfigMap", "hpc-bridge"]["data"]["config.yaml"]) == {
        "schedulerName": "slurm-pods",
        "slurmRestApi": "http://hpc-slurmrestd.slurm:6820",
        "managedNamespaces": ["team-a", "team-b"],
        "mcsLabel": "k8s",
        "partition": "pods",
    }
    profile = json.loads(objects["ConfigMap", "hpc-bridge-scheduler"]["data"]["scheduler-config.yaml"])
    assert [item["schedulerName"] for item in profile["profiles"]] == ["slurm-pods"]
    assert profile["profiles"][0]["plugins"]["filter"]["enabled"][-1] == {"name": "SlurmBridge"}


def test_roles_of_objects_depend_on_no_name_of_the_cluster() -> None:
    nodes = {"externalNodes": [{"name": "batch", "nodeSelector": {"pool": "batch"}}]}
    spec = BridgeSpec.model_validate({**BRIDGE, **nodes})
    one, another = (
        [*BridgePart(cluster=ref, bridge=spec, partitions={"batch": ["pods"]}).manifests()]
        for ref in (ClusterRef(name="hpc"), ClusterRef(name="a-b", namespace="a"))
    )
    assert one == another


def test_namespaces_can_be_selected_by_labels() -> None:
    objects = bridge(namespaces=[], namespaceSelector={"slurm": "yes"})
    config = json.loads(objects["ConfigMap", "hpc-bridge"]["data"]["config.yaml"])
    assert config["managedNamespaceSelector"] == {"matchLabels": {"slurm": "yes"}}
    assert "managedNamespaces" not in config
    (webhook,) = objects["MutatingWebhookConfiguration", "slurm-hpc-bridge-admission"]["webhooks"]
    others = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", "slurm"]}
    assert webhook["namespaceSelector"] == {"matchLabels": {"slurm": "yes"}, "matchExpressions": [others]}


def test_the_scheduler_of_pods_that_are_there_stays() -> None:
    """Kubernetes lets nobody change it, so the webhook may not be asked about updates that would."""
    for kind, operations in (("Mutating", ["CREATE"]), ("Validating", ["CREATE", "UPDATE"])):
        (webhook,) = bridge()[f"{kind}WebhookConfiguration", "slurm-hpc-bridge-admission"]["webhooks"]
        assert webhook["rules"][0]["operations"] == operations


def test_the_webhook_is_asked_about_managed_namespaces_alone() -> None:
    objects = bridge()
    by_name = {"key": "kubernetes.io/metadata.name", "operator": "In", "values": ["team-a", "team-b"]}
    for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"):
        configuration = objects[kind, "slurm-hpc-bridge-admission"]
        (webhook,) = configuration["webhooks"]
        assert webhook["namespaceSelector"] == {"matchExpressions": [by_name]}
        assert webhook["failurePolicy"] == "Fail"
        inject = configuration["metadata"]["annotations"]["cert-manager.io/inject-ca-from"]
        assert inject == "slurm/hpc-bridge-admission"
        service = objects["Service", webhook["clientConfig"]["service"]["name"]]
        assert service["spec"]["selector"].items() <= (
            deployments(objects)["admission"]["template"]["metadata"]["labels"].items()
        )


def test_the_certificate_is_for_the_name_that_the_api_server_calls() -> None:
    objects = bridge()
    certificate = objects["Certificate", "hpc-bridge-admission"]["spec"]
    assert "hpc-bridge-admission.slurm.svc" in certificate["dnsNames"]
    issuer = objects["Issuer", certificate["issuerRef"]["name"]]["spec"]["ca"]["secretName"]
    assert issuer == objects["Certificate", "hpc-bridge-authority"]["spec"]["secretName"]
    volumes = deployments(objects)["admission"]["template"]["spec"]["volumes"]
    secret = {"secretName": certificate["secretName"], "defaultMode": 0o440}
    assert {"name": "certificate", "secret": secret} in volumes
    # RFC 5280 allows 64 characters, and a cluster's name has 40 at most.
    longest = rendered(**{**CLUSTER, "name": "c" * 40, "bridge": BRIDGE})
    assert all(len(item["spec"].get("commonName", "")) <= 64 for item in longest if item["kind"] == "Certificate")


@pytest.mark.parametrize(("operator", "release"), [("1.1.0", "1.1.2"), ("1.2.1", "1.2.1"), ("1.3.0", "1.3.0")])
def test_its_release_is_that_of_the_operator(operator: str, release: str) -> None:
    images = {
        name: spec["template"]["spec"]["containers"][0]["image"]
        for name, spec in deployments(bridge({"operatorVersion": operator})).items()
    }
    assert images == {name: f"ghcr.io/slinkyproject/slurm-bridge-{name}:{release}" for name in PROGRAMS}


def test_the_bridge_of_operator_1_3_reads_its_token_again_elects_and_refuses_resizes() -> None:
    objects = bridge({"operatorVersion": "1.3.0"}, controllers={"replicas": 2})
    token = objects["Token", "hpc-token-bridge"]["spec"]["secretRef"]
    items = [{"key": "auth-token", "path": "auth-token"}]
    secret = {"secretName": token["name"], "items": items, "defaultMode": 0o440}
    for program in ("scheduler", "controllers"):
        pod = deployments(objects)[program]["template"]["spec"]
        (container,) = pod["containers"]
        assert container["env"] == [{"name": "SLURM_JWT_FILE", "value": "/var/run/secrets/slurm/auth-token"}]
        assert {"name": "token", "mountPath": "/var/run/secrets/slurm", "readOnly": True} in container["volumeMounts"]
        assert {"name": "token", "secret": secret} in pod["volumes"]
    assert container["args"] == ["--leader-elect=true"]
    assert ("coordination.k8s.io", "leases", "update") in rules(objects, "controllers")
    (webhook,) = objects["ValidatingWebhookConfiguration", "slurm-hpc-bridge-admission"]["webhooks"]
    assert webhook["rules"][0]["resources"] == ["pods", "pods/resize"]
    assert not refuses_resizes(objects)
    assert refuses_resizes(bridge({"operatorVersion": "1.2.2"}))


def refuses_resizes(objects: dict[tuple[str, str], Manifest]) -> bool:
    """Return whether a policy of the API server refuses to resize pods in place, as later releases do themselves."""
    policies = [item for (kind, _), item in objects.items() if kind == "ValidatingAdmissionPolicy"]
    return any("'resize'" in check["expression"] for item in policies for check in item["spec"]["validations"])


def test_images_can_come_from_elsewhere() -> None:
    cluster = {"images": {"registry": "mirror.example.org/slinky", "pullPolicy": "Always", "pullSecrets": ["pull"]}}
    specs = deployments(bridge(cluster, version="1.1.1", scheduler={"image": "example.org/scheduler:1"}))
    images = {name: spec["template"]["spec"]["containers"][0]["image"] for name, spec in specs.items()}
    assert images == {
        "scheduler": "example.org/scheduler:1",
        "admission": "mirror.example.org/slinky/slurm-bridge-admission:1.1.1",
        "controllers": "mirror.example.org/slinky/slurm-bridge-controllers:1.1.1",
    }
    for spec in specs.values():
        assert spec["template"]["spec"]["imagePullSecrets"] == [{"name": "pull"}]
        assert spec["template"]["spec"]["containers"][0]["imagePullPolicy"] == "Always"


def test_each_program_has_resources_and_placement_of_its_own() -> None:
    resources = {"cpu": "1", "memory": "1Gi"}
    specs = deployments(
        bridge(
            {"priorityClassName": "cluster", "labels": {"team": "hpc"}},
            priorityClassName="bridge",
            controllers={"resources": resources, "pod": {"priorityClassName": "own", "nodeSelector": {"a": "b"}}},
        )
    )
    pods = {name: spec["template"]["spec"] for name, spec in specs.items()}
    assert pods["controllers"]["containers"][0]["resources"]["limits"] == resources
    assert "resources" not in pods["admission"]["containers"][0]
    assert {name: pod["priorityClassName"] for name, pod in pods.items()} == {
        "controllers": "own",
        "scheduler": "bridge",
        "admission": "bridge",
    }
    assert pods["controllers"]["nodeSelector"]["a"] == "b"
    assert all(spec["template"]["metadata"]["labels"]["team"] == "hpc" for spec in specs.values())


def test_several_pods_have_a_budget_and_schedulers_elect_a_leader() -> None:
    def leads(objects: dict[tuple[str, str], Manifest]) -> bool:
        profile = json.loads(objects["ConfigMap", "hpc-bridge-scheduler"]["data"]["scheduler-config.yaml"])
        return bool(profile["leaderElection"]["leaderElect"])

    one, two = bridge(), bridge(scheduler={"replicas": 2})
    assert ("PodDisruptionBudget", "hpc-bridge-admission") in one
    assert deployments(one)["admission"]["replicas"] == 2
    assert ("PodDisruptionBudget", "hpc-bridge-scheduler") in two.keys() - one.keys()
    assert (leads(one), leads(two)) == (False, True)


def test_pods_run_as_nobody_and_write_nothing() -> None:
    for spec in deployments(bridge()).values():
        pod = spec["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        (container,) = pod["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        }


def test_the_token_is_slurms_and_the_webhook_has_none() -> None:
    objects = bridge({"keys": {"jwt": {"generation": 2}}}, tokenLifetime="4380h")
    token = objects["Token", "hpc-token-bridge"]["spec"]
    assert (token["username"], token["lifetime"], token["refresh"]) == ("slurm", "4380h", True)
    assert token["secretRef"] == {"name": "hpc-token-bridge-2", "key": "auth-token"}
    env = {name: spec["template"]["spec"]["containers"][0].get("env") for name, spec in deployments(objects).items()}
    reference = [{"name": "SLURM_JWT", "valueFrom": {"secretKeyRef": token["secretRef"]}}]
    assert env == {"scheduler": reference, "controllers": reference, "admission": None}


@pytest.mark.parametrize(
    ("changes", "replaced"),
    [
        ({"generation": 2}, set(PROGRAMS)),
        ({"mcsLabel": "other"}, set(PROGRAMS)),
        ({"scheduler": {"replicas": 2}}, {"scheduler"}),
        ({"tokenLifetime": "24h"}, set()),
    ],
)
def test_pods_are_replaced_by_what_they_read_once(changes: dict[str, Any], replaced: set[str]) -> None:
    before, after = deployments(bridge()), deployments(bridge(**changes))
    assert {name for name in PROGRAMS if before[name]["template"] != after[name]["template"]} == replaced


def test_a_new_generation_has_the_operator_look_at_the_token() -> None:
    before, after = (bridge(generation=number)["Token", "hpc-token-bridge"] for number in (1, 2))
    assert before["metadata"] != after["metadata"]
    assert before["spec"] == after["spec"]


def test_the_scheduler_reads_owners_that_are_named() -> None:
    owners = [{"apiGroup": "trainer.kubeflow.org", "resource": "trainjobs"}]
    more = rules(bridge(owners=owners), "scheduler") - rules(bridge(), "scheduler")
    assert more == {("trainer.kubeflow.org", "trainjobs", "get")}


def test_no_program_reads_secrets_or_makes_pods() -> None:
    for release in ("1.1.0", "1.2.1"):
        objects = bridge({"operatorVersion": release})
        for program in PROGRAMS:
            granted = rules(objects, program)
            assert not {right for right in granted if right[1] in {"secrets", "*"} or right[2] == "*"}
            assert ("", "pods", "create") not in granted
    assert ("scheduling.k8s.io", "workloads", "get") in rules(objects, "scheduler")


def test_namespaces_are_made_unless_they_are_there_and_get_quotas() -> None:
    namespaces = [
        {"name": "team-a", "labels": {"team": "a"}, "quota": {"pods": 10}},
        {"name": "team-b", "create": False, "quota": {"requests.cpu": "4"}},
    ]
    objects = rendered(**{**CLUSTER, "bridge": {**BRIDGE, "namespaces": namespaces}})
    made = [item for item in objects if item["kind"] in {"Namespace", "ResourceQuota"}]
    assert [(item["kind"], item["metadata"].get("namespace")) for item in made] == [
        ("Namespace", None),
        ("ResourceQuota", "team-a"),
        ("ResourceQuota", "team-b"),
    ]
    assert made[0]["metadata"]["labels"]["team"] == "a"
    assert made[1]["spec"] == {"hard": {"pods": "10"}}
    assert objects[-len(made) :] == made


def test_two_bridges_in_one_kubernetes_cluster_share_no_name() -> None:
    def keys(**fields: Any) -> set[tuple[str, str, str]]:
        return {
            (item["kind"], item["metadata"].get("namespace", ""), item["metadata"]["name"])
            for item in rendered(
                **{**CLUSTER, "bridge": {**BRIDGE, "namespaces": [{"name": "old", "create": False}]}, **fields}
            )
        }

    assert not keys() & keys(name="hpc2", namespace="other")
    assert not keys() & keys(namespace="other")


def test_the_first_job_names_the_scheduler_and_the_first_namespace() -> None:
    job = yaml.safe_load(first_job(ClusterRef(name="hpc"), BridgeSpec.model_validate(BRIDGE)))
    assert (job["kind"], job["metadata"]["namespace"]) == ("Job", "team-a")
    assert job["spec"]["template"]["spec"]["schedulerName"] == "slurm-bridge-scheduler"

"""Kubernetes objects of a cluster by ack-slurm-operator."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from pulumi_slurm.ack_slurm.manifests.chart_values import chart_values
from pulumi_slurm.ack_slurm.manifests.cluster_object import autoscaled_fields, slurm_cluster
from pulumi_slurm.ack_slurm.manifests.copilot import generic_node, outside_slurmrestd
from pulumi_slurm.ack_slurm.manifests.ldap_files import ldap_files
from pulumi_slurm.ack_slurm.manifests.objects import render
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.model.outside import GenericNodeSpec, OutsideSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.configuration.slurmdbd_wait import WAIT_SCRIPT
from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load_model
from pulumi_slurm.manifests.objects import Manifest
from tests.unit.ack_slurm.crd import FOLDER, complaints
from tests.unit.ack_slurm.examples import CLUSTER, EVERYTHING, IMAGE, ack, cluster


def objects(options: dict[str, Any] | None = None, **changes: Any) -> dict[tuple[str, str], Manifest]:
    spec, pools = cluster(**changes)
    route = ack(**(options or {}))
    assert list(map(str, check_ack_slurm(spec, pools, route))) == []
    manifests = list(render(spec, pools, route, IMAGE))
    by_name = {
        (item["kind"], f"{item['metadata'].get('namespace')}/{item['metadata']['name']}"): item for item in manifests
    }
    assert len(by_name) == len(manifests)
    return by_name


def slurm(options: dict[str, Any] | None = None, **changes: Any) -> Manifest:
    spec: Manifest = objects(options, **changes)["SlurmCluster", "jobs/hpc"]["spec"]
    return spec


def pod(daemon: Manifest) -> Manifest:
    pod_spec: Manifest = daemon["template"]["spec"]
    return pod_spec


def volume(daemon: Manifest, name: str) -> Manifest:
    return next(item for item in pod(daemon)["volumes"] if item["name"] == name)


def mounts(daemon: Manifest) -> dict[str, str]:
    return {mount["name"]: mount["mountPath"] for mount in pod(daemon)["containers"][0]["volumeMounts"]}


@pytest.mark.parametrize("path", sorted((FOLDER / "samples").iterdir()), ids=lambda path: path.stem)
def test_the_schemas_accept_good_samples_and_refuse_bad_ones(path: Any) -> None:
    assert bool(complaints(yaml.safe_load(path.read_text()))) == path.name.startswith("bad-")


@pytest.mark.parametrize("options", [{}, EVERYTHING], ids=["plain", "everything"])
@pytest.mark.parametrize("changes", [{}, {"accounting": None, "partitions": []}], ids=["accounting", "without"])
def test_the_cluster_has_the_current_shape(options: dict[str, Any], changes: dict[str, Any]) -> None:
    slurm_cluster_object = objects(options, **changes)["SlurmCluster", "jobs/hpc"]
    assert complaints(slurm_cluster_object) == []
    # Objects are sent to the API server as JSON.
    assert json.loads(json.dumps(slurm_cluster_object)) == slurm_cluster_object


def test_every_pod_mounts_its_files_at_the_cluster_s_paths() -> None:
    spec = slurm(EVERYTHING)
    daemons = [spec["slurmctld"], spec["slurmdbd"], spec["slurmrestd"], *spec["workerGroupSpecs"]]
    for daemon in daemons:
        assert mounts(daemon)["config"] == spec["slurmConfPath"] == "/var/slurm"
        assert mounts(daemon)["munge"] == spec["mungeConfPath"] == "/var/munge"


def texts(value: Any) -> Iterator[str]:
    """Yield all texts in plain data."""
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(item)


def test_only_slurmdbd_has_the_database_s_password() -> None:
    spec = slurm(EVERYTHING)
    everything = json.dumps(volume(spec["slurmdbd"], "config"))
    assert "hpc-slurmdbd-conf" in everything
    for daemon in (spec["slurmctld"], spec["slurmrestd"], *spec["workerGroupSpecs"]):
        assert not {"hpc-slurmdbd-conf", "slurmdbd.conf"} & {*texts(pod(daemon)["volumes"])}


def test_only_controllers_have_the_password_of_job_completion() -> None:
    spec = slurm(EVERYTHING)
    sources = volume(spec["slurmctld"], "config")["projected"]["sources"]
    items = [{"key": "slurm.conf", "path": "slurm.conf", "mode": 0o444}]
    assert sources[1]["secret"] == {"name": "hpc-slurm-conf", "items": items}
    assert "slurm.conf" not in {item["key"] for item in sources[0]["configMap"]["items"]}
    for group in spec["workerGroupSpecs"]:
        assert volume(group, "config")["projected"]["sources"] == [{"configMap": {"name": "hpc-config"}}]


def test_slurm_can_read_the_jwt_key_and_others_can_t() -> None:
    spec = slurm()
    for daemon in (spec["slurmctld"], spec["slurmdbd"], spec["slurmrestd"]):
        assert volume(daemon, "jwt")["secret"]["defaultMode"] == 0o440
        assert pod(daemon)["securityContext"]["fsGroup"] == 1109
        assert mounts(daemon)["jwt"] == "/var/jwt"
    assert all("jwt" not in mounts(group) for group in spec["workerGroupSpecs"])


def test_home_and_the_ldap_client_are_on_the_controller_and_every_group() -> None:
    spec = slurm()
    for daemon in (spec["slurmctld"], *spec["workerGroupSpecs"]):
        assert mounts(daemon)["shared-home"] == "/home"
        places = {mount["mountPath"] for mount in pod(daemon)["containers"][0]["volumeMounts"]}
        assert {"/etc/nslcd.conf", "/etc/ldap/ldap.conf", "/etc/nsswitch.conf"} <= places


def test_workers_are_as_large_as_their_machines_and_stay_on_their_pool() -> None:
    cpu, gpu = slurm()["workerGroupSpecs"]
    limits = {"cpu": "64", "memory": "524288Mi", "nvidia.com/gpu": "8"}
    assert pod(gpu)["containers"][0]["resources"] == {"requests": limits, "limits": limits}
    assert pod(gpu)["nodeSelector"]["pool"] == "gpu"
    assert pod(gpu)["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]
    assert (cpu["groupName"], cpu["replicas"]) == ("cpu", 2)
    assert (gpu["groupName"], gpu["replicas"]) == ("gpu", 1)


def test_colocated_workers_request_little_and_are_alone_on_their_nodes() -> None:
    cpu, gpu = slurm({"copilot": {}, "workers": {"gpu": {"requests": {"cpu": 1, "memory": "2Gi"}}}})["workerGroupSpecs"]
    assert pod(cpu)["containers"][0]["resources"] == {
        "requests": {"cpu": "100m", "memory": "256Mi"},
        "limits": {"cpu": "16", "memory": "65536Mi"},
    }
    assert pod(gpu)["containers"][0]["resources"]["requests"] == {"cpu": "1", "memory": "2Gi", "nvidia.com/gpu": "8"}
    for group in (cpu, gpu):
        assert pod(group)["priorityClassName"] == "slurm-workers.jobs.hpc", "the kubelet would end it first"
        (term,) = pod(group)["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        assert term == {
            "labelSelector": {"matchLabels": {"kai.alibabacloud.com/slurm-node-type": "worker"}},
            "namespaceSelector": {},
            "topologyKey": "kubernetes.io/hostname",
        }


def test_slurmdbd_gets_munge_even_if_the_operator_reads_its_folder_as_a_file() -> None:
    (container,) = pod(slurm()["slurmdbd"])["containers"]
    *_, command = container["lifecycle"]["postStart"]["exec"]["command"]
    assert "bash /var/slurm/slurmdbd-started.sh /var/slurm /var/munge " in command
    assert command.endswith("&"), "a hook that ends late or in an error would end the pod"
    assert {"/var/slurm", "/var/munge"} <= {mount["mountPath"] for mount in container["volumeMounts"]}


def test_nothing_starts_slurmrestd_as_root() -> None:
    """It exits as root, and its clients have tokens, so it needs no munge either."""
    (container,) = pod(slurm()["slurmrestd"])["containers"]
    assert "lifecycle" not in container


def priorities(options: dict[str, Any] | None = None, **changes: Any) -> list[Manifest]:
    return [item for (kind, _), item in objects(options, **changes).items() if kind == "PriorityClass"]


def test_only_workers_that_request_less_than_they_use_have_a_priority() -> None:
    (priority,) = priorities({"copilot": {}})
    assert priority["metadata"]["name"] == "slurm-workers.jobs.hpc"
    assert (priority["value"], priority["preemptionPolicy"]) == (1_000_000_000, "Never")
    assert "namespace" not in priority["metadata"]
    assert priorities() == []
    assert all("priorityClassName" not in pod(group) for group in slurm()["workerGroupSpecs"])


def test_none_is_made_where_workers_have_another_one() -> None:
    sets = [{"name": "cpu", "pool": "cpu", "pod": {"priorityClassName": "own"}}]
    fields: dict[str, Any] = {"partitions": [], "accounting": None}
    (group,) = slurm({"copilot": {}}, nodeSets=sets, **fields)["workerGroupSpecs"]
    assert pod(group)["priorityClassName"] == "own"
    assert priorities({"copilot": {}}, nodeSets=sets, **fields) == []
    both = [*sets, {"name": "gpu", "pool": "gpu"}]
    assert len(priorities({"copilot": {}}, nodeSets=both, **fields)) == 1
    assert priorities({"copilot": {}}, nodeSets=both, priorityClassName="all", **fields) == []


@settings(max_examples=20)
@given(st.data())
def test_no_two_clusters_have_one_priority(data: st.DataObject) -> None:
    """A PriorityClass is in no namespace; the letters are few, so that names run into each other."""
    names = st.text("a-", max_size=4).map("a{}a".format)
    made: dict[str, tuple[str, str]] = {}
    for _ in range(8):
        namespace, name = data.draw(names), data.draw(names)
        (priority,) = priorities({"copilot": {}}, namespace=namespace, name=name)
        assert made.setdefault(priority["metadata"]["name"], (namespace, name)) == (namespace, name)
    (priority,) = priorities({"copilot": {}}, namespace="system-a", name="b")
    assert not priority["metadata"]["name"].startswith("system-"), "the API server refuses others' names like this"


def test_a_worker_s_own_affinity_stays() -> None:
    field = "requiredDuringSchedulingIgnoredDuringExecution"
    others = {"labelSelector": {"matchLabels": {"app": "noisy"}}, "topologyKey": "kubernetes.io/hostname"}
    affinity = {"nodeAffinity": {}, "podAntiAffinity": {field: [others]}}
    sets = [{"name": "cpu", "pool": "cpu", "pod": {"affinity": affinity}}]
    (group,) = slurm({"copilot": {}}, nodeSets=sets, partitions=[], accounting=None)["workerGroupSpecs"]
    assert pod(group)["affinity"]["nodeAffinity"] == {}
    first, second = pod(group)["affinity"]["podAntiAffinity"][field]
    assert first == others
    assert second["labelSelector"]["matchLabels"] == {"kai.alibabacloud.com/slurm-node-type": "worker"}


def test_ack_leaves_workers_on_their_nodes() -> None:
    for group in slurm()["workerGroupSpecs"]:
        metadata = group["template"]["metadata"]
        for field in ("labels", "annotations"):
            assert metadata[field]["goatscaler.io/safe-to-evict"] == "false"


def test_slurmdbd_has_the_configured_resources() -> None:
    resources = {"cpu": "2", "memory": "4Gi"}
    accounting = {**CLUSTER["accounting"], "resources": resources}
    (container,) = pod(slurm(accounting=accounting)["slurmdbd"])["containers"]
    assert container["resources"] == {"requests": resources, "limits": resources}


def test_daemons_request_something_so_that_they_are_not_the_first_to_end() -> None:
    spec = slurm()
    resources = {
        name: pod(spec[name])["containers"][0]["resources"] for name in ("slurmctld", "slurmdbd", "slurmrestd")
    }
    assert resources == {
        "slurmctld": {"requests": {"cpu": "500m", "memory": "1Gi"}},
        "slurmdbd": {"requests": {"cpu": "100m", "memory": "512Mi"}},
        "slurmrestd": {"requests": {"cpu": "100m", "memory": "256Mi"}},
    }


def test_resources_of_a_daemon_are_fields_of_the_daemon() -> None:
    with pytest.raises(SpecError, match=r"Write it in the daemon's own section: .* cluster\.accounting"):
        load_model(AckSlurmSpec, {"image": "x", "slurmdbd": {"resources": {"cpu": 1}}}, "The options")


def test_every_field_of_the_chart_s_table_reaches_the_pods() -> None:
    sets = [
        {
            "name": "gpu",
            "pool": "gpu",
            "image": "registry.example/own:1",
            "pod": {
                "nodeSelector": {"disk": "ssd"},
                "tolerations": [{"key": "spot", "operator": "Exists"}],
                "affinity": {"nodeAffinity": {}},
                "imagePullSecrets": ["pull"],
                "hostNetwork": True,
            },
        }
    ]
    group = slurm(EVERYTHING, nodeSets=sets, partitions=[])["workerGroupSpecs"][0]
    pod_spec, container = pod(group), pod(group)["containers"][0]
    assert container["image"] == "registry.example/own:1"
    assert pod_spec["nodeSelector"]["disk"] == "ssd"
    assert {"key": "spot", "operator": "Exists"} in pod_spec["tolerations"]
    assert pod_spec["affinity"]["nodeAffinity"] == {}
    assert pod_spec["imagePullSecrets"] == [{"name": "pull"}]
    assert pod_spec["hostNetwork"] is True
    assert pod_spec["setHostnameAsFQDN"] is True
    assert pod_spec["securityContext"] == {"runAsUser": 0}
    assert container["securityContext"] == {"privileged": True}
    assert {"name": "scratch", "emptyDir": {}} in pod_spec["volumes"]
    assert mounts(group)["scratch"] == "/scratch"
    # Neither host name is the node's.
    assert 'exec slurmd -D -b -N "$NODE_NAME"\n' in group["initBash"]


def test_controllers_may_only_scale_their_cluster() -> None:
    manifests = objects()
    assert ("ServiceAccount", "jobs/hpc") in manifests
    (rule,) = manifests["Role", "jobs/hpc"]["rules"]
    assert rule == {
        "apiGroups": ["kai.alibabacloud.com"],
        "resources": ["slurmclusters"],
        "resourceNames": ["hpc"],
        "verbs": ["get", "watch", "list", "update", "patch"],
    }
    assert manifests["RoleBinding", "jobs/hpc"]["subjects"] == [
        {"kind": "ServiceAccount", "name": "hpc", "namespace": "jobs"}
    ]
    assert pod(manifests["SlurmCluster", "jobs/hpc"]["spec"]["slurmctld"])["serviceAccountName"] == "hpc"
    assert ("Role", "ack-slurm-operator/hpc") not in manifests


def test_with_the_copilot_they_may_write_its_token_in_the_operator_s_namespace() -> None:
    manifests = objects({"copilot": {}})
    (rule,) = manifests["Role", "ack-slurm-operator/hpc"]["rules"]
    assert (rule["resources"], rule["resourceNames"]) == (["secrets"], ["ack-slurm-jwt-token"])
    binding = manifests["RoleBinding", "ack-slurm-operator/hpc"]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": "hpc", "namespace": "jobs"}]


def test_a_token_that_is_written_by_hand_is_not_replaced() -> None:
    """slurmctld would write its own at each start if it might."""
    assert ("Role", "ack-slurm-operator/hpc") not in objects({"copilot": {"token": True}})


def test_with_the_chart_its_objects_are_not_created_twice() -> None:
    """Helm refuses to adopt objects that exist: "invalid ownership metadata"."""
    manifests = objects(
        {"copilot": {}, "clusterChart": {}, "ldap": {"startNslcd": False}},
        nodeSets=[{"name": "cpu", "pool": "cpu"}],
        partitions=[{"name": "all", "nodeSets": ["ALL"]}],
        accounting=None,
    )
    assert not {object_kind for object_kind, _ in manifests} & {"ServiceAccount", "Role", "RoleBinding"}


def test_pulumi_waits_for_the_cluster_s_status() -> None:
    metadata = objects()["SlurmCluster", "jobs/hpc"]["metadata"]
    assert metadata["annotations"] == {"pulumi.com/waitFor": "jsonpath={.status.state}=ready"}
    assert "annotations" not in objects({"wait": False})["SlurmCluster", "jobs/hpc"]["metadata"]


def test_the_munge_key_may_be_mounted_as_a_file() -> None:
    spec = slurm({"mungePath": "/var/munge/munge.key"})
    for daemon in (spec["slurmctld"], spec["slurmdbd"], spec["slurmrestd"], *spec["workerGroupSpecs"]):
        (mount,) = [mount for mount in pod(daemon)["containers"][0]["volumeMounts"] if mount["name"] == "munge"]
        assert mount == {"name": "munge", "mountPath": "/var/munge/munge.key", "subPath": "munge.key"}
    assert spec["mungeConfPath"] == "/var/munge/munge.key"


def test_people_log_in_to_the_controller_through_a_private_load_balancer() -> None:
    service = objects()["Service", "jobs/hpc-ssh"]
    assert service["spec"]["type"] == "LoadBalancer"
    assert service["spec"]["selector"] == {
        "kai.alibabacloud.com/slurm-cluster": "hpc",
        "kai.alibabacloud.com/slurm-node-type": "head",
    }
    annotation = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type"
    assert service["metadata"]["annotations"][annotation] == "intranet"
    assert [port["port"] for port in service["spec"]["ports"]] == [22]
    assert ("Service", "jobs/hpc-ssh") not in objects(loginSets=None)


def test_several_controllers_share_their_state() -> None:
    state = {"accessMode": "ReadWriteMany", "storageClass": "alicloud-nas"}
    manifests = objects({"controllerHosts": ["hpc-0", "hpc-1"]}, controller={"state": state})
    head = manifests["SlurmCluster", "jobs/hpc"]["spec"]["slurmctld"]
    assert head["replicas"] == 2
    assert mounts(head)["state"] == "/var/spool/slurmctld"
    assert manifests["PersistentVolumeClaim", "jobs/hpc-state"]["spec"]["accessModes"] == ["ReadWriteMany"]
    conf = manifests["ConfigMap", "jobs/hpc-config"]["data"]["slurm.conf"]
    assert "SlurmctldHost=hpc-0\nSlurmctldHost=hpc-1\n" in conf
    assert "StateSaveLocation=/var/spool/slurmctld/hpc\n" in conf


def test_only_fields_that_slurm_changes_are_ignored() -> None:
    spec, pools = cluster()
    assert autoscaled_fields(spec, pools, ack()) == [
        "spec.workerGroupSpecs[1].replicas",
        "spec.workerGroupSpecs[1].podsToBeCreated",
        "spec.workerGroupSpecs[1].podsToBeDeleted",
    ]


def test_one_job_creates_accounts_and_other_commands_replace_it() -> None:
    def job(**changes: Any) -> Any:
        return objects(**changes)["Job", "jobs/hpc-accounts-job"]["spec"]

    other = {"qos": [{"name": "low"}, {"name": "high"}]}
    assert job() == job() != job(accounting=other)


def test_that_job_waits_for_slurmdbd_once_munge_runs() -> None:
    files = objects()["ConfigMap", "jobs/hpc-accounts-job"]["data"]
    steps = [line for line in files["start.sh"].splitlines() if line.startswith(("service ", "sh ", "for "))]
    assert steps == ["service munge start", "sh /etc/slurm/wait-for-slurmdbd.sh", "for script in qos accounts; do"]
    assert files["wait-for-slurmdbd.sh"] == WAIT_SCRIPT


def test_nothing_secret_is_in_a_config_map() -> None:
    spec, pools = cluster()
    for item in render(spec, pools, ack(**EVERYTHING), IMAGE):
        if item["kind"] == "ConfigMap":
            assert "Pass=" not in json.dumps(item), item["metadata"]["name"]
            assert "bindpw" not in json.dumps(item), item["metadata"]["name"]


def test_overrides_are_laid_over_the_object() -> None:
    spec, pools = cluster()
    slurm_cluster_object = slurm_cluster(spec, pools, ack(overrides={"slurmctld": {"enablePrometheus": True}}), IMAGE)
    assert slurm_cluster_object["spec"]["slurmctld"]["enablePrometheus"] is True
    assert slurm_cluster_object["spec"]["slurmctld"]["replicas"] == 1


def test_the_chart_s_values_contain_the_same_pods_and_no_secret() -> None:
    spec, pools = cluster(partitions=[{"name": "all", "nodeSets": ["ALL"]}], nodeSets=[{"name": "cpu", "pool": "cpu"}])
    route = ack(clusterChart={"values": {"extra": 1}}, drainBeforeEnd=True, ldap={"startNslcd": False})
    assert list(check_ack_slurm(spec, pools, route)) == []
    values = chart_values(spec, pools, route, IMAGE)
    same = slurm_cluster(spec, pools, route, IMAGE)["spec"]
    assert (values["clusterName"], values["slurmOperatorNamespace"], values["extra"]) == (
        "hpc",
        "ack-slurm-operator",
        1,
    )
    assert values["slurmConfigs"]["slurmConfigPathInPod"] == same["slurmConfPath"]
    assert values["mungeConfigs"]["mungeConfigPathInPod"] == same["mungeConfPath"]
    assert values["workerNodesConfig"]["deleteSelfBeforeSuspend"] is True
    (group,) = values["workerNodesConfig"]["workerGroups"]
    container = pod(same["workerGroupSpecs"][0])["containers"][0]
    assert group["volumeMounts"] == container["volumeMounts"]
    assert group["resources"] == container["resources"]
    assert values["headNodeConfig"]["podSecurityContext"] == {
        "fsGroup": 1109,
        "fsGroupChangePolicy": "OnRootMismatch",
    }


def test_ldap_clients_ask_the_directory_in_the_cluster() -> None:
    spec, _ = cluster()
    files = ldap_files(spec, ack(), "secret")
    assert "uri ldap://hpc-directory.jobs\nbase dc=slurm,dc=local\n" in files["nslcd.conf"]
    assert "bindpw secret\n" in files["nslcd.conf"]
    assert files["ldap.conf"].startswith("BASE dc=slurm,dc=local\nURI ldap://hpc-directory.jobs\n")
    assert "passwd: files ldap\n" in files["nsswitch.conf"]


def test_ldap_clients_ask_a_server_outside_and_check_its_certificate() -> None:
    ldap = {"uri": "ldaps://ldap.example.org", "baseDn": "dc=example,dc=org", "userSearchBase": "ou=people"}
    spec, _ = cluster(identity={"ldap": ldap})
    text = ldap_files(spec, ack(), None)["nslcd.conf"]
    assert "tls_cacertfile /etc/ssl/certs/ca-certificates.crt\n" in text
    assert "base passwd ou=people\n" in text
    assert "bindpw" not in text


def test_the_copilot_finds_a_slurm_outside_kubernetes_by_its_service() -> None:
    outside = OutsideSlurmSpec(
        name="old", namespace="jobs", addresses=["10.1.0.4", "10.1.0.5", "fd00::4"], slurm_nodes="n[1-2]"
    )
    service, four, six = outside_slurmrestd(outside)
    assert service["metadata"]["name"] == "old-slurmrestd"
    assert "selector" not in service["spec"]
    assert [port["port"] for port in service["spec"]["ports"]] == [6820]
    assert [item["addresses"] for item in four["endpoints"]] == [["10.1.0.4"], ["10.1.0.5"]]
    assert (four["addressType"], six["addressType"]) == ("IPv4", "IPv6")
    names = {item["metadata"]["labels"]["kubernetes.io/service-name"] for item in (four, six)}
    assert names == {"old-slurmrestd"}


def test_a_generic_node_belongs_to_the_cluster_of_its_labels() -> None:
    manifest = generic_node("old", "jobs", GenericNodeSpec(name="cn-hongkong.10.1.0.19", alias="n1"))
    assert complaints(manifest) == []
    assert manifest["metadata"]["labels"]["kai.alibabacloud.com/cluster-name"] == "old"
    assert manifest["metadata"]["labels"]["kai.alibabacloud.com/cluster-namespace"] == "jobs"

"""Google's part of the Slurm specification."""

import json
from typing import Any

from hypothesis import assume, given, strategies as st

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.plan.priorities import expand_priorities
from pulumi_slurm.gke.plan.slurm_spec import with_google_services
from pulumi_slurm.gke.rules import check_node_sets, check_priorities, checked_gke
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked
from tests.unit.gke.strategies import clusters, gke_specs

HOME = {"name": "home", "mountPath": "/home", "filestore": {}}
DATA = {"name": "data", "mountPath": "/data", "bucket": {"readOnly": True}}
LOGIN = {
    "loginSets": [{"name": "login"}],
    "identity": {"directory": {"domain": "example.org"}},
}


def gke(**fields: Any) -> GkeSpec:
    pools = fields.pop("pools", [{"name": "gpu", "machineType": "g2-standard-8", "nodes": 2}])
    return checked_gke(
        GkeSpec(
            project="my-project", region="us-central1", zones=["us-central1-b"], name="slurm", pools=pools, **fields
        )
    )


def cluster(**fields: Any) -> SlurmSpec:
    return checked(SlurmSpec(name="slurm", **{"nodeSets": [{"name": "gpu", "pool": "gpu", "replicas": 2}], **fields}))


@given(st.data())
def test_every_cluster_stays_valid_and_adding_again_changes_no_node_set(data: st.DataObject) -> None:
    google = data.draw(gke_specs())
    before = data.draw(clusters(google))
    assume(
        not list(check_priorities(GkePlan.of(google), before)) and not list(check_node_sets(GkePlan.of(google), before))
    )
    expanded = expand_priorities(GkePlan.of(google), before)
    after = with_google_services(GkePlan.of(google), expanded, "slurm")
    assert with_google_services(GkePlan.of(google), after, "slurm") == after
    assert after.partitions == expanded.partitions
    pools = {planned.name: planned for planned in planned_pools(google)}
    for node_set in after.node_sets:
        planned = pools[str(node_set.pool)]
        fast = planned.machine_type.fabric is not GkeFabric.NONE
        assert ("networking.gke.io/interfaces" in node_set.pod.annotations) == fast


CPU = [{"name": "gpu", "machineType": "n2-standard-8", "nodes": 2}]


def test_nothing_is_added_without_google_services() -> None:
    without_policies = cluster(networkPolicies={"enabled": False})
    assert with_google_services(GkePlan.of(gke(pools=CPU)), without_policies, "slurm") == without_policies


def test_workers_with_gpus_find_the_driver() -> None:
    after = with_google_services(GkePlan.of(gke()), cluster(), "slurm")
    env = after.node_sets[0].pod.env
    assert env["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"
    assert env["PATH"].split(":")[0] == "/usr/local/nvidia/bin"
    assert after.slurm_conf.extra == {"TaskProlog": "gke-task-prolog.sh"}
    assert after.config_files["gke-task-prolog.sh"].startswith("#!/bin/sh\n")


def test_the_users_variables_and_task_prolog_take_precedence() -> None:
    workers = [{"name": "gpu", "pool": "gpu", "pod": {"env": {"PATH": "/opt/slurm/bin"}}}]
    configured = cluster(nodeSets=workers, slurmConf={"extra": {"taskprolog": "/opt/site/prolog"}})
    after = with_google_services(GkePlan.of(gke()), configured, "slurm")
    assert after.node_sets[0].pod.env == {"PATH": "/opt/slurm/bin", "LD_LIBRARY_PATH": "/usr/local/nvidia/lib64"}
    assert (after.slurm_conf, after.config_files) == (configured.slurm_conf, {})


def test_storage_becomes_shared_volumes() -> None:
    after = with_google_services(GkePlan.of(gke(storage=[HOME, DATA])), cluster(**LOGIN), "slurm")
    volumes = after.shared_volumes
    assert [(volume.name, volume.mount_path, volume.existing_claim, volume.access_mode) for volume in volumes] == [
        ("home", "/home", "slurm-home", "ReadWriteMany"),
        ("data", "/data", "slurm-data", "ReadOnlyMany"),
    ]
    for pod in (after.node_sets[0].pod, after.login_sets[0].pod):
        # Google's sidecar would have a quarter of a CPU and 256 MiB for all jobs of a node, and the pod 5 GiB of disk.
        limits = {f"gke-gcsfuse/{resource}-limit": "0" for resource in ("cpu", "memory", "ephemeral-storage")}
        assert pod.annotations == {"gke-gcsfuse/volumes": "true", **limits}
        assert pod.service_account_name == "slurm-storage"


def test_pods_keep_their_configured_fields() -> None:
    limits = {"cpu": "4", "memory": "8Gi", "ephemeral-storage": "20Gi"}
    annotations = {"gke-gcsfuse/volumes": "false"} | {f"gke-gcsfuse/{name}-limit": to for name, to in limits.items()}
    pod = {"serviceAccountName": "mine", "annotations": annotations}
    workers = [{"name": "gpu", "pool": "gpu", "pod": pod}]
    after = with_google_services(GkePlan.of(gke(storage=[DATA])), cluster(nodeSets=workers), "slurm")
    assert after.node_sets[0].pod.model_dump(include={"service_account_name", "annotations"}) == {
        "service_account_name": "mine",
        "annotations": annotations,
    }


def test_without_a_bucket_pods_do_not_change() -> None:
    before = cluster(**LOGIN)
    after = with_google_services(GkePlan.of(gke(pools=CPU, storage=[HOME])), before, "slurm")
    assert (after.node_sets, after.login_sets) == (before.node_sets, before.login_sets)


def test_accounting_uses_cloud_sql() -> None:
    fields = {"extraConf": {"PurgeJobAfter": "12months"}}
    after = with_google_services(GkePlan.of(gke(database={})), cluster(accounting=fields), "slurm").accounting
    assert after
    assert after.extra_conf == fields["extraConf"]
    assert after.database.model_dump(include={"kind", "host", "port", "name", "user", "password_secret"}) == {
        "kind": "external",
        "host": "slurm-cloudsql",
        "port": 3306,
        "name": "slurm_acct_db",
        "user": "slurm",
        "password_secret": {"name": "slurm-cloudsql", "key": "password"},
    }


def test_nodes_that_are_added_on_demand_get_time_to_start() -> None:
    scaled = gke(pools=[{"name": "gpu", "machineType": "n2-standard-8", "maxNodes": 2}])
    assert with_google_services(GkePlan.of(scaled), cluster(), "slurm").slurm_conf.extra == {"ResumeTimeout": "1800"}
    with_timeout = cluster(slurmConf={"extra": {"resumeTimeout": 60}}, networkPolicies={"enabled": False})
    assert with_google_services(GkePlan.of(scaled), with_timeout, "slurm") == with_timeout


def test_pods_on_a_fast_network_have_its_interfaces() -> None:
    google = gke(pools=[{"name": "gpu", "machineType": "a3-megagpu-8g", "nodes": 2}])
    after = with_google_services(GkePlan.of(google), cluster(), "slurm").node_sets[0].pod.annotations
    assert after["networking.gke.io/default-interface"] == "eth0"
    interfaces = json.loads(after["networking.gke.io/interfaces"])
    assert [interface["interfaceName"] for interface in interfaces] == [f"eth{number}" for number in range(9)]
    assert interfaces[0]["network"] == "default"
    assert len({interface["network"] for interface in interfaces}) == 9


def test_pods_on_the_network_of_nodes_get_no_interfaces() -> None:
    google = gke(pools=[{"name": "gpu", "machineType": "a3-megagpu-8g", "nodes": 2}])
    workers = [{"name": "gpu", "pool": "gpu", "replicas": 2, "pod": {"hostNetwork": True}}]
    after = with_google_services(GkePlan.of(google), cluster(nodeSets=workers), "slurm").node_sets[0]
    assert (after.pod.annotations, after.sidecars, after.host_paths) == ({}, [], [])

"""The additions of an ACK specification to the Slurm specification."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.ack.model import AckOperator, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.slurm_spec import with_alibaba_services
from pulumi_slurm.ack.rules import checked_ack
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked
from tests.shellcheck import findings
from tests.unit.ack.strategies import ack_specs, clusters

KEPT = "goatscaler.io/safe-to-evict"


def ack(**fields: Any) -> AckSpec:
    pools = fields.pop("pools", [{"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "nodes": 2}])
    return checked_ack(AckSpec(region="cn-hangzhou", zones=["cn-hangzhou-h"], name="slurm", pools=pools, **fields))


def cluster(**fields: Any) -> SlurmSpec:
    return checked(SlurmSpec(name="slurm", **{"nodeSets": [{"name": "gpu", "pool": "gpu", "replicas": 2}], **fields}))


@given(st.data())
def test_every_cluster_stays_valid_and_keeps_its_fields(data: st.DataObject) -> None:
    alibaba = data.draw(ack_specs())
    before = data.draw(clusters(alibaba))
    after = with_alibaba_services(AckPlan.of(alibaba), before, "slurm")
    slinky = alibaba.slurm_operator is AckOperator.SLINKY
    scaled = {pool.name for pool in alibaba.pools if pool.is_scaled and slinky}
    for node_set, node_set_before in zip(after.node_sets, before.node_sets, strict=True):
        kept = {KEPT} if node_set.pool in scaled else set()
        assert node_set.pod.annotations.keys() - node_set_before.pod.annotations.keys() == kept
        pods = {"pod": node_set_before.pod}
        assert node_set.model_copy(update=pods) == node_set_before
    assert before.slurm_conf.extra.items() <= after.slurm_conf.extra.items()
    assert checked(SlurmSpec.model_validate(after.model_dump(by_alias=True))) == after
    assert len(after.shared_volumes) == len(alibaba.storage)


def test_nothing_is_added_where_alibaba_cloud_gives_nothing() -> None:
    assert with_alibaba_services(AckPlan.of(ack()), cluster(), "slurm") == cluster()


def test_workers_keep_their_nodes_in_pools_that_ack_scales() -> None:
    """The autoscaler reads the annotation, and ACK's answer to maintenance of machines the label."""
    scaled = ack(pools=[{"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "maxNodes": 2}])
    (node_set,) = with_alibaba_services(AckPlan.of(scaled), cluster(), "slurm").node_sets
    assert (node_set.pod.annotations, node_set.pod.labels) == ({KEPT: "false"}, {KEPT: "false"})
    stated = cluster(nodeSets=[{"name": "gpu", "pool": "gpu", "pod": {"annotations": {KEPT: "true", "team": "a"}}}])
    (node_set,) = with_alibaba_services(AckPlan.of(scaled), stated, "slurm").node_sets
    assert node_set.pod.annotations == {KEPT: "true", "team": "a"}


ERDMA = [{"name": "gpu", "instanceTypes": ["ecs.g8i.4xlarge"], "nodes": 2, "erdma": True}]
PROLOG = "ack-task-prolog.sh"


@pytest.mark.parametrize(("operator", "path"), [("slinky", PROLOG), ("ack-slurm-operator", f"/etc/slurm/{PROLOG}")])
def test_jobs_on_erdma_get_its_settings(operator: str, path: str) -> None:
    plan = AckPlan.of(ack(pools=ERDMA, slurmOperator=operator))
    after = with_alibaba_services(plan, cluster(), "slurm")
    assert after.slurm_conf.extra == {"TaskProlog": path}
    # What is assigned is printed by the prefix of its name.
    assert findings(after.config_files[PROLOG], exclude="SC2034") == []
    # Of a pool that exists nothing is known but what the node set says.
    of_node_set = cluster(nodeSets=[{"name": "gpu", "machine": {"cpus": 4, "memory": "8Gi", "rdma": True}}])
    assert with_alibaba_services(AckPlan.of(ack(slurmOperator=operator)), of_node_set, "slurm").config_files


def test_a_task_prolog_of_the_users_takes_precedence() -> None:
    own = cluster(slurmConf={"extra": {"taskprolog": "/opt/site/prolog"}})
    assert with_alibaba_services(AckPlan.of(ack(pools=ERDMA)), own, "slurm") == own
    text = cluster(configFiles={PROLOG: "#!/bin/sh\n"}, slurmConf={"extra": {"TaskProlog": PROLOG}})
    assert with_alibaba_services(AckPlan.of(ack(pools=ERDMA)), text, "slurm") == text


def test_storage_becomes_shared_volumes() -> None:
    storage = [{"name": "home", "mountPath": "/home"}, {"name": "data", "mountPath": "/data"}]
    after = with_alibaba_services(AckPlan.of(ack(storage=storage)), cluster(), "slurm")
    assert [
        (volume.name, volume.mount_path, volume.existing_claim, volume.access_mode) for volume in after.shared_volumes
    ] == [
        ("home", "/home", "slurm-home", "ReadWriteMany"),
        ("data", "/data", "slurm-data", "ReadWriteMany"),
    ]


def test_accounting_uses_rds() -> None:
    accounting_fields = {"extraConf": {"PurgeJobAfter": "12months"}}
    after = with_alibaba_services(
        AckPlan.of(ack(database={})), cluster(accounting=accounting_fields), "slurm"
    ).accounting
    assert after
    assert after.extra_conf == accounting_fields["extraConf"]
    assert after.database.model_dump(include={"kind", "host", "port", "name", "user", "password_secret"}) == {
        "kind": "external",
        "host": "slurm-rds",
        "port": 3306,
        "name": "slurm_acct_db",
        "user": "slurm",
        "password_secret": {"name": "slurm-rds", "key": "password"},
    }


def test_nodes_that_are_created_on_demand_get_time_to_start() -> None:
    pools = [{"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "maxNodes": 2}]
    assert with_alibaba_services(AckPlan.of(ack(pools=pools)), cluster(), "slurm").slurm_conf.extra == {
        "ResumeTimeout": "1800"
    }
    slurm = cluster(slurmConf={"extra": {"resumeTimeout": 900}})
    assert with_alibaba_services(AckPlan.of(ack(pools=pools)), slurm, "slurm").slurm_conf == slurm.slurm_conf


def test_ack_slurm_operator_has_its_own_resume_timeout() -> None:
    pools = [{"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "maxNodes": 2}]
    slurm = with_alibaba_services(AckPlan.of(ack(pools=pools, slurm_operator="ack-slurm-operator")), cluster(), "slurm")
    assert slurm.slurm_conf == cluster().slurm_conf


def test_daemons_stay_off_nodes_that_workers_share() -> None:
    """A dedicated pool is tainted; on others Kubernetes would put slurmctld beside jobs, or on a machine with GPUs."""
    shared = [{"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "nodes": 2, "dedicated": False}]
    stated = cluster(
        accounting={},
        identity={"directory": {}},
        loginSets=[{"name": "login"}],
        controller={"pod": {"nodeSelector": {"disk": "fast"}}},
    )
    system = {"slurm.pulumi.com/pool": "system"}
    slurm = with_alibaba_services(AckPlan.of(ack(pools=shared)), stated, "slurm")
    assert slurm.controller.pod.node_selector == {"disk": "fast"}, "users know better"
    assert slurm.rest_api.pod.node_selector == system
    assert not slurm.login_sets[0].pod.node_selector, "people may want more than the system pool has"
    assert slurm.accounting
    assert slurm.accounting.pod.node_selector == slurm.accounting.database.pod.node_selector == system
    assert slurm.identity
    assert slurm.identity.directory
    assert slurm.identity.directory.pod.node_selector == system
    assert slurm.node_sets == stated.node_sets
    own = ack(pools=shared, slurm_operator="ack-slurm-operator")
    stated = stated.model_copy(update={"controller": cluster().controller})
    slurm = with_alibaba_services(AckPlan.of(own), stated, "slurm")
    assert slurm.controller.pod.node_selector == system
    assert slurm.login_sets[0].pod.node_selector == {}, "people log in to the controller"

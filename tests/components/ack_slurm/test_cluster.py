"""AckSlurmCluster: its resources, their order and their options."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pytest

from pulumi_slurm.ack_slurm.cluster import AckSlurmCluster, AckSlurmClusterArgs
from pulumi_slurm.ack_slurm.manifests.objects import render
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.errors import SpecError
from pulumi_slurm.keys import Purpose, derive
from tests.components.ack.requests import requests_of
from tests.components.conftest import Build, Registered
from tests.components.order import all_before
from tests.stack_configuration import ROOT_KEY
from tests.unit.ack_slurm.examples import EVERYTHING, ack, cluster
from tests.unit.manifests.cloud_controllers import public_on

IMAGE = "registry-cn-beijing-vpc.ack.aliyuncs.com/acs/slurm:23.06-1.6-aliyun-49259f59"
EXTERNAL = {
    "database": {"kind": "external", "host": "hpc-rds", "passwordSecret": {"name": "hpc-rds", "key": "password"}},
    "qos": [{"name": "low"}],
}


def make(options: dict[str, Any] | None = None, secrets: Mapping[str, Any] | None = None, **changes: Any) -> Any:
    spec, pools = cluster(**changes)
    args = AckSlurmClusterArgs(
        spec=spec, pools=pools, ack=ack(**(options or {})), region="cn-beijing", **(secrets or {})
    )
    return AckSlurmCluster("hpc", args)


def resources_of(build: Build, *given: Any, **changes: Any) -> dict[str, Registered]:
    registered = build(lambda: make(*given, **changes))
    assert len({item.name for item in registered if not item.typ.startswith("slurm:")}) == len(
        [item for item in registered if not item.typ.startswith("slurm:")]
    )
    return {item.name: item for item in registered if not item.typ.startswith("slurm:")}


def data(secret: Registered) -> dict[str, str]:
    """Return the data of a Secret; fail if its values aren't secret to Pulumi."""
    value = secret.inputs["stringData"]
    assert pulumi.runtime.rpc.is_rpc_secret(value)
    values: dict[str, str] = pulumi.runtime.rpc.unwrap_rpc_secret(value)
    return values


def test_objects_are_those_that_render_yields(build: Build) -> None:
    options = {**EVERYTHING, "jobCompletion": {"host": "mysql.example.org"}}
    resources = resources_of(build, options, {"job_completion_password": "pw"})
    spec, pools = cluster()
    route = ack(**options)
    rendered = {
        (item["kind"], item["metadata"].get("namespace"), item["metadata"]["name"]): item
        for item in render(spec, pools, route, route.image_in("cn-beijing"))
    }
    objects = {
        (str(item.inputs.get("kind")), item.inputs["metadata"].get("namespace"), item.kubernetes_name): item.inputs
        for item in resources.values()
        if item.typ.startswith("kubernetes:") and "Secret" not in item.typ and "Namespace" not in item.typ
    }
    assert objects.keys() == rendered.keys()
    for key, item in rendered.items():
        assert objects[key].get("spec") == item.get("spec"), key
        assert objects[key].get("data") == item.get("data"), key
        assert objects[key].get("rules") == item.get("rules"), key


def test_every_child_belongs_to_the_component(build: Build) -> None:
    registered = build(make)
    assert all(item.name.startswith("hpc") for item in registered)
    assert [item.name for item in registered if not item.parent and item.name != "hpc"] == []
    urns = {item.parent for item in registered if not item.typ.startswith("slurm:")}
    assert all("slurm:index:" in urn for urn in urns)


def test_keys_are_derived(build: Build) -> None:
    resources = resources_of(build)
    assert resources["hpc-munge-key"].kubernetes_name == "hpc-auth-munge"
    assert data(resources["hpc-munge-key"]) == {"munge.key": derive(ROOT_KEY, "hpc", Purpose.MUNGE)}
    assert 32 <= len(derive(ROOT_KEY, "hpc", Purpose.MUNGE)) <= 1024
    assert data(resources["hpc-jwt-key"]) == {"jwt.key": derive(ROOT_KEY, "hpc", Purpose.JWT)}


def test_a_munge_key_that_exists_is_taken_or_refused(build: Build) -> None:
    assert data(resources_of(build, {}, {"munge_key": "k" * 32})["hpc-munge-key"]) == {"munge.key": "k" * 32}
    with pytest.raises(pulumi.RunError, match="31 bytes"):
        build(lambda: make({}, {"munge_key": "k" * 31}))


def test_the_database_s_password_is_derived_and_only_in_its_secret(build: Build) -> None:
    resources = resources_of(build)
    password = derive(ROOT_KEY, "hpc", Purpose.DATABASE)
    assert f"StoragePass={password}\n" in data(resources["hpc-slurmdbd-conf"])["slurmdbd.conf"]
    for item in resources.values():
        if "Secret" not in item.typ:
            assert password not in str(item.inputs), item.name


def test_the_password_of_an_external_database_is_required(build: Build) -> None:
    resources = resources_of(build, {}, {"database_password": pulumi.Output.from_input("of-rds")}, accounting=EXTERNAL)
    text = data(resources["hpc-slurmdbd-conf"])["slurmdbd.conf"]
    assert "StorageHost=hpc-rds\n" in text
    assert "StoragePass=of-rds\n" in text
    with pytest.raises(pulumi.RunError, match="pulumi config set --secret slurm:databasePassword"):
        build(lambda: make(accounting=EXTERNAL))
    with pytest.raises(pulumi.RunError, match="comment") as error:
        build(lambda: make({}, {"database_password": "s3cret#"}, accounting=EXTERNAL))
    assert "s3cret" not in str(error.value)


def test_with_job_completion_controllers_have_another_file(build: Build) -> None:
    options = {"jobCompletion": {"host": "mysql.example.org"}}
    resources = resources_of(build, options, {"job_completion_password": "pw"})
    assert "JobCompPass=pw\n" in data(resources["hpc-slurm-conf"])["slurm.conf"]
    assert "JobCompPass" not in resources["hpc-config"].inputs["data"]["slurm.conf"]
    with pytest.raises(pulumi.RunError, match="slurm:jobCompletionPassword"):
        build(lambda: make(options))


def test_the_ldap_client_s_files_contain_the_directory_s_password(build: Build) -> None:
    files = data(resources_of(build)["hpc-ldap-client"])
    assert f"bindpw {derive(ROOT_KEY, 'hpc', Purpose.DIRECTORY)}\n" in files["nslcd.conf"]
    assert files.keys() == {"nslcd.conf", "ldap.conf", "nsswitch.conf"}


def test_scaled_fields_are_ignored_and_changed_pods_replace_the_cluster() -> None:
    request = requests_of(lambda: make({}, {"root_key": ROOT_KEY}))["SlurmCluster hpc-slurmcluster"]
    assert list(request.ignoreChanges) == [
        "spec.workerGroupSpecs[1].replicas",
        "spec.workerGroupSpecs[1].podsToBeCreated",
        "spec.workerGroupSpecs[1].podsToBeDeleted",
    ]
    assert "spec.slurmctld.template" in request.replaceOnChanges
    assert "spec.workerGroupSpecs[*].template" in request.replaceOnChanges
    assert not [path for path in request.replaceOnChanges if path.endswith("replicas")]
    assert request.deleteBeforeReplace


def test_a_cluster_that_slurm_does_not_scale_ignores_nothing() -> None:
    sets = [{"name": "cpu", "pool": "cpu", "replicas": 2}]
    requests = requests_of(lambda: make({}, {"root_key": ROOT_KEY}, nodeSets=sets, partitions=[]))
    request = requests["SlurmCluster hpc-slurmcluster"]
    assert list(request.ignoreChanges) == []


def test_another_partition_changes_a_config_map_and_no_pod(build: Build) -> None:
    before, after = resources_of(build), resources_of(build, partitions=[{"name": "other", "nodeSets": ["ALL"]}])
    assert before["hpc-config"].inputs["data"] != after["hpc-config"].inputs["data"]
    assert before["hpc-slurmcluster"].inputs["spec"] == after["hpc-slurmcluster"].inputs["spec"]


def test_a_rotated_key_changes_the_pods(build: Build) -> None:
    before, after = resources_of(build), resources_of(build, keys={"slurm": {"generation": 2}})
    assert data(before["hpc-munge-key"]) != data(after["hpc-munge-key"])
    assert before["hpc-munge-key"].kubernetes_name == after["hpc-munge-key"].kubernetes_name
    for resources in (before, after):
        assert resources["hpc-slurmcluster"].inputs["spec"]["slurmctld"]["template"]["metadata"]["annotations"]
    assert before["hpc-slurmcluster"].inputs["spec"] != after["hpc-slurmcluster"].inputs["spec"]


def test_the_cluster_comes_after_everything_that_it_mounts(build: Build) -> None:
    resources = resources_of(build, {"copilot": {}})
    after = " ".join(resources["hpc-slurmcluster"].depends_on)
    for name in ("munge-key", "jwt-key", "config", "slurmdbd-conf", "ldap-client", "state-persistentvolumeclaim"):
        assert f"::hpc-{name}" in after, name
    assert "::hpc-copilot-access-role" in after
    assert "Database$" in after
    assert "::hpc-slurmcluster" in " ".join(all_before("hpc-accounts-job", resources.values()))
    assert "::hpc-accounts-job" in " ".join(all_before("hpc-accounts-undo", resources.values()))
    assert "::hpc-slurmcluster" in " ".join(resources["hpc-ssh-service"].depends_on)


def test_the_image_comes_from_the_region(build: Build) -> None:
    resources = resources_of(build, {"image": None}, identity=None, loginSets=None)
    template = resources["hpc-slurmcluster"].inputs["spec"]["slurmctld"]["template"]
    assert template["spec"]["containers"][0]["image"] == IMAGE


def test_outputs(build: Build) -> None:
    outputs: dict[str, Any] = {}

    def program() -> None:
        component = make()
        for name in ("namespace", "rest_url", "ssh_commands", "partitions", "key_secrets"):
            getattr(component, name).apply(lambda value, name=name: outputs.update({name: value}))

    build(program, {"hpc-ssh-service": {"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.9"}]}}}})
    assert outputs == {
        "namespace": "jobs",
        "rest_url": "http://hpc-slurmrestd.jobs:6820",
        "ssh_commands": {"controller": "ssh -p 22 root@10.0.0.9"},
        "partitions": ["all", "day", "gpu"],
        "key_secrets": {"munge": "hpc-auth-munge", "jwt": "hpc-auth-jwt"},
    }


def test_helm_owns_the_cluster_where_that_is_wanted(build: Build) -> None:
    changes: dict[str, Any] = {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": []}
    resources = resources_of(build, {"clusterChart": {}, "ldap": {"startNslcd": False}}, **changes)
    assert "hpc-slurmcluster" not in resources
    release = resources["hpc-chart"]
    assert (release.inputs["chart"], release.inputs["version"]) == ("ack-slurm-cluster", "2.0.0")
    assert release.inputs["values"]["clusterName"] == "hpc"
    assert derive(ROOT_KEY, "hpc", Purpose.MUNGE) not in str(release.inputs)
    assert "hpc-config" in resources
    # These would be the chart's, and Helm adopts no objects of others.
    assert not [item for item in resources.values() if item.inputs.get("kind") in ("ServiceAccount", "RoleBinding")]


@pytest.mark.parametrize(
    "service", [{}, {"type": "LoadBalancer"}, {"type": "LoadBalancer", "externalTrafficPolicy": "Local"}]
)
def test_people_log_in_through_a_load_balancer_within_the_vpc(build: Build, service: dict[str, Any]) -> None:
    """The cluster exists already, so only the Service can say so."""
    login_sets = [{"name": "login", "service": service}]
    made = resources_of(build, loginSets=login_sets)["hpc-ssh-service"].inputs
    assert made["spec"]["type"] == "LoadBalancer"
    assert public_on(made) == set()


def test_errors_are_reported_before_anything_is_registered() -> None:
    spec, pools = cluster()
    route = ack(copilot={}, slurmrestd=False)
    with pytest.raises(SpecError) as spec_error:
        AckSlurmClusterArgs(spec=spec, pools=pools, ack=route)
    assert [str(error) for error in spec_error.value.errors] == [
        str(error) for error in check_ack_slurm(spec, pools, route)
    ]

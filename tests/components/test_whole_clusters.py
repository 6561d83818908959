"""GkeSlurm and AckSlurm: a program with the arguments of a stack's file makes what the stack makes."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pulumi
import pytest
from pydantic.alias_generators import to_camel, to_snake

from pulumi_slurm import ack, gke
from pulumi_slurm.cloud_slurm.component import CloudSlurm
from pulumi_slurm.errors import SpecError
from pulumi_slurm_stacks import build as build_stack
from pulumi_slurm_stacks.cloud_config import CloudConfig
from tests.components.ack.test_stack import Cloud
from tests.components.conftest import Registered, recorded, registered
from tests.components.loosely import loosely
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, read

COMPONENTS: Mapping[str, type[CloudSlurm[Any]]] = {
    "gke": gke.GkeSlurm,
    "gke-a3": gke.GkeSlurm,
    "ack": ack.AckSlurm,
    "ack-slurm-operator": ack.AckSlurm,
    "ack-colocated": ack.AckSlurm,
}
MINIMAL: Mapping[str, Mapping[str, Any]] = {
    "gke": {
        "gke": {
            "project": "my-project",
            "region": "us-central1",
            "zones": ["us-central1-a"],
            "pools": [{"name": "cpu", "machine_type": "c3-standard-22", "max_nodes": 4}],
        },
        "cluster": {"name": "hpc", "node_sets": [{"name": "cpu", "pool": "cpu", "replicas": 2}]},
    },
    "ack": {
        "ack": {
            "region": "cn-hangzhou",
            "zones": ["cn-hangzhou-h"],
            "pools": [{"name": "cpu", "instance_types": ["ecs.g8i.4xlarge"], "max_nodes": 4}],
        },
        "cluster": {"name": "hpc", "node_sets": [{"name": "cpu", "pool": "cpu", "replicas": 2}]},
    },
}
"""The least that makes a cluster, in Python's spelling."""
BOTH = pytest.mark.parametrize("cloud", MINIMAL)
COMPUTED = {"train-scratch-lustre": {"mountPoint": "10.2.0.2@tcp:/lustrefs"}}


class Clouds(Cloud):
    """Sets the outputs that either cloud computes."""

    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        resource_id, outputs = super().new_resource(args)
        return resource_id, {**outputs, **COMPUTED.get(args.name, {})}


@pytest.fixture(autouse=True)
def no_secrets_of_the_stack() -> Iterator[None]:
    """Let no test find what another one has set."""
    pulumi.runtime.set_all_config({})
    yield
    pulumi.runtime.set_all_config({})


def made_by(program: Callable[[], Any]) -> list[Registered]:
    """Run a program under mocks, without a root key in the stack, and return what it registered."""
    account = {"alicloud:index/getAccount:getAccount": {"id": "1234567890123456"}}
    return registered(recorded(program, Clouds({**account})))


def whole(stack: str, name: str, fields: Mapping[str, Any]) -> CloudSlurm[Any]:
    return loosely(COMPONENTS[stack])(name, fields)


def arguments(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is below `slurm:` in a stack's settings, less what is about the stack."""
    ours = {key.removeprefix("slurm:"): value for key, value in settings.items() if key.startswith("slurm:")}
    return {key: value for key, value in ours.items() if key != "kind"}


def less_the_providers(resources: list[Registered]) -> dict[str, tuple[str, Mapping[str, Any], set[str]]]:
    """Return each resource by its URN, with its inputs and what it comes after."""
    return {
        one.urn: (one.parent, one.inputs, {urn for urn in one.depends_on if ":providers:" not in urn})
        for one in resources
        if ":providers:" not in one.typ
    }


@pytest.mark.parametrize("stack", COMPONENTS)
@pytest.mark.parametrize("as_arguments", [True, False])
def test_a_program_makes_what_the_stack_makes(stack: str, as_arguments: bool) -> None:
    settings = {"slurm:rootKey": ROOT_KEY, **shipped(stack)}
    if stack == "ack-colocated":
        settings["slurm:ack"]["slurm"] |= {"copilot": {"token": True}, "jobCompletion": {}}
        settings |= {"slurm:copilotToken": "head.body.sign", "slurm:jobCompletionPassword": "job-Completion-1"}
    config, secrets = read(settings)
    of_stack = made_by(lambda: build_stack(config, secrets))
    passed = {key: value for key, value in secrets if value is not None}
    assert isinstance(config, CloudConfig)
    name = config.name
    fields = {key: value for key, value in arguments(settings).items() if to_snake(key) not in passed}
    if as_arguments:
        fields |= passed
    else:
        pulumi.runtime.set_all_config({f"slurm:{to_camel(key)}": value for key, value in passed.items()})
    of_program = made_by(lambda: whole(stack, name, fields))
    assert less_the_providers(of_program) == less_the_providers(of_stack)


@BOTH
def test_a_minimal_cluster_has_all_outputs(cloud: str) -> None:
    told: dict[str, Any] = {}

    def program() -> None:
        made = whole(cloud, "hpc", {**MINIMAL[cloud], "root_key": ROOT_KEY})
        pulumi.Output.all(**made.outputs()).apply(told.update)

    made_by(program)
    assert told["kubernetesCluster"] == "hpc"
    assert told["namespace"] == "slurm"
    assert told["restUrl"].startswith("http://")
    assert told.keys() == {to_camel(name) for name in COMPONENTS[cloud].output_types()}
    if cloud == "gke":
        assert told["getCredentials"] == (
            "gcloud container clusters get-credentials hpc --region us-central1 --project my-project --dns-endpoint"
        )
        assert (told["registryUrl"], told["neededGrants"], told["sharedVpcGrants"]) == ("", [], [])


@BOTH
@pytest.mark.parametrize("slurm_names", [("blue", "green"), ("hpc", "hpc")])
def test_two_clusters_of_one_program_have_names_of_their_own(cloud: str, slurm_names: tuple[str, str]) -> None:
    def program() -> None:
        for name, slurm_name in zip(("blue", "green"), slurm_names, strict=True):
            least = MINIMAL[cloud]
            parts = {cloud: {**least[cloud], "name": name}, "cluster": {**least["cluster"], "name": slurm_name}}
            whole(cloud, name, {**parts, "root_key": ROOT_KEY})

    urns = [one.urn for one in made_by(program)]
    assert len(urns) == len({*urns})


@BOTH
def test_all_that_is_wrong_is_told_at_once_and_nothing_is_made(cloud: str) -> None:
    least = MINIMAL[cloud]
    wrong = {
        cloud: {**least[cloud], "pools": [*least[cloud]["pools"], {"name": "cpu"}]},
        "cluster": {**least["cluster"], "node_sets": [{"name": "cpu", "pool": "gpu", "replicas": -1}]},
        "operatr": {},
    }
    made: list[Registered] = []
    with pytest.raises(SpecError) as raised:
        made += made_by(lambda: whole(cloud, "hpc", wrong))
    paths = {re.split(r"[:=] | = ", str(error))[0] for error in raised.value.errors}
    kinds = {"gke": "gke.pools[1].machine_type", "ack": "ack.pools[1].instance_types"}
    assert {kinds[cloud], "cluster.node_sets[0].replicas", "operatr"} <= paths, paths
    assert not made


@BOTH
def test_rules_between_both_clusters_name_the_arguments(cloud: str) -> None:
    least = MINIMAL[cloud]
    fields = {**least, "cluster": {**least["cluster"], "node_sets": [{"name": "cpu", "pool": "cpu", "replicas": 9}]}}
    with pytest.raises(SpecError) as raised:
        made_by(lambda: whole(cloud, "hpc", {**fields, "root_key": ROOT_KEY}))
    (error,) = raised.value.errors
    assert str(error).startswith("cluster.node_sets[0].replicas = 9: ")


def test_every_secret_that_is_missing_is_told_before_anything_is_made() -> None:
    fields = arguments(shipped("ack-colocated"))
    fields["ack"]["slurm"]["copilot"] = {"token": True}
    fields["cluster"]["identity"] = {
        "ldap": {
            "uri": "ldaps://ldap.example.org",
            "baseDn": "dc=example,dc=org",
            "bindDn": "cn=slurm,dc=example,dc=org",
        }
    }
    made: list[Registered] = []
    with pytest.raises(SpecError) as raised:
        made += made_by(lambda: whole("ack-colocated", "train", fields))
    assert [str(error).split(":")[0] for error in raised.value.errors] == [
        "root_key",
        "ldap_bind_password",
        "copilot_token",
    ]
    assert not made


@BOTH
@pytest.mark.parametrize("as_argument", [True, False])
def test_a_secret_that_cannot_be_used_is_told_before_anything_is_made(cloud: str, *, as_argument: bool) -> None:
    least = MINIMAL[cloud]
    ldap = {"uri": "ldaps://ldap.example.org", "base_dn": "dc=example,dc=org", "bind_dn": "cn=s,dc=example,dc=org"}
    fields = {**least, "cluster": {**least["cluster"], "identity": {"ldap": ldap}}, "root_key": ROOT_KEY}
    if as_argument:
        fields["ldap_bind_password"] = "HUNTER2\n"
    else:
        pulumi.runtime.set_all_config({"slurm:ldapBindPassword": "HUNTER2\n"})
    made: list[Registered] = []
    with pytest.raises(SpecError) as raised:
        made += made_by(lambda: whole(cloud, "hpc", fields))
    (error,) = raised.value.errors
    assert str(error).startswith("ldap_bind_password: this password does not make one line of sssd.conf. Set it anew")
    assert not made


@BOTH
def test_a_warning_is_shown_once(cloud: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_: shown.append(text))
    fields = {**MINIMAL[cloud], "root_key": ROOT_KEY}
    fields["cluster"] = {**fields["cluster"], "partitions": [{"name": "main", "node_sets": ["ALL"], "default": True}]}
    made_by(lambda: whole(cloud, "hpc", fields))
    assert shown
    assert len(shown) == len({*shown})


def test_a_name_that_is_too_long_for_the_cloud_is_refused_at_the_cloud_s_field() -> None:
    least = MINIMAL["gke"]
    fields = {**least, "cluster": {**least["cluster"], "name": "a" * 36}, "root_key": ROOT_KEY}
    with pytest.raises(SpecError) as raised:
        made_by(lambda: whole("gke", "hpc", fields))
    assert [str(error).split(":")[0] for error in raised.value.errors] == ["gke.name"]


@pytest.mark.parametrize(
    ("cloud", "machine", "at"),
    [
        ("gke", {"machine_type": "c9-nosuch"}, "machine_type"),
        ("ack", {"instance_types": ["ecs.x"]}, "instance_types[0]"),
    ],
)
def test_a_pool_of_an_unknown_machine_is_still_there_for_node_sets(
    cloud: str, machine: Mapping[str, Any], at: str
) -> None:
    on_cloud = MINIMAL[cloud][cloud]
    pool = {**on_cloud["pools"][0], **machine}
    fields = {**MINIMAL[cloud], cloud: {**on_cloud, "pools": [pool]}, "root_key": ROOT_KEY}
    with pytest.raises(SpecError) as raised:
        made_by(lambda: whole(cloud, "hpc", fields))
    assert [str(error).split(" = ")[0] for error in raised.value.errors] == [f"{cloud}.pools[0].{at}"]


@BOTH
def test_an_output_in_place_of_the_slurm_cluster_is_refused(cloud: str) -> None:
    fields = {**MINIMAL[cloud], "cluster": pulumi.Output.from_input(MINIMAL[cloud]["cluster"]), "root_key": ROOT_KEY}
    with pytest.raises(SpecError, match="cluster: this is an Output"):
        made_by(lambda: whole(cloud, "hpc", fields))


@pytest.mark.parametrize("args", [[], "hpc", ack.AckSlurmArgs.model_validate(MINIMAL["ack"])], ids=type)
def test_what_are_no_arguments_is_refused_by_its_type(args: Any) -> None:
    with pytest.raises(SpecError, match=rf"args: this is of type {type(args).__name__}\. Pass GkeSlurmArgs"):
        made_by(lambda: loosely(gke.GkeSlurm)("hpc", args))


def test_the_default_provider_of_another_region_is_refused() -> None:
    fields = {**MINIMAL["ack"], "root_key": ROOT_KEY}
    pulumi.runtime.set_all_config({"alicloud:region": "eu-central-1"})
    with pytest.raises(SpecError, match='default provider has the region "eu-central-1"'):
        made_by(lambda: whole("ack", "hpc", fields))
    pulumi.runtime.set_all_config({"alicloud:region": "cn-hangzhou"})
    assert made_by(lambda: whole("ack", "hpc", fields))

"""What the arguments of components refuse, and what their errors and previews never repeat."""

import datetime
import inspect
import subprocess
import sys
from collections.abc import Callable
from typing import Any, get_args

import pulumi
import pytest
from pulumi_kubernetes.core.v1 import ConfigMap

import pulumi_slurm
import pulumi_slurm.ack
import pulumi_slurm.ack.job_completion_database
import pulumi_slurm.ack_slurm
import pulumi_slurm.gke
from pulumi_slurm import (
    ClusterRef,
    Keda,
    NodeSetArgs,
    SlinkyOperatorArgs,
    SlurmCluster,
    SlurmClusterArgs,
    SlurmSpec,
)
from pulumi_slurm.ack import AckDatabaseArgs, AckNodePoolArgs
from pulumi_slurm.ack_slurm import AckSlurmClusterArgs, SlurmCopilotArgs
from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeDatabaseArgs
from pulumi_slurm.kube import Database, DatabaseArgs, SharedVolume, SharedVolumeArgs
from pulumi_slurm.kube.component import Args, after_all
from pulumi_slurm.secrecy import is_secret_name
from tests.components.conftest import Build, Registered
from tests.components.loosely import loosely
from tests.stack_configuration import ROOT_KEY

CLUSTER = {"name": "hpc"}
NODE_SET = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}
HOME = {"name": "home", "mountPath": "/home", "storageClass": "nfs"}
ENCRYPTED = (
    "GkeClusterArgs",
    "GkeNodePoolArgs",
    "GkePoolArgs",
    "GkeRegistryArgs",
    "GkeSharedStorageArgs",
    "GkeSystemPoolArgs",
)
"""Arguments with the name of a key of KMS, which is called as if it were a secret."""
SECRETS = {
    **{name: {"encryption_key"} for name in ENCRYPTED},
    "GkeKeyUsersArgs": {"key"},
    "AckDatabaseArgs": {"root_key"},
    "AckJobCompletionDatabaseArgs": {"password"},
    "AckSlurmClusterArgs": {
        "root_key",
        "database_password",
        "job_completion_password",
        "ldap_bind_password",
        "munge_key",
    },
    "AckSlurmArgs": {
        "root_key",
        "copilot_token",
        "database_password",
        "job_completion_password",
        "ldap_bind_password",
    },
    "CloudSlurmArgs": {"root_key", "ldap_bind_password"},
    "DatabaseArgs": {"root_key"},
    "DirectoryArgs": {"root_key"},
    "GkeDatabaseArgs": {"encryption_key", "root_key"},
    "GkeSlurmArgs": {"root_key", "ldap_bind_password"},
    "SlurmClusterArgs": {"root_key", "ldap_bind_password"},
    "SlurmCopilotArgs": {"tokens"},
}
"""The arguments that take secrets, by model."""


def refusal(model: type[Args], arguments: dict[str, Any]) -> str:
    with pytest.raises(SpecError) as refused:
        model(**arguments)
    return str(refused.value)


def argument_models() -> list[type[Args]]:
    for package in (pulumi_slurm, pulumi_slurm.ack_slurm, pulumi_slurm.ack, pulumi_slurm.gke):
        for name in dir(package):
            getattr(package, name)

    def below(model: type[Args]) -> set[type[Args]]:
        return set(model.__subclasses__()).union(*map(below, model.__subclasses__()))

    models = [model for model in below(Args) if model.__module__.startswith("pulumi_slurm.")]
    for model in models:
        # Else it would have names in place of the types of its fields until it is used.
        model.model_rebuild()
    return models


def _takes_text(annotation: Any) -> bool:
    return annotation is str or any(map(_takes_text, get_args(annotation)))


def test_every_argument_that_takes_a_secret_is_treated_as_one() -> None:
    secret = {
        model.__name__: {
            name
            for name, field in model.model_fields.items()
            if not field.repr and is_secret_name(name) and _takes_text(field.annotation)
        }
        for model in argument_models()
    }
    assert {name: fields for name, fields in secret.items() if fields} == SECRETS


@pytest.mark.parametrize(
    ("model", "arguments"),
    [
        (GkeDatabaseArgs, {"rot_key": "HUNTER2"}),
        (GkeDatabaseArgs, {"root_key": {"value": "HUNTER2"}}),
        (AckSlurmClusterArgs, {"databasePasswrd": "HUNTER2"}),
        (AckSlurmClusterArgs, {"databasePassword": ["HUNTER2"]}),
        (SlurmCopilotArgs, {"tokens": ["HUNTER2"]}),
    ],
)
def test_no_error_repeats_what_may_be_a_secret(model: type[Args], arguments: dict[str, Any]) -> None:
    assert "HUNTER2" not in refusal(model, arguments)


def test_arguments_of_another_component_are_refused_without_their_values(build: Build) -> None:
    arguments: Any = DatabaseArgs(
        cluster=ClusterRef(name="hpc"), root_key="MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    )
    assert "MDEy" not in repr(arguments)
    with pytest.raises(SpecError) as refused:
        build(lambda: SharedVolume("home", arguments))
    assert "MDEy" not in str(refused.value)


def test_an_output_is_refused_where_its_value_is_needed() -> None:
    volume = {**HOME, "name": pulumi.Output.from_input("home")}
    assert refusal(SharedVolumeArgs, {"cluster": CLUSTER, "volume": volume}).splitlines()[1:] == [
        "  - volume.name: this is an Output or an Awaitable, and its value is needed before any resource is "
        "registered. Pass a plain value."
    ]


def test_an_output_for_a_field_that_is_not_there_is_told_so() -> None:
    volume = {**HOME, "nam": pulumi.Output.from_input("home")}
    assert refusal(SharedVolumeArgs, {"cluster": CLUSTER, "volume": volume}).splitlines()[1:] == [
        '  - volume.nam: there is no such field. Did you mean "name"?'
    ]


@pytest.mark.parametrize(
    ("value", "noun"), [(pulumi.Output.from_input("x"), "an Output"), (datetime.date(2026, 1, 1), "a date")]
)
def test_free_form_fields_take_plain_data_alone(value: Any, noun: str) -> None:
    node_set = {**NODE_SET, "overrides": {"slurmd": {"image": value}}}
    assert refusal(NodeSetArgs, {"cluster": CLUSTER, "node_set": node_set}).splitlines()[1:] == [
        f"  - node_set.overrides.slurmd.image: this is {noun}, and only plain data is accepted here. Write text, a "
        "number, true, false, a list or a mapping."
    ]


def test_values_of_the_operators_chart_may_be_outputs() -> None:
    SlinkyOperatorArgs(values={"image": pulumi.Output.from_input("x"), "resources": {"limits": {"cpu": 1}}})


def test_items_of_inputs_have_one_error_at_their_own_path() -> None:
    assert (
        '  - node_vswitches["cn-hangzhou-i"] = 3: this is not text. Write text; put it in quotes when it looks like a '
        "number."
    ) in refusal(AckNodePoolArgs, {"node_vswitches": {"cn-hangzhou-i": 3}}).splitlines()
    assert (
        "  - security_ips[0] = 3: this is not text. Write text; put it in quotes when it looks like a number."
    ) in refusal(AckDatabaseArgs, {"security_ips": [3]}).splitlines()
    assert '  - security_ips = "10.0.0.0/8": this is not a list. Write a list.' in refusal(
        AckDatabaseArgs, {"security_ips": "10.0.0.0/8"}
    )


def test_depends_on_may_be_an_output_of_a_list(build: Build) -> None:
    def program() -> None:
        namespace = pulumi.ComponentResource("test:index:Namespace", "namespace")
        after = pulumi.Output.from_input("ready").apply(lambda _: [namespace])
        loosely(SharedVolume)("home", {"cluster": CLUSTER, "volume": HOME}, pulumi.ResourceOptions(depends_on=after))

    assert [item.name for item in build(program) if item.typ.endswith(":PersistentVolumeClaim")]


@pytest.mark.parametrize("alone", [False, True])
def test_a_component_in_depends_on_stands_for_its_last_resources(build: Build, alone: bool) -> None:
    def registered(depends_on: Callable[[pulumi.Resource], Any]) -> list[Registered]:
        def program() -> None:
            keda = Keda("keda")
            loosely(SharedVolume)(
                "home", {"cluster": CLUSTER, "volume": HOME}, pulumi.ResourceOptions(depends_on=depends_on(keda))
            )

        return build(program)

    (component, claim) = registered(lambda keda: keda if alone else [keda])[-2:]
    assert [component, claim] == registered(after_all)[-2:]
    assert {urn.rpartition("::")[2] for urn in component.depends_on} == {"keda-chart"}
    assert claim.depends_on == component.depends_on


def test_what_is_added_to_a_component_is_waited_for_too(build: Build) -> None:
    class More(Keda):
        """KEDA with a ConfigMap."""

        def __init__(self, name: str) -> None:
            super().__init__(name)
            self.finish(ConfigMap("inside", opts=pulumi.ResourceOptions(parent=self)))

    def program() -> None:
        more = More("keda")
        ConfigMap("outside", opts=pulumi.ResourceOptions(parent=more))
        ConfigMap("stranger")
        Keda("next", namespace="next", opts=pulumi.ResourceOptions(depends_on=[more]))

    (after,) = [item for item in build(program) if item.name == "next"]
    assert {urn.rpartition("::")[2] for urn in after.depends_on} == {"keda-chart", "inside", "outside"}


def test_a_component_that_makes_nothing_stands_for_what_it_comes_after(build: Build) -> None:
    external = {"kind": "external", "host": "db", "passwordSecret": {"name": "s", "key": "k"}}

    def program() -> None:
        after_keda = pulumi.ResourceOptions(depends_on=[Keda("keda")])
        database = loosely(Database)("db", {"cluster": CLUSTER, "database": external}, after_keda)
        Keda("next", namespace="next", opts=pulumi.ResourceOptions(depends_on=[database]))

    (after,) = [item for item in build(program) if item.name == "next"]
    assert {urn.rpartition("::")[2] for urn in after.depends_on} == {"keda-chart"}


def test_a_subclass_may_have_an_init_of_its_own() -> None:
    class Team(Keda):
        """KEDA for a team."""

        def __init__(self, team: str) -> None:
            super().__init__(team)

    assert [*inspect.signature(Team).parameters] == ["team"]


def test_a_subclass_has_the_outputs_of_its_component(build: Build) -> None:
    class Home(SharedVolume):
        """The volume of home folders."""

    outputs: list[Any] = []

    def program() -> None:
        home = loosely(Home)("home", {"cluster": CLUSTER, "volume": HOME})
        home.register_outputs = outputs.append  # type: ignore[method-assign, assignment]
        home.finish()

    build(program)
    assert [sorted(registered) for registered in outputs] == [["claimName"]]


def test_pools_of_a_cluster_can_be_told_apart() -> None:
    pool = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, "nodeLabels": {"pool": "cpu"}}
    assert "  - pools[1]" in refusal(SlurmClusterArgs, {"spec": {"name": "hpc"}, "pools": [pool, pool]})


def test_a_program_of_ones_own_can_refuse_warnings(build: Build) -> None:
    arguments = {"spec": {"name": "hpc", "operatorVersion": "1.1.9"}, "root_key": ROOT_KEY}
    assert build(lambda: loosely(SlurmCluster)("hpc", arguments))
    pulumi.runtime.set_all_config({"slurm:warningsAsErrors": "true"})
    with pytest.raises(SpecError, match="this patch release of slurm-operator is not known here"):
        build(lambda: loosely(SlurmCluster)("hpc", arguments))


def test_a_model_of_one_argument_is_none_of_all() -> None:
    with pytest.raises(SpecError, match="this is a SlurmSpec, which is the argument spec"):
        loosely(SlurmCluster)("hpc", SlurmSpec(name="hpc"))


@pytest.mark.parametrize("value", [None, "database"])
def test_what_is_no_resource_comes_before_nothing(value: Any) -> None:
    with pytest.raises(TypeError, match="after_all takes resources, not"):
        after_all(value)


def test_models_within_the_arguments_are_complete_once_the_arguments_are() -> None:
    # In a process of its own: tests complete the models of all.
    program = """
import pulumi_slurm.gke
from pulumi_slurm.gke.fast_networks import GkeNetworkInterfaceArgs
pulumi_slurm.gke.GkeNodePool.args_model()
print([field.alias for field in GkeNetworkInterfaceArgs.model_fields.values()])
"""
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=300)
    assert shown.stdout == "['networkName', 'subnetworkName']\n"

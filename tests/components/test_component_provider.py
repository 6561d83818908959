"""What the plugin `slurm` makes of what an engine hands to it is what a program in Python makes."""

import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import grpc  # type: ignore[import-untyped]
import pulumi
import pytest
from google.protobuf.struct_pb2 import Struct  # type: ignore[import-untyped]
from hypothesis import given, settings
from pulumi.output import Unknown
from pulumi.provider.server import ProviderServicer
from pulumi.runtime import rpc
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from devcluster.folders import CHECKOUT
from pulumi_slurm.component_provider import components
from pulumi_slurm.component_provider.provider import SlurmProvider, available_schema
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slinky.cluster import SlurmCluster
from tests.components.conftest import Build, Recorder, Registered, recorded, registered
from tests.components.loosely import loosely
from tests.doc_blocks import blocks, commands
from tests.project_metadata import project
from tests.stack_configuration import ROOT_KEY
from tests.unit.strategies import specs
from tools.package_schema import FILE

SPEC = {"name": "hpc", "nodeSets": [{"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, "replicas": 2}]}


def sent(inputs: Mapping[str, Any], deps: Mapping[str, str]) -> Awaitable[dict[str, Any]]:
    """Return inputs as they arrive: as JSON, numbers as floats, and those with dependencies as Outputs."""
    struct = Struct()
    struct.update(inputs)
    dependencies = {name: type("Dependencies", (), {"urns": [urn]})() for name, urn in deps.items()}
    return ProviderServicer._construct_inputs(struct, dependencies)


def construct(
    inputs: Mapping[str, Any],
    options: pulumi.ResourceOptions | None = None,
    *,
    kind: str = "SlurmCluster",
    deps: Mapping[str, str] | None = None,
) -> pulumi.Output[Any]:
    """Make a component as the engine asks for it, and return its outputs."""

    async def made() -> dict[str, Any]:
        arrived = await sent(inputs, deps or {})
        result = SlurmProvider().construct("hpc", f"slurm:index:{kind}", arrived, options)
        urn = await pulumi.Output.from_input(result.urn).future()
        assert urn
        assert urn.endswith("::hpc")
        return {**result.state}

    return pulumi.Output.from_input(made())


def secret(value: Any) -> dict[str, Any]:
    return {rpc._special_sig_key: rpc._special_secret_sig, "value": value}


def output(value: Any = None, **flags: Any) -> dict[str, Any]:
    """Return an Output on its way; without a value it is not known yet."""
    return {rpc._special_sig_key: rpc._special_output_value_sig, **({} if value is None else {"value": value}), **flags}


def refused(build: Build, inputs: Mapping[str, Any], **more: Any) -> tuple[str, dict[str, str]]:
    """Return heading and reasons of what is refused, by path."""
    with pytest.raises(pulumi.InputPropertiesError) as error:
        build(lambda: construct(inputs, **more))
    details = error.value.errors or []
    return error.value.message, {item["property_path"]: item["reason"] for item in details}


def dumped(model: SlurmSpec | NodePoolSpec) -> Any:
    """Return a model as a program writes it, with mappings in the order in which they are taken."""
    return json.loads(json.dumps(json.loads(model.model_dump_json(by_alias=True, exclude_unset=True)), sort_keys=True))


def made_of(program: Callable[[], Any]) -> dict[str, Registered]:
    """Return what a program registers, without the order of what is registered side by side."""
    made = registered(recorded(program, Recorder()))
    return {item.urn: replace(item, leads_to=sorted(item.leads_to)) for item in made}


@settings(max_examples=10, deadline=None)
@given(specs())
def test_a_drawn_cluster_is_that_of_python(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    spec, pools = drawn
    inputs = {"spec": dumped(spec), "pools": [*map(dumped, pools)], "rootKey": ROOT_KEY, "ldapBindPassword": "word"}
    assert made_of(lambda: construct(inputs)) == made_of(lambda: loosely(SlurmCluster)("hpc", inputs))


def test_outputs_are_those_of_the_component(build: Build) -> None:
    outputs: list[Any] = []
    build(lambda: construct({"spec": SPEC}).apply(outputs.append))
    (made,) = outputs
    assert (made["namespace"], made["keySecrets"]["jwt"]) == ("slurm", "hpc-auth-jwt")
    assert made.keys() == available_schema()["resources"]["slurm:index:SlurmCluster"]["properties"].keys()


def test_a_whole_number_is_one_in_text_too(build: Build) -> None:
    partition = {"name": "main", "nodeSets": ["cpu"], "maxTime": 90}
    made = build(lambda: construct({"spec": {**SPEC, "partitions": [partition]}}))
    text = json.dumps([item.inputs for item in made if item.name == "hpc-controller"], default=str)
    assert "MaxTime=01:30:00" in text
    assert "90.0" not in text


def test_mappings_which_have_no_order_are_taken_in_one(build: Build) -> None:
    def variables(names: Sequence[str]) -> list[str]:
        login_set = {"name": "main", "pod": {"env": dict.fromkeys(names, "1")}}
        inputs = {"cluster": {"name": "hpc"}, "loginSet": login_set, "sssd": {"name": "sssd", "key": "sssd.conf"}}
        made = build(lambda: _construct_at_once(inputs))
        (pods,) = [item for item in made if item.typ.endswith(":LoginSet") and item.typ.startswith("kubernetes:")]
        return [variable["name"] for variable in pods.inputs["spec"]["login"]["env"]]

    assert variables("CAB") == variables("BCA") == ["A", "B", "C"]


def _construct_at_once(inputs: dict[str, Any]) -> pulumi.Input[str]:
    return SlurmProvider().construct("main", "slurm:index:LoginSet", inputs).urn


def test_options_reach_the_component_and_its_resources(build: Build) -> None:
    def program() -> Any:
        team = pulumi.ComponentResource("test:index:Team", "team")
        operator = pulumi.ComponentResource("test:index:Operator", "operator")
        pulumi.CustomResource("test:index:Chart", "chart", None, pulumi.ResourceOptions(parent=operator))
        opts = pulumi.ResourceOptions(parent=team, depends_on=[operator], aliases=["urn:old"], protect=True)
        return construct({"spec": SPEC}, opts)

    made = build(program)
    (cluster,) = [item for item in made if item.typ == "slurm:index:SlurmCluster"]
    assert cluster.parent.endswith("::team")
    (namespace,) = [item for item in made if item.name == "hpc-namespace"]
    for item in (cluster, namespace):
        assert {urn.rpartition("::")[2] for urn in item.depends_on} == {"chart"}


def test_an_output_that_is_known_gives_its_value_and_what_it_comes_from(build: Build) -> None:
    urn = "urn:pulumi:test::slurm::test:index:Namespace::research"
    whole = {"spec": {**SPEC, "namespace": "research"}}
    within = {"spec": {**SPEC, "namespace": output("research", dependencies=[urn])}}
    for made in (build(lambda: construct(within)), build(lambda: construct(whole, deps={"spec": urn}))):
        (cluster,) = [item for item in made if item.typ == "slurm:index:SlurmCluster"]
        assert cluster.inputs["spec"]["namespace"] == "research"
        assert urn in cluster.depends_on


def test_fields_are_spelled_as_in_other_languages(build: Build) -> None:
    node_set = {"name": "cpu", "pool": "cpu"}
    _, reasons = refused(build, {"cluster": {"name": "hpc"}, "nodeSet": node_set}, kind="NodeSet")
    assert reasons["pool"].endswith("Pass the node pool, or leave nodeSet.pool out.")
    _, reasons = refused(build, {"spec": {"name": "hpc", "nodeSets": [{**node_set, "scalingMod": []}]}, "nodeSets": []})
    assert reasons["nodeSets"] == 'there is no such field. Did you mean "spec.nodeSets"?'
    assert reasons["spec.nodeSets[0].scalingMod"] == 'there is no such field. Did you mean "scalingMode"?'
    metadata = {"namespace": "jobs", "annotations": {"slurmjob.slinky.slurm.net/job-name": "train"}}
    _, reasons = refused(build, {"metadata": metadata, "spec": {}}, kind="BridgedJob")
    assert any(reason.endswith("Write it as jobName of slurm.") for reason in reasons.values())


@pytest.mark.parametrize("unknown", [rpc.UNKNOWN, output()])
def test_what_is_not_known_yet_is_refused_where_it_decides(build: Build, unknown: Any) -> None:
    node_sets = [{"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, "replicas": unknown}]
    heading, reasons = refused(build, {"spec": {"name": unknown, "nodeSets": node_sets}})
    assert heading == "SlurmClusterArgs has 2 errors:"
    sentence = (
        "its value isn't known before other resources are made, and what is made here depends on it. "
        "Write the value itself, or take it from the configuration or from outputs of another stack."
    )
    assert {path.strip(): reason for path, reason in reasons.items()} == {
        "spec.name": sentence,
        "spec.nodeSets[0].replicas": sentence,
    }


@pytest.mark.parametrize("value", [secret("research"), output("research", secret=True)])
def test_a_secret_is_refused_where_it_would_be_shown(build: Build, value: Any) -> None:
    _, reasons = refused(build, {"spec": {**SPEC, "namespace": value}})
    (reason,) = reasons.values()
    assert reason.startswith("this is a secret, or has one in it, and what stands here is shown by previews")
    assert "research" not in reason


@pytest.mark.parametrize("key", [secret(ROOT_KEY), output(ROOT_KEY, secret=True), ROOT_KEY, rpc.UNKNOWN, output()])
def test_a_secret_is_taken_where_one_belongs_and_stays_one(build: Build, key: Any) -> None:
    made = build(lambda: construct({"spec": SPEC, "rootKey": key}))
    (jwt,) = [item for item in made if item.name == "hpc-jwt-key"]
    # Before the key is known there is nothing, or that it isn't known, by the release of the SDK.
    stored = jwt.inputs.get("stringData")
    assert rpc.is_rpc_secret(stored) or stored is None or isinstance(stored, Unknown)
    assert ROOT_KEY not in json.dumps([dict(item.inputs) for item in made], default=str)


def test_a_secret_among_plain_values_leaves_these_as_they_are(build: Build) -> None:
    values = {"image": {"tag": "1.2", "replicas": 3}, "password": secret("HUNTER2")}
    made = build(lambda: construct({"values": values}, kind="Keda"))
    (chart,) = [item for item in made if item.typ.endswith(":Chart")]
    assert chart.inputs["values"] == secret({"image": {"tag": "1.2", "replicas": 3}, "password": "HUNTER2"})


def test_values_that_are_not_known_yet_are_waited_for_where_they_may_be(build: Build) -> None:
    inputs = {"values": {"image": {"tag": rpc.UNKNOWN, "registry": output()}}}
    assert build(lambda: construct(inputs, kind="Keda"))


@pytest.mark.parametrize("null", [None, output() | {"value": None}])
def test_a_null_is_as_if_nothing_stood_there(build: Build, null: Any) -> None:
    """Such as the output of a stack that has none of this name."""
    made = build(lambda: construct({"spec": {**SPEC, "namespace": null}, "createNamespace": null}))
    assert [item.kubernetes_name for item in made if item.name == "hpc-namespace"] == ["slurm"]


@pytest.mark.parametrize("null", [None, output() | {"value": None}, secret(None)])
def test_a_null_is_as_if_nothing_stood_where_outputs_may(build: Build, null: Any) -> None:
    assert build(lambda: construct({"spec": SPEC, "rootKey": null}))
    _, reasons = refused(build, {"project": "my-project", "name": "hpc", "region": null}, kind="GkeNetwork")
    assert {path.strip(): reason for path, reason in reasons.items()} == {
        "region": "this field is required. Add region: the region of the subnetworks."
    }


@pytest.mark.parametrize("value", [output({"a": "HUNTER2"}), output(7), secret(["HUNTER2"]), {"a": secret("HUNTER2")}])
def test_an_output_of_something_else_is_refused_where_text_belongs(build: Build, value: Any) -> None:
    _, reasons = refused(build, {"spec": SPEC, "rootKey": value})
    assert reasons == {"rootKey ": "its value is not text. Write text, or take an Output of text."}


def test_keys_that_a_user_has_chosen_are_told_as_they_are_written(build: Build) -> None:
    node_set = {**SPEC["nodeSets"][0], "pod": {"labels": {"my_team": output()}}}  # type: ignore[dict-item]
    _, reasons = refused(build, {"spec": {**SPEC, "nodeSets": [node_set]}})
    assert [*reasons] == ["spec.nodeSets[0].pod.labels.my_team "]


def test_all_mistakes_are_told_at_once(build: Build) -> None:
    node_sets = [
        {"name": "cpu", "machine": {"cpus": 4, "memory": "8 GB"}, "replicas": -1},
        {"name": "gpu", "machine": "big", "scalingMode": "Daemonset", "replcas": 2},
    ]
    heading, reasons = refused(build, {"spec": {"nodeSets": node_sets}, "pools": 3, "rootKey": "HUNTER2"})
    assert heading == "SlurmClusterArgs has 8 errors:"
    assert "HUNTER2" not in str(reasons)
    # The engine adds what stands at a path, unless that ends with a space.
    assert reasons == {
        "spec.name": "this field is required. Add name: the prefix of the names of all objects, and ClusterName unless "
        "`clusterName` is set.",
        "spec.nodeSets[0].machine.memory": 'this is not a Kubernetes quantity. Write "8Gi".',
        "spec.nodeSets[0].replicas": "this is too small. Write 0 or more.",
        "spec.nodeSets[1].machine ": "this is not a mapping. Write a mapping of field names to values.",
        "spec.nodeSets[1].scalingMode": "this is not one of the choices. Write one of: 'StatefulSet' or 'DaemonSet'.",
        "spec.nodeSets[1].replcas ": 'there is no such field. Did you mean "replicas"?',
        "pools ": "this is not a list. Write a list.",
        "rootKey ": "this is not the base64 form of 32 bytes. Pass the stack's secret slurm:rootKey. Set it: pulumi "
        'config set --secret slurm:rootKey "$(head -c 32 /dev/urandom | base64)"',
    }


def test_values_that_the_engine_does_not_find_in_an_output_are_told_by_us(build: Build) -> None:
    urn = "urn:pulumi:test::slurm::test:index:Namespace::research"
    _, reasons = refused(build, {"spec": {**SPEC, "namespace": "Research"}}, deps={"spec": urn})
    ((path, reason),) = reasons.items()
    assert path == "spec.namespace "
    assert reason.startswith('"Research": Kubernetes would refuse this name. ')


def test_the_engine_finds_no_secret_by_the_path_of_a_key_that_a_user_chose(build: Build) -> None:
    """It would show what stands there, and that key is written as it is, unlike fields."""
    lines = {"Storage_Pass": "HUNTER2", "storage_pass": "HUNTER3"}
    _, reasons = refused(build, {"spec": {**SPEC, "accounting": {"extraConf": lines}}})
    ((path, reason),) = reasons.items()
    assert path == "spec.accounting.extraConf.storage_pass "
    assert "HUNTER" not in reason


def test_without_a_root_key_it_says_how_to_set_one(build: Build) -> None:
    pulumi.runtime.set_all_config({})
    heading, reasons = refused(build, {"spec": SPEC})
    assert heading.startswith("slurm:rootKey is not set; every key is derived from it. Set it: ")
    assert reasons == {}


def test_a_component_that_is_not_there(build: Build) -> None:
    heading, _ = refused(build, {}, kind="SlurmClusterArgs")
    assert heading == "there is no component slurm:index:SlurmClusterArgs in release 0.1.0 of pulumi-slurm"


def test_without_a_cloud_s_sdk_its_components_are_not_offered(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = available_schema()
    monkeypatch.setattr(components, "find_spec", lambda name: None)
    schema = available_schema()
    left_out = {token.rpartition(":")[2] for token in whole["resources"].keys() - schema["resources"].keys()}
    assert {name[:3] for name in left_out} == {"Gke", "Ack"}
    assert "slurm:index:AckSlurmCluster" in schema["resources"]
    assert "slurm:index:GkeNetworkInterface" in whole["types"].keys() - schema["types"].keys()
    heading, _ = refused(build, {"name": "hpc"}, kind="GkeNetwork")
    assert heading == (
        "GkeNetwork needs pulumi_gcp, which this plugin is without. Run `pulumi package add` with the folder "
        "provider/gke of the repository in place of provider."
    )


def test_two_whole_clusters_of_one_program_are_on_two_kubernetes_clusters(build: Build) -> None:
    provider = SlurmProvider()

    async def made() -> list[Any]:
        urns = []
        for name in ("us", "eu"):
            gke = {"name": name, "project": "my-project", "region": "us-central1", "zones": ["us-central1-a"]}
            pools = [{"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 4}]
            cluster = {"name": "hpc", "nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 2}]}
            inputs = {"gke": {**gke, "pools": pools}, "cluster": cluster}
            result = provider.construct(name, "slurm:index:GkeSlurm", await sent(inputs, {}))
            urns.append(await pulumi.Output.from_input(result.urn).future())
        return urns

    clusters = [one for one in build(lambda: pulumi.Output.from_input(made())) if one.typ == "slurm:index:SlurmCluster"]
    # Which of them is registered first is the loop's affair.
    assert sorted(one.name for one in clusters) == ["eu", "us"]


@pytest.mark.parametrize(
    ("check", "file"), [("yaml-program", "yaml_cluster/Pulumi.yaml"), ("typescript", "typescript_node_set/index.ts")]
)
def test_programs_on_pages_are_the_examples(check: str, file: str) -> None:
    """Those are run on the embedded cluster: tests/e2e/test_other_languages.py."""
    (block,) = blocks(check)
    (fetched,) = {word for _, line in commands("elsewhere") for word in line.split() if "/provider@" in word}
    assert block.text == (CHECKOUT / "examples" / file).read_text().replace("../../provider", fetched)


def test_pages_name_what_programs_import() -> None:
    """What Pulumi makes of the name and namespace in the schema is seen by the examples, which import it."""
    page = (CHECKOUT / "docs" / "installation-configuration.md").read_text()
    imported = {
        *re.findall(r'from "(@pulumi-slurm/\w+)"', (CHECKOUT / "examples/typescript_cluster/index.ts").read_text()),
        *re.findall(r'"(\S+/slurm)"', (CHECKOUT / "examples/go_operator/main.go").read_text()),
    }
    assert len(imported) == 2
    assert {name for name in imported if f"`{name}`" in page} == imported


def test_the_refusal_that_the_page_shows_is_that_of_the_plugin(build: Build) -> None:
    (block,) = blocks("refusal")
    spec = {
        "name": "hpc",
        "nodeSets": [{"name": "cpu", "machine": {"cpus": 15, "memory": "57Gi"}, "replicas": -1}],
        "partitions": [{"name": "main", "nodeSets": ["ALL"], "maxTim": 90}],
    }
    heading, reasons = refused(build, {"spec": spec})
    # What the engine makes of it: `errorToMessage` in pkg/resource/deploy/source_eval.go.
    shown = {path: " with value '{-1}'" if path.endswith("replicas") else "" for path in reasons}
    lines = [f"    - property {path}{shown[path]} has a problem: {reason}" for path, reason in reasons.items()]
    told = f"error: slurm:index:SlurmCluster resource 'hpc' has a problem: {heading}"
    assert block.text.splitlines() == [told, *lines]


@pytest.mark.parametrize("folder", [".", "gke", "ack"])
def test_each_folder_runs_a_plugin_that_serves_the_schema(folder: str) -> None:
    command = [sys.executable, str(CHECKOUT / "provider" / folder), "127.0.0.1:1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as plugin:
        assert plugin.stdout
        port = plugin.stdout.readline().strip()
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            served = provider_pb2_grpc.ResourceProviderStub(channel).GetSchema(provider_pb2.GetSchemaRequest())
        plugin.terminate()
    # The environment of the tests has the SDKs of both clouds.
    assert json.loads(served.schema) == available_schema() == json.loads(FILE.read_text())


def test_the_schema_is_read_alike_on_every_machine() -> None:
    """Without an encoding Windows takes its own."""
    module = "pulumi_slurm.component_provider.provider"
    options = ["-X", "warn_default_encoding", "-W", f"error::EncodingWarning:{module}"]
    subprocess.run([sys.executable, *options, "-c", f"import {module} as it; it.available_schema()"], check=True)


@pytest.mark.parametrize("folder", [".", "gke"])
def test_an_older_python_is_refused_in_words(folder: str) -> None:
    *_, oldest = project()["requires-python"].removeprefix(">=").split(".")
    program = f"import runpy, sys; sys.version_info = (3, {int(oldest) - 1}, 9); runpy.run_path(sys.argv[1])"
    command = [sys.executable, "-c", program, str(CHECKOUT / "provider" / folder / "__main__.py"), "127.0.0.1:1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(f"pulumi-slurm needs Python 3.{oldest} or newer, and this is ")


def test_the_plugin_on_path_is_the_same() -> None:
    module, _, name = project()["scripts"]["pulumi-resource-slurm"].partition(":")
    assert callable(getattr(import_module(module), name))

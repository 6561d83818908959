"""Stacks and programs in README and docs can be built, and so can the stacks that the repository ships."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pulumi
import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm_stacks import build
from tests.clouds.gcp.data_sources import cluster_answer, subnetwork_answer
from tests.component_examples import Component, components, run_example
from tests.components.ack import existing as alibaba
from tests.components.conftest import Recorder, recorded, registered
from tests.components.gke import existing as google
from tests.components.violations import mandatory_violations
from tests.doc_blocks import PARTS_OF, Block, each, settings
from tests.editor import SCHEMA_FILE, look
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, read_with_secrets

pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context")

COMPUTED: dict[str, dict[str, Any]] = {
    "gcp:lustre/instance:Instance": {"mountPoint": "10.2.0.2@tcp:/lustrefs"},
    "alicloud:cs/managedKubernetes:ManagedKubernetes": {
        "connections": [
            {"apiServerInternet": "https://198.51.100.1:6443", "apiServerIntranet": "https://10.0.0.9:6443"}
        ]
    },
    "alicloud:nas/mountTarget:MountTarget": {"mountTargetDomain": "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com"},
    "alicloud:rds/instance:Instance": {"connectionString": "rm-0123456789.mysql.rds.aliyuncs.com"},
}
PROTECTION = {
    "buckets-are-not-emptied",
    "clusters-are-protected-from-deletion",
    "databases-are-protected-from-deletion",
    "files-are-protected-from-deletion",
}
"""The policies that are about what a destroy deletes."""
SECRETS = {
    "slurm:rootKey": ROOT_KEY,
    "slurm:copilotToken": "head.body.signature",
    "slurm:jobCompletionPassword": "of-the-database",
}
"""The stack secrets that programs on the pages read."""

ANSWERED: dict[str, Mapping[str, Any]] = {
    "gcp:compute/getSubnetwork:getSubnetwork": subnetwork_answer(google.SUBNETWORK),
    "gcp:container/getCluster:getCluster": cluster_answer(google.CLUSTER, [google.GENERAL, google.L4]),
    "gcp:projects/getProject:getProject": {"projects": []},
    "gcp:organizations/getProject:getProject": {"number": "123456789012", "projectId": "my-project"},
    **alibaba.answers_of_network(),
    **alibaba.answers_of_cluster(alibaba.GENERAL, alibaba.A10, vswitches=alibaba.VSWITCHES),
    "alicloud:cs/getClusterCredential:getClusterCredential": {
        "clusterName": "shared",
        "certificateAuthorities": [{"clusterCert": "Q0E=", "clientCert": "Q0VSVA==", "clientKey": "S0VZ"}],
    },
}


@pytest.fixture(autouse=True)
def _no_settings_stay() -> Iterator[None]:
    yield
    pulumi.runtime.set_all_config({})


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of what is warned of, which fills."""
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda message, *_args, **_options: shown.append(message))
    return shown


def without_jobs(warned: list[str]) -> set[str]:
    """Return the names of the node sets that are in no partition, by what is warned of."""
    return {found[1] for line in warned if (found := re.search(r'= "([^"]+)": this node set is in no partition', line))}


class CloudRecorder(Recorder):
    """Fills what clouds compute, as far as programs look into it."""

    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        made, outputs = super().new_resource(args)
        return made, {**outputs, **COMPUTED.get(args.typ, {})}

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        return ({**ANSWERED[args.token]}, []) if args.token in ANSWERED else super().call(args)


def build_under_mocks(keys: dict[str, Any]) -> None:
    """Read a configuration and build its stack."""
    config, secrets = read_with_secrets(keys)
    # A page on teardown lifts the protection, and nothing else that the policy pack asks for.
    torn_down = any(keys.get(f"slurm:{cloud}", {}).get("deletionProtection") is False for cloud in ("gke", "ack"))
    made = under_mocks(lambda: build(config, secrets), torn_down=torn_down)
    assert {"slurm:index:SlurmCluster", "slurm:index:AckSlurmCluster", "slurm:index:SlurmCopilot"} & {*made}


def under_mocks(program: Callable[[], object], *, torn_down: bool = False) -> list[str]:
    """Run a program under mocks and return the types of what it registers, which the policy pack lets through."""
    monitor = recorded(program, CloudRecorder({}))
    refused = mandatory_violations(monitor.requests)
    assert {name: of for name, of in refused.items() if not (torn_down and name in PROTECTION)} == {}
    return [resource.typ for resource in registered(monitor)]


@each("config", "cluster", *PARTS_OF)
def test_configuration_is_accepted_and_built(block: Block, warned: list[str]) -> None:
    keys = settings(block)
    look({"config": keys})
    build_under_mocks(keys)
    cluster = yaml.safe_load(block.text)["config"].get("slurm:cluster", {})
    assert without_jobs(warned).isdisjoint(node_set["name"] for node_set in cluster.get("nodeSets", []))


@each("outputs")
def test_outputs_are_those_of_the_local_stack(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, Any] = {}

    def keep(name: str, value: pulumi.Input[Any]) -> None:
        pulumi.Output.from_input(value).apply(lambda known: found.update({name: known}))

    monkeypatch.setattr(pulumi, "export", keep)
    config, secrets = read_with_secrets(shipped("local"))
    under_mocks(lambda: build(config, secrets))
    # Any field of the file, and any default, changes the hash.
    shown = json.loads(block.text)
    assert len(shown.pop("specificationHash")) == len(found.pop("specificationHash"))
    assert shown == found


@each("program")
def test_programs_run(block: Block, warned: list[str]) -> None:
    pulumi.runtime.set_all_config(SECRETS)
    code = compile(block.text, str(block), "exec")
    made = under_mocks(lambda: exec(code, {"__name__": "__main__"}))
    ours = {"SlurmCluster", "SlurmCopilot", "AckSlurmCluster", "BridgedJob", "BridgedPodGroup"}
    assert {f"slurm:index:{name}" for name in ours} & {*made}
    assert not without_jobs(warned)


@pytest.mark.parametrize("component", components())
def test_examples_of_components_run(component: Component, warned: list[str]) -> None:
    pulumi.runtime.set_all_config(SECRETS)
    made = under_mocks(lambda: run_example(component))
    assert f"slurm:index:{component.__name__}" in made
    assert not without_jobs(warned)


@pytest.mark.parametrize("kind", ["gke", "ack"])
@each("on-top")
def test_a_second_stack_runs_with_the_outputs_of_the_first(
    block: Block, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs, secrets = outputs_of(kind, monkeypatch)
    assert "kubeconfig" in secrets
    stack: dict[str, Mapping[str, Any]] = {
        "organization/slurm/gke": {"outputs": outputs, "secretOutputNames": sorted(secrets)}
    }
    code = compile(block.text, str(block), "exec")
    program: dict[str, Any] = {"__name__": "__main__"}
    resources = registered(recorded(lambda: exec(code, program), Recorder(stack)))
    by_type = {resource.typ: resource.inputs for resource in resources}
    provider = by_type["pulumi:providers:kubernetes"]
    assert provider.keys() == {"kubeconfig", "clusterIdentifier"}
    assert pulumi.runtime.rpc.is_rpc_secret(provider["kubeconfig"])
    assert provider["kubeconfig"]["value"] == outputs["kubeconfig"]
    assert provider["clusterIdentifier"] == outputs["kubernetesCluster"]
    assert by_type["kubernetes:core/v1:ConfigMap"]["data"] == {"restUrl": outputs["restUrl"]}


def outputs_of(kind: str, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Any], set[str]]:
    """Return the outputs of the shipped stack of a kind, and the names of those that are secrets."""
    outputs: dict[str, Any] = {}
    secrets: set[str] = set()

    def keep(name: str, value: pulumi.Input[Any]) -> None:
        output = pulumi.Output.from_input(value)
        is_secret: pulumi.Output[bool] = pulumi.Output.from_input(output.is_secret())
        is_secret.apply(lambda secret: secrets.add(name) if secret else None)
        pulumi.Output.unsecret(output).apply(lambda known: outputs.update({name: known}))

    config, stack_secrets = read_with_secrets(shipped(kind))
    with monkeypatch.context() as patched:
        patched.setattr(pulumi, "export", keep)
        under_mocks(lambda: build(config, stack_secrets))
    return outputs, secrets


@pytest.mark.parametrize("file", sorted(CHECKOUT.glob("Pulumi.*.yaml")), ids=lambda file: file.name)
def test_shipped_stacks_are_valid_for_editors_and_for_the_program(file: Path, warned: list[str]) -> None:
    content = yaml.safe_load(file.read_text())
    look(content)
    assert f"$schema=./{SCHEMA_FILE.relative_to(CHECKOUT)}" in file.read_text()
    build_under_mocks(content["config"])
    assert not without_jobs(warned)

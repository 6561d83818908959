"""SlurmCopilot and GenericNode."""

from typing import Any

import pulumi
import pytest

from pulumi_slurm.ack_slurm.copilot import SlurmCopilot, SlurmCopilotArgs
from pulumi_slurm.ack_slurm.generic_node import GenericNode
from pulumi_slurm.errors import SpecError
from tests.components.ack.requests import requests_of
from tests.components.conftest import Build, Registered

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJzbHVybSJ9.c2ln"
OUTSIDE = {
    "name": "old",
    "namespace": "jobs",
    "addresses": ["10.1.0.4"],
    "slurmNodes": "n[1-2]",
    "nodes": [{"name": "cn-hongkong.10.1.0.19", "alias": "n1"}],
    "kubectlImage": "mirror.example.org/kubectl:1.35",
}


def resources_of(build: Build, **fields: Any) -> dict[str, Registered]:
    args = SlurmCopilotArgs.model_validate(fields)
    return {item.name: item for item in build(lambda: SlurmCopilot("copilot", args))}


def test_the_secret_is_left_to_slurmctld(build: Build) -> None:
    secret = resources_of(build)["copilot-tokens"]
    assert secret.inputs["metadata"]["name"] == "ack-slurm-jwt-token"
    assert secret.inputs["metadata"]["namespace"] == "ack-slurm-operator"
    assert pulumi.runtime.rpc.unwrap_rpc_secret(secret.inputs["stringData"]) == {}
    request = requests_of(lambda: SlurmCopilot("copilot", SlurmCopilotArgs()))["Secret copilot-tokens"]
    assert list(request.ignoreChanges) == ["data", "stringData"]


def test_a_secret_that_is_there_is_left_alone(build: Build) -> None:
    signed = {**OUTSIDE, "jwtKeySecret": {"name": "old-jwt", "key": "jwt_hs256.key"}}
    resources = resources_of(build, create_token_secret=False, outside_slurm=signed)
    assert "kubernetes:core/v1:Secret" not in {item.typ for item in resources.values()}
    assert "copilot-token-deployment" in resources
    with pytest.raises(SpecError, match=r"tokens\.hpc: create_token_secret is false, so no tokens are written"):
        SlurmCopilotArgs(tokens={"hpc": TOKEN}, create_token_secret=False)


def test_a_token_is_written_on_request_and_stays_secret(build: Build) -> None:
    data = resources_of(build, tokens={"hpc": TOKEN})["copilot-tokens"].inputs["stringData"]
    assert pulumi.runtime.rpc.is_rpc_secret(data)
    assert pulumi.runtime.rpc.unwrap_rpc_secret(data) == {"hpc": TOKEN}


def test_an_invalid_token_is_refused_without_being_shown(build: Build) -> None:
    with pytest.raises(pulumi.RunError, match="white space") as error:
        resources_of(build, tokens={"hpc": "a.b.s3cret\n"})
    assert "s3cret" not in str(error.value)


def test_a_slurm_outside_gets_a_service_and_what_makes_generic_nodes(build: Build) -> None:
    resources = resources_of(build, outside_slurm=OUTSIDE)
    service = next(item for item in resources.values() if item.typ == "kubernetes:core/v1:Service")
    assert service.kubernetes_name == "old-slurmrestd"
    slices = [item for item in resources.values() if item.typ == "kubernetes:discovery.k8s.io/v1:EndpointSlice"]
    assert [item.inputs["endpoints"] for item in slices] == [[{"addresses": ["10.1.0.4"]}]]
    assert [item.inputs.get("kind") for item in resources.values()].count("GenericNode") == 0
    deployment = resources["copilot-nodes-deployment"].inputs
    assert deployment["metadata"]["namespace"] == "ack-slurm-operator"
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "mirror.example.org/kubectl:1.35"
    assert resources["copilot-nodes-configmap"].inputs["data"] == {"names": "name cn-hongkong.10.1.0.19 n1\n"}


def test_what_makes_generic_nodes_goes_wherever_the_operator_is(build: Build) -> None:
    resources = resources_of(build, outside_slurm=OUTSIDE, operator_namespace="kube-system")
    assert resources["copilot-nodes-deployment"].inputs["metadata"]["namespace"] == "kube-system"


def test_a_token_is_signed_once_its_secret_is_there(build: Build) -> None:
    signed = {**OUTSIDE, "jwtKeySecret": {"name": "old-jwt", "key": "jwt_hs256.key"}}
    resources = resources_of(build, outside_slurm=signed)
    assert pulumi.runtime.rpc.unwrap_rpc_secret(resources["copilot-tokens"].inputs["stringData"]) == {}
    assert resources["copilot-token-deployment"].inputs["metadata"]["namespace"] == "ack-slurm-operator"
    requests = requests_of(lambda: SlurmCopilot("copilot", SlurmCopilotArgs(outside_slurm=signed)))
    account = requests["ServiceAccount copilot-token-serviceaccount"]
    assert any(urn.endswith("::copilot-tokens") for urn in account.dependencies)
    with pytest.raises(SpecError, match=r"tokens\.old: a token is signed for this cluster"):
        SlurmCopilotArgs(outside_slurm=signed, tokens={"old": TOKEN})


def test_a_program_names_a_generic_node_of_its_own(build: Build) -> None:
    args = {"cluster_name": "old", "namespace": "jobs", "node": {"name": "cn-hongkong.10.1.0.19", "alias": "n1"}}
    node = next(item for item in build(lambda: GenericNode("node", args)) if item.inputs.get("kind") == "GenericNode")
    assert node.kubernetes_name == "cn-hongkong.10.1.0.19"
    assert node.inputs["spec"] == {"alias": "n1", "type": "Slurm"}
    assert node.inputs["metadata"]["labels"]["kai.alibabacloud.com/cluster-name"] == "old"
    assert node.inputs["metadata"]["labels"]["kai.alibabacloud.com/cluster-namespace"] == "jobs"


def test_nodes_that_slurm_doesn_t_have_are_refused() -> None:
    outside = {**OUTSIDE, "nodes": [{"name": "cn.10.1.0.19", "alias": "n9"}]}
    with pytest.raises(SpecError, match="Slurm has no such node"):
        SlurmCopilotArgs(outside_slurm=outside)

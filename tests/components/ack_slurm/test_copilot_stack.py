"""The stack for a Slurm that runs elsewhere: its configuration, refused with every error at once, and what it makes."""

from typing import Any

import pulumi
import pytest

from pulumi_slurm_stacks import build as build_stack
from tests.components.ack.requests import requests_of
from tests.components.conftest import Build, Registered
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, changed, errors, read

pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context")

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJzbHVybSJ9.c2ln"
FIELDS: dict[str, Any] = {key.removeprefix("slurm:"): value for key, value in shipped("copilot").items()}
BY_HAND = changed(FIELDS, (("outsideSlurm", "jwtKeySecret"), None))


def resources_of(build: Build, settings: dict[str, Any]) -> dict[str, Registered]:
    config, secrets = read(settings)
    return {item.name: item for item in build(lambda: build_stack(config, secrets))}


def test_the_operator_watches_the_namespace_of_slurmrestd_s_service(build: Build) -> None:
    resources = resources_of(build, changed(FIELDS, (("outsideSlurm", "namespace"), "jobs")))
    values = resources["ack-slurm-operator-operator"].inputs["values"]
    assert values == {"enableCopilot": True, "watchNamespace": "jobs"}
    service = resources["slurm-copilot-slurmrestd-service"]
    assert service.inputs["metadata"]["namespace"] == "jobs"
    assert {"slurm-copilot-nodes-deployment", "slurm-copilot-token-deployment"} <= resources.keys()


def test_the_namespace_of_a_key_that_is_there_before_is_not_made(build: Build) -> None:
    name = "ack-slurm-operator-namespace"
    assert name not in resources_of(build, changed(FIELDS))
    assert name in resources_of(build, {**BY_HAND, "slurm:copilotToken": TOKEN})


def test_a_token_secret_that_is_there_before_is_left_alone(build: Build) -> None:
    """And so is its namespace; the stack needs no token then."""
    for key_secret in ((), ((("outsideSlurm", "jwtKeySecret"), None),)):
        resources = resources_of(build, changed(FIELDS, (("createTokenSecret",), False), *key_secret))
        assert not {"ack-slurm-operator-namespace", "slurm-copilot-tokens"} & resources.keys()
        assert "slurm-copilot-nodes-deployment" in resources


def test_what_the_copilot_needs_comes_after_the_operator() -> None:
    config, secrets = read(changed(FIELDS))
    requests = requests_of(lambda: build_stack(config, secrets))
    needed = next(request for name, request in requests.items() if name.startswith("Secret "))
    assert any("ack-slurm-operator" in urn for urn in needed.dependencies)
    installed = changed(FIELDS, (("operator",), {"install": False}))
    config, secrets = read(installed)
    assert not any(name.startswith("Release") for name in requests_of(lambda: build_stack(config, secrets)))


def test_a_token_by_hand_is_a_secret_from_the_start(build: Build) -> None:
    resources = resources_of(build, {**BY_HAND, "slurm:copilotToken": TOKEN})
    data = resources["slurm-copilot-tokens"].inputs["stringData"]
    assert pulumi.runtime.rpc.is_rpc_secret(data)
    assert pulumi.runtime.rpc.unwrap_rpc_secret(data) == {"hpc": TOKEN}
    assert "slurm-copilot-token-deployment" not in resources
    shown = [item.inputs for item in resources.values() if item.name != "slurm-copilot-tokens"]
    assert TOKEN not in repr(shown)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            BY_HAND,
            [
                "slurm:copilotToken: it is not set, and the copilot speaks with it to the slurmrestd of "
                '"hpc"; or write outsideSlurm.jwtKeySecret. Set it: pulumi config set --secret slurm:copilotToken'
            ],
        ),
        (
            {**BY_HAND, "slurm:copilotToken": "a.b"},
            ["slurm:copilotToken: this is not a token. Write the text that `scontrol token` prints"],
        ),
        (
            changed(FIELDS, (("outsideSlurm",), None)),
            ["slurm:outsideSlurm: this field is required. Add outsideSlurm: the Slurm that runs elsewhere."],
        ),
        (
            changed(FIELDS, (("operator",), {"watchNamespace": "slurm", "values": {"enableCopilot": False}})),
            [
                "slurm:operator.values.enableCopilot = false: the copilot is a part of the operator, and this disables "
                "it. Leave it out.",
                'slurm:operator.watchNamespace = "slurm": the copilot looks for clusters in this namespace only, and '
                'the cluster is in "default". Leave it out, or write "default".',
            ],
        ),
        (
            {**changed(FIELDS), "slurm:rootKey": ROOT_KEY, "slurm:cluster": {"name": "hpc"}},
            [
                "slurm:cluster: this Slurm runs elsewhere, and its nodes and files are yours. Leave it out.",
                "slurm:rootKey: no key is derived from it here. Leave it out: pulumi config rm slurm:rootKey",
            ],
        ),
        (
            {**changed(FIELDS), "slurm:context": "other"},
            ['slurm:context = "other": the kubeconfig has no such context. '],
        ),
    ],
)
def test_errors_have_path_value_problem_and_fix(settings: dict[str, Any], expected: list[str]) -> None:
    found = errors(settings)
    assert len(found) == len(expected)
    for error, begin in zip(found, expected, strict=True):
        assert error.startswith(begin), error


def test_other_kinds_say_which_kind_it_is() -> None:
    settings = {"slurm:kind": "kubernetes", "slurm:rootKey": ROOT_KEY, "slurm:cluster": {"name": "hpc"}}
    (error,) = errors({**settings, "slurm:outsideSlurm": FIELDS["outsideSlurm"]})
    assert error == (
        "slurm:outsideSlurm: this is a Slurm that runs elsewhere, and a stack of this kind makes one. "
        "Write kind: copilot, or leave it out."
    )

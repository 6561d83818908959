"""No pod that a shipped stack makes, by whatever operator or chart, has a Secret that all of its users can read."""

import functools

import pytest

from pulumi_slurm_stacks import build
from tests.components.conftest import recorded, registered
from tests.components.test_docs import CloudRecorder
from tests.components.test_scripts import SHIPPED
from tests.secret_volumes import open_to_all, secret_files, unreadable
from tests.shipped_stacks import shipped
from tests.stack_configuration import read_with_secrets

pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context")

WITH_SECRETS = {"ack-slurm-operator", "ack-colocated", "bridge", "copilot"}
"""Those whose pods mount some; the others leave that to slurm-operator."""


@pytest.mark.parametrize("stack", SHIPPED)
def test_of_a_shipped_stack(stack: str) -> None:
    config, secrets = read_with_secrets(shipped(stack))
    resources = registered(recorded(functools.partial(build, config, secrets), CloudRecorder({})))
    inputs = [resource.inputs for resource in resources]
    assert bool(secret_files(inputs)) == (stack in WITH_SECRETS)
    assert open_to_all(inputs) == []
    assert unreadable(inputs) == []

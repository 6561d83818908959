"""No pod that a shipped stack makes has a token of Kubernetes, or rights, that it doesn't need."""

import functools

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm_stacks import build
from tests.components.conftest import recorded, registered
from tests.components.test_docs import CloudRecorder
from tests.pod_security import unrestricted, with_a_token_for_nothing
from tests.pod_volumes import pods_in
from tests.shipped_stacks import shipped
from tests.stack_configuration import read_with_secrets

STACKS = sorted(path.name.split(".")[1] for path in CHECKOUT.glob("Pulumi.*.yaml"))
pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context")


@pytest.mark.parametrize("stack", STACKS)
def test_of_a_shipped_stack(stack: str) -> None:
    config, secrets = read_with_secrets(shipped(stack))
    resources = registered(recorded(functools.partial(build, config, secrets), CloudRecorder({})))
    inputs = [dict(resource.inputs) for resource in resources]
    assert [*pods_in(inputs, "containers")]
    assert with_a_token_for_nothing(inputs) == []
    assert unrestricted(inputs) == []

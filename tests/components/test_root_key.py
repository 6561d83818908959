"""A wrong root key as an argument of components: one error that doesn't repeat it."""

from typing import Any

import pulumi
import pytest

import pulumi_slurm as slurm
from pulumi_slurm import kube
from pulumi_slurm.ack import AckDatabase
from pulumi_slurm.ack_slurm import AckSlurmCluster
from pulumi_slurm.gke import GkeDatabase
from tests.components.conftest import Build

WRONG = "hunter2hunter2"
CLUSTER: dict[str, Any] = {"cluster": {"name": "hpc"}}
SPEC: dict[str, Any] = {"spec": {"name": "hpc"}}
GOOGLE = {**CLUSTER, "project": "my-project", "region": "us-central1", "network_id": "projects/p/global/networks/n"}
ALIBABA = {
    **CLUSTER,
    "zones": ["cn-hangzhou-i"],
    "node_vswitches": {"cn-hangzhou-i": "vsw-1"},
    "security_ips": ["10.1.0.0/18"],
}
COMPONENTS = [
    (kube.Database, CLUSTER),
    (kube.Directory, CLUSTER),
    (slurm.SlurmCluster, SPEC),
    (AckSlurmCluster, SPEC),
    (GkeDatabase, GOOGLE),
    (AckDatabase, ALIBABA),
]


@pytest.mark.parametrize("as_output", [False, True])
@pytest.mark.parametrize(("component", "args"), COMPONENTS)
def test_a_wrong_root_key_is_an_error_in_the_argument(
    build: Build, component: Any, args: dict[str, Any], as_output: bool
) -> None:
    root_key = pulumi.Output.from_input(WRONG) if as_output else WRONG
    with pytest.raises(pulumi.RunError) as raised:
        build(lambda: component("part", {**args, "root_key": root_key}))
    assert "root_key: this is not the base64 form of 32 bytes. Pass the stack's secret" in str(raised.value)
    assert "hunter2" not in str(raised.value)

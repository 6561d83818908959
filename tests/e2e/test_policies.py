"""The policy pack on the real engine, on programs whose Kubernetes cluster is a folder of files."""

import json
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from devcluster.toolchain import Toolchain
from tests.e2e.program import Program, Run

PROGRAM = """
import sys
sys.path.insert(0, {components!r})
import pulumi
import pulumi_kubernetes as k8s
from pulumi_slurm import SlurmCluster

provider = k8s.Provider("files", render_yaml_to_directory="rendered")
cluster = SlurmCluster(
    "hpc",
    spec={spec!r},
    root_key="A" * 43 + "=",
    opts=pulumi.ResourceOptions(provider=provider),
)
other = k8s.core.v1.ConfigMap("other", opts=pulumi.ResourceOptions(provider=provider))
pulumi.ComponentResource(
    "kubernetes:slinky.slurm.net/v1beta1:NodeSet",
    "by-hand",
    {{"spec": {{"workloadDisruptionProtection": {protected!r}, "slurmd": other.id, "replicas": other.id}}}},
)
"""
"""A node set of a cluster, and one whose inputs aren't all known yet."""
MACHINE = {"cpus": 4, "memory": "8Gi"}
GOOD = {
    "name": "hpc",
    "nodeSets": [{"name": "cpu", "machine": MACHINE}],
    "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
}
BAD = {
    **GOOD,
    "nodeSets": [{"name": "cpu", "machine": MACHINE, "workloadDisruptionProtection": False}],
    "controller": {"image": "example.com/slurmctld:25.11.7-ubuntu24.04"},
}


def preview(tools: Toolchain, folder: Path, spec: object, configuration: object = None) -> Run:
    """Preview a cluster with the pack, and with a configuration of it."""
    source = {
        "Pulumi.yaml": "name: policies\nruntime: python\n",
        "__main__.py": PROGRAM.format(components=str(CHECKOUT / "components"), spec=spec, protected=spec is GOOD),
    }
    program = Program(tools, folder, None, source=source)
    options = ["--policy-pack", str(CHECKOUT / "policy")]
    if configuration is not None:
        file = folder / "policies.json"
        file.write_text(json.dumps(configuration))
        options += ["--policy-pack-config", str(file)]
    return program.preview({}, *options, check=False)


@pytest.fixture(autouse=True)
def packs_need_the_embedded_engine(tools: Toolchain) -> None:
    if tools.official:
        pytest.skip("an official pulumi makes the pack's environment by itself")


def findings(run: Run) -> dict[tuple[str, str], str]:
    """Return the messages by policy and name of the resource."""
    found = {}
    for event in run.events:
        if violation := event.get("policyEvent"):
            name = violation["resourceUrn"].rpartition("::")[2]
            found[violation["policyName"], name] = violation["message"]
    return found


def test_a_preview_of_what_would_end_jobs_fails_and_says_what_to_write(tools: Toolchain, tmp_path: Path) -> None:
    run = preview(tools, tmp_path / "bad", BAD)
    assert run.code, str(run)
    told = findings(run)
    assert (
        "spec.workloadDisruptionProtection = false: a drain of a Kubernetes node, as for its upgrade, ends the jobs on "
        "it. Leave it out, or write true."
    ) in told["workers-with-jobs-are-protected", "hpc-cpu-nodeset"]
    assert "can't be known" not in run.output
    assert ("workers-with-jobs-are-protected", "by-hand") in told
    assert "CVE-2026-65107 and others" in told["slurm-has-no-known-vulnerabilities", "hpc-controller"]
    assert "Leave it out, or write true." in run.output
    assert "[mandatory] [severity: high]  workers-with-jobs-are-protected" in run.output
    assert "Traceback" not in run.output


def test_a_configuration_accepts_what_a_team_has_decided(tools: Toolchain, tmp_path: Path) -> None:
    decided = {
        "workers-with-jobs-are-protected": {"jobsMayEnd": True},
        "slurm-has-no-known-vulnerabilities": {"enforcementLevel": "advisory"},
    }
    run = preview(tools, tmp_path / "decided", BAD, decided)
    assert run.code == 0, str(run)
    policies = {policy for policy, _ in findings(run)}
    assert "workers-with-jobs-are-protected" not in policies
    assert "slurm-has-no-known-vulnerabilities" in policies


def test_a_preview_of_a_usual_cluster_goes_through(tools: Toolchain, tmp_path: Path) -> None:
    run = preview(tools, tmp_path / "good", GOOD)
    assert run.code == 0, str(run)
    assert {policy for policy, _ in findings(run)} <= {"images-are-pinned", "state-outlives-the-cluster"}

"""`pulumi-slurm drift` on a cluster whose Slurm runs in pods: kubectl, the API server, the Service and slurmrestd."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import Cluster
from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.live import ServiceAddress, Slurmrestd, service_proxy, take_look, token_of_secret
from tests.e2e.objects import Objects
from tests.jobs.conftest import Settings
from tests.jobs.drifting import findings
from tests.jobs.slurm import Slurm
from tests.programs import needs
from tests.unit.importing.command_line import run
from tests.waiting import eventually, has

pytestmark = needs("kubectl")


@pytest.mark.repeats("tests/slurmd/test_drift.py, in pods")
def test_a_look_goes_through_the_api_server_with_a_token_of_the_stack(
    cluster: Cluster, settings: Settings, objects: Objects, slurm: Slurm, long_job: int, tmp_path: Path
) -> None:
    def found() -> list[dict[str, Any]]:
        return findings(settings, cluster.kubeconfig, tmp_path)

    address = ServiceAddress("slurm", "slurm-slurmrestd", "6820", Kubectl(kubeconfig=cluster.kubeconfig))
    text = token_of_secret("slurm-token-admin", address)
    with service_proxy(address) as proxy:
        look = take_look(Slurmrestd(proxy.get, text, str(address)))
    (job,) = look.unfinished
    assert (job.number, job.nodes, job.state, job.account) == (long_job, ("cpu-0",), "RUNNING", "research")
    assert {node.name for node in look.nodes} == {"cpu-0", "cpu-1", "gpu-0"}

    assert found() == []
    slurm.root("scontrol", "update", "PartitionName=gpu", "MaxTime=10")
    slurm.root("scontrol", "update", "NodeName=cpu-1", "State=DRAIN", "Reason=new disk")
    changed, drained = found()
    assert (changed["kind"], changed["subject"]) == ("dangerous", "partition gpu")
    assert (drained["kind"], drained["subject"]) == ("on-purpose", "node cpu-1")
    for finding in (changed, drained):
        slurm.root(*shlex.split(finding["wayBack"]))
    eventually("no findings", lambda: str(found()), has("[]"))

    path = objects.kind("Service").path("slurm", "slurm-slurmrestd")
    label = next(iter(objects.get("Service", "slurm", "slurm-slurmrestd")["metadata"]["labels"].items()))
    for value in ("another", label[1]):
        change = {"metadata": {"labels": {label[0]: value}}}
        objects.api.request("PATCH", path, change, "application/merge-patch+json")
        edited = [("dangerous", "Service slurm-slurmrestd")] if value == "another" else []
        assert [(finding["kind"], finding["subject"]) for finding in found()] == edited

    wrong = run(
        "drift", tmp_path / "Pulumi.local.yaml", "--kubeconfig", cluster.kubeconfig, "--token-secret", "slurm-auth-jwt"
    )
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "it has no SLURM_JWT" in wrong.stderr

"""`pulumi-slurm drift` on a cluster whose Slurm runs in pods: kubectl, the API server, the Service and slurmrestd."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.cluster import Cluster
from devcluster.folders import CHECKOUT
from pulumi_slurm.live import ServiceAddress, Slurmrestd, service_proxy, take_look, token_of_secret
from tests.e2e.objects import Objects
from tests.jobs.slurm import Slurm
from tests.unit.importing.command_line import Result, run
from tests.waiting import eventually, has

pytestmark = pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl on PATH")


def stack_file(folder: Path) -> Path:
    """Write the stack's file as an engine leaves it, with an encrypted key."""
    settings = yaml.safe_load((CHECKOUT / "Pulumi.local.yaml").read_text())
    settings["config"]["slurm:rootKey"] = {"secure": "AAABAI"}
    file = folder / "Pulumi.local.yaml"
    file.write_text(yaml.safe_dump(settings))
    return file


def findings(result: Result) -> list[dict[str, Any]]:
    assert result.returncode in (0, 1), result.stderr
    listed: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    # Debian may have a release with vulnerabilities.
    return [finding for finding in listed if finding["kind"] != "vulnerable"]


def test_a_look_goes_through_the_api_server_with_a_token_of_the_stack(
    cluster: Cluster, objects: Objects, slurm: Slurm, long_job: int, tmp_path: Path
) -> None:
    address = ServiceAddress("slurm", "slurm-slurmrestd", "6820", kubeconfig=cluster.kubeconfig)
    text = token_of_secret("slurm-token-admin", address)
    with service_proxy(address) as proxy:
        look = take_look(Slurmrestd(proxy.get, text, str(address)))
    (job,) = look.unfinished
    assert (job.number, job.nodes, job.state, job.account) == (long_job, ("cpu-0",), "RUNNING", "research")
    assert {node.name for node in look.nodes} == {"cpu-0", "cpu-1", "gpu-0"}

    file, cluster_options = stack_file(tmp_path), ("--kubeconfig", cluster.kubeconfig, "--json")
    assert findings(run("drift", file, *cluster_options)) == []
    slurm.root("scontrol", "update", "PartitionName=gpu", "MaxTime=10")
    slurm.root("scontrol", "update", "NodeName=cpu-1", "State=DRAIN", "Reason=new disk")
    changed, drained = findings(run("drift", file, *cluster_options))
    assert (changed["kind"], changed["subject"]) == ("dangerous", "partition gpu")
    assert (drained["kind"], drained["subject"]) == ("on-purpose", "node cpu-1")
    for finding in (changed, drained):
        slurm.root(*shlex.split(finding["wayBack"]))
    eventually("no findings", lambda: str(findings(run("drift", file, *cluster_options))), has("[]"))

    path = objects.kind("Service").path("slurm", "slurm-slurmrestd")
    label = next(iter(objects.get("Service", "slurm", "slurm-slurmrestd")["metadata"]["labels"].items()))
    for value in ("another", label[1]):
        change = {"metadata": {"labels": {label[0]: value}}}
        objects.api.request("PATCH", path, change, "application/merge-patch+json")
        found = findings(run("drift", file, *cluster_options))
        edited = [("dangerous", "Service slurm-slurmrestd")] if value == "another" else []
        assert [(finding["kind"], finding["subject"]) for finding in found] == edited

    wrong = run("drift", file, "--kubeconfig", cluster.kubeconfig, "--token-secret", "slurm-auth-jwt")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "it has no SLURM_JWT" in wrong.stderr

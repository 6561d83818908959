"""`pulumi-slurm status` on a cluster whose Slurm runs in pods, as its page shows it."""

import json
import re
from pathlib import Path

import yaml

from devcluster.cluster import Cluster
from tests.doc_blocks import blocks
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.programs import needs
from tests.unit.importing.command_line import run
from tests.waiting import eventually

pytestmark = needs("kubectl")
NODES_ARE_DRAINED = re.compile(r"ReqNodeNotAvail|Nodes.required[^)]*")
"""The words of slurmctld's main scheduler and of its backfill scheduler, which come in turn."""


def test_the_page_shows_what_it_says(cluster: Cluster, slurm: Slurm, settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.local.yaml"
    file.write_text(yaml.safe_dump({"config": settings}))
    drain = ("state=drain", "reason=pulumi-slurm: ecc: 12 errors on gpu 1")
    slurm.root("scontrol", "update", "nodename=gpu-0", *drain)
    slurm.submit("sleep 60", "--partition=gpu")
    try:
        eventually("a reason", lambda: slurm.root("squeue", "--noheader", "--format=%r"), NODES_ARE_DRAINED.search)
        done = run("status", file, "--kubeconfig", cluster.kubeconfig)
        report = run("status", file, "--kubeconfig", cluster.kubeconfig, "--json")
    finally:
        slurm.cancel_all()
        slurm.root("scontrol", "update", "nodename=gpu-0", "state=undrain")
        slurm.wait_for_nodes({"cpu-0": "idle", "cpu-1": "idle", "gpu-0": "idle"})
    assert (done.returncode, done.stderr) == (0, "")
    (block,) = blocks("status")
    assert _without_times(done.stdout) == _without_times(block.text)
    assert [node["name"] for node in json.loads(report.stdout)["slurm"]["nodes"]] == ["cpu-0", "cpu-1", "gpu-0"]


def _without_times(text: str) -> str:
    return NODES_ARE_DRAINED.sub("Nodes", re.sub(r"\d+ (s|min|h|d)\b", "N s", text))

"""`pulumi-slurm prove` on a cluster whose Slurm runs in pods: a good one, one that others use, and broken ones."""

import re
from pathlib import Path

import pytest
import yaml

from devcluster.cluster import Cluster
from tests.doc_blocks import blocks
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.jobs.broken import wait_until_mended
from tests.jobs.conftest import Proof, Settings
from tests.jobs.slurm import Slurm
from tests.programs import needs
from tests.unit.importing.command_line import run

pytestmark = needs("kubectl")


def test_a_good_cluster_passes(proof: Proof, slurm: Slurm, program: Program, objects: Objects) -> None:
    proved = proof(None, "--user", "alice")
    assert (proved["FAIL"], proved["SLOW"]) == ([], [])
    assert [one["observed"] for one in proved["SKIP"]] == [
        *("accountingStorageEnforce has no limits", "accountingStorageEnforce has no limits"),
        *("no NetworkPolicy is made for it", "none is set"),
    ]
    assert {one["step"] for one in proved["PASS"]} == {
        *("daemons", "tokens", "nodes", "srun", "sbatch", "inside", "isolation", "limits", "storage", "record"),
        "metrics",
    }
    kept = objects.get("ConfigMap", "slurm", "slurm-proof")["data"]
    assert kept["summary"].startswith(f"{len(proved['PASS'])} PASS")
    assert kept["specificationHash"] == program.outputs()["specificationHash"]
    # Nothing of it is left, whoever asks.
    assert slurm.root("squeue", "--noheader") == ""


@pytest.mark.repeats("tests/jobs/test_prove.py, with others' jobs that hold all nodes")
def test_a_busy_queue_goes_on_while_it_proves(proof: Proof, slurm: Slurm) -> None:
    jobs = [slurm.submit("sleep 2", "--exclusive", "--time=1") for _ in range(40)]
    while any(slurm.state(job) in ("PENDING", "") for job in jobs[:35]):
        assert proof()["FAIL"] == []
    for job in jobs:
        slurm.wait_for(job, "COMPLETED")
    # None was sent back to the queue.
    rows = slurm.root("sacct", "-X", "-n", "-P", "-o", "restarts", "-j", ",".join(map(str, jobs))).split()
    assert rows == ["0"] * len(jobs)


@pytest.mark.repeats("tests/jobs/test_prove.py, with what takes minutes")
def test_rates_are_kept_and_compared(proof: Proof, slurm: Slurm) -> None:
    first, second = (proof(None, "--user", "alice", "--level", "full", "--save-baseline") for _ in range(2))
    for proved in (first, second):
        # The GPUs of these nodes are files, without a driver.
        assert [(one["step"], "libcuda" in one["observed"]) for one in proved["FAIL"]] == [("gpus", True)]
        assert "requeue" in {one["step"] for one in proved["PASS"]}
    assert "No floor and no baseline" in next(one["observed"] for one in first["SKIP"] if one["step"] == "rates")
    assert "rates" not in {one["step"] for one in second["SKIP"]}


def test_the_page_shows_what_it_says(cluster: Cluster, slurm: Slurm, settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.local.yaml"
    file.write_text(yaml.safe_dump({"config": settings}))
    wait_until_mended(slurm)
    done = run("prove", file, "--kubeconfig", cluster.kubeconfig, "--user", "alice")
    (block,) = blocks("proof")
    assert _without_numbers(done.stdout) == _without_numbers(block.text)


def _without_numbers(text: str) -> str:
    """Return a proof without the numbers of jobs, and what the machine has and has done before."""
    number = r"(?<=job )\d+|(?<=jobs )\d+, \d+|\d+(?= MiB$|, gpu| MiB, )|(?<=was )\d+|(?<=and is )\d+"
    return re.sub(number, "N", text, flags=re.M)


def test_jobs_of_others_are_not_touched_and_without_room_nothing_is_said(proof: Proof, slurm: Slurm) -> None:
    jobs = [slurm.submit("sleep 3600", "-w", node, "--exclusive") for node in ("cpu-0", "cpu-1", "gpu-0")]
    waiting = slurm.submit("sleep 3600", "-w", "cpu-0", "--exclusive")
    try:
        for job in jobs:
            slurm.wait_for(job, "RUNNING")
        proved = proof()
        assert proved["FAIL"] == []
        # Without a job: daemons and tokens are asked, and another user tries to read a file.
        assert {one["step"] for one in proved["PASS"]} == {"daemons", "tokens", "nodes", "isolation"}
        assert {one["observed"] for one in proved["SKIP"]} >= {"none of its nodes is idle", "no idle node runs jobs"}
        states = slurm.root("squeue", "--noheader", "--format=%i %T").split("\n")
        assert {line.strip() for line in states if line} == {
            *(f"{job} RUNNING" for job in jobs),
            f"{waiting} PENDING",
        }
    finally:
        slurm.cancel_all()

"""`pulumi-slurm prove` on a cluster whose Slurm runs in pods: a good one, one that others use, and broken ones."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.cluster import Cluster
from pulumi_slurm_cli.proof import Verdict
from tests.doc_blocks import blocks
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.programs import needs
from tests.unit.importing.command_line import run
from tests.waiting import eventually, has

pytestmark = needs("kubectl")
Proof = Callable[..., dict[str, list[dict[str, Any]]]]


@pytest.fixture
def proof(cluster: Cluster, slurm: Slurm, settings: Settings, tmp_path: Path) -> Proof:
    """Prove the cluster; return what the steps came to by verdict."""

    def proved(wanted: Settings | None = None, *arguments: str) -> dict[str, list[dict[str, Any]]]:
        file = tmp_path / "Pulumi.local.yaml"
        file.write_text(yaml.safe_dump({"config": wanted or settings}))
        done = run("prove", file, "--kubeconfig", cluster.kubeconfig, "--json", *arguments)
        assert done.returncode in (0, 1), done.stderr
        results = json.loads(done.stdout)["results"]
        assert done.returncode == int(any(one["verdict"] in ("FAIL", "SLOW") for one in results))
        return {verdict: [one for one in results if one["verdict"] == verdict] for verdict in Verdict}

    return proved


def test_a_good_cluster_passes(proof: Proof, slurm: Slurm) -> None:
    proved = proof(None, "--user", "alice")
    assert (proved["FAIL"], proved["SLOW"]) == ([], [])
    assert [one["observed"] for one in proved["SKIP"]] == ["no NetworkPolicy is made for it"]
    assert {one["step"] for one in proved["PASS"]} == {
        *("daemons", "nodes", "srun", "sbatch", "inside", "isolation", "limits", "storage", "record")
    }
    # Nothing of it is left, whoever asks.
    assert slurm.root("squeue", "--noheader") == ""


def test_the_page_shows_what_it_says(cluster: Cluster, slurm: Slurm, settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.local.yaml"
    file.write_text(yaml.safe_dump({"config": settings}))
    done = run("prove", file, "--kubeconfig", cluster.kubeconfig, "--user", "alice")
    (block,) = blocks("proof")
    assert _without_numbers(done.stdout) == _without_numbers(block.text)


def _without_numbers(text: str) -> str:
    """Return a proof without the numbers of jobs and the memory of the machine."""
    return re.sub(r"(?<=job )\d+|(?<=jobs )\d+, \d+|\d+(?= MiB$|, gpu| MiB, )", "N", text, flags=re.M)


def test_jobs_of_others_are_not_touched_and_without_room_nothing_is_said(proof: Proof, slurm: Slurm) -> None:
    jobs = [slurm.submit("sleep 3600", "-w", node, "--exclusive") for node in ("cpu-0", "cpu-1", "gpu-0")]
    waiting = slurm.submit("sleep 3600", "-w", "cpu-0", "--exclusive")
    try:
        for job in jobs:
            slurm.wait_for(job, "RUNNING")
        proved = proof()
        assert proved["FAIL"] == []
        assert {one["step"] for one in proved["PASS"]} == {"daemons", "nodes"}
        assert {one["observed"] for one in proved["SKIP"]} >= {"none of its nodes is idle", "no node is idle"}
        states = slurm.root("squeue", "--noheader", "--format=%i %T").split("\n")
        assert {line.strip() for line in states if line} == {
            *(f"{job} RUNNING" for job in jobs),
            f"{waiting} PENDING",
        }
    finally:
        slurm.cancel_all()


@contextmanager
def told(slurm: Slurm, words: str, back: str) -> Iterator[None]:
    """Have scontrol break something, and mend it."""
    slurm.root("scontrol", "update", *words.split())
    try:
        yield
    finally:
        slurm.root("scontrol", "update", *back.split())
        eventually("three idle nodes", lambda: slurm.root("sinfo", "-h", "-o", "%D %T", "-p", "all"), has("3 idle"))


BROKEN = {
    "a drained node": (
        "NodeName=cpu-1 State=DRAIN Reason=fan",
        "NodeName=cpu-1 State=RESUME",
        "nodes",
        "cpu-1 is drain",
    ),
    "a partition that is down": ("PartitionName=gpu State=DOWN", "PartitionName=gpu State=UP", "srun", "0 of 1 nodes"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_step_fails_that_is_about_what_is_broken(proof: Proof, slurm: Slurm, name: str) -> None:
    words, back, step, observed = BROKEN[name]
    with told(slurm, words, back):
        (failed,) = proof()["FAIL"]
    assert (failed["step"], observed in failed["observed"]) == (step, True), failed
    assert failed["fix"]


OTHERWISE: dict[str, tuple[tuple[Any, ...], Any, str, str]] = {
    "a worker more": (("nodeSets", 0, "replicas"), 3, "nodes", "2 of 2"),
    "GPUs of another type": (("nodeSets", 1, "gpus"), 1, "nodes", "gpu:h100:2"),
    "a volume that isn't mounted": (
        ("sharedVolumes", 1),
        {"name": "data", "mountPath": "/data", "storageClass": "standard", "size": "1Gi"},
        "storage",
        "nothing mounted there",
    ),
    # The network of these nodes enforces none.
    "policies that nobody enforces": (("networkPolicies",), {"enabled": True}, "isolation", "a job is let in"),
    "a partition that isn't there": (
        ("partitions", 2),
        {"name": "night", "nodeSets": ["cpu"]},
        "srun",
        "slurmctld has no such partition",
    ),
}
"""What the file says otherwise than the cluster is, the step that tells, and what it has seen."""


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_is_not_as_specified_is_told_by_one_step(proof: Proof, settings: Settings, name: str) -> None:
    path, value, step, observed = OTHERWISE[name]
    wanted = copy.deepcopy(settings)
    wanted["slurm:pools"][0]["maxNodes"] = 9
    place = wanted["slurm:cluster"]
    for key in path[:-1]:
        place = place[key]
    if isinstance(place, list) and path[-1] == len(place):
        place.append(value)
    else:
        place[path[-1]] = value
    (failed,) = proof(wanted)["FAIL"]
    assert (failed["step"], observed in failed["observed"]) == (step, True), failed


HUNG = {
    "slurmdbd": ("slurmdbd", "slurmdbd", "daemons", "it had no end in time"),
    "a worker's slurmd": ("cpu-1", "slurmd", "srun", "slurmd's log on cpu-1, and"),
}
"""Where a process is stopped as if it hung, the step that tells, and what it has seen."""


@pytest.mark.repeats("tests/jobs/test_prove.py, with daemons that hang for a minute")
@pytest.mark.parametrize("name", HUNG)
def test_a_daemon_that_hangs_is_told_by_one_step(proof: Proof, slurm: Slurm, name: str) -> None:
    host, program, step, observed = HUNG[name]

    def signal(kind: str) -> None:
        words = ("sh", "-c", f"kill -{kind} $(pidof {program})")
        if host == program:
            slurm.inside(program, *words)
        else:
            slurm.beside(host, *words)

    signal("STOP")
    try:
        proved = proof()
    finally:
        signal("CONT")
        slurm.cancel_all()
        eventually("three idle nodes", lambda: slurm.root("sinfo", "-h", "-o", "%D %T", "-p", "all"), has("3 idle"))
    assert len(proved["FAIL"]) == 1, proved["FAIL"]
    (failed,) = proved["FAIL"]
    assert (failed["step"], observed in str(failed)) == (step, True), failed

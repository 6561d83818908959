"""`pulumi-slurm review` where Slurm runs in pods: it names the jobs in the way, and they become what it has said."""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.cluster import Cluster
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.drifting import findings
from tests.jobs.reviewing import Repository, block, reviewed, said
from tests.jobs.slurm import Slurm
from tests.programs import needs
from tests.unit.importing.command_line import run
from tests.waiting import eventually

pytestmark = needs("kubectl")
READER = "reviewer"
TOKEN = {"name": READER, "username": "nobody", "lifetime": "1h"}
*CPU, GPU = NODES = ("cpu-0", "cpu-1", "gpu-0")
ONE_GPU = ("--partition=gpu", "--gpus=1")
"""Which takes all of the node, whose worker has one CPU."""
HOUR, LONG = "1:00:00", "6:00:00"


@pytest.fixture
def reader(objects: Objects, cluster: Cluster, tmp_path: Path) -> Iterator[Path]:
    """The kubeconfig of a user without any rights yet."""
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": READER, "namespace": "slurm"}}
    objects.create(account)
    path = objects.kind("ServiceAccount").path("slurm", READER)
    token = objects.api.request("POST", f"{path}/token", {"spec": {"expirationSeconds": 3600}})["status"]["token"]
    config = json.loads(cluster.kubeconfig.read_text())
    config["users"][0]["user"] = {"token": token}
    file = tmp_path / "reader.json"
    file.write_text(json.dumps(config))
    yield file
    for kind in ("RoleBinding", "Role", "ServiceAccount"):
        if objects.find(kind, "slurm", READER):
            objects.delete(kind, "slurm", READER)


def give_the_rights_of_the_page(objects: Objects) -> None:
    role = yaml.safe_load(block("review-rights").replace("hpc", "slurm"))
    objects.create(role)
    named = {key: role["metadata"][key] for key in ("name", "namespace")}
    objects.create(
        {
            "apiVersion": role["apiVersion"],
            "kind": "RoleBinding",
            "metadata": named,
            "subjects": [{"kind": "ServiceAccount", **named}],
            "roleRef": {
                "apiGroup": "rbac.authorization.k8s.io",
                "kind": role["kind"],
                "name": role["metadata"]["name"],
            },
        }
    )


@pytest.mark.repeats("tests/slurmd/test_review.py, in pods")
@pytest.mark.from_any_settings
def test_jobs_become_what_the_review_says(
    changed: Program, settings: Settings, slurm: Slurm, objects: Objects, reader: Path, tmp_path: Path
) -> None:
    cluster = settings["slurm:cluster"]
    cluster["tokens"].append(TOKEN)
    changed.up(settings)
    slurm.wait_for_pods()
    slurm.wait_for_nodes(dict.fromkeys(NODES, "idle"))
    on_cpu = [slurm.start_job("--nodelist", node) for node in CPU]
    on_gpu = slurm.start_job(*ONE_GPU, f"--time={LONG}")
    fits, too_long = (slurm.submit("sleep 3600", *ONE_GPU, f"--time={time}") for time in (HOUR, LONG))
    too_wide = slurm.submit("sleep 3600", "--nodes=3")

    cluster["nodeSets"][0]["replicas"] = 1
    cluster["partitions"][1]["maxTime"] = "4:00:00"
    repository = Repository.of(changed, settings, tmp_path / "repository")
    printed = repository.follow_the_page()
    events = repository.folder / "events.json"
    review = json.loads((repository.folder / "review.json").read_text())
    fewer = ("holds the update up", "node set cpu has 1 worker fewer, and `wait` is set", True)
    assert said(review) == {
        **dict.fromkeys(on_cpu, fewer),
        too_long: ("can never start", "gpu has maxTime 4:00:00", False),
        too_wide: ("can never start", "all has 2 nodes for it, and it needs 3", False),
    }
    line = "- **Jobs**: **2 can never start**, 2 may hold the update up, of 3 running and 3 waiting"
    assert printed.count(line) == 1
    assert line in (repository.folder / "comment.md").read_text()
    assert "**not looked at**: no cluster was named" in printed

    check_rights(slurm, objects, events, reader, review)

    with ThreadPoolExecutor(max_workers=1) as beside:
        update = beside.submit(changed.up, settings)
        try:
            (drained,) = eventually("a node that drains", lambda: draining(slurm))
            stays = on_cpu.pop(1 - CPU.index(drained))
            assert all(map(slurm.is_running, (*on_cpu, stays, on_gpu)))
            slurm.wait_for_reason(too_long, "PENDING PartitionTimeLimit")
            assert not update.done()
        finally:
            # The update waits for it alone.
            slurm.run("scancel", *map(str, on_cpu))
        update.result()
    slurm.wait_for_nodes({node: "allocated" for node in NODES if node != drained})
    assert all(map(slurm.is_running, (stays, on_gpu)))
    slurm.end_jobs()
    for job in (stays, on_gpu):
        slurm.wait_for(job, "COMPLETED")
    # Of those that waited, one fits and gets the node, and the others never get one.
    slurm.wait_for(fits, "RUNNING")
    slurm.root("scancel", str(fits))
    slurm.wait_for_nodes({node: "idle" for node in NODES if node != drained})
    slurm.wait_for_reason(too_wide, "PENDING PartitionNodeLimit")
    slurm.wait_for_reason(too_long, "PENDING PartitionTimeLimit")
    assert findings(settings, slurm.cluster.kubeconfig, tmp_path) == []


def draining(slurm: Slurm) -> list[str]:
    """Return the nodes that are drained and still have a job."""
    return [node for node, state in slurm.nodes().items() if state == "draining"]


def check_rights(slurm: Slurm, objects: Objects, events: Path, reader: Path, review: Mapping[str, Any]) -> None:
    """See that a reader without rights says so, and that one with those of the page sees what an administrator sees."""
    as_reader = ("--kubeconfig", reader, "--token-secret", "slurm-token-reviewer")
    token = events.with_name("token")
    token.write_text(slurm.inside("slurmctld", "scontrol", "token", "username=nobody", "lifespan=3600"))
    for options, why in (
        (as_reader, "Secret slurm-token-reviewer in namespace slurm: it can't be read"),
        (("--kubeconfig", reader, "--token-file", token), "You need the verb get on services/proxy in this namespace."),
    ):
        data, done = reviewed(events, *options)
        assert not data["jobs"]["looked"]
        assert why in data["jobs"]["whyNot"]
        (line,) = done.stderr.splitlines()
        assert line.startswith("jobs were not looked at: ")
        assert why in line
        (line,) = (line for line in run("review", events, *options).stdout.splitlines() if "**Jobs**" in line)
        assert line.startswith("- **Jobs**: **not looked at**: ")
    give_the_rights_of_the_page(objects)
    seen = eventually("the rights", lambda: reviewed(events, *as_reader)[0]["jobs"], lambda jobs: jobs["looked"])
    assert seen == review["jobs"]

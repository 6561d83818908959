"""Changes that replace workers while a job runs on each: a new template of their pods, a new key of Slurm."""

import shutil
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.drifting import findings
from tests.jobs.reviewing import reviewed, said
from tests.jobs.slurm import Slurm
from tests.waiting import equals, eventually

NODES = ("cpu-0", "cpu-1", "gpu-0")
NOT_HEARD = "node set cpu: slurmctld has the new key before they do, and doesn't hear of their jobs any more"
IDLE = dict.fromkeys(NODES, "idle")


@pytest.mark.repeats("tests/jobs/test_changes.py, with another template")
def test_a_new_template_replaces_workers_after_their_jobs(changed: Program, settings: Settings, slurm: Slurm) -> None:
    """The wedge of https://github.com/SlinkyProject/slurm-operator/issues/249 would leave workers of both templates."""
    before = slurm.uids()
    jobs = [slurm.start_job("-w", node, then="srun hostname") for node in NODES]
    for node_set in settings["slurm:cluster"]["nodeSets"]:
        node_set["pod"] = {"env": {"NEW": "1"}}
        node_set["wait"] = False
    changed.up(settings)
    slurm.end_jobs()
    for job in jobs:
        slurm.wait_for(job, "COMPLETED")

    def are_new(after: dict[str, str]) -> bool:
        return all(after.get(name, before[name]) != before[name] for name in workers)

    workers = [name for name in before if "-worker-" in name]
    eventually("all workers are new", slurm.uids, are_new)
    slurm.wait_for_nodes(IDLE)
    after = slurm.uids()
    assert {name for name in before if before[name] != after.get(name)} == set(workers)
    assert slurm.run("srun", "-w", "gpu-0", "true") == ""


@pytest.mark.repeats("tests/e2e/test_rotation.py, with real daemons")
@pytest.mark.from_any_settings
def test_the_key_of_slurm_replaces_every_pod_that_has_it(
    changed: Program, settings: Settings, slurm: Slurm, tmp_path: Path
) -> None:
    """slurmctld can't hear how a job ends that runs meanwhile: docs/rotate-keys.md has the way out.

    The operator keeps its worker as long as slurmrestd says that the node has a job. It was also seen to replace it at
    once, just after slurmctld itself had come back.
    """
    before = slurm.uids()
    job = slurm.start_job("-w", "cpu-0", "--no-requeue")
    for node_set in settings["slurm:cluster"]["nodeSets"]:
        node_set["wait"] = False
    settings["slurm:cluster"]["keys"] = {"slurm": {"generation": 2}}
    if shutil.which("kubectl"):
        events = tmp_path / "events.json"
        events.write_text(changed.preview(settings).raw_events)
        review, _ = reviewed(events, "--kubeconfig", slurm.cluster.kubeconfig)
        assert said(review) == {job: ("ends", NOT_HEARD, False)}
        assert review["verdict"] == "ends jobs"
    changed.up(settings)
    with_the_job = "slurm-worker-cpu-0"
    kept = {"slurm-mariadb-0", *(name for name in before if "directory" in name)}
    eventually("every other pod is new", lambda: same(before, slurm.uids()) - {with_the_job}, equals(kept))
    # A slurmctld that ends has taken the new key too, and what it hears while it ends may be lost: it was killed 30
    # seconds later, and the next one did not know that the node was DOWN.
    slurm.wait_for_another("slurm-controller-0", before)
    slurm.wait_for_node("gpu-0", "idle")
    slurm.end_jobs()
    eventually("the job has ended", lambda: slurm.processes("cpu-0"), lambda names: "slurm_script" not in names)
    slurm.root("scontrol", "update", "NodeName=cpu-0", "State=DOWN", "Reason=key")
    slurm.wait_for(job, "NODE_FAIL")
    if with_the_job in same(before, slurm.uids()):
        slurm.cluster.api.delete(f"/api/v1/namespaces/{slurm.namespace}/pods/{with_the_job}")
    eventually("no pod has the old key", lambda: same(before, slurm.uids()), equals(kept))
    slurm.wait_for_pods()
    # One that the operator had drained for its new pod stays drained: the operator leaves alone what has a reason of
    # somebody else's.
    slurm.wait_until_idle_again("cpu-0")
    after = slurm.first_job("-w", "cpu-0")
    slurm.wait_for(after, "COMPLETED")
    if shutil.which("kubectl"):
        assert findings(settings, slurm.cluster.kubeconfig, tmp_path) == []


def same(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name, value in before.items() if after.get(name) == value}

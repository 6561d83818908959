"""Scripts that Slurm runs around jobs, while jobs run: where, as whom, and how they change."""

import pytest

from devcluster.login import USER_ID
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.waiting import equals, eventually

LOG = "/tmp/hooks"
TASK_PROLOG = """\
#!/bin/sh
echo "export GREETING={greeting}"
echo "unset SLURM_SUBMIT_HOST"
echo "print $(id -u) greets"
"""


def script(name: str) -> str:
    return f'#!/bin/sh\necho "$SLURM_JOB_ID {name} $(id -un)" >>{LOG}\n'


def logged(slurm: Slurm, host: str, job: int) -> list[str]:
    lines = slurm.beside(host, "sh", "-c", f"cat {LOG} || true").splitlines()
    return [line.split(maxsplit=1)[1] for line in lines if line.startswith(f"{job} ")]


@pytest.mark.repeats("tests/slurmd/test_hooks.py, in pods")
def test_scripts_run_where_they_belong_drain_a_node_when_they_fail_and_change_under_jobs(
    changed: Program, settings: Settings, slurm: Slurm, long_job: int
) -> None:
    before = slurm.uids()
    cluster = settings["slurm:cluster"]
    cluster["hooks"] = {
        "prolog": {name: script(name) for name in ("20-second", "10-first")},
        "epilog": {"after": script("after")},
        "prologSlurmctld": {"controller-before": script("controller-before")},
        "epilogSlurmctld": {"controller-after": script("controller-after")},
    }
    cluster["configFiles"]["greet"] = TASK_PROLOG.format(greeting="hello")
    cluster["slurmConf"] = {"extra": {"TaskProlog": "greet"}}
    changed.up(settings)
    slurm.wait_for_file("cpu-1", "greet", "hello")
    slurm.wait_for_another("slurm-controller-0", before)
    slurm.wait_for_pods()
    new = slurm.uids()
    assert {name for name in before if before[name] != new.get(name)} == {"slurm-controller-0"}
    look = "echo $SLURM_JOB_ID; echo $GREETING; echo ${SLURM_SUBMIT_HOST-unset}"
    job, *printed = run_job(slurm, look)
    assert printed == [f"{USER_ID} greets", "hello", "unset"]
    eventually("both lines of slurmctld", lambda: logged(slurm, "slurmctld", int(job)), lambda lines: len(lines) > 1)
    eventually("all three of the node", lambda: logged(slurm, "cpu-1", int(job)), lambda lines: len(lines) > 2)
    assert logged(slurm, "slurmctld", int(job)) == ["controller-before slurm", "controller-after slurm"]
    assert logged(slurm, "cpu-1", int(job)) == ["10-first root", "20-second root", "after root"]
    assert logged(slurm, "cpu-0", int(job)) == []

    cluster["hooks"]["prolog"]["10-first"] = "#!/bin/sh\nexit 3\n"
    changed.up(settings)
    slurm.wait_for_file("cpu-1", "10-first", "exit 3")
    again = slurm.submit("true", "-w", "cpu-1")
    slurm.wait_for_node("cpu-1", "drained")
    assert "Prolog error" in slurm.run("sinfo", "-h", "-R", "-n", "cpu-1", "-o", "%E")
    slurm.wait_for_reason(again, "PENDING BeginTime")

    cluster["hooks"]["prolog"]["10-first"] = script("changed")
    cluster["configFiles"]["greet"] = TASK_PROLOG.format(greeting="good-bye")
    changed.up(settings)
    slurm.wait_for_file("cpu-1", "greet", "good-bye")
    slurm.wait_for_file("cpu-1", "10-first", "changed")
    slurm.root("scontrol", "update", "nodename=cpu-1", "state=resume")
    # Slurm lets a job wait two minutes after such a start.
    slurm.run("scontrol", "update", f"jobid={again}", "starttime=now")
    slurm.wait_for(again, "COMPLETED")
    job, *printed = run_job(slurm, look)
    assert printed == [f"{USER_ID} greets", "good-bye", "unset"]
    assert logged(slurm, "cpu-1", int(job))[:2] == ["changed root", "20-second root"]
    assert slurm.uids() == new
    assert slurm.is_running(long_job)


def run_job(slurm: Slurm, script: str) -> list[str]:
    """Return the lines that a job on cpu-1 prints, its number first."""
    lines = slurm.run("srun", "-w", "cpu-1", "sh", "-c", script).splitlines()
    return sorted(lines, key=lambda line: not line.isdigit())


@pytest.mark.repeats("tests/slurmd/test_hooks.py, in pods")
def test_a_health_check_drains_the_node_that_fails_it(changed: Program, settings: Settings, slurm: Slurm) -> None:
    cluster = settings["slurm:cluster"]
    drain = 'scontrol update nodename="$(hostname)" state=drain reason="$(id -un) saw {}"'
    check = "#!/bin/sh\n[ ! -e /tmp/broken ] || " + drain
    cluster["hooks"] = {"healthCheck": {"check": check.format("it")}}
    cluster["slurmConf"] = {"extra": {"HealthCheckInterval": 5}}
    before = slurm.uids()
    on_old_worker = slurm.start_job("-w", "cpu-0")
    changed.up(settings)
    slurm.end_jobs()
    slurm.wait_for(on_old_worker, "COMPLETED")
    slurm.wait_for_pods()
    slurm.wait_for_nodes({"cpu-0": "idle", "cpu-1": "idle", "gpu-0": "idle"})
    slurm.wait_for_line("HealthCheckInterval = 5 sec")
    slurm.wait_for_new_worker("cpu-1", "HealthCheckInterval=5")
    new = slurm.uids()
    assert {name for name in before if before[name] != new.get(name)} == {
        f"slurm-worker-{node}" for node in slurm.nodes()
    }
    job = slurm.submit("sleep 3600", "-w", "cpu-0")
    slurm.wait_for(job, "RUNNING")
    slurm.beside("cpu-1", "touch", "/tmp/broken")
    slurm.wait_for_node("cpu-1", "drained")
    assert slurm.run("sinfo", "-h", "-R", "-o", "%n %E").strip() == "cpu-1 root saw it"

    cluster["hooks"]["healthCheck"]["check"] = check.format("more")
    changed.up(settings)
    eventually("the changed check", lambda: slurm.run("sinfo", "-h", "-R", "-o", "%E").strip(), equals("root saw more"))
    slurm.beside("cpu-1", "rm", "/tmp/broken")
    # A check that had begun before may drain it once more.
    slurm.wait_until_idle_again("cpu-1")
    slurm.run("srun", "-w", "cpu-1", "true")
    assert slurm.uids() == new
    assert slurm.is_running(job)
